import { ESCROW_MOVES } from '../../domain/chain/topics.ts'
import { postingChanged } from '../../schemas/postings/process.ts'
import { jobEvents, type Subscriber } from '../chain/follower/subscriber.ts'
import { postersOf } from './records.ts'
import { postingStart } from './start.ts'

/** Wakes the process of a posted job, or starts it again, with every event of its escrow. A job without a draft has none. */
export const postingSubscriber: Subscriber = {
  events: { escrow: ['JobCreated', ...ESCROW_MOVES] },
  findWakes: async (events, { rows }) => {
    const moves = jobEvents(events)
    const posters = await postersOf(
      rows,
      moves.map(({ chainJobId }) => chainJobId),
    )
    return moves.flatMap((cause) => {
      const posted = posters.get(cause.chainJobId)
      if (posted === undefined) return []
      const start = postingStart({ v: 1, jobId: cause.chainJobId }, posted)
      return [{ cause, workflow: 'externalPosting', start, signal: postingChanged }]
    })
  },
}
