import { z } from 'zod'

export const settings = {
  DATABASE_URL: z.string(),
  DATABASE_POOL: z.coerce.number().int().min(1).default(20),
}
