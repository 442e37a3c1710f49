import type { Settings } from '../../schemas/settings.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { type ContactSettings, sourceContact, userAgentOf } from './user-agent.ts'

const hostOf = (address: string): string[] => {
  const host = URL.parse(address)?.host
  return host === undefined ? [] : [host]
}

type SourceAddress =
  | 'CODEHOST_API_URL'
  | 'WIKIPEDIA_API_URL'
  | 'OSV_API_URL'
  | 'OPEN_DATA_API_URL'
  | 'OPENAPI_LIST_URL'
  | 'STANDARDS_API_URL'

/**
 * One guarded fetch for each kind of address. The address of a source is the operator's: its host may be private, for that source alone. What
 * callers name (receivers of events, artefacts) reaches the public internet, and on the local chain the hosts of `LOCAL_CALLER_HOSTS`.
 */
export const createFetches = (
  settings: Pick<Settings, SourceAddress | 'LOCAL_CALLER_HOSTS' | 'VERIFICATION_FACILITATOR_URL'> & ContactSettings,
) => ({
  codehost: createGuardedFetch({ allowedHosts: hostOf(settings.CODEHOST_API_URL) }),
  // Wikimedia blocks requests whose user agent names no contact: those of verifiers and delivery checks too.
  encyclopedia: createGuardedFetch({ allowedHosts: hostOf(settings.WIKIPEDIA_API_URL), userAgent: userAgentOf(sourceContact(settings)) }),
  osv: createGuardedFetch({ allowedHosts: hostOf(settings.OSV_API_URL) }),
  openData: createGuardedFetch({ allowedHosts: hostOf(settings.OPEN_DATA_API_URL) }),
  openapiList: createGuardedFetch({ allowedHosts: hostOf(settings.OPENAPI_LIST_URL) }),
  standards: createGuardedFetch({ allowedHosts: hostOf(settings.STANDARDS_API_URL) }),
  facilitator: createGuardedFetch({ allowedHosts: hostOf(settings.VERIFICATION_FACILITATOR_URL ?? '') }),
  callers: createGuardedFetch({ allowedHosts: settings.LOCAL_CALLER_HOSTS }),
})
export type Fetches = ReturnType<typeof createFetches>
