import { z } from 'zod'
import { SECRET } from '../common/setting-parsers.ts'

export const settings = {
  /** Base address of the code host's REST API, no trailing slash. */
  CODEHOST_API_URL: z.url().default('https://api.github.com'),
  /** Host in the addresses of this code host's pull requests. */
  CODEHOST_WEB_HOST: z.string().toLowerCase().default('github.com'),
  /** Bearer token of the code host (`CODEHOST_TOKEN` or `CODEHOST_TOKEN_FILE`); without it the service reads no pull request. */
  CODEHOST_TOKEN: z.string().optional().meta(SECRET),
  /** Secret of the code host's webhook (`CODEHOST_HOOK_SECRET` or `…_FILE`); without it the endpoint answers 404. */
  CODEHOST_HOOK_SECRET: z.string().min(16).optional().meta(SECRET),
  CODEHOST_TIMEOUT_SECONDS: z.coerce.number().positive().default(10),
}
