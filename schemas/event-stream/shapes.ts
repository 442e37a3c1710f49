import { z } from 'zod'
import { Address, DigitString, IsoTime, JobIdInput, OpenObject, SessionIdInput, shape } from '../operations/values.ts'

/** Comma list of words, such as topics. */
const words = (what: string) =>
  z
    .string()
    .regex(/^[a-z_.-]{1,60}(,[a-z_.-]{1,60}){0,19}$/, { error: 'must be a comma list of at most 20 words' })
    .optional()
    .describe(`Comma list of ${what}; entries with another one are left out.`)

/** Query members that filter events. */
export const eventWords = {
  topics: words('topics'),
  sources: words('sources'),
  phases: words('phases'),
  severities: words('severities'),
  correlationId: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 printable ASCII characters' })
    .optional()
    .describe('Only events with this id, which ties those of one request or one process together.'),
}

/** Number of an event, as text. */
export const EventIdInput = z
  .string()
  .regex(/^[0-9]{1,18}$/, { error: 'must be the id of an event' })
  .meta({ examples: ['0'] })

export const eventQuery = {
  ...eventWords,
  jobId: JobIdInput.optional(),
  sessionId: SessionIdInput.optional(),
  scope: z
    .enum(['own', 'all'])
    .default('own')
    .describe('`own`: events of the wallet. `all`: of every wallet, for operators with the capability `ops:view`.'),
}

/** Frame of a stream, by the fields of server-sent events. */
export const StreamFrame = shape('StreamFrame', 'A frame of the stream, by the fields of server-sent events.', {
  event: z.string().describe('Topic of the event, `gap` or `auth_expired`.'),
  data: z.string().describe('An `Event` as one line of JSON; of the other frames an object with their `topic`.'),
  id: DigitString.optional().describe('Id of the event; absent before the first.'),
})

/** Event of a stream. Source: http, "GET /events". */
export const EventShape = shape('Event', 'Something that happened, as the outbox recorded it.', {
  id: DigitString.describe('Rises from event to event.'),
  topic: z.string(),
  type: z.literal('event_bus'),
  source: z.string().describe('Part of the service, or `chain`, that caused it.'),
  phase: z.string().describe('Part of the life of a job, such as `execution` or `settlement`.'),
  severity: z.enum(['info', 'warn', 'error']),
  correlationId: z.string().describe('Ties the events of one request or one process together.'),
  wallet: Address.nullable(),
  wallets: z.array(Address).describe('Wallets that may read the event.'),
  jobId: z.string().nullable(),
  sessionId: z.string().nullable(),
  blockNumber: DigitString.nullable().describe('Null for what did not happen on chain.'),
  txHash: z.string().nullable().describe('Null for what did not happen on chain.'),
  timestamp: IsoTime,
  data: OpenObject.describe('Facts of the event; the members depend on the topic.'),
})
export type EventEnvelope = z.infer<typeof EventShape>
