import type { Rows } from '../../activities/database/database.ts'
import { emit, type NewEvent } from '../../activities/events/outbox.ts'
import { insertGrant, listLiveDelegates, lockDelegatesOf, lockGrant, revokeGrant } from '../../activities/identity/grants.ts'
import { DAY_MS, isoOrNull } from '../../domain/common/instants.ts'
import { cleanName, delegateCapabilities, orderedTerms } from '../../domain/identity/delegate-terms.ts'
import { type GrantRow, grantEnd } from '../../domain/identity/grants.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { DELEGATE_LIMITS } from '../../schemas/identity/delegate-terms.ts'
import type { DelegateRequest } from '../../schemas/identity/entities.ts'
import type * as operations from '../../schemas/identity/operations.ts'
import type { Input } from '../../schemas/operations/operation.ts'
import type { ServiceDeps } from '../deps.ts'
import type { SignedChallenge } from './challenge.ts'
import { newGrantId } from './grant-ids.ts'

type Asked = NonNullable<Input<typeof operations.issueNonce>['body']['delegate']>

/** What a wallet is asked to grant to a delegate that it names itself. `now` in epoch ms. */
export const delegateRequestOf = ({ name, days, ...terms }: Asked, now: number): DelegateRequest => ({
  terms: orderedTerms(terms),
  client: { name: cleanName(name), host: null, id: null },
  endsAt: now + days * DAY_MS,
  interaction: null,
})

/** Members that only a delegate has. */
export const delegateOf = ({ id, terms, client, message, signature, expiresAt }: GrantRow) => {
  if (terms === null || client === null || message === null || signature === null || expiresAt === null)
    throw new Error(`the grant ${id} is not that of a delegate`)
  return { terms, client, message, signature, expiresAt }
}

/** An event about a delegate for its wallet. */
const delegateEvent = (topic: NewEvent['topic'], grant: GrantRow, at: number): NewEvent => ({
  topic,
  wallets: [grant.subject],
  correlationId: grant.id,
  at,
  data: {
    grantId: grant.id,
    subject: grant.subject,
    client: grant.client,
    terms: grant.terms,
    expiresAt: isoOrNull(grant.expiresAt),
  },
})

/** Ends a locked delegate that has not ended, and tells its wallet. `at` in epoch ms. */
export const endDelegate = async (rows: Rows, grant: GrantRow, by: string, at: number): Promise<void> => {
  if (grantEnd(grant, at) !== null) return
  await emit(rows, delegateEvent('delegate.revoke', await revokeGrant(rows, grant, { by, at, note: null }), at))
}

/** Ends a delegate that gives its grant back, or whose client used a code or refresh token twice. */
export const endDelegateItself = ({ database, clock }: Pick<ServiceDeps, 'database' | 'clock'>, grantId: string): Promise<void> =>
  database.transaction(async (rows) => {
    const grant = await lockGrant(rows, 'delegate', grantId)
    if (grant !== null) await endDelegate(rows, grant, grant.id, clock.now())
  })

/** Throws 409 for a wallet that has as many delegates as it can have. The lock makes grants at the same time wait for each other. */
const assertRoom = async (rows: Rows, wallet: string, now: number): Promise<void> => {
  await lockDelegatesOf(rows, wallet)
  if ((await listLiveDelegates(rows, wallet, now)).length >= DELEGATE_LIMITS.live)
    throw new ServiceError('delegate_limit_reached', { details: { limit: DELEGATE_LIMITS.live } })
}

/** Stores what a wallet granted to a delegate, with the message and signature as proof. */
export const grantDelegate = async (rows: Rows, { account: { wallet }, challenge, signature }: SignedChallenge, now: number) => {
  if (challenge.delegate === null) throw new Error('the message grants nothing to a delegate')
  const { terms, client, endsAt } = challenge.delegate
  if (endsAt <= now) throw new ServiceError('siwe_expired')
  await assertRoom(rows, wallet, now)
  const grant = await insertGrant(rows, {
    id: newGrantId(),
    kind: 'delegate',
    subject: wallet,
    capabilities: delegateCapabilities(terms),
    scope: null,
    note: null,
    issuedBy: wallet,
    issuedAt: now,
    expiresAt: endsAt,
    jti: null,
    tokenExpiresAt: null,
    rotatedFrom: null,
    terms,
    client,
    message: challenge.message,
    signature,
  })
  await emit(rows, delegateEvent('delegate.grant', grant, now))
  return grant
}
