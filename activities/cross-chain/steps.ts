import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import { iso, plusSeconds } from '../../domain/common/instants.ts'
import { floorSubtract } from '../../domain/common/money.ts'
import { parseObservation } from '../../domain/cross-chain/outcome.ts'
import { MANAGED_PAUSE_SECONDS, nextTry, settledAmounts } from '../../domain/cross-chain/settlement.ts'
import {
  expectedArrival,
  judgeBalance,
  nextReading,
  OBSERVATION_TIMEOUT_CODE,
  POLL_SECONDS,
  uncertaintyOf,
} from '../../domain/cross-chain/watch.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import {
  type CrossChainActivities,
  type CrossChainRecordActivities,
  crossChainWorkflowId,
  type SettlementStep,
  type WatchProgress,
} from '../../schemas/cross-chain/process.ts'
import { CHAIN_SOURCE, type OutcomeStatus, REQUEST_STATUSES, type UnclearReason, WATCH_SOURCE } from '../../schemas/cross-chain/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { hydrationUsdcAdapterAbi } from '../chain/abi/hydration-usdc-adapter.ts'
import type { ChainClients } from '../chain/clients.ts'
import { lockCursorForShare, readFollowerLag } from '../chain/follower/cursor.ts'
import type { MinedTransaction } from '../chain/journal/outcomes.ts'
import type { TransactionIntent } from '../chain/journal/rows.ts'
import { type Transactions, WouldRevertError } from '../chain/journal/send.ts'
import type { Clock } from '../common/clock.ts'
import type { Database, Rows } from '../database/database.ts'
import { emit } from '../events/outbox.ts'
import { type CrossChain, createCrossChainReads, type ReadRequest } from './reads.ts'
import {
  beginTry,
  beginWatch,
  dropWatch,
  findOutcome,
  findParties,
  findWatch,
  isAnotherUnderWay,
  markExhausted,
  markProcessed,
  markUnclear,
  type NewOutcome,
  type Outcome,
  type RequestSubject,
  readForeignAssets,
  recordOutcome,
  refreshStart,
  requestEvent,
  storeFailure,
  storeStart,
  type Watch,
} from './records.ts'

/** Gas of a settlement, well above the measured use. */
const SETTLE_GAS = 600_000n
/** Longest lag of the records with which they tell the assets of a withdrawal, s. */
const MAX_LAG_SECONDS = 60
const SUCCEEDED = 2

export interface CrossChainDeps {
  chain: ChainFile
  clients: ChainClients
  database: Database
  transactions: Transactions
  clock: Clock
}

const kindOf = ({ context }: ReadRequest['request']) => (context.kind === 0 ? 'deposit' : 'withdraw')
const isEnded = ({ status }: ReadRequest['request']): boolean => status >= SUCCEEDED
const endOf = ({ status }: ReadRequest['request']): OutcomeStatus => REQUEST_STATUSES[status] as OutcomeStatus

/** A balance at its destination, with the block of the reading. */
interface Reading {
  balanceRaw: bigint
  /** Assets at the venue. */
  assetRaw: bigint
  blockHash: Hex
  /** What arrived before this instant (epoch ms) is in the balance. */
  asOf: number
}

type Steps = CrossChainActivities & CrossChainRecordActivities

const notConfigured = async (): Promise<never> => {
  throw new ServiceError('chain_backend_required')
}

/** Observes and settles the requests of the configured wrapper; without one every step fails. Source: money, "Cross-chain requests". */
export const createCrossChainSteps = ({ chain, ...deps }: CrossChainDeps): Steps => {
  const { xcm } = chain.contracts
  if (xcm !== undefined) return createStepsOn({ chain, xcm }, deps)
  return {
    advanceWatch: notConfigured,
    settleCrossChainRequest: notConfigured,
    recordObservation: notConfigured,
    parkCrossChainRequest: notConfigured,
  }
}

const createStepsOn = (on: CrossChain, { clients, database, transactions, clock }: Omit<CrossChainDeps, 'chain'>): Steps => {
  const { chainId } = on.chain
  const wrapper = on.xcm.wrapper.address.toLowerCase()
  const adapter = on.xcm.adapter.address.toLowerCase()
  const reads = createCrossChainReads(on, clients)
  const keyOf = (requestId: string) => ({ wrapper, requestId })

  const subjectOf = (requestId: string, { context }: ReadRequest['request']): RequestSubject => ({
    ...keyOf(requestId),
    wallets: [context.account.toLowerCase(), context.recipient.toLowerCase()],
  })

  /** The request on chain; null for one that neither the chain nor the records know. */
  const readRequest = async (requestId: string, at?: bigint): Promise<ReadRequest | null> => {
    const read = await reads.request(requestId, at)
    if (read.request.status !== 0) return read
    if ((await findParties(database.rows, keyOf(requestId))) !== null) throw new Error(`the node lacks the recorded request ${requestId}`)
    return null
  }

  /** Records the end of a request on chain; `topic` says who ended it. */
  const reconcile = (
    requestId: string,
    { request }: ReadRequest,
    topic: 'xcm.request_auto_finalized' | 'xcm.request_reconciled_terminal',
  ): Promise<OutcomeStatus> =>
    database.transaction(async (rows) => {
      const now = clock.now()
      const { settledAssets, settledShares, remoteRef, failureCode, updatedAt } = request
      const numbers = { status: endOf(request), settledAssetsRaw: settledAssets, settledSharesRaw: settledShares, remoteRef, failureCode }
      const end = { ...numbers, observedAt: Number(updatedAt) * 1000, source: CHAIN_SOURCE }
      const subject = subjectOf(requestId, request)
      const data = {
        status: end.status,
        settledAssetsRaw: settledAssets.toString(),
        settledSharesRaw: settledShares.toString(),
        failureCode,
      }
      if (await markProcessed(rows, subject, end, now)) await emit(rows, requestEvent(subject, topic, now, data))
      return end.status
    })

  /** What a withdrawal brought home is in the adapter, beside assets of others; null while the records do not tell those. */
  const readHome = async (): Promise<Reading | null> => {
    const lag = await readFollowerLag(database.rows, chainId)
    if (lag === null || lag.gapBlock !== null || lag.lagSeconds > MAX_LAG_SECONDS) return null
    const asOf = clock.now() - (lag.lagSeconds + POLL_SECONDS) * 1000
    // Records and balance are of one block: the follower waits for the lock of its cursor.
    const read = await database.transaction(async (rows) => {
      const cursor = await lockCursorForShare(rows, chainId)
      return cursor && { cursor, foreignRaw: await readForeignAssets(rows, chainId, { wrapper, adapter, block: cursor.number }) }
    })
    if (read === null) return null
    const [heldRaw, { assetRaw }] = await Promise.all([reads.adapterBalance(read.cursor.number), reads.venueBalances()])
    return { balanceRaw: heldRaw - read.foreignRaw, assetRaw, blockHash: read.cursor.hash as Hex, asOf }
  }

  const readDestination = async (request: ReadRequest['request']): Promise<Reading | null> => {
    if (kindOf(request) === 'withdraw') return readHome()
    const asOf = clock.now()
    const { shareRaw, assetRaw, blockHash } = await reads.venueBalances()
    return { balanceRaw: shareRaw, assetRaw, blockHash, asOf }
  }

  /** The outcome that a watched balance decides. */
  const judgedOutcome = async (
    request: ReadRequest['request'],
    reading: Reading,
    judged: { decision: 'succeeded' | 'timed_out'; arrivedRaw: bigint; startAssetRaw: bigint },
  ): Promise<NewOutcome> => {
    const common = { remoteRef: reading.blockHash, source: WATCH_SOURCE, observedAt: clock.now() }
    if (judged.decision === 'timed_out') {
      const residueRaw = floorSubtract(reading.assetRaw, judged.startAssetRaw)
      const nothing = { status: 'failed' as const, settledAssetsRaw: 0n, settledSharesRaw: 0n }
      return { ...common, ...nothing, failureCode: OBSERVATION_TIMEOUT_CODE, remoteBalanceRaw: residueRaw }
    }
    const arrived = { kind: kindOf(request), requestedSharesRaw: request.context.shares, arrivedRaw: judged.arrivedRaw } as const
    const { assetsRaw, sharesRaw } = settledAmounts(arrived, await reads.totals())
    const settled = { status: 'succeeded' as const, settledAssetsRaw: assetsRaw, settledSharesRaw: sharesRaw }
    return { ...common, ...settled, failureCode: zeroHash, remoteBalanceRaw: null }
  }

  const recordJudged = (subject: RequestSubject, outcome: NewOutcome, arrivedRaw: bigint): Promise<void> =>
    database.transaction(async (rows) => {
      const now = clock.now()
      const topic = outcome.status === 'succeeded' ? 'xcm.balance_watch_succeeded' : 'xcm.balance_watch_timed_out'
      if (await recordOutcome(rows, subject, outcome, now))
        await emit(rows, requestEvent(subject, topic, now, { arrivedRaw: arrivedRaw.toString() }))
    })

  const watched = ({ endsAt, expectedRaw }: Watch, arrivedRaw: bigint, now: number): WatchProgress => ({
    kind: 'watched',
    readAt: iso(nextReading(now, endsAt)),
    endsAt: iso(endsAt),
    ...{ expected: expectedRaw.toString(), arrived: arrivedRaw.toString() },
  })

  /** One reading of the watched balance. The first one is the balance before. */
  const readWatched = async (requestId: string, watch: Watch, { request, minimumOutputRaw }: ReadRequest): Promise<WatchProgress> => {
    const subject = subjectOf(requestId, request)
    const now = clock.now()
    if (watch.unclearReason !== null) return unclear(watch.unclearReason, now)
    const reading = await readDestination(request)
    if (reading === null) return watched(watch, 0n, now)
    // After the balance: that of a request which is not dispatched yet holds nothing of it.
    const isDispatched = await reads.isDispatched(requestId)
    if (watch.startRaw === null && isDispatched) return reportUnclear(subject, 'dispatched_before_its_watch', now)
    const balances = { startRaw: reading.balanceRaw, startAssetRaw: reading.assetRaw }
    if (watch.startRaw === null) {
      const started = await database.transaction((rows) => storeStart(rows, subject, balances, clock.now()))
      return watched(started, 0n, now)
    }
    const place = isDispatched ? watch : await refreshStart(database.rows, subject, balances)
    const { startRaw, startAssetRaw, expectedRaw, endsAt } = place
    const judged = { startRaw: startRaw ?? 0n, expectedRaw, endsAt, balanceRaw: reading.balanceRaw, now: reading.asOf }
    const { arrivedRaw, decision } = judgeBalance(judged)
    if (decision === 'open') return watched(place, arrivedRaw, now)
    if (decision === 'succeeded') {
      const uncertainty = uncertaintyOf({
        ...{ kind: kindOf(request), arrivedRaw, requestedAssetsRaw: request.context.assets, minimumOutputRaw },
        isAnotherUnderWay: await isAnotherUnderWay(database.rows, subject),
      })
      if (uncertainty !== null) return reportUnclear(subject, uncertainty, now)
    }
    const outcome = await judgedOutcome(request, reading, { decision, arrivedRaw, startAssetRaw: startAssetRaw ?? 0n })
    await recordJudged(subject, outcome, arrivedRaw)
    return { kind: 'observed', status: outcome.status }
  }

  const unclear = (reason: UnclearReason, now: number): WatchProgress => ({
    kind: 'unclear',
    reason,
    readAt: iso(plusSeconds(now, MANAGED_PAUSE_SECONDS)),
  })

  /** An operator has to say what became of the request; its watch keeps the place, since the next one could not tell the arrivals apart either. */
  const reportUnclear = (subject: RequestSubject, reason: UnclearReason, now: number): Promise<WatchProgress> =>
    database.transaction(async (rows) => {
      if (await markUnclear(rows, subject, reason))
        await emit(rows, requestEvent(subject, 'xcm.balance_watch_scope_unknown', now, { reason }))
      return unclear(reason, now)
    })

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
      to: on.xcm.adapter.address as Hex,
      functionName: 'settleRequest',
      data: encodeFunctionData({ abi: hydrationUsdcAdapterAbi, functionName: 'settleRequest', args }),
      gas: SETTLE_GAS,
    })

  /** Whether this service may settle a request: its adapter is the configured one, and the operator's key a settler of the policy. */
  const maySettle = async ({ queuedBy }: ReadRequest['request']): Promise<boolean> => {
    const operator = transactions.findAddress('operator')
    return operator !== null && queuedBy.toLowerCase() === adapter && (await reads.maySettle(operator))
  }

  const reportManaged = async (requestId: string, { request }: ReadRequest): Promise<SettlementStep> => {
    const now = clock.now()
    const data = { adapter: request.queuedBy.toLowerCase() }
    await emit(database.rows, requestEvent(subjectOf(requestId, request), 'xcm.request_adapter_managed_pending', now, data))
    return { kind: 'adapter_managed', retryAt: iso(plusSeconds(now, MANAGED_PAUSE_SECONDS)) }
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

  const getRequest = async (requestId: string, at?: bigint): Promise<ReadRequest> => {
    const read = await readRequest(requestId, at)
    if (read === null) throw new Error(`the chain has lost the request ${requestId}`)
    return read
  }

  return {
    advanceWatch: async ({ requestId }) => {
      const read = await readRequest(requestId)
      if (read === null) {
        await dropWatch(database.rows, keyOf(requestId))
        return { kind: 'unknown' }
      }
      if (isEnded(read.request)) return { kind: 'ended', status: await reconcile(requestId, read, 'xcm.request_reconciled_terminal') }
      const outcome = await findOutcome(database.rows, keyOf(requestId))
      if (outcome !== null) return { kind: 'observed', status: outcome.status }
      const now = clock.now()
      if (read.request.queuedBy.toLowerCase() !== adapter) {
        await reportManaged(requestId, read)
        return unclear('another_adapter', now)
      }
      const watch = await beginWatch(database.rows, keyOf(requestId), expectedArrival(read.minimumOutputRaw), now)
      if (watch === null) return { kind: 'queued', readAt: iso(plusSeconds(now, POLL_SECONDS)) }
      return readWatched(requestId, watch, read)
    },

    settleCrossChainRequest: async ({ requestId, tries }) => {
      const own = await transactions.resumeStep(`${crossChainWorkflowId(requestId)}/settle`)
      const read = await getRequest(requestId)
      const topic = own?.status === 'mined' ? 'xcm.request_auto_finalized' : 'xcm.request_reconciled_terminal'
      if (isEnded(read.request)) return { kind: 'settled', status: await reconcile(requestId, read, topic) }
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
