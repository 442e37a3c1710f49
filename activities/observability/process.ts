import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/database.ts'
import { lostLogLines } from './log-sink.ts'

const NANOSECONDS = 1e9
const RESOLUTION_MS = 20

/** Delay of callbacks beyond the timer's resolution, in seconds, since the last reading. */
const delaySeconds = (nanoseconds: number): number => Math.max(0, (nanoseconds - RESOLUTION_MS * 1e6) / NANOSECONDS) || 0

/** Registers metrics of a process: its database pool, its log and the delay of its event loop. */
export const observeProcess = (registry: Registry, database: Pick<Database, 'pool'>): void => {
  const registers = [registry]
  const pool = { name: 'database_pool_connections', help: 'Open connections of this process, by what they do.', labelNames: ['state'] }
  new Gauge({
    ...pool,
    registers,
    collect() {
      const { inUse, idle } = database.pool()
      this.set({ state: 'in_use' }, inUse)
      this.set({ state: 'idle' }, idle)
    },
  })
  new Gauge({
    name: 'database_pool_limit',
    help: 'Connections that this process may open.',
    registers,
    collect() {
      this.set(database.pool().max)
    },
  })
  new Gauge({
    name: 'database_pool_waiting',
    help: 'Statements that wait for a free connection.',
    registers,
    collect() {
      this.set(database.pool().waiting)
    },
  })
  new Counter({
    name: 'log_lines_lost_total',
    help: 'Log lines that could not be written.',
    registers,
    collect() {
      this.reset()
      this.inc(lostLogLines())
    },
  })
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
