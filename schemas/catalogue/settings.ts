import { z } from 'zod'
import { json } from '../common/setting-parsers.ts'

export const settings = {
  /** JSON object: lane → {dailyRaw, backlog}; overrides the catalogue lanes. */
  CATALOGUE_LANES: json(z.object({ dailyRaw: z.string(), backlog: z.int() })),
  REWARD_BANK_MAX_AGE_SECONDS: z.coerce.number().int().default(60),
}
