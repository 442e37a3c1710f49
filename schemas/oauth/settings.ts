import { z } from 'zod'

export const settings = {
  /** Most clients that registered themselves and are kept. */
  OAUTH_CLIENT_LIMIT: z.coerce.number().int().min(1).default(10_000),
}
