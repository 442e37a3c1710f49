import type { Rows } from '../../../activities/database/database.ts'
import { insertGrant } from '../../../activities/identity/grants.ts'
import { DAY_MS } from '../../../domain/common/instants.ts'
import { delegateCapabilities } from '../../../domain/identity/delegate-terms.ts'
import { TIERS } from '../../../schemas/common/tiers.ts'
import type { DelegateTerms } from '../../../schemas/identity/delegate-terms.ts'

/** A grant of a wallet (lower case) to a delegate for 30 days, as its signature would have stored it; terms that are not given are wide. */
export const addDelegate = async (
  rows: Rows,
  { id, wallet, at, ...changes }: { id: string; wallet: string; at: number } & Partial<DelegateTerms>,
): Promise<string> => {
  const terms: DelegateTerms = {
    scopes: ['read', 'claim', 'submit'],
    bondPerDayRaw: '1000000000',
    jobsPerDay: 1_000,
    tiers: [...TIERS],
    ...changes,
  }
  await insertGrant(rows, {
    id,
    kind: 'delegate',
    subject: wallet,
    capabilities: delegateCapabilities(terms),
    scope: null,
    note: null,
    issuedBy: wallet,
    issuedAt: at,
    expiresAt: at + 30 * DAY_MS,
    jti: null,
    tokenExpiresAt: null,
    rotatedFrom: null,
    terms,
    client: { name: 'an agent', host: null, id: null },
    message: 'signed text',
    signature: '0x',
  })
  return id
}
