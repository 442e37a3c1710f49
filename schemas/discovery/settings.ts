import { z } from 'zod'
import { csv } from '../common/setting-parsers.ts'

const isContact = (text: string): boolean =>
  /^(mailto:[^@\s]+@[^@\s]+|tel:\+?[\d-]+)$/.test(text) || (text.startsWith('https://') && URL.canParse(text))

export const settings = {
  /** Comma list of addresses for security reports. */
  SECURITY_CONTACT: csv.pipe(
    z.array(z.string().refine(isContact, { error: 'must be a comma list of mailto:, https:// or tel: addresses' })),
  ),
}
