import { z } from 'zod'
import { statedForms } from '../operations/direction-forms.ts'
import { operation, PUBLIC, WALLET_ONLY } from '../operations/operation.ts'
import { AddressInput, IdempotencyKeyInput, literal, SESSION_EXAMPLE } from '../operations/values.ts'
import { SHARE_REFERENCE, SHARE_SURFACES, SHARE_TTL } from './record.ts'
import { SharedResourceShape, ShareShape } from './shapes.ts'

const own = { tags: ['Shares'], auth: WALLET_ONLY, action: 'wallet_sign_in', capability: 'shares:create', rate: 'shares' } as const
const Reference = z.string().min(1).max(240)
const FORMS = Object.fromEntries(Object.entries(SHARE_REFERENCE).map(([surface, name]) => [surface, [['id'], [name]]]))

export const createShare = operation('createShare', 'POST /shares', {
  summary: 'Shares a frozen, redacted copy of a record under an address that expires.',
  description:
    'Anyone with the address reads the copy until it expires or is revoked. Give the record by `id` or by the member of its surface: `wallet` (agent), `sessionId` (session), `disputeId` (dispute) or `tag` (policy).',
  ...own,
  idempotent: 'shares_create',
  body: z
    .strictObject({
      surface: z.enum(SHARE_SURFACES).describe('Kind of the record.'),
      id: Reference.optional().describe('Id of the record, in place of the member of its surface.'),
      wallet: AddressInput.optional(),
      sessionId: Reference.optional(),
      disputeId: Reference.optional(),
      tag: Reference.optional().describe('Tag of the policy.'),
      ttlSeconds: z.int().min(1).max(SHARE_TTL.max).default(SHARE_TTL.default).describe('Seconds until it expires.'),
      idempotencyKey: IdempotencyKeyInput.optional(),
    })
    .meta(statedForms('surface', FORMS, ['id', ...Object.values(SHARE_REFERENCE)])),
  responses: {
    201: z.object({
      status: literal('created'),
      share: ShareShape,
      token: z.string().describe('Every holder of the token reads the copy.'),
      appPath: z.string().describe('Path of the share in the web app.'),
      apiPath: z.string().describe('Path of the share in this API.'),
      apiUrl: z.url(),
    }),
  },
  errors: ['agent_not_found', 'session_not_found', 'dispute_not_found', 'policy_not_found', 'session_not_owned', 'share_forbidden'],
  examples: { body: { surface: 'session', sessionId: SESSION_EXAMPLE, ttlSeconds: 86_400 } },
})

export const getShare = operation('getShare', 'GET /shares/:token', {
  summary: 'The frozen copy of a shared record, as JSON or as a page.',
  tags: ['Shares'],
  auth: PUBLIC,
  params: z.object({
    token: z.string().regex(/^[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_-]{43}$/),
  }),
  responses: { 200: z.object({ status: literal('ok'), share: ShareShape, resource: SharedResourceShape }) },
  hasPage: true,
  errors: ['invalid_share_token', 'share_not_found', 'share_token_expired', 'share_revoked'],
  examples: { params: { token: 'shr_01.lrgUfLTM8Jqc88GTybZzgsR9TyVK1iDbfPv5vX7Rpp8' } },
})

export const revokeShare = operation('revokeShare', 'POST /shares/:id/revoke', {
  summary: 'Ends a share at once; its creator or an admin does.',
  ...own,
  idempotent: 'shares_revoke',
  params: z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) }),
  body: z.strictObject({ idempotencyKey: IdempotencyKeyInput.optional() }),
  responses: { 200: z.object({ status: literal('revoked'), share: ShareShape }) },
  errors: ['share_not_found'],
  examples: { params: { id: 'shr_01' }, body: {} },
})
