import { z } from 'zod'

export const settings = {
  /** Streams of events that a process keeps open, in all, of one wallet and from one address. */
  EVENT_STREAMS: z.coerce.number().int().min(1).default(1_000),
  EVENT_STREAMS_PER_WALLET: z.coerce.number().int().min(1).default(20),
  EVENT_STREAMS_PER_ADDRESS: z.coerce.number().int().min(1).default(200),
  /** Time between two comments of a quiet stream; its token is checked again then. */
  EVENT_PING_SECONDS: z.coerce.number().min(0.1).max(60).default(15),
  /** Days that streams and polls serve events. */
  EVENT_RETENTION_DAYS: z.coerce.number().int().min(1).default(30),
}
