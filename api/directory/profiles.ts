import { readConsent } from '../../activities/consents/listing.ts'
import type { Rows } from '../../activities/database/database.ts'
import { findCounts } from '../../activities/directory/listing.ts'
import { readProfileFacts } from '../../activities/directory/profile.ts'
import { agentProfile, noCounts } from '../../domain/directory/profile.ts'
import type { AgentProfile } from '../../schemas/directory/shapes.ts'
import type { ApiDeps } from '../deps.ts'

/**
 * Reads profiles for a reader (lower-case wallet, or null); null for a profile that is private for the reader. Of such a wallet nothing is read
 * but its consent, as for a wallet that was never seen. `rows` are those of the caller's transaction, if it has one.
 */
export const createProfileReader =
  ({ settings, chain, clock, baseUrl }: ApiDeps) =>
  async (rows: Rows, wallet: string, reader: string | null): Promise<{ profile: AgentProfile; isPublic: boolean } | null> => {
    const { publicProfile: isPublic, currentActivity: showsActivity } = await readConsent(rows, wallet)
    if (!isPublic && reader !== wallet) return null
    const [counts, facts] = await Promise.all([findCounts(rows, wallet), readProfileFacts(rows, wallet, { showsActivity })])
    const context = { identities: settings.OPERATOR_IDENTITIES, asset: chain.asset, now: clock.now(), baseUrl }
    return { profile: agentProfile(counts ?? noCounts(wallet), facts, context), isPublic }
  }
export type ReadProfile = ReturnType<typeof createProfileReader>
