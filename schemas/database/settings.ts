import { z } from 'zod'
import { SECRET } from '../common/setting-parsers.ts'

export const settings = {
  /** Holds the password, percent-encoded. */
  DATABASE_URL: z.string().meta(SECRET),
  /** The server itself, where `DATABASE_URL` leads to a pooler: for notifications and migrations. */
  DATABASE_DIRECT_URL: z.string().optional().meta(SECRET),
  /** A streaming replica of that server, from which lists are read. */
  DATABASE_REPLICA_URL: z.string().optional().meta(SECRET),
  DATABASE_POOL: z.coerce.number().int().min(1).default(20),
}
