import { type Hex, zeroHash } from 'viem'
import { iso, plusSeconds } from '../../domain/common/instants.ts'
import { floorSubtract } from '../../domain/common/money.ts'
import { endOfRequest } from '../../domain/cross-chain/outcome.ts'
import { MANAGED_PAUSE_SECONDS, settledAmounts } from '../../domain/cross-chain/settlement.ts'
import {
  expectedArrival,
  judgeBalance,
  nextReading,
  OBSERVATION_TIMEOUT_CODE,
  POLL_SECONDS,
  uncertaintyOf,
} from '../../domain/cross-chain/watch.ts'
import type { CrossChainActivities, WatchProgress } from '../../schemas/cross-chain/process.ts'
import { type UnclearReason, WATCH_SOURCE } from '../../schemas/cross-chain/record.ts'
import { lockCursorForShare, readFollowerLag } from '../chain/follower/cursor.ts'
import { emit } from '../events/outbox.ts'
import type { ChainRequest, ChainRequests, CrossChainDeps } from './chain-requests.ts'
import { findOutcome, type NewOutcome, recordOutcome } from './outcomes.ts'
import { isAnotherUnderWay, readForeignAssets, requestEvent } from './requests.ts'
import { beginWatch, dropWatch, markUnclear, refreshStart, storeStart, type Watch } from './watches.ts'

/** Longest lag of the records with which they tell the assets of a withdrawal, s. */
const MAX_LAG_SECONDS = 60

/** A balance at its destination, with the block of the reading. */
interface Reading {
  balanceRaw: bigint
  /** Assets at the venue. */
  assetRaw: bigint
  blockHash: Hex
  /** What arrived before this instant (epoch ms) is in the balance. */
  asOf: number
}

/** Watches the balance at the destination of a request until it decides. Source: money, "Cross-chain requests". */
export const createWatchSteps = (
  { wrapper, adapter, reads, findRequest, reconcile, reportManaged }: ChainRequests,
  { chain: { chainId }, database, clock }: CrossChainDeps,
): Pick<CrossChainActivities, 'advanceWatch'> => {
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

  const readDestination = async ({ kind }: ChainRequest): Promise<Reading | null> => {
    if (kind === 'withdraw') return readHome()
    const asOf = clock.now()
    const { shareRaw, assetRaw, blockHash } = await reads.venueBalances()
    return { balanceRaw: shareRaw, assetRaw, blockHash, asOf }
  }

  /** The outcome that a watched balance decides. */
  const judgedOutcome = async (
    { kind, request }: ChainRequest,
    reading: Reading,
    judged: { decision: 'succeeded' | 'timed_out'; arrivedRaw: bigint; startAssetRaw: bigint },
  ): Promise<NewOutcome> => {
    const common = { remoteRef: reading.blockHash, source: WATCH_SOURCE, observedAt: clock.now() }
    if (judged.decision === 'timed_out') {
      const residueRaw = floorSubtract(reading.assetRaw, judged.startAssetRaw)
      const nothing = { status: 'failed' as const, settledAssetsRaw: 0n, settledSharesRaw: 0n }
      return { ...common, ...nothing, failureCode: OBSERVATION_TIMEOUT_CODE, remoteBalanceRaw: residueRaw }
    }
    const arrived = { kind, requestedSharesRaw: request.context.shares, arrivedRaw: judged.arrivedRaw }
    const { assetsRaw, sharesRaw } = settledAmounts(arrived, await reads.totals())
    const settled = { status: 'succeeded' as const, settledAssetsRaw: assetsRaw, settledSharesRaw: sharesRaw }
    return { ...common, ...settled, failureCode: zeroHash, remoteBalanceRaw: null }
  }

  const recordJudged = (subject: ChainRequest, outcome: NewOutcome, arrivedRaw: bigint): Promise<void> =>
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
    expected: expectedRaw.toString(),
    arrived: arrivedRaw.toString(),
  })

  /** One reading of the watched balance. The first one is the balance before. */
  const readWatched = async (watch: Watch, subject: ChainRequest): Promise<WatchProgress> => {
    const now = clock.now()
    if (watch.unclearReason !== null) return unclear(watch.unclearReason, now)
    const reading = await readDestination(subject)
    if (reading === null) return watched(watch, 0n, now)
    // After the balance: that of a request which is not dispatched yet holds nothing of it.
    const isDispatched = await reads.isDispatched(subject.requestId)
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
        ...subject,
        arrivedRaw,
        requestedAssetsRaw: subject.request.context.assets,
        isAnotherUnderWay: await isAnotherUnderWay(database.rows, subject),
      })
      if (uncertainty !== null) return reportUnclear(subject, uncertainty, now)
    }
    const outcome = await judgedOutcome(subject, reading, { decision, arrivedRaw, startAssetRaw: startAssetRaw ?? 0n })
    await recordJudged(subject, outcome, arrivedRaw)
    return { kind: 'observed', status: outcome.status }
  }

  const unclear = (reason: UnclearReason, now: number): WatchProgress => ({
    kind: 'unclear',
    reason,
    readAt: iso(plusSeconds(now, MANAGED_PAUSE_SECONDS)),
  })

  /** An operator has to say what became of the request; its watch keeps the place, since the next one could not tell the arrivals apart either. */
  const reportUnclear = (subject: ChainRequest, reason: UnclearReason, now: number): Promise<WatchProgress> =>
    database.transaction(async (rows) => {
      if (await markUnclear(rows, subject, reason))
        await emit(rows, requestEvent(subject, 'xcm.balance_watch_scope_unknown', now, { reason }))
      return unclear(reason, now)
    })

  return {
    advanceWatch: async ({ requestId }) => {
      const key = { wrapper, requestId }
      const found = await findRequest(requestId)
      if (found === null) {
        await dropWatch(database.rows, key)
        return { kind: 'unknown' }
      }
      if (endOfRequest(found.request.status) !== null)
        return { kind: 'ended', status: await reconcile(found, 'xcm.request_reconciled_terminal') }
      const outcome = await findOutcome(database.rows, key)
      if (outcome !== null) return { kind: 'observed', status: outcome.status }
      const now = clock.now()
      if (!found.isOwn) return { kind: 'adapter_managed', readAt: (await reportManaged(found)).retryAt }
      const watch = await beginWatch(database.rows, key, expectedArrival(found.minimumOutputRaw), now)
      if (watch === null) return { kind: 'queued', readAt: iso(plusSeconds(now, POLL_SECONDS)) }
      return readWatched(watch, found)
    },
  }
}
