import type { Rows } from '../../activities/database/database.ts'
import { emit, type NewEvent } from '../../activities/events/outbox.ts'
import { insertGrant } from '../../activities/identity/grants.ts'
import { DAY_MS, isoOrNull } from '../../domain/common/instants.ts'
import { cleanName, delegateCapabilities, orderedTerms } from '../../domain/identity/delegate-terms.ts'
import type { GrantRow } from '../../domain/identity/grants.ts'
import type { DelegateRequest } from '../../schemas/identity/entities.ts'
import type * as operations from '../../schemas/identity/operations.ts'
import type { Input } from '../../schemas/operations/operation.ts'
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

/** An event about a delegate for its wallet. */
export const delegateEvent = (topic: NewEvent['topic'], grant: GrantRow, at: number): NewEvent => ({
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

/** Stores what a wallet granted to a delegate, with the message and signature as proof. `id` is that of the grant, a new one by default. */
export const grantDelegate = async (rows: Rows, { wallet, challenge, signature }: SignedChallenge, now: number, id = newGrantId()) => {
  if (challenge.delegate === null) throw new Error('the message grants nothing to a delegate')
  const { terms, client, endsAt } = challenge.delegate
  const grant = await insertGrant(rows, {
    id,
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
