import { readConsent } from '../../activities/directory/consents.ts'
import { findCounts } from '../../activities/directory/listing.ts'
import { readProfileFacts } from '../../activities/directory/profile.ts'
import { agentProfile, noCounts } from '../../domain/directory/profile.ts'
import type { AgentProfile } from '../../schemas/directory/shapes.ts'
import type { ApiDeps } from '../deps.ts'

export type ProfileDeps = Pick<ApiDeps, 'settings' | 'chain' | 'database' | 'clock' | 'baseUrl'>

/**
 * Reads profiles for a reader (lower-case wallet, or null); null for a profile that is private for the reader. Of such a wallet nothing is read
 * but its consent, as for a wallet that was never seen.
 */
export const createProfileReader =
  ({ settings, chain, database, clock, baseUrl }: ProfileDeps) =>
  async (wallet: string, reader: string | null): Promise<{ profile: AgentProfile; isPublic: boolean } | null> => {
    const { rows } = database
    const { publicProfile: isPublic, currentActivity: showsActivity } = await readConsent(rows, wallet)
    if (!isPublic && reader !== wallet) return null
    const [counts, facts] = await Promise.all([findCounts(rows, wallet), readProfileFacts(rows, wallet, { showsActivity })])
    const context = { identities: settings.OPERATOR_IDENTITIES, asset: chain.asset, now: clock.now(), baseUrl }
    return { profile: agentProfile(counts ?? noCounts(wallet), facts, context), isPublic }
  }
export type ReadProfile = ReturnType<typeof createProfileReader>
