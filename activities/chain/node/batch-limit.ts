import { smallerBatch } from '../../../domain/chain/batch-answer.ts'

/** After this time without a refusal the service tries batches of the configured size again. */
const FORGET_MS = 600_000

/** What a process knows of its node from the answers so far. Instants are epoch ms of the wall clock. */
export interface NodeEvidence {
  /** Calls in one batch now. */
  batchSize: number
  /** Configured size. */
  configuredSize: number
  /** Batches that the node refused since the start of the process. */
  refusals: number
  /** The last refused batch; null before the first. */
  lastRefusal: { at: number; size: number } | null
  /** Time of the last call with a result; null before the first. */
  lastReadAt: number | null
}

export interface BatchLimitDeps {
  /** Largest number of calls in one batch. */
  size: number
  /** Called with each refused batch. */
  onRefusal?: (refusal: { size: number; nextSize: number; reason: string }) => void
  now?: () => number
}

export type BatchLimit = ReturnType<typeof createBatchLimit>

/** Size of the batches to one node. It shrinks with each refusal; the clients of one process share it. */
export const createBatchLimit = ({ size: configuredSize, onRefusal = () => undefined, now = Date.now }: BatchLimitDeps) => {
  let shrunkTo = configuredSize
  let refusals = 0
  let lastRefusal: NodeEvidence['lastRefusal'] = null
  let lastReadAt: number | null = null

  const size = (): number => {
    if (lastRefusal !== null && now() - lastRefusal.at >= FORGET_MS) shrunkTo = configuredSize
    return shrunkTo
  }

  return {
    size,

    /** Records a refused batch. Batches of that size are not sent again for some minutes. */
    shrink: (refused: number, reason: string): void => {
      const nextSize = Math.min(size(), smallerBatch(refused))
      shrunkTo = nextSize
      refusals += 1
      lastRefusal = { at: now(), size: refused }
      onRefusal({ size: refused, nextSize, reason })
    },

    recordRead: (): void => {
      lastReadAt = now()
    },

    evidence: (): NodeEvidence => ({ batchSize: size(), configuredSize, refusals, lastRefusal, lastReadAt }),
  }
}
