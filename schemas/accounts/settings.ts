import { z } from 'zod'

export const settings = {
  /** Gas grants in one UTC day. */
  FIRST_WITHDRAWAL_GAS_GRANT_DAILY_CAP: z.coerce.number().int().min(1).default(25),
}
