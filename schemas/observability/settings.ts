import { z } from 'zod'
import { flag, SECRET } from '../common/setting-parsers.ts'

export const settings = {
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  METRICS_TOKEN: z.string().optional().meta(SECRET),
  /** Port of the worker's metrics on HOST; 0 takes any free port, unset disables them. */
  WORKER_METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  OPEN_METRICS: flag,
}
