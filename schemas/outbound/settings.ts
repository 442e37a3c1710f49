import { csv } from '../common/setting-parsers.ts'

export const settings = {
  /** Hosts (`host` or `host:port`) that callers may name although they are private or use plain HTTP. Local chain only. */
  LOCAL_CALLER_HOSTS: csv,
}
