import { z } from 'zod'
import { TIERS } from '../common/tiers.ts'
import { Address, AssetAmount, IsoTime, nativeAccount, oneMemberOf, part, shape } from '../operations/values.ts'
import { SCOPE_NAMES } from './delegate-terms.ts'
import { GrantIdInput } from './grant-shapes.ts'

/** What a delegate may do, how much of it in 24 hours, and what it has used. */
const delegateMembers = {
  client: part('Who it is, by its own word.', {
    name: z.string(),
    host: z.string().nullable().describe('Host that it signs in from; null without one.'),
  }),
  scopes: z.array(z.enum(SCOPE_NAMES)),
  tiers: z.array(z.enum(TIERS)).describe('Tiers of the jobs that it may claim.'),
  budget: part('What it may use in 24 hours.', { bondPerDay: AssetAmount, jobsPerDay: z.int().min(0) }),
  used: part('What it has used. A claim counts until 24 hours after its bond was recorded; a claim that was refused does not count.', {
    bonds: AssetAmount,
    jobs: z.int().min(0),
  }),
}

/** Where the grant of a delegate can stand. */
export const DELEGATE_STATUSES = ['active', 'expired', 'revoked'] as const
export type DelegateStatus = (typeof DELEGATE_STATUSES)[number]

const grantMembers = {
  grantId: z.string(),
  nativeAccount,
  ...delegateMembers,
  issuedAt: IsoTime,
  expiresAt: IsoTime.describe('Instant at which it ends.'),
  status: z.enum(DELEGATE_STATUSES),
  revokedAt: IsoTime.nullable(),
  revokedBy: z.enum(['wallet', 'delegate']).nullable().describe('A delegate revokes itself with a logout.'),
}

export const DelegateShape = shape('Delegate', 'A part of what a wallet may do, granted to a delegate by the signature of the wallet.', {
  ...grantMembers,
  message: z.string().describe('The text that the wallet signed.'),
  signature: z.string().describe('Its signature, in hex. With the text it proves the grant.'),
})

export const DelegateOverviewShape = shape('DelegateOverview', 'The grant of a delegate of any wallet, for operators, without its proof.', {
  wallet: Address.describe('Wallet that granted it.'),
  ...grantMembers,
})

/** What the token of a delegate says of itself. */
export const OwnDelegate = part('Of the token of a delegate: its terms, and what is left of them.', {
  ...delegateMembers,
  left: part('What it can still use now.', { bonds: AssetAmount, jobs: z.int().min(0) }),
})

const names = ['grantId', 'all'] as const

/** Which delegates end: exactly one member. */
export const DelegatesToRevoke = z
  .strictObject({
    grantId: GrantIdInput.optional().describe('Ends this delegate.'),
    all: z.literal(true).optional().describe('Ends every delegate of the wallet.'),
  })
  .refine((body) => names.filter((name) => body[name] !== undefined).length === 1, { error: 'needs exactly one of grantId and all' })
  .meta(oneMemberOf(...names))
