import { z } from 'zod'
import { flag } from '../common/setting-parsers.ts'

export const settings = {
  /** The hourly sweep for stale listings runs. */
  STALE_SWEEP_ENABLED: flag,
  /** The sweep only reports what it would archive; false to archive. */
  STALE_SWEEP_DRY_RUN: z
    .enum(['true', 'false'])
    .default('true')
    .transform((value) => value === 'true'),
  /** Claimable starter jobs below which an ended job may be listed again; 0 for never. */
  STARTER_JOBS_MINIMUM: z.coerce.number().int().min(0).max(100).default(0),
}
