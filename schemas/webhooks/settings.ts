import { csv, flag, SECRET } from '../common/setting-parsers.ts'

export const settings = {
  /** Webhooks are offered. */
  WEBHOOKS: flag,
  /** Comma list of secrets, each at least 32 characters (`WEBHOOK_SECRETS` or `…_FILE`); the first signs for new endpoints. */
  WEBHOOK_SECRETS: csv.meta(SECRET),
}
