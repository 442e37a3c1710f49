import { encodeFunctionData, type Hex } from 'viem'
import { iso } from '../../domain/common/instants.ts'
import { floorSubtract } from '../../domain/common/money.ts'
import { endOfRequest, parseObservation } from '../../domain/cross-chain/outcome.ts'
import { nextTry, settledAmounts } from '../../domain/cross-chain/settlement.ts'
import {
  type CrossChainActivities,
  type CrossChainRecordActivities,
  crossChainWorkflowId,
  type SettlementStep,
} from '../../schemas/cross-chain/process.ts'
import { REQUEST_STATUSES, WATCH_SOURCE } from '../../schemas/cross-chain/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { hydrationUsdcAdapterAbi } from '../chain/abi/hydration-usdc-adapter.ts'
import type { MinedTransaction } from '../chain/journal/outcomes.ts'
import type { TransactionIntent } from '../chain/journal/rows.ts'
import { WouldRevertError } from '../chain/journal/send.ts'
import type { Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { type ChainRequests, type CrossChainDeps, kindOf } from './chain-requests.ts'
import { beginTry, findOutcome, markExhausted, type Outcome, recordOutcome, storeFailure } from './outcomes.ts'
import type { ReadRequest } from './reads.ts'
import { findParties, requestEvent } from './requests.ts'
import { findWatch } from './watches.ts'

/** Gas of a settlement, well above the measured use. */
const SETTLE_GAS = 600_000n

type Steps = Omit<CrossChainActivities, 'advanceWatch'> & CrossChainRecordActivities

/** Records the outcomes of requests and settles them on chain. Source: money, "Cross-chain requests". */
export const createSettlementSteps = (
  { adapter, reads, keyOf, subjectOf, getRequest, reconcile, reportManaged, isOwn }: ChainRequests,
  { database, transactions, clock }: CrossChainDeps,
): Steps => {
  /**
   * Arguments of the settlement. The shares of a deposit follow from the adapter's totals of this moment, since another settlement may have
   * changed them after the observation of the watch.
   */
  const settleArgs = async (requestId: string, { request }: ReadRequest, outcome: Outcome) => {
    const { status, remoteRef, failureCode, source, settledAssetsRaw } = outcome
    const isWatched = source === WATCH_SOURCE && status === 'succeeded'
    const arrived = { kind: kindOf(request), requestedSharesRaw: request.context.shares, arrivedRaw: settledAssetsRaw } as const
    const amounts = isWatched
      ? settledAmounts(arrived, await reads.totals())
      : { assetsRaw: settledAssetsRaw, sharesRaw: outcome.settledSharesRaw }
    const startAssetRaw = (await findWatch(database.rows, keyOf(requestId)))?.startAssetRaw ?? 0n
    const remoteRaw = outcome.remoteBalanceRaw ?? floorSubtract((await reads.venueBalances()).assetRaw, startAssetRaw)
    const number = REQUEST_STATUSES.indexOf(status)
    return [
      ...([requestId as Hex, number, amounts.assetsRaw, amounts.sharesRaw] as const),
      ...([remoteRaw, remoteRef as Hex, failureCode as Hex] as const),
    ] as const
  }

  const buildSettlement =
    (args: Awaited<ReturnType<typeof settleArgs>>) =>
    (key: string): TransactionIntent => ({
      key,
      to: adapter as Hex,
      functionName: 'settleRequest',
      data: encodeFunctionData({ abi: hydrationUsdcAdapterAbi, functionName: 'settleRequest', args }),
      gas: SETTLE_GAS,
    })

  /** Whether this service may settle a request: its adapter is the configured one, and the operator's key a settler of the policy. */
  const maySettle = async (request: ReadRequest['request']): Promise<boolean> => {
    const operator = transactions.findAddress('operator')
    return operator !== null && isOwn(request) && (await reads.maySettle(operator))
  }

  const reportRefused = (requestId: string, { request }: ReadRequest, reason: string, tries: number): Promise<SettlementStep> =>
    database.transaction(async (rows: Rows) => {
      const now = clock.now()
      if (await storeFailure(rows, keyOf(requestId), tries, reason))
        await emit(rows, requestEvent(subjectOf(requestId, request), 'xcm.request_finalize_failed', now, { reason, tries }))
      return { kind: 'refused', reason, retryAt: iso(nextTry(now, tries)) }
    })

  /** Sends the settlement; the name of the refusal if the contract refuses it. */
  const send = async (requestId: string, read: ReadRequest, outcome: Outcome): Promise<MinedTransaction | string> => {
    try {
      const args = await settleArgs(requestId, read, outcome)
      return await transactions.sendStep('operator', `${crossChainWorkflowId(requestId)}/settle`, buildSettlement(args))
    } catch (error) {
      if (error instanceof WouldRevertError) return error.info.reason ?? error.code
      throw error
    }
  }

  return {
    settleCrossChainRequest: async ({ requestId, tries }) => {
      const own = await transactions.resumeStep(`${crossChainWorkflowId(requestId)}/settle`)
      const read = await getRequest(requestId)
      const topic = own?.status === 'mined' ? 'xcm.request_auto_finalized' : 'xcm.request_reconciled_terminal'
      if (endOfRequest(read.request.status) !== null) return { kind: 'settled', status: await reconcile(requestId, read, topic) }
      if (!(await maySettle(read.request))) return reportManaged(requestId, read)
      const outcome = await findOutcome(database.rows, keyOf(requestId))
      if (outcome === null) throw new Error(`the request ${requestId} has no outcome`)
      await beginTry(database.rows, keyOf(requestId))
      const mined = await send(requestId, read, outcome)
      if (typeof mined === 'string') return reportRefused(requestId, read, mined, tries)
      if (mined.status === 'reverted') return reportRefused(requestId, read, 'blockchain_revert', tries)
      const after = await getRequest(requestId, mined.blockNumber)
      return { kind: 'settled', status: await reconcile(requestId, after, 'xcm.request_auto_finalized') }
    },

    recordObservation: async ({ requestId, observation }) => {
      const observed = parseObservation(observation)
      if (observed === null) throw new ServiceError('invalid_request', { detail: 'The observation is incomplete or contradicts itself.' })
      const subject = { ...keyOf(requestId), wallets: (await findParties(database.rows, keyOf(requestId))) ?? [] }
      const recorded = await database.transaction((rows) =>
        recordOutcome(rows, subject, { ...observed, remoteBalanceRaw: null }, clock.now()),
      )
      return { recorded }
    },

    parkCrossChainRequest: ({ requestId, reason }) =>
      database.transaction(async (rows) => {
        const now = clock.now()
        if (!(await markExhausted(rows, keyOf(requestId), now))) return
        const subject = { ...keyOf(requestId), wallets: (await findParties(rows, keyOf(requestId))) ?? [] }
        await emit(rows, requestEvent(subject, 'xcm.request_finalize_exhausted', now, { reason }))
      }),
  }
}
