import type { Hex } from 'viem'
import type { BlockRef } from '../../activities/chain/node/answers.ts'
import { readOrElse } from '../../activities/chain/reachable.ts'
import { BOUNDARY, broadcastBy } from '../../activities/chain/templates.ts'
import { assetView, blockView } from '../../activities/chain/unsigned-transactions.ts'
import type { PoolChain, PoolFigures, PoolWalletFigures } from '../../activities/pool/reads.ts'
import type { RecordedVesting } from '../../activities/pool/records.ts'
import { shareAsset } from '../../activities/pool/templates.ts'
import { contractRefusal } from '../../domain/chain/contract-refusals.ts'
import { iso } from '../../domain/common/instants.ts'
import { type Asset, amounts } from '../../domain/common/money.ts'
import type { Quoted } from '../../domain/common/quotes.ts'
import { type ExposureLimits, vestedCapacity } from '../../domain/eligibility/exposure.ts'
import { convertToAssets } from '../../domain/pool/shares.ts'
import { vestingAt } from '../../domain/pool/vesting.ts'
import { poolFiguresView, poolWalletView, unreadVestingView, VESTING_RULE, vestingView } from '../../domain/pool/view.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import { NO_STORE } from '../http/answers.ts'

/** Answer of a pool that this chain does not have, or that cannot be read now. */
export const unavailable = <const Reason extends string>(reason: Reason) => ({
  status: 200 as const,
  body: { schemaVersion: 1 as const, available: false as const, reason },
  headers: NO_STORE,
})

/** Answer of a pool; `unavailable` with the reason if the chain cannot be read. */
export const readOrUnavailable = <Body, const Reason extends string>(reason: Reason, read: () => Promise<Body>) =>
  readOrElse(
    async () => ({ status: 200 as const, body: await read() }),
    () => unavailable(reason),
  )

/**
 * What a transaction does. Throws the refusal of one that the contract would refuse, with the amounts that decide it; `nextActions` is given its
 * reason and remedy. `remedies` are those of this transaction where the usual one is for another.
 */
export const acceptQuote = <Quote, Reason extends string>(
  { quote, refusal }: Quoted<Quote, Reason>,
  decimals: number,
  nextActions: (reason: Reason, remedy: string) => NextAction[],
  remedies: Partial<Record<Reason, string>> = {},
): Quote => {
  if (refusal === null) return quote
  const { reason } = refusal
  const { meaning, remedy: usual } = contractRefusal(reason)
  const remedy = remedies[reason] ?? usual
  throw new ServiceError('invalid_request', {
    reason,
    detail: meaning,
    details: { ...amounts(refusal.amounts, decimals), meaning, remedy },
    nextActions: nextActions(reason, remedy),
  })
}

/** What a builder of a deposit says. */
export const DEPOSIT_NOTE =
  'The number of shares follows the price when the deposit is mined; the contract takes no minimum. Rounding takes less than one share, which is worth at most a millionth of the cap of the pool.'

/** The notice that pays shares of a pool out later, while the pool lacks tokens. */
export const noticeAction = (pool: string, description: string): NextAction => {
  const request = { function: 'requestRedeem(uint256,address,uint8)', noticeDaysByTier: { 0: 7, 1: 30 } }
  return { kind: 'transaction', description, transaction: { to: pool.toLowerCase(), ...request } }
}

const INPUT = 'base units, as digits'

/** `units` of a pool: in what a request names assets and shares. */
export const unitsView = ({ symbol, decimals }: Asset, shares: Asset) => ({
  asset: { symbol, decimals, input: INPUT },
  shares: { ...shares, input: INPUT },
})

const DISCLOSURE =
  'This is a technical pilot. Principal is at risk: a loss of the pool lowers the value of every share. No depositor protection applies.'
const CAPITAL_SIGNAL =
  'Principal that stays in the pool vests over 48 hours. Vested principal raises the cap of open exposure and the ceiling of external rewards. It never changes the catalogue allowance or the daily budget.'
const WITHDRAWAL_NOTE =
  'Available shares are redeemed at once while the pool holds enough tokens. Otherwise requestRedeem on the contract pays after a notice of 7 or 30 days.'
const NOT_EARNING = 'The pool has placed nothing at a venue; it earns nothing now.'
const EARNING = 'A part of the pool is placed at its venue. Earnings count when they are back in the pool.'

export const POOL_BOUNDARY = { custody: 'depositor_wallet_only', platformBrokersFunds: false, ...BOUNDARY } as const

/** What every answer about the pool begins with. */
export const headView = ({ chain, pool }: PoolChain) => ({
  schemaVersion: 1 as const,
  available: true as const,
  pool: pool.address.toLowerCase(),
  chainId: chain.chainId,
  asset: assetView(chain.asset),
})

/** Limits that vested principal raises. */
const raisedLimits = (vestedRaw: bigint, limits: ExposureLimits) => {
  const capacity = vestedCapacity(vestedRaw, limits, 0n)
  const raws = {
    vestedAssets: capacity.vestedRaw,
    openExposureRaise: capacity.openExposureRaiseRaw,
    openExposureCap: capacity.openExposureCapRaw,
    externalRewardCeiling: capacity.externalRewardCeilingRaw,
  }
  return amounts(raws, limits.asset.decimals)
}

/** The wallet's vesting at the block, and the limits that it raises; without a readable history nothing counts as vested. */
const vestedView = (own: PoolWalletFigures, recorded: RecordedVesting, block: BlockRef, limits: ExposureLimits) => {
  if (recorded.state === null) return { vesting: unreadVestingView(recorded.reason, block.time), ...raisedLimits(0n, limits) }
  const vesting = vestingAt(recorded.state, convertToAssets(own, own.balanceRaw), block.time)
  return { vesting: vestingView(vesting, limits.asset.decimals), ...raisedLimits(vesting.vestedRaw, limits) }
}

/** `wallet` of `GET /pool`. */
export const walletView = (address: Hex, own: PoolWalletFigures, recorded: RecordedVesting, block: BlockRef, limits: ExposureLimits) => ({
  address,
  ...poolWalletView(own, limits.asset.decimals),
  ...amounts({ allowanceToPool: own.allowanceRaw }, limits.asset.decimals),
  ...vestedView(own, recorded, block, limits),
})

/** Body of `GET /pool`. */
export const poolView = (on: PoolChain, block: BlockRef, figures: PoolFigures, wallet: ReturnType<typeof walletView> | null) => {
  const { asset } = on.chain
  const isEarning = figures.placedRaw > 0n
  return {
    ...headView(on),
    units: unitsView(asset, shareAsset(on)),
    block: { ...blockView(block), timestamp: block.time / 1000, timestampIso: iso(block.time) },
    ...poolFiguresView(figures, asset.decimals),
    yieldStatus: isEarning ? ('earning' as const) : ('not_yet_earning' as const),
    yieldStatusText: isEarning ? EARNING : NOT_EARNING,
    disclosure: { statement: DISCLOSURE },
    capitalSignal: { statement: CAPITAL_SIGNAL, vesting: VESTING_RULE, catalogueEffect: 'none' as const },
    withdrawal: { status: 'open' as const, note: WITHDRAWAL_NOTE },
    broadcast: broadcastBy(on.chain, wallet?.address ?? null),
    boundary: POOL_BOUNDARY,
    ...(wallet !== null && { wallet }),
  }
}
