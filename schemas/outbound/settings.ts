import { csv } from '../common/setting-parsers.ts'

export const settings = {
  /** Private hosts (`host` or `host:port`) that outgoing fetches may reach, also over plain HTTP. */
  OUTBOUND_ALLOWED_HOSTS: csv,
}
