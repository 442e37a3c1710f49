import { randomUUID } from 'node:crypto'
import type { UpdateDefinition } from '@temporalio/common'
import { zeroHash } from 'viem'
import { z } from 'zod'
import { findOutcome, listOutcomes, type Outcome } from '../../activities/cross-chain/outcomes.ts'
import { createCrossChainReads, type ReadRequest } from '../../activities/cross-chain/reads.ts'
import { crossChainStart } from '../../activities/cross-chain/start.ts'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import { rawAndDisplay } from '../../domain/common/money.ts'
import { failureCodeLabel, hasFailed, requestView } from '../../domain/cross-chain/view.ts'
import * as crossChainOperations from '../../schemas/cross-chain/operations.ts'
import { crossChainWorkflowId, observeUpdate, retryUpdate } from '../../schemas/cross-chain/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf, Input } from '../../schemas/operations/operation.ts'
import type { ApiDeps } from '../deps.ts'
import { createUnconfiguredHandlers } from '../http/answers.ts'
import { type ProcessKey, withProcessKey } from '../http/idempotency.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { invalidRequest } from '../http/problem.ts'

const Place = z.object({ at: InstantKey, requestId: TextKey })

/** Retry pause for a caller whose update has not been answered in time, s. */
const PENDING_RETRY_SECONDS = 5

const pending = (): ServiceError =>
  new ServiceError('upstream_failure', { detail: 'The request is still being processed.', retryAfterSeconds: PENDING_RETRY_SECONDS })

/** Requests to another chain: one for its owner, observation and settlement for operators. */
export const createCrossChainHandlers = (deps: ApiDeps): HandlersOf<typeof crossChainOperations> => {
  const { chain, clients, database, engine, clock } = deps
  const { xcm } = chain.contracts
  if (xcm === undefined)
    return createUnconfiguredHandlers(crossChainOperations, async () => {
      throw new ServiceError('chain_backend_required', { detail: 'The chain of this service has no wrapper for requests to other chains.' })
    })
  const reads = createCrossChainReads({ chain, xcm }, clients)
  const wrapper = xcm.wrapper.address.toLowerCase() as `0x${string}`

  const getRequest = async (requestId: string): Promise<ReadRequest> => {
    const read = await reads.request(requestId)
    if (read.request.status === 0) throw new ServiceError('xcm_request_not_found', { details: { requestId } })
    return read
  }

  const outcomeView = ({ settledAssetsRaw, settledSharesRaw, processedAt, ...outcome }: Outcome) => ({
    requestId: outcome.requestId,
    wrapper,
    status: outcome.status,
    ...rawAndDisplay({ settledAssets: settledAssetsRaw, settledShares: settledSharesRaw }, chain.asset.decimals),
    remoteRef: outcome.remoteRef,
    failureCode: outcome.failureCode,
    failureCodeLabel: failureCodeLabel(outcome.failureCode),
    source: outcome.source,
    observedAt: iso(outcome.observedAt),
    recordedAt: iso(outcome.recordedAt),
    processed: processedAt !== null,
    processedAt: isoOrNull(processedAt),
    exhaustedAt: isoOrNull(outcome.exhaustedAt),
    lastFailure: outcome.lastFailure,
  })

  const getOutcome = async (requestId: string) => {
    const outcome = await findOutcome(database.rows, { wrapper, requestId })
    if (outcome === null) throw pending()
    return outcomeView(outcome)
  }

  /** What the process of a request answers, which is started if needed. Duplicates of a keyed request share its update. */
  const update = async <Value, Given>(definition: UpdateDefinition<Value, [Given]>, requestId: string, key: ProcessKey, input: Given) => {
    const updateId = await key.join(crossChainWorkflowId(requestId), randomUUID())
    const outcome = await engine.updateOrStart(definition, { updateId, input }, 'crossChainRequest', crossChainStart({ v: 1, requestId }))
    if (outcome.kind === 'pending') throw pending()
    return outcome.value
  }

  /** What a body of `POST /admin/xcm/observe` states; what it leaves out is stated by its caller, now. */
  const observationOf = ({ body, caller }: Input<typeof crossChainOperations.observeXcmRequest>) => {
    const { status, settledAssets, settledShares, remoteRef = zeroHash, failureCode = zeroHash } = body
    const [now, source] = [iso(clock.now()), body.source ?? `operator:${caller.wallet}`]
    if (body.observedAt !== undefined && Date.parse(body.observedAt) > Date.parse(now))
      throw invalidRequest([{ pointer: '/observedAt', rule: 'maximum', limit: now, message: 'lies in the future' }])
    for (const name of ['settledAssets', 'settledShares'] as const)
      if (status === 'succeeded' && body[name] === '0')
        throw invalidRequest([{ pointer: `/${name}`, rule: 'minimum', limit: '1', message: 'must be above 0 when succeeded' }])
    return { status, settledAssets, settledShares, remoteRef, failureCode, source, observedAt: body.observedAt ?? now }
  }

  const list = async (
    operationId: string,
    order: 'recordedAt' | 'exhaustedAt',
    { query }: Pick<Input<typeof crossChainOperations.listXcmOutcomes>, 'query'>,
  ) => {
    const page = listPage({ operationId, filters: { wrapper }, ...query, position: Place })
    const found = await listOutcomes(database.rows, wrapper, { order, after: page.after, limit: page.readLimit })
    const { rows, ...answer } = page.cut(found, (row) => ({ at: row[order] ?? 0, requestId: row.requestId }))
    return { status: 200, body: { items: rows.map(outcomeView), ...answer } } as const
  }

  return {
    getXcmRequest: async ({ query: { requestId }, caller: { wallet, roles } }) => {
      const { request, blockNumber } = await getRequest(requestId)
      const owners = [request.context.account.toLowerCase(), request.context.recipient.toLowerCase()]
      if (!owners.includes(wallet) && !roles.includes('admin')) throw new ServiceError('xcm_request_not_owned', { details: { requestId } })
      const outstanding = hasFailed(request) ? await reads.recoveryOutstanding(requestId, blockNumber) : 0n
      return { status: 200, body: requestView(requestId, request, chain.asset, outstanding) }
    },

    observeXcmRequest: (input) =>
      withProcessKey(deps, input, async (key) => {
        const { requestId } = input.body
        if (input.body.wrapper !== undefined && input.body.wrapper !== wrapper)
          throw new ServiceError('xcm_wrapper_mismatch', { details: { wrapper } })
        await getRequest(requestId)
        const { recorded } = await update(observeUpdate, requestId, key, observationOf(input))
        return { status: 200 as const, body: { recorded, outcome: await getOutcome(requestId) } }
      }),

    finalizeXcmRequest: (input) =>
      withProcessKey(deps, input, async (key) => {
        const { requestId } = input.body
        await getRequest(requestId)
        const settled = await update(retryUpdate, requestId, key, { requestedBy: input.caller.wallet })
        const reason = settled.kind === 'refused' ? settled.reason : null
        return { status: 200 as const, body: { settlement: settled.kind, reason, outcome: await getOutcome(requestId) } }
      }),

    listExhaustedXcmRequests: (input) => list('listExhaustedXcmRequests', 'exhaustedAt', input),

    listXcmOutcomes: (input) => list('listXcmOutcomes', 'recordedAt', input),
  }
}
