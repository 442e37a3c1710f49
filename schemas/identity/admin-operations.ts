import { z } from 'zod'
import { ADMIN, operation } from '../operations/operation.ts'
import { AddressInput, IdempotencyKeyInput, listAnswer, listQuery, literal } from '../operations/values.ts'
import { DELEGATE_STATUSES, DelegateOverviewShape } from './delegate-shapes.ts'
import {
  CapabilityGrantShape,
  GrantIdInput,
  GrantRevocation,
  grantTerms,
  issuedToken,
  RevokeNoteInput,
  ServiceTokenShape,
  TokenTtlInput,
} from './grant-shapes.ts'

const own = { ...ADMIN, tags: ['Grants'] } as const
const change = { ...own, rate: 'admin_jobs' } as const
const idempotencyKey = IdempotencyKeyInput.optional()
const params = z.object({ id: GrantIdInput })
const listing = z.object({
  ...listQuery(50, 200),
  subject: AddressInput.optional(),
  status: z.enum(['active', 'revoked']).optional(),
})
const GRANT_FAULTS = ['capability_not_grantable', 'grant_capability_not_owned'] as const
const SUBJECT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const EXAMPLE = { subject: SUBJECT, capabilities: ['jobs:claim', 'jobs:submit'], scope: 'nightly worker' }
const GRANT_EXAMPLE = { id: 'grant-0123456789ab' }

export const listServiceTokens = operation('listServiceTokens', 'GET /admin/service-tokens', {
  summary: 'Service tokens with their grants, newest first; never the tokens themselves.',
  ...own,
  capability: 'admin:capabilities:read',
  query: listing,
  responses: { 200: z.object({ items: z.array(ServiceTokenShape), ...listAnswer }) },
  examples: { query: { limit: '10', subject: SUBJECT, status: 'active' } },
})

export const issueServiceToken = operation('issueServiceToken', 'POST /admin/service-tokens', {
  summary: 'Issue a token that acts for a wallet with exactly the capabilities named.',
  description:
    'The token has no role, inherits nothing of the wallet, and ends with its grant. It is shown once: a replay of the request has every member but the token.',
  ...change,
  capability: 'admin:capabilities:grant',
  idempotent: 'service_token_issue',
  body: z.strictObject({ subject: AddressInput, ...grantTerms, tokenTtlSeconds: TokenTtlInput, idempotencyKey }),
  responses: { 201: z.object(issuedToken) },
  errors: [...GRANT_FAULTS, 'token_key_unavailable'],
  examples: { body: { ...EXAMPLE, tokenTtlSeconds: 3600 } },
})

export const rotateServiceToken = operation('rotateServiceToken', 'POST /admin/service-tokens/:id/rotate', {
  summary: 'Replace a service token by a new one with a new grant; the old one has no capability from then on.',
  description:
    'What the request does not name is that of the old grant. Old grant and new grant change in one step, and of several rotations of one grant one succeeds.',
  ...change,
  capability: ['admin:capabilities:grant', 'admin:capabilities:revoke'],
  idempotent: 'service_token_rotate',
  params,
  body: z.strictObject({
    ...z.object(grantTerms).partial().shape,
    tokenTtlSeconds: TokenTtlInput,
    revokeNote: RevokeNoteInput,
    idempotencyKey,
  }),
  responses: { 201: z.object({ ...issuedToken, rotatedFrom: CapabilityGrantShape.describe('The old grant, revoked.') }) },
  errors: [...GRANT_FAULTS, 'service_token_not_found', 'service_token_grant_revoked', 'token_key_unavailable'],
  examples: { params: GRANT_EXAMPLE, body: {} },
})

export const revokeServiceToken = operation('revokeServiceToken', 'POST /admin/service-tokens/:id/revoke', {
  summary: 'Take every capability from a service token, at once and in every process.',
  description: 'An open stream, a held poll and a tool call that waits end too. The sign-in of the wallet stays as it is.',
  ...change,
  capability: 'admin:capabilities:revoke',
  idempotent: 'service_token_revoke',
  params,
  body: GrantRevocation,
  responses: {
    200: z.object({
      tokenKind: z.literal('service'),
      tokenAvailable: z.boolean(),
      status: literal('revoked'),
      alreadyRevoked: z.boolean().describe('True if it was revoked before; the first revocation stands.'),
      grant: CapabilityGrantShape,
    }),
  },
  errors: ['service_token_not_found'],
  examples: { params: GRANT_EXAMPLE, body: { note: 'The host was replaced.' } },
})

export const listCapabilityGrants = operation('listCapabilityGrants', 'GET /admin/capability-grants', {
  summary: 'Capabilities granted to wallets, newest first.',
  ...own,
  capability: 'admin:capabilities:read',
  query: listing,
  responses: { 200: z.object({ items: z.array(CapabilityGrantShape), ...listAnswer }) },
  examples: { query: { limit: '10', status: 'active' } },
})

export const createCapabilityGrant = operation('createCapabilityGrant', 'POST /admin/capability-grants', {
  summary: 'Add capabilities to every token of the sign-in of a wallet.',
  description: 'A grant gives no role. It is effective with the next request of the wallet, without a new sign-in.',
  ...change,
  capability: 'admin:capabilities:grant',
  idempotent: 'capability_grant',
  body: z.strictObject({ subject: AddressInput, ...grantTerms, idempotencyKey }),
  responses: { 201: CapabilityGrantShape },
  errors: GRANT_FAULTS,
  examples: { body: { subject: SUBJECT, capabilities: ['ops:view'], note: 'Reads the events of all wallets.' } },
})

export const revokeCapabilityGrant = operation('revokeCapabilityGrant', 'POST /admin/capability-grants/:id/revoke', {
  summary: 'Take a grant from a wallet, at once and in every process.',
  ...change,
  capability: 'admin:capabilities:revoke',
  idempotent: 'capability_revoke',
  params,
  body: GrantRevocation,
  responses: { 200: CapabilityGrantShape },
  errors: ['capability_grant_not_found'],
  examples: { params: GRANT_EXAMPLE, body: {} },
})

export const listAdminDelegates = operation('listAdminDelegates', 'GET /admin/delegates', {
  summary: 'Delegates of every wallet with their terms and what they have used, newest first.',
  description: 'Without the message that the wallet signed and without its signature.',
  ...ADMIN,
  tags: ['Operators'],
  capability: 'admin:capabilities:read',
  query: z.object({
    ...listQuery(50, 200),
    status: z.enum(DELEGATE_STATUSES).optional(),
    wallet: AddressInput.optional(),
  }),
  responses: { 200: z.object({ items: z.array(DelegateOverviewShape), ...listAnswer }) },
  examples: { query: { status: 'active' } },
})
