import { z } from 'zod'
import { SECRET } from '../common/setting-parsers.ts'

export const settings = {
  /** Secret of the share tokens (`SHARE_SECRET` or `SHARE_SECRET_FILE`); no other secret of the service equals it. */
  SHARE_SECRET: z.string().min(32).optional().meta(SECRET),
}
