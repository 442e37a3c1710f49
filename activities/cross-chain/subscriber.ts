import { requestChanged } from '../../schemas/cross-chain/process.ts'
import { isRoutine, type Subscriber } from '../chain/follower/subscriber.ts'
import { crossChainStart } from './start.ts'

/** Wakes the process of the request that an event is about. A status that this service set changes nothing for it. */
export const requestSubscriber: Subscriber = {
  events: { xcm: ['RequestQueued', 'RequestStatusUpdated'] },
  findWakes: async (events) =>
    events
      .filter((event) => !(isRoutine(event) && event.event === 'RequestStatusUpdated'))
      .map((cause) => ({
        cause,
        workflow: 'crossChainRequest',
        start: crossChainStart({ v: 1, requestId: String(cause.args.requestId) }),
        signal: requestChanged,
      })),
}
