import { z } from 'zod'
import { flag, raw } from '../common/setting-parsers.ts'

export const settings = {
  WORKER_OPEN_EXPOSURE_CAP_RAW: raw('2500000'),
  WORKER_DAILY_EXPOSURE_BUDGET_RAW: raw('1500000'),
  WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: raw('10000000'),
  WORKER_GRADUATION_SETTLED_JOBS: z.coerce.number().int().default(10),
  WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: raw('25000000'),
  WORKER_VESTED_OPEN_EXPOSURE_UNIT_RAW: raw('500000'),
  /** Whether larger curated jobs are open to qualifying wallets first. */
  DEPOSIT_CLAIM_PRIORITY_ENABLED: flag,
  /** Length of that head start; longer values count as 1800 s. */
  PRIORITY_WINDOW_SECONDS: z.coerce.number().int().min(1).default(1_800),
  /** Smallest reward of a job with a head start. */
  PRIORITY_MIN_REWARD_RAW: raw('1000000'),
  /** Vested deposit that qualifies a wallet. */
  PRIORITY_DEPOSIT_THRESHOLD_RAW: raw('1000000'),
  ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW: raw('8000000'),
  ONBOARDING_SUBSIDY_GAS_ESTIMATE_RAW: raw('59000'),
}

export type EligibilitySettings = z.infer<z.ZodObject<typeof settings>>
