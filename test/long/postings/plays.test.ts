import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { runAudit } from '../../../activities/audit/run.ts'
import { createScanClient } from '../../../activities/chain/clients.ts'
import { type FollowerWorld, startFollowerWorld } from '../../activities/support/follower-world.ts'
import { randomOf } from '../../crash/random.ts'
import { CASES_SEED, PLAYS_ALL } from '../../support/cases/sample.ts'
import { Market, type Move, PEOPLE, type Person, type Work } from './support/model.ts'
import { openStage } from './support/stage.ts'

/** Numbers of the plays: some of all with a range, such as `MARKET=600-899`; otherwise all, or those of a gate. */
const [FIRST = 0, LAST = PLAYS_ALL ? 1_999 : 5] = process.env.MARKET?.split('-').map(Number) ?? []
const MOVES = 12
const WORKS: readonly Work[] = ['good', 'poor', 'unknown']
/** Seconds that pass at once: a few, almost and more than the time of a claim, more than an hour, and more than a quote lasts. */
const WAITS = [7, 595, 601, 3_601, 5 * 3_600] as const
/** Deepest fork, in moves. */
const DEEPEST = 3
/** After so long no difference between records and chain is one that settles. */
const SETTLED_MS = 25 * 3_600_000

let world: FollowerWorld
const stage = openStage(() => world)
beforeAll(async () => {
  world = await startFollowerWorld('plays')
  await stage.endow()
})
afterAll(() => world.stop())

const play = async (number: number): Promise<void> => {
  const random = randomOf(CASES_SEED, 'plays', number)
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const terms = (['alice', 'bob'] as const).map((poster) => ({
    poster,
    rewardRaw: oneOf([1_000_000n, 1_000_000n, 2_000_000n]),
    opsReserveRaw: oneOf([0n, 300_000n]),
    ttl: 600,
    ttlHours: oneOf([1, 72]),
  }))
  const expiries = await stage.begin(terms)
  const market = new Market(
    terms.map((one, index) => ({ ...one, expiresAt: expiries[index] ?? 0 })),
    await stage.holdings(),
  )
  /** Moves that can be undone, the newest last. */
  let undoable: { undo: () => Promise<void>; chain: ReturnType<Market['copyChain']> }[] = []
  const played: string[] = []

  const nowSeconds = () => Math.floor(world.clock.now() / 1_000)

  const compare = async (): Promise<void> => {
    const [found, holdings] = [await Promise.all(terms.map((_one, index) => stage.look(index))), await stage.holdings()]
    const expected = terms.map((_one, index) => ({
      status: market.statusOf(index, nowSeconds()),
      isListed: market.isListed(index, nowSeconds()),
      escrow: market.jobs[index]?.state,
      sessions: (market.sessions[index] ?? []).map(({ wallet, status }) => `${wallet} ${status}`).sort(),
    }))
    const place = `play ${number}: ${played.join('; ')}`
    expect({ place, jobs: found, holdings }).toEqual({ place, jobs: expected, holdings: market.holdings })
  }

  const settle = async (): Promise<void> => {
    await stage.settle()
    if (market.settle(nowSeconds()).length > 0) undoable = []
  }

  const someMove = (): Move => {
    const job = oneOf([0, 1])
    const who: Person = oneOf(PEOPLE)
    const draft = terms[job]
    const worker = market.jobs[job]?.worker ?? who
    switch (oneOf(['fund', 'fund', 'claim', 'claim', 'submit', 'submit', 'cancel', 'timeOut'] as const)) {
      case 'fund': {
        const isRight = random() < 0.75
        const poster = isRight ? (draft?.poster ?? who) : who
        return { kind: 'fund', who: poster, job, rewardRaw: random() < 0.85 ? (draft?.rewardRaw ?? 1n) : 1_500_000n }
      }
      case 'claim':
        return { kind: 'claim', who, job }
      case 'submit':
        return { kind: 'submit', who: random() < 0.8 ? worker : who, job, work: oneOf(WORKS) }
      case 'cancel':
        return { kind: 'cancel', who: random() < 0.7 ? (market.jobs[job]?.funded?.poster ?? who) : who, job }
      case 'timeOut':
        return { kind: 'timeOut', who, job }
    }
  }

  const move = async (): Promise<void> => {
    const next = someMove()
    const undo = await world.snapshot()
    const chain = market.copyChain()
    const { isTaken, at } = await stage.send(next)
    played.push(`${next.who} ${next.kind} ${next.job}${isTaken ? '' : ' refused'}`)
    expect([played.at(-1), isTaken]).toEqual([played.at(-1), market.apply(next, at)])
    // A fork that takes a recorded submission leaves its claim: without it the claim after it would be another one by the model alone.
    const earlier = next.kind === 'submit' && isTaken ? [] : undoable
    undoable = [...earlier, { undo, chain }].slice(-DEEPEST)
  }

  const fork = async (): Promise<void> => {
    const depth = 1 + Math.floor(random() * DEEPEST)
    const target = undoable.at(-depth)
    if (target === undefined) return
    played.push(`fork of ${depth}`)
    const head = await world.world.client.getBlockNumber({ cacheTime: 0 })
    await target.undo()
    market.returnTo(target.chain)
    undoable = undoable.slice(0, -depth)
    await world.world.nextBlockAt(Math.max(nowSeconds(), await world.world.now()) + 1)
    // Blocks of an earlier fork are undone, too: the new branch is the longer one.
    await world.mine(Number(head - (await world.world.client.getBlockNumber({ cacheTime: 0 }))) + 1)
  }

  const judge = async (): Promise<void> => {
    const job = oneOf([0, 1])
    const verdict = market.judge(job, nowSeconds())
    if (verdict === null) return
    played.push(`judge ${job}: ${verdict}`)
    await stage.judge(job)
    undoable = []
  }

  const wait = async (): Promise<void> => {
    const seconds = oneOf(WAITS)
    played.push(`${seconds} s`)
    await world.pass(seconds)
    undoable = []
  }

  for (let turn = 0; turn < MOVES; turn += 1) {
    const chance = random()
    if (chance < 0.62) await move()
    else if (chance < 0.74) await fork()
    else if (chance < 0.86) await judge()
    else await wait()
    await settle()
    await compare()
  }
}

test.each(Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index))(
  'play %i leaves records, escrow and catalogue as the model foretells',
  play,
  120_000,
)

test('the audit of all plays finds nothing', async () => {
  await stage.end()
  const { database, chain, readKey, clock } = world
  const now = () => clock.now() + SETTLED_MS
  const { results } = await runAudit({ database, chain, client: createScanClient(chain), readKey, now })
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
}, 600_000)
