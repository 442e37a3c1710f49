import { z } from 'zod'
import { ADMIN, operation, PUBLIC } from '../operations/operation.ts'
import { AddressInput, listAnswer, listQuery } from '../operations/values.ts'
import { PaymentRequiredShape } from './payment.ts'
import { PAYMENT_ERRORS } from './payment-errors.ts'
import { BILLING_STATUSES, RUN_STATUSES } from './record.ts'
import { ProfilesShape, QuoteShape, RunOverviewShape, RunParams, RunShape, VerificationRequestBody, X402ManifestShape } from './shapes.ts'

const listed = { tags: ['Verification'], auth: PUBLIC, cache: 'public, max-age=30' } as const
const manifest = { ...listed, responses: { 200: X402ManifestShape } } as const

export const listVerificationProfiles = operation('listVerificationProfiles', 'GET /verify/profiles', {
  summary: 'Profiles of verification that anyone can buy a run of: what each checks, its bounds, inputs and price.',
  description:
    'A profile never changes under its version; `profileDigest` proves it. A run is billed for an approval or a rejection, and never for an inconclusive result.',
  ...listed,
  responses: { 200: ProfilesShape },
  tool: { name: 'listVerificationProfiles', directory: true, sets: ['poster'] },
})

export const getX402Manifest = operation('getX402Manifest', 'GET /.well-known/x402', {
  summary: 'What can be bought here by x402, for agents that look for it.',
  ...manifest,
})

export const getX402ManifestFile = operation('getX402ManifestFile', 'GET /.well-known/x402.json', {
  summary: 'The same under its name with an ending.',
  ...manifest,
})

export const quoteVerificationRun = operation('quoteVerificationRun', 'POST /verify/quote', {
  summary: 'What one run of a profile costs and how it is paid. Creates nothing.',
  description: '`accepts` is that of the 402 of the same request, so asset, amount and payee can be checked first.',
  tags: ['Verification'],
  auth: PUBLIC,
  rate: 'verification_quotes',
  body: VerificationRequestBody,
  responses: { 200: QuoteShape },
  errors: ['verification_profile_not_found', 'verification_profile_unavailable'],
  tool: { name: 'quoteVerificationRun', directory: true, sets: ['poster'], readOnly: true },
  examples: {
    body: {
      profile: 'mcp-failure-semantics-v1',
      profileVersion: 1,
      target: { endpoint: 'https://mcp.example.com/mcp', transport: 'streamable_http' },
      inputs: {},
    },
  },
})

/** Where a tool client finds what the header `PAYMENT-RESPONSE` says. Source: x402, transport of MCP. */
const PAID_META = { 'PAYMENT-RESPONSE': 'x402/payment-response' }

const EXAMPLE_RUN = { profile: 'mcp-failure-semantics-v1', profileVersion: 1 } as const

export const startVerificationRun = operation('startVerificationRun', 'POST /verify/runs', {
  summary: 'Buys one run of a profile. Without a payment it answers 402 with the price.',
  description:
    'Read the result at `runUrl`. The same payment and request give the same run. An inconclusive result is never billed. The signed receipt is public for good: payer, target without credentials and queries, hashes, checks, verdict, payment.',
  tags: ['Verification'],
  auth: PUBLIC,
  rate: 'verification_quotes',
  body: VerificationRequestBody,
  headers: {
    'payment-signature': 'Payment by x402 version 2: JSON in base64.',
    'x-payment': 'The same under its older name.',
    'verification-payment': 'The same under a name of this service.',
    'verification-target-authorization': '`Bearer …` for the target. It is used once and never shown.',
  },
  responses: { 200: RunShape, 202: RunShape },
  problemMembers: { 402: PaymentRequiredShape },
  tool: {
    name: 'startVerificationRun',
    directory: false,
    sets: ['poster'],
    meta: {
      sent: {
        'payment-signature': { member: 'x402/payment', description: 'payment of x402 version 2' },
        'verification-target-authorization': {
          member: 'verification/target-authorization',
          description: '`Bearer …` for the target',
        },
      },
      answered: PAID_META,
    },
  },
  errors: ['verification_profile_not_found', 'verification_profile_unavailable', ...PAYMENT_ERRORS],
  examples: { body: { ...EXAMPLE_RUN, target: { endpoint: 'https://mcp.example.com/mcp', transport: 'streamable_http' }, inputs: {} } },
})

export const getVerificationRun = operation('getVerificationRun', 'GET /verify/runs/:runId', {
  summary: 'A paid run. Its id is the right to read it.',
  description:
    'The verdict appears once it is paid, or will never be billed. Then `receiptId` names its receipt, which outlives the run. A run that cannot be collected has none.',
  tags: ['Verification'],
  auth: PUBLIC,
  params: RunParams,
  responses: { 200: RunShape },
  errors: ['verification_run_not_found'],
  tool: { name: 'getVerificationRun', directory: true, sets: ['poster'], meta: { answered: PAID_META } },
  examples: { params: { runId: 'verify-00000000-0000-8000-8000-000000000000' } },
})

export const listVerificationRuns = operation('listVerificationRuns', 'GET /admin/verification-runs', {
  fromReplica: true,
  summary: 'Paid runs of every customer, newest first, without what was verified and without hidden verdicts.',
  ...ADMIN,
  tags: ['Operators'],
  capability: 'ops:view',
  query: z.object({
    ...listQuery(50, 250),
    status: z.enum(RUN_STATUSES).optional(),
    billing: z.enum(BILLING_STATUSES).optional(),
    profile: z
      .string()
      .regex(/^[a-z0-9-]{1,100}(@[1-9][0-9]{0,5})?$/, { error: 'must be the name of a profile, with or without its version' })
      .optional()
      .describe('`name` or `name@version`.'),
    customer: AddressInput.optional(),
  }),
  responses: { 200: z.object({ runs: z.array(RunOverviewShape), ...listAnswer }) },
  examples: { query: { billing: 'uncollectable' } },
})
