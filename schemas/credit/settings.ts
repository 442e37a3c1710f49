import { z } from 'zod'
import { chainKey } from '../common/setting-parsers.ts'

export const settings = {
  /** Key of the credit pool's `operator()`, which attests vested principal; used by the API only. */
  CREDIT_OPERATOR_KEY: chainKey,
  /** How long the last reading of a wallet's credit counts while no newer one succeeds. */
  CREDIT_READ_GRACE_MS: z.coerce.number().int().min(0).max(300_000).default(300_000),
}
