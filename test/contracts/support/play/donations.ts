// Random plays of an attacker on one pool: it enters, leaves and gives at any time, also between the quote of another wallet and its block.
import { floorSubtract, minRaw } from '../../../../domain/common/money.ts'
import { quoteLenderDeposit, quoteLenderWithdrawal } from '../../../../domain/credit/quotes.ts'
import { type PoolPosition, quotePoolDeposit, quotePoolWithdrawal, quoteSeed } from '../../../../domain/pool/quotes.ts'
import { POOL_SEED_RAW } from '../../../../schemas/pool/record.ts'
import { CreditModel, PoolModel, type Refusal, Tokens } from './savings-model.ts'

/** The attacker's two wallets, the one that asks the service, and one that only holds shares. */
export const PLAYERS = ['attacker', 'second', 'victim', 'holder'] as const
export type Player = (typeof PLAYERS)[number]
export type PoolKey = 'pool' | 'credit'
/** Tokens that each player begins with: ten times the cap of a pool. */
export const START = 10_000_000_000n
const PER_WALLET = 100_000_000n

export type Call = readonly ['deposit' | 'mint' | 'redeem' | 'donate', amount: bigint]

/** A call as it was played, and every number after it: tokens and shares of each player, assets and supply of the pool. */
export interface Played {
  readonly player: Player
  readonly call: Call
  readonly refusal: Refusal
  readonly after: readonly bigint[]
}

export class DonationPlay {
  readonly key: PoolKey
  readonly tokens = new Tokens()
  readonly pool: PoolModel | CreditModel
  /** Calls in their order; kept for plays that the chain repeats. */
  readonly log: Played[] | null
  /** What the deposits and withdrawals of the victim may have lost to rounding: less than a share each. */
  dust = 0n
  quotes = 0

  constructor(key: PoolKey, { seedRaw = POOL_SEED_RAW, isLogged = false }: { seedRaw?: bigint; isLogged?: boolean } = {}) {
    this.key = key
    this.log = isLogged ? [] : null
    const deposits = new PoolModel(this.tokens, key, 1_000_000_000n)
    this.pool = key === 'pool' ? deposits : new CreditModel(this.tokens, key, deposits)
    for (const player of PLAYERS) this.tokens.make(player, START)
    this.tokens.make('operator', seedRaw)
    this.pool.contribute('operator', seedRaw)
  }

  call(player: Player, call: Call): Refusal {
    const refusal = this.#play(player, call)
    this.log?.push({ player, call, refusal, after: this.numbers() })
    return refusal
  }
  #play(player: Player, [name, amount]: Call): Refusal {
    const { pool } = this
    if (name === 'deposit') return pool.deposit(player, amount)
    if (name === 'redeem') return pool.redeem(player, amount)
    if (name === 'mint') return pool instanceof PoolModel ? pool.mint(player, amount) : null
    this.tokens.move(player, this.key, amount)
    return null
  }
  numbers(): bigint[] {
    const { pool, tokens } = this
    return [...PLAYERS.flatMap((player) => [tokens.of(player), pool.of(player)]), pool.managed(), pool.supply()]
  }

  /** What the service reads of the pool for the victim. */
  #position(): PoolPosition {
    const { pool, tokens } = this
    return {
      managedRaw: pool.managed(),
      supplyRaw: pool.supply(),
      seedRaw: pool.of(this.key),
      bufferRaw: pool.buffer(),
      balanceRaw: pool.of('victim'),
      lockedRaw: 0n,
      pledgedRaw: 0n,
      walletRaw: tokens.of('victim'),
      caps: { totalRaw: pool.cap, perHolderRaw: PER_WALLET },
    }
  }
  /** The call that the service builds, or the name of its refusal. */
  quote(kind: 'deposit' | 'redeem', amount: bigint): Call | string {
    const position = this.#position()
    const { refusal: below } = quoteSeed(position)
    if (below !== null) return below.reason
    const [deposit, withdrawal] = this.key === 'pool' ? [quotePoolDeposit, quotePoolWithdrawal] : [quoteLenderDeposit, lenderWithdrawal]
    const { quote, refusal } = kind === 'deposit' ? deposit(position, amount) : withdrawal(position, { sharesRaw: amount })
    if (refusal !== null) return refusal.reason
    this.#assertBounded(kind, quote.assetsRaw, quote.sharesRaw)
    return [kind, kind === 'deposit' ? quote.assetsRaw : quote.sharesRaw]
  }
  /** What is quoted loses at most one part in a thousand at the price of the quote; the last shares, less than a base unit. */
  #assertBounded(kind: 'deposit' | 'redeem', assets: bigint, shares: bigint): void {
    const [managed, supply] = [this.pool.managed(), this.pool.supply()]
    if (kind === 'redeem' && shares === this.pool.of('victim') && shares * managed - assets * supply < supply) return
    const [value, received] =
      kind === 'deposit' ? [assets * (supply + shares), shares * (managed + assets)] : [shares * managed, assets * supply]
    if ((value - received) * 1_000n > value) throw new Error(`a ${kind} of ${assets} was quoted that loses more than 0.1 %`)
  }

  /** Mines what the victim was given. */
  mine(call: Call): void {
    const [managed, supply] = [this.pool.managed(), this.pool.supply()]
    const share = managed / supply + 1n
    if (this.call('victim', call) === null) this.dust += call[0] === 'deposit' ? share : 1n
    this.quotes += 1
  }

  /** Attacker and victim redeem what they have. */
  end(): void {
    for (const player of ['attacker', 'second', 'victim'] as const) {
      const shares = this.pool.of(player)
      if (shares > 0n && this.call(player, ['redeem', shares]) === null && player === 'victim') this.dust += 1n
    }
  }
  gain(...players: readonly Player[]): bigint {
    return players.reduce((sum, player) => sum + this.tokens.of(player) - START, 0n)
  }
}

const lenderWithdrawal = (position: PoolPosition, { sharesRaw }: { sharesRaw: bigint }) => quoteLenderWithdrawal(position, sharesRaw)

type Int = (bound: number) => number
const TENS = Array.from({ length: 10 }, (_, power) => 10n ** BigInt(power))

/** An amount of at most `most`: small, large, round, or next to a whole number of `unit`. */
const amountUpTo = (int: Int, most: bigint, unit: bigint): bigint => {
  const near = unit * BigInt(1 + int(4)) + BigInt(int(3) - 1)
  const choices = [1n, most, most - 1n, (most * BigInt(int(1_001))) / 1_000n, TENS[int(10)] ?? 1n, near]
  const amount = choices[int(choices.length)] ?? 1n
  return amount < 0n ? 0n : minRaw(amount, most)
}

const attack = (play: DonationPlay, int: Int): void => {
  const { pool, tokens } = play
  const player = int(4) === 0 ? 'second' : 'attacker'
  const share = pool.managed() / pool.supply()
  const headroom = floorSubtract(pool.cap, pool.managed())
  const kind = int(play.key === 'pool' ? 8 : 7)
  const most = minRaw(headroom, PER_WALLET)
  if (kind < 2) play.call(player, ['deposit', amountUpTo(int, most, share)])
  else if (kind < 5) {
    // Beyond the cap the pool takes no deposit, so an attacker gives what fits below it.
    const given = amountUpTo(int, int(20) === 0 ? START / 10n : headroom, share * 10n ** BigInt(4 + int(3)))
    play.call(player, ['donate', minRaw(given, tokens.of(player))])
  } else if (kind < 7) play.call(player, ['redeem', amountUpTo(int, pool.of(player), 1n)])
  else play.call(player, ['mint', amountUpTo(int, most, 1n)])
}

/** Plays one attack from its first entry until the attacker and the victim have left. */
export const playDonations = (int: Int, options: { isLogged?: boolean } = {}): DonationPlay => {
  const play = new DonationPlay(int(2) === 0 ? 'pool' : 'credit', options)
  if (int(2) === 0) play.call('holder', ['deposit', amountUpTo(int, PER_WALLET, 1n)])
  // Earnings of the pool before the attack.
  if (int(3) === 0) play.call('holder', ['donate', amountUpTo(int, PER_WALLET, 1n)])
  for (let turn = 1 + int(3); turn > 0; turn--) {
    for (let moves = int(4); moves > 0; moves--) attack(play, int)
    const kind = int(3) === 0 ? ('redeem' as const) : ('deposit' as const)
    const { pool } = play
    const share = pool.managed() / pool.supply()
    const quoted = play.quote(kind, amountUpTo(int, kind === 'redeem' ? pool.of('victim') : PER_WALLET, share))
    if (typeof quoted === 'string') continue
    for (let moves = int(3); moves > 0; moves--) attack(play, int)
    play.mine(quoted)
  }
  play.end()
  return play
}
