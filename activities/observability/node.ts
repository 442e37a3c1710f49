import { Counter, Gauge, type Registry } from 'prom-client'
import type { BatchLimit } from '../chain/node/batch-limit.ts'

/** Metrics of the node's answers to this process. */
export const observeNode = (registry: Registry, batches: Pick<BatchLimit, 'evidence'>): void => {
  const registers = [registry]
  new Gauge({
    name: 'chain_batch_size',
    help: 'Requests in one JSON-RPC batch at most.',
    registers,
    collect() {
      this.set(batches.evidence().batchSize)
    },
  })
  new Counter({
    name: 'chain_batches_refused_total',
    help: 'Batches that the node refused.',
    registers,
    collect() {
      this.reset()
      this.inc(batches.evidence().refusals)
    },
  })
}
