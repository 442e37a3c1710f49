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
import { WouldRevertError } from '../chain/journal/send.ts'
import type { Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import type { ChainRequest, ChainRequests, CrossChainDeps } from './chain-requests.ts'
import { beginTry, findOutcome, markExhausted, type Outcome, recordOutcome, storeFailure } from './outcomes.ts'
import { findParties, type RequestSubject, requestEvent } from './requests.ts'
import { findWatch } from './watches.ts'

/** Gas of a settlement, well above the measured use. */
const SETTLE_GAS = 600_000n

const stepOf = (requestId: string): string => `${crossChainWorkflowId(requestId)}/settle`

type Steps = Omit<CrossChainActivities, 'advanceWatch'> & CrossChainRecordActivities

/** Records the outcomes of requests and settles them on chain. Source: money, "Cross-chain requests". */
export const createSettlementSteps = (
  { wrapper, adapter, reads, getRequest, reconcile, reportManaged }: ChainRequests,
  { database, transactions, clock }: CrossChainDeps,
): Steps => {
  /**
   * The call that settles. The shares of a deposit follow from the adapter's totals of this moment, since another settlement may have
   * changed them after the observation of the watch.
   */
  const settlementData = async (settled: ChainRequest, outcome: Outcome) => {
    const { status, remoteRef, failureCode, source, settledAssetsRaw } = outcome
    const isWatched = source === WATCH_SOURCE && status === 'succeeded'
    const arrived = { kind: settled.kind, requestedSharesRaw: settled.request.context.shares, arrivedRaw: settledAssetsRaw }
    const amounts = isWatched
      ? settledAmounts(arrived, await reads.totals())
      : { assetsRaw: settledAssetsRaw, sharesRaw: outcome.settledSharesRaw }
    const startAssetRaw = (await findWatch(database.rows, settled))?.startAssetRaw ?? 0n
    const remoteRaw = outcome.remoteBalanceRaw ?? floorSubtract((await reads.venueBalances()).assetRaw, startAssetRaw)
    const number = REQUEST_STATUSES.indexOf(status)
    const args = [
      settled.requestId as Hex,
      number,
      amounts.assetsRaw,
      amounts.sharesRaw,
      remoteRaw,
      remoteRef as Hex,
      failureCode as Hex,
    ] as const
    return encodeFunctionData({ abi: hydrationUsdcAdapterAbi, functionName: 'settleRequest', args })
  }

  /** Whether this service may settle a request: its adapter is the configured one, and the operator's key a settler of the policy. */
  const maySettle = async ({ isOwn }: ChainRequest): Promise<boolean> => {
    const operator = transactions.findAddress('operator')
    return operator !== null && isOwn && (await reads.maySettle(operator))
  }

  const reportRefused = (refused: ChainRequest, reason: string, tries: number): Promise<SettlementStep> =>
    database.transaction(async (rows) => {
      const now = clock.now()
      if (await storeFailure(rows, refused, tries, reason))
        await emit(rows, requestEvent(refused, 'xcm.request_finalize_failed', now, { reason, tries }))
      return { kind: 'refused', reason, retryAt: iso(nextTry(now, tries)) }
    })

  /** Sends the settlement; the name of the refusal if the contract refuses it. */
  const send = async (settled: ChainRequest, outcome: Outcome): Promise<MinedTransaction | string> => {
    try {
      const call = { to: adapter as Hex, functionName: 'settleRequest', data: await settlementData(settled, outcome), gas: SETTLE_GAS }
      return await transactions.sendStep('operator', stepOf(settled.requestId), (key) => ({ ...call, key }))
    } catch (error) {
      if (error instanceof WouldRevertError) return error.info.reason ?? error.code
      throw error
    }
  }

  /** A request as the records of the follower name it. */
  const recordedSubject = async (rows: Rows, requestId: string): Promise<RequestSubject> => {
    const key = { wrapper, requestId }
    return { ...key, wallets: (await findParties(rows, key)) ?? [] }
  }

  return {
    settleCrossChainRequest: async ({ requestId, tries }) => {
      const own = await transactions.resumeStep(stepOf(requestId))
      const found = await getRequest(requestId)
      const topic = own?.status === 'mined' ? 'xcm.request_auto_finalized' : 'xcm.request_reconciled_terminal'
      if (endOfRequest(found.request.status) !== null) return { kind: 'settled', status: await reconcile(found, topic) }
      if (!(await maySettle(found))) return reportManaged(found)
      const outcome = await findOutcome(database.rows, found)
      if (outcome === null) throw new Error(`the request ${requestId} has no outcome`)
      await beginTry(database.rows, found)
      const mined = await send(found, outcome)
      if (typeof mined === 'string') return reportRefused(found, mined, tries)
      if (mined.status === 'reverted') return reportRefused(found, 'blockchain_revert', tries)
      const after = await getRequest(requestId, mined.blockNumber)
      return { kind: 'settled', status: await reconcile(after, 'xcm.request_auto_finalized') }
    },

    recordObservation: async ({ requestId, observation }) => {
      const observed = parseObservation(observation)
      if (observed === null) throw new ServiceError('invalid_request', { detail: 'The observation is incomplete or contradicts itself.' })
      const subject = await recordedSubject(database.rows, requestId)
      const outcome = { ...observed, remoteBalanceRaw: null }
      return { recorded: await database.transaction((rows) => recordOutcome(rows, subject, outcome, clock.now())) }
    },

    parkCrossChainRequest: ({ requestId, reason }) =>
      database.transaction(async (rows) => {
        const now = clock.now()
        const subject = await recordedSubject(rows, requestId)
        if (!(await markExhausted(rows, subject, now))) return
        await emit(rows, requestEvent(subject, 'xcm.request_finalize_exhausted', now, { reason }))
      }),
  }
}
