import type { Settings } from '../../schemas/settings.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

const hostOf = (address: string): string[] => {
  const host = URL.parse(address)?.host
  return host === undefined ? [] : [host]
}

/**
 * One guarded fetch for each kind of address. The address of a source is the operator's: its host may be private, for that source alone. What
 * callers name (receivers of events, artefacts) reaches the public internet, and on the local chain the hosts of `LOCAL_CALLER_HOSTS`.
 */
export const createFetches = (settings: Pick<Settings, 'CODEHOST_API_URL' | 'WIKIPEDIA_API_URL' | 'LOCAL_CALLER_HOSTS'>) => ({
  codehost: createGuardedFetch({ allowedHosts: hostOf(settings.CODEHOST_API_URL) }),
  encyclopedia: createGuardedFetch({ allowedHosts: hostOf(settings.WIKIPEDIA_API_URL) }),
  callers: createGuardedFetch({ allowedHosts: settings.LOCAL_CALLER_HOSTS }),
})
export type Fetches = ReturnType<typeof createFetches>
