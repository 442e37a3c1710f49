import type { Topic } from '../../domain/events/topics.ts'
import type { ChainRecorder, StoredChainEvent } from '../chain/follower/recorder.ts'
import { emit } from '../events/outbox.ts'
import { postersOf } from './records.ts'

/** What a poster learns of the work on its job, by the event of the escrow. */
const ANNOUNCED: Readonly<Record<string, Topic>> = {
  JobClaimed: 'posting.claimed',
  WorkSubmitted: 'posting.submitted',
  Verified: 'posting.verdict',
}

/** Arguments that concern the poster; hashes of a worker's evidence do not. */
const dataOf = ({ args, removed }: StoredChainEvent) => ({
  ...(args.worker !== undefined && { worker: args.worker }),
  ...(args.approved !== undefined && { approved: args.approved }),
  ...(args.claimExpiry !== undefined && { claimExpiresAt: new Date(Number(args.claimExpiry) * 1000).toISOString() }),
  ...(removed && { removedByFork: true }),
})

/** Announces to posters how the work on their jobs goes on. */
export const postingRecorder: ChainRecorder = {
  recordChanges: async (rows, events, { now }) => {
    const announced = events.filter(({ contract, event, chainJobId }) => contract === 'escrow' && chainJobId !== null && event in ANNOUNCED)
    const posters = await postersOf(
      rows,
      announced.map(({ chainJobId }) => chainJobId ?? ''),
    )
    for (const event of announced) {
      const { chainJobId: jobId, blockTime, blockNumber, txHash } = event
      const topic = ANNOUNCED[event.event]
      const posted = jobId === null ? undefined : posters.get(jobId)
      if (topic === undefined || jobId === null || posted === undefined) continue
      await emit(rows, { topic, wallets: [posted.poster], jobId, at: blockTime, recordedAt: now, blockNumber, txHash, data: dataOf(event) })
    }
  },
}
