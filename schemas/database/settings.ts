import { z } from 'zod'

export const settings = {
  DATABASE_URL: z.string(),
  /** The server itself, where `DATABASE_URL` leads to a pooler: for notifications and migrations. */
  DATABASE_DIRECT_URL: z.string().optional(),
  /** A streaming replica of that server, from which lists are read. */
  DATABASE_REPLICA_URL: z.string().optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).default(20),
}
