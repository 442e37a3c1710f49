import { z } from 'zod'
import { operation, SIGNED_IN } from '../operations/operation.ts'
import { DigitString, listQuery, WaitSecondsQuery } from '../operations/values.ts'
import { EventIdInput, EventShape, eventQuery } from './shapes.ts'

const own = { tags: ['Events'], ...SIGNED_IN, capability: 'events:read' } as const
const { limit } = listQuery(100, 500)

export const streamEvents = operation('streamEvents', 'GET /events', {
  summary: 'Events of the wallet as they happen, as server-sent events.',
  description:
    'The stream begins with the last `limit` events, or with all after `Last-Event-ID`. Each frame has the id, the topic and the event as one line of JSON. Ids rise without a repeat, so a reader that reconnects with the last id misses nothing. A comment comes at intervals, 15 seconds unless the operator sets others. The frame `gap` (`lastDelivered` is the id that the reader named) says that ids before the oldest kept event are lost, `auth_expired` that the token has ended or lost its right, at once in every process; the stream then closes. The service closes the stream of a reader that takes nothing for one to two minutes.',
  ...own,
  streams: true,
  rate: 'events',
  query: z.object({
    ...eventQuery,
    limit,
    lastEventId: EventIdInput.optional().describe('Id of the last event that the reader has; the header `Last-Event-ID` comes first.'),
    token: z.string().max(8_000).optional().describe('Bearer token of a reader that cannot send headers.'),
  }),
  responses: { 200: z.string() },
  produces: 'text/event-stream; charset=utf-8',
  errors: ['too_many_waits'],
  examples: { query: { limit: '10' } },
})

export const pollEvents = operation('pollEvents', 'GET /events/poll', {
  summary: 'The next events of the wallet, for readers that cannot keep a stream open.',
  description:
    'Without `after` the answer has the last events. With it the answer has the events after that id, and `waitSeconds` holds the answer until there is one. Send `lastEventId` as `after` next time.',
  ...own,
  rate: 'events_poll',
  query: z.object({
    ...eventQuery,
    limit,
    after: EventIdInput.optional().describe('Id of the last event that the reader has.'),
    waitSeconds: WaitSecondsQuery,
  }),
  responses: {
    200: z.object({
      events: z.array(EventShape),
      lastEventId: DigitString.describe('Id to send as `after` next time.'),
      gap: z.boolean().describe('Whether events after `after` are no longer kept.'),
    }),
  },
  examples: { query: { limit: '10' } },
})
