import { z } from 'zod'
import { Address, closedShape, IdempotencyKeyInput, IsoTime, part, shape } from '../operations/values.ts'
import { GRANTABLE_CAPABILITIES } from './authorisation.ts'

/** Longest scope and longest note of a grant, in characters. Source: http, "Size limits". */
const SCOPE_LENGTH = 60
const NOTE_LENGTH = 500

const Scope = z.string().min(1).max(SCOPE_LENGTH).describe('What it is for, in few words; a service token carries it.')
const Note = z.string().min(1).max(NOTE_LENGTH)

/** Id of a grant. */
export const GrantIdInput = z
  .string()
  .regex(/^grant-[0-9a-f]{12}$/, { error: 'must be grant- and 12 hex digits' })
  .meta({ examples: ['grant-0123456789ab'] })

/** Capabilities of a request. The document lists those that can be granted; the handler tells an unknown name from one that no grant carries. */
const CapabilitiesInput = z
  .array(z.string().min(1).max(60).meta({ enum: GRANTABLE_CAPABILITIES }))
  .min(1)
  .max(60)
  .describe('In any order; repeats count once.')

/** Members of a request that say what a grant gives. */
export const grantTerms = {
  capabilities: CapabilitiesInput,
  scope: Scope.optional(),
  note: Note.optional().describe('For other operators; no token carries it.'),
  expiresAt: z.iso
    .datetime()
    .regex(/^[1-9]/, { error: 'must be an instant of the year 1000 or later' })
    .optional()
    .describe('End of the grant, in the future; without it only a revocation ends it.'),
}
/** Lifetime of the token of a request. */
export const TokenTtlInput = z.int().min(1).optional().describe('Lifetime of the token; that of wallet tokens by default.')
export const RevokeNoteInput = Note.optional().describe('Why it is revoked, for other operators.')

export const GrantRevocation = closedShape('GrantRevocation', 'Revocation of a grant.', {
  note: RevokeNoteInput,
  idempotencyKey: IdempotencyKeyInput.optional(),
})

export const CapabilityGrantShape = shape(
  'CapabilityGrant',
  'Capabilities that an operator granted to a wallet, or with a service token.',
  {
    id: z.string(),
    subject: Address.describe('Wallet that gets the capabilities, or for which the service token acts.'),
    capabilities: z.array(z.string()).describe('Sorted.'),
    scope: z.string().optional(),
    note: z.string().optional(),
    issuedBy: Address,
    issuedAt: IsoTime,
    expiresAt: IsoTime.optional().describe('Instant from which it gives nothing; absent without one.'),
    status: z.enum(['active', 'revoked']).describe('`active` also after `expiresAt`.'),
    rotatedFrom: z.string().optional().describe('Grant whose token this one replaced.'),
    revokedAt: IsoTime.optional(),
    revokedBy: Address.optional(),
    revokeNote: z.string().optional(),
  },
)

/** A service token without its secret. */
export const ServiceTokenShape = shape('ServiceToken', 'A service token, without the token itself.', {
  tokenKind: z.literal('service'),
  tokenAvailable: z.boolean().describe('Whether this answer carries the token.'),
  tokenExpiresAt: IsoTime,
  grant: CapabilityGrantShape,
})

/** Answer to a new token. */
export const issuedToken = {
  token: z.string().optional().describe('Shown once; absent in a replay.'),
  tokenOmittedReason: z.string().optional().describe('Why a replay has no token.'),
  tokenType: z.literal('Bearer'),
  tokenKind: z.literal('service'),
  tokenAvailable: z.boolean().describe('Whether this answer carries the token.'),
  wallet: Address.describe('Wallet for which the token acts.'),
  capabilities: z.array(z.string()).describe('Exactly what the token may do, sorted.'),
  expiresAt: IsoTime.describe('Instant at which the token ends.'),
  ttlClampedTo: z
    .int()
    .optional()
    .describe('Lifetime in seconds, where it is shorter than asked: 30 days at most, and not beyond the grant.'),
  grant: CapabilityGrantShape,
  usage: part('How the token is sent.', { header: z.string() }),
}
