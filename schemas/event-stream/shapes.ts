import { z } from 'zod'
import { Address, DigitString, IsoTime, JobIdInput, OpenObject, SessionIdInput } from '../operations/values.ts'

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
    .optional(),
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

/** Event of a stream. Source: http, "GET /events". */
export const EventShape = z
  .object({
    id: DigitString,
    topic: z.string(),
    type: z.literal('event_bus'),
    source: z.string(),
    phase: z.string(),
    severity: z.enum(['info', 'warn', 'error']),
    correlationId: z.string(),
    wallet: Address.nullable(),
    wallets: z.array(Address),
    jobId: z.string().nullable(),
    sessionId: z.string().nullable(),
    blockNumber: DigitString.nullable(),
    txHash: z.string().nullable(),
    timestamp: IsoTime,
    data: OpenObject,
  })
  .meta({ id: 'Event', description: 'Something that happened, as the outbox recorded it.' })
export type EventEnvelope = z.infer<typeof EventShape>
