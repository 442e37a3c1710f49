import { insertGrant } from '../../../activities/identity/grants.ts'
import type { Capability } from '../../../schemas/identity/authorisation.ts'
import { type Api, accounts } from '../../support/api.ts'

let issued = 0

/** A service token of a wallet with these capabilities, without an admin who issues it. */
export const serviceTokenOf = async (
  { deps }: Pick<Api, 'deps'>,
  subject: string,
  capabilities: readonly Capability[],
): Promise<{ token: string; id: string }> => {
  const now = deps.clock.now()
  const iat = Math.floor(now / 1000)
  issued += 1
  const id = `grant-${issued.toString(16).padStart(12, '0')}`
  const { token, claims } = await deps.tokens.issueService({ sub: subject, grantId: id, scope: null, iat, exp: iat + 3_600 })
  await insertGrant(deps.database.rows, {
    id,
    kind: 'token',
    subject,
    capabilities: [...capabilities].sort(),
    scope: null,
    note: null,
    issuedBy: accounts.admin.address.toLowerCase(),
    issuedAt: now,
    expiresAt: null,
    jti: claims.jti,
    tokenExpiresAt: claims.exp * 1000,
    rotatedFrom: null,
  })
  return { token, id }
}
