import { z } from 'zod'
import { ADMIN, operation, SIGNED_IN } from '../operations/operation.ts'
import { listAnswer, listQuery } from '../operations/values.ts'
import { CrossChainOutcomeShape, CrossChainRequestShape, FinalizeBody, ObserveBody, REQUEST_EXAMPLE, RequestIdInput } from './shapes.ts'

export const getXcmRequest = operation('getXcmRequest', 'GET /xcm/request', {
  summary: 'One request to a yield source on another chain, for its account, its recipient and admins.',
  description: 'Read from the wrapper at the newest block. Labels are the text that an id or a code carries; null where it carries none.',
  tags: ['Cross-chain'],
  ...SIGNED_IN,
  capability: 'xcm:read',
  query: z.object({ requestId: RequestIdInput }),
  responses: { 200: CrossChainRequestShape },
  errors: ['xcm_request_not_found', 'xcm_request_not_owned', 'chain_backend_required', 'blockchain_unavailable'],
  tool: { name: 'getXcmRequest', directory: true, sets: ['savings', 'operator'] },
  examples: { query: { requestId: REQUEST_EXAMPLE } },
})

export const observeXcmRequest = operation('observeXcmRequest', 'POST /admin/xcm/observe', {
  summary: 'Record what is known about the end of a request; the service settles it.',
  description:
    'A newer observation takes the place of one that is not settled. An equal, an older and any further one of a settled request change nothing: `recorded` is then false and the answer shows the outcome that stands. A success states both amounts, above 0. `wrapper` refuses an observation that was made for another generation of the wrapper.',
  ...ADMIN,
  capability: 'xcm:observe',
  rate: 'admin_jobs',
  idempotent: 'admin_xcm_observe',
  body: ObserveBody,
  responses: {
    200: z.object({ recorded: z.boolean().describe('Whether the observation changed the outcome.'), outcome: CrossChainOutcomeShape }),
  },
  errors: [
    'xcm_request_not_found',
    'xcm_wrapper_mismatch',
    'chain_backend_required',
    'blockchain_unavailable',
    'upstream_failure',
    'workflow_engine_unavailable',
  ],
  examples: { body: { requestId: REQUEST_EXAMPLE, status: 'succeeded', settledAssets: '4980000', settledShares: '4980000' } },
})

export const finalizeXcmRequest = operation('finalizeXcmRequest', 'POST /admin/xcm/finalize', {
  summary: 'Settle an observed request now, also after the tries of the service are used up.',
  description:
    '`settlement` is `settled` for a request that has ended on chain, `adapter_managed` for one that another party settles, and `refused`, with the name of the contract’s error in `reason`, for a try that failed.',
  ...ADMIN,
  capability: 'xcm:finalize',
  rate: 'admin_jobs',
  idempotent: 'admin_xcm_finalize',
  body: FinalizeBody,
  responses: {
    200: z.object({
      settlement: z.enum(['settled', 'adapter_managed', 'refused']),
      reason: z.string().nullable().describe('Null unless `refused`.'),
      outcome: CrossChainOutcomeShape,
    }),
  },
  errors: [
    'xcm_request_not_found',
    'xcm_request_not_observed',
    'chain_backend_required',
    'blockchain_unavailable',
    'upstream_failure',
    'workflow_engine_unavailable',
  ],
  examples: { body: { requestId: REQUEST_EXAMPLE } },
})

const OutcomeList = z
  .object({ items: z.array(CrossChainOutcomeShape), ...listAnswer })
  .meta({ id: 'CrossChainOutcomes', description: 'A page of outcomes of cross-chain requests.' })

export const listExhaustedXcmRequests = operation('listExhaustedXcmRequests', 'GET /admin/xcm/finalize-exhausted', {
  summary: 'Requests whose tries to settle are used up, longest waiting first.',
  ...ADMIN,
  capability: 'ops:view',
  query: z.object(listQuery(25, 200)),
  responses: { 200: OutcomeList },
  errors: ['chain_backend_required'],
  examples: { query: { limit: '25' } },
})

export const listXcmOutcomes = operation('listXcmOutcomes', 'GET /admin/xcm/outcomes', {
  summary: 'Outcomes of requests in the order in which they were recorded.',
  ...ADMIN,
  capability: 'ops:view',
  query: z.object(listQuery(25, 200)),
  responses: { 200: OutcomeList },
  errors: ['chain_backend_required'],
  examples: { query: { limit: '25' } },
})
