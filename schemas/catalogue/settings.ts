import { z } from 'zod'
import { json, SECRET } from '../common/setting-parsers.ts'

export const settings = {
  /** Secret of the salts of expected outputs (`ANSWER_SECRET` or `ANSWER_SECRET_FILE`); no other secret of the service equals it. */
  ANSWER_SECRET: z.string().min(32).optional().meta(SECRET),
  /** JSON object: lane → {dailyRaw, backlog}; overrides the catalogue lanes. */
  CATALOGUE_LANES: json(z.object({ dailyRaw: z.string(), backlog: z.int() })),
  REWARD_BANK_MAX_AGE_SECONDS: z.coerce.number().int().default(60),
}
