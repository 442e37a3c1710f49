import { z } from 'zod'
import { signingKey } from '../common/setting-parsers.ts'

export const settings = {
  /** PKCS#8 PEM of the P-256 badge and receipt key (`RECEIPT_KEY` or `RECEIPT_KEY_FILE`). */
  RECEIPT_KEY: signingKey,
  RECEIPT_KEY_FILE: z.string().optional(),
  RECEIPT_KEY_FINGERPRINT: z.string().optional(),
}
