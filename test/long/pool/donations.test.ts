// Plays of an attacker who may give tokens to a pool at any time. PLAY_RUNS is their number; `npm run plays` plays a million.
import { beforeAll, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import {
  type Call,
  DonationPlay,
  PLAYERS,
  type Player,
  type PoolKey,
  playDonations,
  START,
} from '../../contracts/support/play/donations.ts'
import { playRuns } from '../../contracts/support/play/runs.ts'
import { startWorld, type World, who } from '../../contracts/support/world.ts'
import { seededInts } from '../../domain/builders/pool-history.ts'

const { numRuns, seed } = playRuns(50_000).parameters
const TIMEOUT_MS = 1_200_000
const REPLAYS = Math.min(500, Math.ceil(numRuns / 2_000))
/** One share is worth at most the cap of the pool, divided by the seed. */
const LARGEST_SHARE = { pool: 1_000n, credit: 250n }

/** A enters with one unit and gives 40 USDC; B asks the service for 79 USDC. */
const attackAsFound = (play: DonationPlay): Call | string => {
  play.call('attacker', ['deposit', 1n])
  play.call('attacker', ['donate', 40_000_000n])
  return play.quote('deposit', 79_000_000n)
}

test(
  'an attacker gains at most rounding dust of another deposit, and its victim loses no more',
  () => {
    const quotes = { pool: 0, credit: 0 }
    let largest = 0n
    for (let run = 0; run < numRuns; run++) {
      const play = playDonations(seededInts(seed * 1_000_003 + run))
      const [gain, loss] = [play.gain('attacker', 'second'), -play.gain('victim')]
      const most = BigInt(play.quotes + 1) * LARGEST_SHARE[play.key]
      if (gain > play.dust || loss > play.dust || play.dust > most) expect({ run, gain, loss, most }).toEqual({ run, dust: play.dust })
      if (gain > largest) largest = gain
      quotes[play.key] += play.quotes
    }
    process.stderr.write(`${numRuns} plays, largest gain ${largest} base units, transactions mined ${JSON.stringify(quotes)}\n`)
    expect(Math.min(quotes.pool, quotes.credit)).toBeGreaterThan(numRuns / 10)
  },
  TIMEOUT_MS,
)

test.each<PoolKey>(['pool', 'credit'])('the attack as it was found costs its author the money: %s', (key) => {
  const play = new DonationPlay(key)
  const quoted = attackAsFound(play)
  expect(quoted).toEqual(['deposit', 79_000_000n])
  play.mine(quoted as Call)
  play.end()
  expect(play.gain('attacker')).toBeLessThan(-39_000_000n)
  expect(-play.gain('victim')).toBeLessThanOrEqual(play.dust)
})

test.each<PoolKey>(['pool', 'credit'])(
  'the attack as it was found takes 19.5 USDC on a pool without a seed, which the service refuses: %s',
  (key) => {
    const play = new DonationPlay(key, { seedRaw: 0n })
    expect(attackAsFound(play)).toBe('PoolBelowSeed')
    expect(play.call('victim', ['deposit', 79_000_000n])).toBeNull()
    play.end()
    expect(play.gain('attacker')).toBe(19_499_999n)
  },
)

let world: World
const wallets: Record<Player, Hex> = { attacker: who.worker, second: who.poster, victim: who.stranger, holder: who.pauser }

beforeAll(async () => {
  world = await startWorld()
  for (const player of PLAYERS) {
    await world.run(who.owner, 'token', 'mint', wallets[player], START)
    for (const key of ['pool', 'credit'] as const) await world.run(wallets[player], 'token', 'approve', world.at[key], START)
  }
})

const send = (key: PoolKey, from: Hex, [name, amount]: Call) => {
  if (name === 'donate') return world.attempt(from, 'token', 'transfer', world.at[key], amount)
  return world.attempt(from, key, name, amount, from, ...(name === 'redeem' ? [from] : []))
}
const numbersOf = (key: PoolKey): Promise<unknown[]> =>
  Promise.all([
    ...PLAYERS.flatMap((player) => [world.read('token', 'balanceOf', wallets[player]), world.read(key, 'balanceOf', wallets[player])]),
    world.read(key, 'totalAssets'),
    world.read(key, 'totalSupply'),
  ])

/** Repeats a play on the pools as they are deployed, and compares every refusal and number. */
const replay = ({ key, log }: DonationPlay): Promise<void> =>
  world.undone(async () => {
    for (const { player, call, refusal, after } of log ?? []) {
      const { error } = await send(key, wallets[player], call)
      expect([player, call, error?.split('(')[0] ?? null]).toEqual([player, call, refusal])
      expect([player, call, await numbersOf(key)]).toEqual([player, call, after])
    }
  })

test(
  `${REPLAYS} plays and the attack as it was found give the same on the chain, to the unit`,
  async () => {
    for (const key of ['pool', 'credit'] as const) {
      const play = new DonationPlay(key, { isLogged: true })
      play.mine(attackAsFound(play) as Call)
      play.end()
      await replay(play)
    }
    let calls = 0
    for (let run = 0; run < REPLAYS; run++) {
      const play = playDonations(seededInts(seed * 1_000_003 + run), { isLogged: true })
      await replay(play)
      calls += play.log?.length ?? 0
    }
    expect(calls).toBeGreaterThan(REPLAYS * 3)
  },
  TIMEOUT_MS,
)
