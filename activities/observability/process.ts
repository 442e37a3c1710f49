import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { ChainNodes } from '../chain/node/nodes.ts'
import type { Database } from '../database/database.ts'
import { lostLogLines } from './log-sink.ts'

const NANOSECONDS = 1e9
const RESOLUTION_MS = 20

/** Delay of callbacks beyond the timer's resolution, in seconds, since the last reading. */
const delaySeconds = (nanoseconds: number): number => Math.max(0, (nanoseconds - RESOLUTION_MS * 1e6) / NANOSECONDS) || 0

/** Registers a gauge whose value is read with the metrics. */
const observeValue = (registry: Registry, name: string, help: string, read: () => number): void => {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

/** Registers a counter of what is counted elsewhere, which is read with the metrics. */
const observeTotal = (registry: Registry, name: string, help: string, read: () => number): void => {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

/** Registers metrics of a process: its database pool, its log and the delay of its event loop. */
export const observeProcess = (registry: Registry, database: Pick<Database, 'pool' | 'replica'>): void => {
  const registers = [registry]
  new Gauge({
    name: 'database_pool_connections',
    help: 'Open connections of this process, by what they do.',
    labelNames: ['state'],
    registers,
    collect() {
      const { inUse, idle } = database.pool()
      this.set({ state: 'in_use' }, inUse)
      this.set({ state: 'idle' }, idle)
    },
  })
  observeValue(registry, 'database_pool_limit', 'Connections that this process may open.', () => database.pool().max)
  observeValue(registry, 'database_pool_waiting', 'Statements that wait for a free connection.', () => database.pool().waiting)
  new Counter({
    name: 'database_list_reads_total',
    help: 'Lists by the server that they were read from.',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset()
      const use = database.replica()
      if (use === null) return
      this.inc({ server: 'replica' }, use.replicaReads)
      this.inc({ server: 'primary' }, use.primaryReads)
    },
  })
  observeValue(
    registry,
    'database_replica_lag_bytes',
    'Log that the replica lacked at the last look.',
    () => database.replica()?.lagBytes ?? 0,
  )
  observeTotal(registry, 'log_lines_lost_total', 'Log lines that could not be written.', lostLogLines)
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  new Gauge({
    name: 'event_loop_delay_seconds',
    help: 'How late callbacks ran since the last reading.',
    labelNames: ['percentile'],
    registers,
    collect() {
      this.set({ percentile: '50' }, delaySeconds(histogram.percentile(50)))
      this.set({ percentile: '99' }, delaySeconds(histogram.percentile(99)))
      this.set({ percentile: '100' }, delaySeconds(histogram.max))
      histogram.reset()
    },
  })
}

/** Metrics of the node's answers to this process. */
export const observeNode = (registry: Registry, nodes: Pick<ChainNodes, 'evidence'>): void => {
  observeValue(registry, 'chain_batch_size', 'Requests in one JSON-RPC batch at most.', () => nodes.evidence().batchSize)
  observeTotal(registry, 'chain_batches_refused_total', 'Batches that the node refused.', () => nodes.evidence().refusals)
  observeValue(
    registry,
    'chain_node_in_use',
    'Place of the node in use, in the order of preference from 1.',
    () => nodes.evidence().nodes.inUse,
  )
  observeTotal(registry, 'chain_node_changes_total', 'Changes to another node.', () => nodes.evidence().nodes.changes)
  new Gauge({
    name: 'chain_node_lag_blocks',
    help: 'Blocks that a node is behind the newest one seen; absent for a node that is not usable.',
    labelNames: ['node'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [index, lag] of nodes.evidence().nodes.lags.entries()) if (lag !== null) this.set({ node: String(index + 1) }, lag)
    },
  })
}
