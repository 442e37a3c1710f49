import { get, post, wait } from '../../schemas/common/error-row.ts'
import type { NextAction } from '../../schemas/errors.ts'
import type { PlaceName } from '../../schemas/strategies/record.ts'
import { type Position, spendableRaw, withdrawableRaw } from '../chain/account-position.ts'
import { iso } from '../common/instants.ts'
import type { LenderPosition } from '../credit/quotes.ts'
import { type Lock, sumOf } from '../locked-deposits/lock.ts'
import { earlyExitPath } from '../locked-deposits/tiers.ts'
import { availableSharesRaw, type PoolPosition } from '../pool/quotes.ts'
import { convertToAssets, type ShareBook } from '../pool/shares.ts'
import { type Place, strategyPlaces } from '../strategies/places.ts'
import type { StrategyHolding } from '../strategies/position.ts'

/** Everything that can hold money of a wallet, at one block. */
export interface PlaceFacts {
  position: Position
  /** Tokens of the wallet itself. */
  walletRaw: bigint
  /** Locks that bind balance now. */
  locks: readonly Lock[]
  /** Null where the strategies cannot be read; their row then has the value at their last change. */
  holdings: readonly StrategyHolding[] | null
  /** Null on a chain without the pool. */
  pool: PoolPosition | null
  lender: LenderPosition | null
  /** What the wallet owes to the credit pool, base units. */
  debtRaw: bigint
}

/** Contracts that the wallet calls itself, and the asset; lower case. */
export interface PlaceContracts {
  asset: string
  account: string
  depositPool: string | null
  creditPool: string | null
}

const call = (to: string | null, name: string, description: string): NextAction => ({
  kind: 'transaction',
  description,
  transaction: { to, function: name },
})

const lockActions = (locks: readonly Lock[]): NextAction[] =>
  locks.map(({ id, status, releaseAt }) => {
    if (status !== 'active' && releaseAt !== null) return { ...wait('The exit of this locked deposit ends.'), availableAt: iso(releaseAt) }
    const description = 'Leave this locked deposit early; its amount is free 48 hours later.'
    return post(earlyExitPath(id), description)
  })

const accountPlaces = ({ position, locks, walletRaw }: PlaceFacts, { account }: PlaceContracts): Place[] => {
  const [freeRaw, spendable] = [withdrawableRaw(position), spendableRaw(position, sumOf(locks))]
  const row = (place: PlaceName, raw: bigint, ...nextActions: NextAction[]): Place => ({ place, id: null, raw, nextActions })
  return [
    row('available', spendable, post('/account/withdraw/transactions', 'Withdraw it to the wallet.')),
    row('locked_deposit', freeRaw - spendable, ...lockActions(locks)),
    row('account_debt', position.liquid - freeRaw, call(account, 'repay(address,uint256)', 'Repay the debt of the account.')),
    row('open_work', position.jobStakeLocked, wait('Bonds come back with the approval of the work, or as the dispute decides.')),
    row('funded_jobs', position.reserved, wait('It pays the jobs that the wallet funds; what a job does not use comes back.')),
    row('account_collateral', position.collateralLocked, call(account, 'unlockCollateral(address,uint256)', 'Unlock what no debt needs.')),
    row('wallet', walletRaw),
  ]
}

const unreadStrategies = ({ strategyAllocated }: Position): Place => ({
  place: 'strategy',
  id: null,
  raw: strategyAllocated,
  nextActions: [get('/account/strategies', 'Read the strategies again later; they cannot be read now.')],
})

/** Shares of a pool at their value. */
const sharesIn =
  (book: ShareBook) =>
  (place: PlaceName, sharesRaw: bigint, action: NextAction): Place => ({
    place,
    id: null,
    raw: convertToAssets(book, sharesRaw),
    nextActions: [action],
  })

const fulfil = (pool: string | null): NextAction =>
  call(pool, 'fulfilRedeem(uint256)', 'Collect it with the id of its notice, once the notice is over.')

/** What frees a pledge. A pledge that was cancelled could not be made again. */
const releasePledge = (debtRaw: bigint): NextAction =>
  debtRaw > 0n
    ? post('/credit/transactions', 'Repay the loan that they secure: direction `repay`.')
    : post('/credit/transactions', 'Begin the loan that they are pledged for, and repay it: directions `borrow` and `repay`.')

const poolPlaces = ({ pool, lender, debtRaw }: PlaceFacts, { depositPool, creditPool }: PlaceContracts): Place[] => {
  const places: Place[] = []
  if (pool !== null) {
    const row = sharesIn(pool)
    places.push(
      row('pool_shares', availableSharesRaw(pool), post('/pool/transactions', 'Redeem the shares: direction `withdraw`.')),
      row('pool_notice', pool.lockedRaw, fulfil(depositPool)),
      row('pool_pledge', pool.pledgedRaw, releasePledge(debtRaw)),
    )
  }
  if (lender !== null) {
    const row = sharesIn(lender)
    const freeRaw = lender.balanceRaw - lender.lockedRaw
    places.push(
      row('credit_shares', freeRaw, post('/credit/transactions', 'Redeem the shares: direction `withdraw`.')),
      row('credit_notice', lender.lockedRaw, fulfil(creditPool)),
    )
  }
  return places
}

/** Where the money of a wallet is, and what brings each part home. A place without money has no row. */
export const placesOf = (facts: PlaceFacts, contracts: PlaceContracts): Place[] => {
  const lent = facts.holdings === null ? [unreadStrategies(facts.position)] : strategyPlaces(facts.holdings, contracts.asset)
  return [...accountPlaces(facts, contracts), ...lent, ...poolPlaces(facts, contracts)].filter(({ raw }) => raw > 0n)
}
