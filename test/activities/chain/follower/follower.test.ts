import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { readCursor, readFollowerLag } from '../../../../activities/chain/follower/cursor.ts'
import { fund, hashOf, milestoneTerms, milestoneVerdict, terms } from '../../../contracts/support/jobs.ts'
import { who } from '../../../contracts/support/world.ts'
import { type FollowerParts, type FollowerWorld, startFollowerWorld } from '../../support/follower-world.ts'
import { type Call, type Fate, laggingAt, spanOf, startNodeGate } from '../../support/node-gate.ts'
import { failingDatabase } from '../../support/service.ts'

let world: FollowerWorld
beforeAll(async () => {
  world = await startFollowerWorld()
})
afterEach(() => world.gate.spoil())
afterAll(() => world.stop())

const names = (rows: { contract: string; event: string }[]): string[] => rows.map(({ contract, event }) => `${contract}.${event}`)
const topics = (rows: { topic: string }[]): string[] => rows.map(({ topic }) => topic)
const cursorOf = async () => {
  const cursor = await readCursor(world.rows, world.chain.chainId)
  if (cursor === null) throw new Error('the follower never began')
  return cursor
}
const lag = () => readFollowerLag(world.rows, world.chain.chainId)
/** Records that the follower had read every block longer ago than it may lag. */
const fallBehind = () =>
  world.rows
    .updateTable('chain_cursor')
    .set({ caughtUpAt: Date.now() - 700_000 })
    .execute()
const head = () => world.world.client.getBlockNumber({ cacheTime: 0 })
const pendingNotifications = async (chainJobId: string): Promise<string[]> =>
  (await world.eventsOf(chainJobId))
    .filter(({ movesProcess, revision, notifiedRevision }) => movesProcess && notifiedRevision < revision)
    .map(({ event, removedAt }) => (removedAt === null ? event : `no ${event}`))
interface Claim {
  sessionId: string
  chainJobId: string
  wallet: string
}
const openDispute = ({ wallet, chainJobId }: Claim) => world.world.run(wallet as Hex, 'escrow', 'openDispute', chainJobId)
const disputesOf = async ({ chainJobId }: Claim) => (await world.eventsOf(chainJobId)).filter(({ event }) => event === 'DisputeOpened')
/** Whether each announcement of a dispute takes it back. */
const announcedRemovals = async ({ sessionId }: Claim) =>
  (await world.readAnnouncements(sessionId)).flatMap(({ topic, data }) => (topic === 'escrow.dispute_opened' ? [data.removed] : []))
const claimEvents = async ({ chainJobId }: Claim) => names(await world.eventsOf(chainJobId))
const CLAIMED = expect.arrayContaining(['escrow.JobClaimed'])
/** A dispute that the follower has read and that can be undone on chain. */
const undoableDispute = async () => {
  const claim = await world.life.rejected()
  await world.follow()
  const undo = await world.snapshot()
  await openDispute(claim)
  await world.follow()
  return { claim, undo }
}
/** A page of logs is refused where it spans more than three blocks. */
const THREE_BLOCKS = (call: Call): Fate =>
  call.method === 'eth_getLogs' && spanOf(call) > 3 ? { error: 'query exceeds max block range 3' } : 'pass'

/** Of a life from bond to badge, in the order of the chain. */
const LIFE = [
  'accounts.Reserved',
  'escrow.JobFunded',
  'escrow.JobCreated',
  'accounts.JobStakeLocked',
  'escrow.JobClaimed',
  'escrow.ClaimRetentionSnapshot',
  'escrow.ClaimEconomicsLocked',
  'escrow.WorkSubmitted',
  'escrow.Submitted',
  'escrow.Verified',
  'accounts.JobStakeReleased',
  'accounts.ReservationSettled',
  'accounts.ReservationSettled',
  'escrow.SettlementSplit',
  'accounts.ReservationSettled',
  'escrow.GasRetentionApplied',
  'reputation.BadgeMinted',
  'reputation.ReputationUpdated',
  'escrow.JobClosed',
]
const TOPICS = [
  'escrow.job_funded',
  'account.job_stake_locked',
  'escrow.job_claimed',
  'escrow.claim_retention_snapshot',
  'escrow.claim_economics_locked',
  'escrow.work_submitted',
  'account.job_stake_released',
  'escrow.gas_retention_applied',
  'reputation.badge_minted',
  'reputation.updated',
  'escrow.job_closed',
]

const CONTRACTS = ['accounts', 'credit', 'escrow', 'policy', 'pool', 'registry', 'reputation', 'token', 'xcm']

describe('what happens on the chain', () => {
  test('of a whole life from bond to badge is kept and announced once, with the job of each event', async () => {
    const claim = await world.life.paid()
    await world.follow()
    await world.follow(world.followerOf())
    expect(await claimEvents(claim)).toEqual(LIFE)
    const announced = await world.readAnnouncements(claim.sessionId)
    expect(topics(announced)).toEqual(TOPICS)
    expect(announced.every(({ jobId, blockNumber, txHash }) => jobId === claim.jobId && blockNumber !== null && txHash !== null)).toBe(true)
    expect(announced.find(({ topic }) => topic === 'escrow.job_claimed')?.wallets).toEqual([claim.wallet])
  })

  test('is kept as plain values, at the time of its block', async () => {
    const claim = await world.life.claimed()
    await world.follow()
    const kept = (await world.eventsOf(claim.chainJobId)).find(({ event }) => event === 'JobClaimed')
    const block = await world.world.client.getBlock({ blockNumber: BigInt(kept?.blockNumber ?? 0) })
    expect(kept).toMatchObject({ blockHash: block.hash, blockTime: Number(block.timestamp) * 1_000, removedAt: null, revision: 1 })
    expect(kept?.args).toEqual({
      jobId: claim.chainJobId,
      worker: claim.wallet,
      claimExpiry: expect.stringMatching(/^\d+$/),
      claimStake: '200000',
    })
  })

  test('is kept of every contract; of the token only what one of ours is a party to', async () => {
    const [from, to] = ['0x00000000000000000000000000000000000a0001', '0x00000000000000000000000000000000000a0002'] as const
    await fund(world.world, from, 1_000n)
    await world.world.run(who.owner, 'token', 'mint', from, 500n)
    await world.world.run(from, 'token', 'transfer', to, 500n)
    await world.world.run(who.owner, 'policy', 'setVerifier', who.verifier, true)
    for (const fund of ['pool', 'credit'] as const) {
      await world.world.run(who.owner, 'token', 'mint', from, 700n)
      await world.world.run(from, 'token', 'approve', world.world.at[fund], 700n)
      await world.world.run(from, fund, 'deposit', 700n, from)
    }
    await world.follow()
    const kept = await world.rows.selectFrom('chain_event').select(['contract', 'event', 'args']).execute()
    expect([...new Set(kept.map(({ contract }) => contract))].sort()).toEqual(CONTRACTS)
    expect(kept.some(({ event }) => event === 'VerifierUpdated')).toBe(true)
    expect(kept.filter(({ args }) => args.to === to)).toEqual([])
    expect(kept.filter(({ contract, event, args }) => contract === 'token' && event === 'Transfer' && args.from === from)).toHaveLength(3)
    expect(kept.filter(({ event }) => event === 'Deposit').map(({ contract, args }) => [contract, args])).toEqual(
      ['pool', 'credit'].map((fund) => [fund, { caller: from, owner: from, assets: '700', shares: '700' }]),
    )
    expect(kept.filter(({ event }) => event === 'Unknown')).toEqual([])
  })

  test('before the service recorded the claim belongs to its session as well as what is seen after it', async () => {
    const one = await world.life.admit()
    const bond = await world.steps.lockBond(world.life.bondInput(one.admitted))
    await world.follow()
    expect(topics(await world.readAnnouncements(one.admitted.sessionId))).toContain('escrow.job_claimed')
    await world.claims.recordClaim({ ...one, bond })
    await world.world.pass(3_601)
    await world.world.run(who.stranger, 'escrow', 'handleClaimTimeout', one.admitted.chainJobId)
    await world.follow()
    const announced = await world.readAnnouncements(one.admitted.sessionId)
    expect(topics(announced)).toEqual(expect.arrayContaining(['account.job_stake_slashed', 'escrow.job_reopened']))
    expect(new Set(announced.map(({ jobId }) => jobId))).toEqual(new Set([one.admitted.jobId]))
    world.clock.move(3_601_000)
  })

  test('to a job without listing is followed to its level 2 badge, milestone by milestone', async () => {
    const jobId = hashOf('milestones')
    const worker = '0x00000000000000000000000000000000000a0003'
    await fund(world.world, who.poster, 10_000_000n)
    await fund(world.world, worker, 10_000_000n)
    await world.world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world.world, [1_000_000n, 2_000_000n], { jobId }))
    await world.world.run(worker, 'escrow', 'claimJob', jobId)
    await world.world.run(worker, 'escrow', 'submitWork', jobId, hashOf('evidence'))
    await world.world.run(who.verifier, 'escrow', 'resolveMilestone', ...milestoneVerdict(0, true, jobId))
    await world.follow()
    expect(names(await world.eventsOf(jobId))).not.toContain('reputation.BadgeMinted')
    await world.world.run(worker, 'escrow', 'submitWork', jobId, hashOf('more evidence'))
    await world.world.run(who.verifier, 'escrow', 'resolveMilestone', ...milestoneVerdict(1, true, jobId))
    await world.follow()
    const kept = await world.eventsOf(jobId)
    expect(kept.filter(({ event }) => event === 'JobCreated').map(({ args }) => args.payoutMode)).toEqual(['1'])
    expect(kept.filter(({ event }) => event === 'SettlementSplit')).toHaveLength(2)
    expect(kept.filter(({ event }) => event === 'BadgeMinted').map(({ args }) => [args.account, args.level])).toEqual([
      [worker.toLowerCase(), '2'],
    ])
    expect(names(kept).at(-1)).toBe('escrow.JobClosed')
    const announced = await world.rows
      .selectFrom('event')
      .selectAll()
      .where('correlationId', '=', jobId)
      .where('topic', '=', 'reputation.badge_minted')
      .execute()
    expect(announced.map(({ wallets }) => wallets)).toEqual([[worker.toLowerCase()]])
  })
})

describe('confirmations', () => {
  test('hold an event back until so many blocks stand on it', async () => {
    await world.follow()
    const claim = await world.life.claimed()
    const careful = world.followerOf({ confirmations: 3 })
    await world.follow(careful)
    expect(await claimEvents(claim)).not.toEqual(CLAIMED)
    await world.mine(2)
    await world.follow(careful)
    expect(await claimEvents(claim)).not.toEqual(CLAIMED)
    await world.mine(1)
    await world.follow(careful)
    expect(await claimEvents(claim)).toEqual(CLAIMED)
  })
})

describe('a fork', () => {
  test('that took a dispute away marks it alone as removed, announces the removal, and has the workflow notified again', async () => {
    const removed = () => world.rows.selectFrom('chain_event').select(['txHash', 'event']).where('removedAt', 'is not', null).execute()
    const earlier = (await removed()).map(({ txHash }) => txHash)
    const claim = await world.life.rejected()
    const undo = await world.snapshot()
    await openDispute(claim)
    // One page for all of it: the newest mark that stands lies well before the claim.
    await world.follow()
    await undo()
    await world.mine(3)
    expect((await world.follow()).map(({ kind }) => kind)).toContain('rewound')
    expect((await removed()).filter(({ txHash }) => !earlier.includes(txHash)).map(({ event }) => event)).toEqual(['DisputeOpened'])
    const revised = (await world.eventsOf(claim.chainJobId)).filter(({ revision }) => revision > 1)
    expect(revised).toMatchObject([{ event: 'DisputeOpened', removedAt: expect.any(Number), revision: 2 }])
    expect(await announcedRemovals(claim)).toEqual([false, true])
    expect(await pendingNotifications(claim.chainJobId)).toContain('no DisputeOpened')
    expect(await cursorOf()).toMatchObject({ number: await head() })
  })

  test('after which the same transaction was mined in another block brings the event back', async () => {
    const { claim, undo } = await undoableDispute()
    await undo()
    await world.mine(1)
    await world.follow()
    await openDispute(claim)
    await world.follow()
    expect(await disputesOf(claim)).toMatchObject([{ removedAt: null, revision: 3 }])
    expect(await announcedRemovals(claim)).toEqual([false, true, false])
  })

  test('that went and came back whole brings back the event of the very same block', async () => {
    const claim = await world.life.rejected()
    await world.follow()
    const undo = await world.snapshot()
    const at = (await world.world.now()) + 9
    const disputed = async () => {
      await world.world.nextBlockAt(at)
      await openDispute(claim)
      return (await world.world.client.getBlock()).hash
    }
    const hash = await disputed()
    await world.follow()
    await undo()
    await world.follow(world.followerOf({ nodeLagToleranceMs: 0 }))
    expect(await disputesOf(claim)).toMatchObject([{ removedAt: expect.any(Number) }])
    expect(await disputed()).toBe(hash)
    await world.follow()
    expect(await disputesOf(claim)).toMatchObject([{ blockHash: hash, removedAt: null, revision: 3 }])
  })

  test('that happens while a page is read is found, also when the page is of the new chain', async () => {
    const { claim, undo } = await undoableDispute()
    const { number } = await cursorOf()
    await world.mine(2)
    let isForked = false
    world.gate.suffer({
      call: async ({ method, params }): Promise<Fate> => {
        const [block] = params ?? []
        // The follower compared its cursor with the chain already.
        if (method !== 'eth_getBlockByNumber' || block === 'latest' || BigInt(String(block)) <= number || isForked) return 'pass'
        isForked = true
        await undo()
        await world.mine(Number(number - (await head())) + 2)
        return 'pass'
      },
    })
    await world.follow()
    expect(isForked).toBe(true)
    expect(await disputesOf(claim)).toMatchObject([{ removedAt: expect.any(Number) }])
  })

  test('that took a cancellation away opens the listing again, which the cancellation had closed', async () => {
    const jobId = await world.addJob('cancelled-job')
    const { chainJobId } = await world.rows.selectFrom('job').select('chainJobId').where('id', '=', jobId).executeTakeFirstOrThrow()
    const delisted = () =>
      world.rows.selectFrom('job').select(['delistReason', 'lifecycleStatus']).where('id', '=', jobId).executeTakeFirst()
    await fund(world.world, who.poster, 10_000_000n)
    await world.world.run(who.poster, 'escrow', 'createSinglePayoutJob', ...terms(world.world, { jobId: chainJobId as Hex }))
    await world.world.pass(3_600)
    await world.follow()
    const undo = await world.snapshot()
    await world.world.run(who.poster, 'escrow', 'cancelOpenJob', chainJobId)
    await world.follow()
    expect(await delisted()).toEqual({ delistReason: 'poster_cancelled', lifecycleStatus: 'open' })
    await undo()
    await world.mine(2)
    await world.follow()
    expect(await delisted()).toEqual({ delistReason: null, lifecycleStatus: 'open' })
    world.clock.move(3_600_000)
  })
})

describe('a chain that lost blocks', () => {
  test('is waited for as a node that lags, and then taken at its word', async () => {
    const { claim, undo } = await undoableDispute()
    const { number } = await cursorOf()
    await undo()
    let now = 0
    const follower = world.followerOf({ nodeLagToleranceMs: 1_000, monotonic: () => now })
    expect(await follower.advance()).toEqual({ kind: 'node_behind' })
    now = 999
    expect(await follower.advance()).toEqual({ kind: 'node_behind' })
    expect(await cursorOf()).toMatchObject({ number })
    now = 1_000
    expect(await follower.advance()).toMatchObject({ kind: 'rewound' })
    await world.follow(follower)
    expect(await cursorOf()).toMatchObject({ number: await head() })
    expect(await pendingNotifications(claim.chainJobId)).toContain('no DisputeOpened')
  })

  test('that came back in time was never doubted', async () => {
    const claim = await world.life.rejected()
    await world.follow()
    const undo = await world.snapshot()
    await world.mine(1)
    await world.follow()
    await undo()
    const follower = world.followerOf()
    expect(await follower.advance()).toEqual({ kind: 'node_behind' })
    await world.mine(2)
    await world.follow(follower)
    expect((await world.eventsOf(claim.chainJobId)).filter(({ removedAt }) => removedAt !== null)).toEqual([])
  })
})

describe('a change of the node', () => {
  test('is nothing special: a node that lags is waited for however long, and no event is doubted', async () => {
    const other = await startNodeGate(world.world.rpcUrl)
    let now = 0
    const times = { changeMs: 50, probeMs: 10, watchMs: 1e9, returnMs: 1e9 }
    const follower = world.followerOf({ backups: [other.url], times, nodeLagToleranceMs: 1_000, monotonic: () => now })
    const claim = await world.life.rejected()
    await world.follow(follower)
    const { number } = await cursorOf()
    world.gate.suffer({ request: () => 'cut' })
    other.suffer(laggingAt(number - 2n))
    for (now = 0; now < 10_000; now += 1_000) expect(await follower.advance()).toEqual({ kind: 'node_behind' })
    expect(await cursorOf()).toMatchObject({ number })
    other.suffer()
    await world.mine(2)
    const kinds = (await world.follow(follower)).map(({ kind }) => kind)
    expect(kinds).toContain('page')
    expect(kinds).not.toContain('rewound')
    expect((await world.eventsOf(claim.chainJobId)).every(({ revision }) => revision === 1)).toBe(true)
    await other.stop()
  })
})

describe('two followers', () => {
  test('at the same chain keep and announce every event once', async () => {
    const followers = [world.followerOf(), world.followerOf(), world.followerOf()]
    const looked = await Promise.all([world.life.paid(), ...followers.map((follower) => world.follow(follower))])
    const [claim] = looked
    const rounds = await Promise.all(followers.map((follower) => world.follow(follower)))
    expect(rounds.flat().some(({ kind }) => kind === 'idle')).toBe(true)
    expect(await claimEvents(claim)).toEqual(LIFE)
    expect(topics(await world.readAnnouncements(claim.sessionId))).toEqual(TOPICS)
  })

  test('that read the same page: one writes, the other one looks again', async () => {
    await world.follow()
    await world.life.claimed()
    const looks = await Promise.all([world.followerOf().advance(), world.followerOf().advance()])
    expect(looks.map(({ kind }) => kind).sort()).toEqual(['overtaken', 'page'])
  })
})

describe('a page', () => {
  test.each<[string, () => FollowerParts]>([
    ['the process is killed in the middle of it', () => ({ database: failingDatabase(world.database, 1) })],
    [
      'the node is away',
      () => {
        world.gate.spoil(() => 'cut')
        return {}
      },
    ],
  ])('leaves nothing when %s, and is read whole afterwards', async (_what, breakDown) => {
    await world.follow()
    const before = await cursorOf()
    const claim = await world.life.claimed()
    const broken = world.followerOf(breakDown())
    await expect(broken.advance()).rejects.toThrow()
    expect(await cursorOf()).toEqual(before)
    expect([await world.eventsOf(claim.chainJobId), await world.readAnnouncements(claim.sessionId)]).toEqual([[], []])
    world.gate.spoil()
    await world.follow()
    expect(await claimEvents(claim)).toEqual(CLAIMED)
  })
})

describe('a node', () => {
  test('that answers for a few blocks only is asked for fewer, until it answers', async () => {
    await world.follow()
    const claim = await world.life.claimed()
    await world.mine(40)
    world.gate.spoil(THREE_BLOCKS)
    const looks = await world.follow()
    const kinds = looks.map(({ kind }) => kind)
    expect(kinds.indexOf('smaller')).toBe(0)
    expect(kinds.filter((kind) => kind === 'page').length).toBeGreaterThan(40 / 3)
    expect(await claimEvents(claim)).toEqual(CLAIMED)
    expect(await cursorOf()).toMatchObject({ number: await head() })
  })

  test('that does not even answer for one block holds the follower up, and no block is passed over', async () => {
    await world.follow()
    const before = await cursorOf()
    await world.mine(4)
    world.gate.spoil((call) => (call.method === 'eth_getLogs' ? { error: 'no logs today' } : 'pass'))
    const follower = world.followerOf()
    expect([await follower.advance(), await follower.advance()].map(({ kind }) => kind)).toEqual(['smaller', 'smaller'])
    await expect(follower.advance()).rejects.toThrow('no logs today')
    expect(await cursorOf()).toEqual(before)
  })

  test('whose chain moved while a page was read is asked again', async () => {
    await world.follow()
    const undo = await world.snapshot()
    await world.mine(1)
    let moved = false
    const pending: Promise<void>[] = []
    world.gate.spoil(({ method }) => {
      if (method === 'eth_getLogs' && !moved) {
        moved = true
        pending.push(undo().then(() => world.world.pass(7)))
      }
      return 'pass'
    })
    const follower = world.followerOf()
    await follower.advance().catch(() => undefined)
    await Promise.all(pending)
    expect(pending).toHaveLength(1)
    world.gate.spoil()
    await world.follow(follower)
    const { number, hash } = await cursorOf()
    expect((await world.world.client.getBlock({ blockNumber: number })).hash).toBe(hash)
  })
})

describe('a node that indexes late', () => {
  const WITHOUT_LOGS = ({ method }: { method: string }) => (method === 'eth_getLogs' ? { change: () => [] } : ('pass' as const))
  /** A follower whose clock a test moves, at the head of the chain. */
  const ready = async () => {
    let now = 0
    const follower = world.followerOf({ monotonic: () => now })
    await world.follow(follower)
    const pass = (milliseconds: number): void => {
      now += milliseconds
    }
    return { follower, pass }
  }

  test('is read again, and every event it left out is added, counted and announced once', async () => {
    const { follower, pass } = await ready()
    const before = (await lag())?.missedEvents ?? 0
    world.gate.spoil(WITHOUT_LOGS)
    const claim = await world.life.paid()
    await world.follow(follower)
    expect(await world.eventsOf(claim.chainJobId)).toEqual([])
    world.gate.spoil()
    pass(4_999)
    expect((await follower.advance()).kind).toBe('idle')
    pass(1)
    expect(await follower.advance()).toMatchObject({ kind: 'rechecked', gapBlock: null, missed: expect.any(Number) })
    expect(await claimEvents(claim)).toEqual(LIFE)
    expect(topics(await world.readAnnouncements(claim.sessionId))).toEqual(TOPICS)
    expect((await lag())?.missedEvents).toBeGreaterThanOrEqual(before + LIFE.length)
    pass(5_000)
    expect((await follower.advance()).kind).toBe('idle')
    pass(50_000)
    expect(await follower.advance()).toMatchObject({ kind: 'rechecked', missed: 0 })
    pass(600_000)
    expect((await follower.advance()).kind).toBe('idle')
  })

  test('and leaves out own transactions is behind until it answers in full', async () => {
    const { follower, pass } = await ready()
    world.gate.spoil(WITHOUT_LOGS)
    const claim = await world.life.claimed()
    await world.follow(follower)
    pass(5_000)
    const step = await follower.advance()
    expect(step).toMatchObject({ kind: 'rechecked', missed: 0, gapBlock: expect.any(BigInt) })
    expect((await lag())?.gapBlock).toBe(step.kind === 'rechecked' ? step.gapBlock : undefined)
    await fallBehind()
    pass(100_000)
    await follower.advance()
    expect((await follower.advance()).kind).toBe('idle')
    expect((await lag())?.lagSeconds).toBeGreaterThan(690)
    world.gate.spoil()
    pass(5_000)
    expect(await follower.advance()).toMatchObject({ kind: 'rechecked', gapBlock: null })
    expect(await lag()).toMatchObject({ gapBlock: null, gapFoundAt: expect.any(Number) })
    expect(await claimEvents(claim)).toEqual(CLAIMED)
  })

  test('and takes few blocks at once is read again in small pages', async () => {
    const { follower, pass } = await ready()
    world.gate.spoil(WITHOUT_LOGS)
    const claim = await world.life.claimed()
    await world.follow(follower)
    world.gate.spoil(THREE_BLOCKS)
    pass(5_000)
    expect(await follower.advance()).toMatchObject({ kind: 'rechecked', gapBlock: null })
    expect(await claimEvents(claim)).toEqual(CLAIMED)
  })

  test.each([['0x0'], [null], ['0x']])('gives a log the time %p, and the event has the time of its block', async (blockTimestamp) => {
    const { follower } = await ready()
    world.gate.spoil(({ method }) =>
      method === 'eth_getLogs' ? { change: (logs) => (logs as object[]).map((log) => ({ ...log, blockTimestamp })) } : ('pass' as const),
    )
    const claim = await world.life.claimed()
    await world.follow(follower)
    const [event] = await world.eventsOf(claim.chainJobId)
    const block = await world.world.client.getBlock({ blockNumber: BigInt(event?.blockNumber ?? 0) })
    expect(event?.blockTime).toBe(Number(block.timestamp) * 1_000)
  })

  test.each([
    ['null', () => null],
    ['logs of no block', (logs: unknown) => (logs as object[]).map((log) => ({ ...log, blockNumber: null }))],
  ])('answers with %s: no block with logs is recorded as read', async (_what, change) => {
    const { follower } = await ready()
    const claim = await world.life.claimed()
    world.gate.spoil(({ method }) => (method === 'eth_getLogs' ? { change } : 'pass'))
    await expect(world.follow(follower)).rejects.toThrow('no list of mined logs')
    expect((await cursorOf()).number).toBeLessThan(await head())
    world.gate.spoil()
    await world.follow(follower)
    expect(await claimEvents(claim)).toEqual(CLAIMED)
  })
})

describe('a node of another chain', () => {
  test('is not followed: no event is taken for removed', async () => {
    await world.life.claimed()
    await world.follow()
    const before = await cursorOf()
    const removed = () => world.rows.selectFrom('chain_event').select('txHash').where('removedAt', 'is not', null).execute()
    const earlier = await removed()
    world.gate.spoil(({ method }) => {
      if (method === 'eth_chainId') return { change: () => '0x1' }
      return method === 'eth_getBlockByNumber' ? { change: (block) => ({ ...(block as object), hash: `0x${'7'.repeat(64)}` }) } : 'pass'
    })
    await expect(world.followerOf({ nodeLagToleranceMs: 0 }).advance()).rejects.toThrow('the chain file says chain')
    world.gate.spoil()
    await world.follow()
    expect([await cursorOf(), await removed()]).toEqual([before, earlier])
  })
})

describe('the lag', () => {
  test('is zero once the follower has read every block, and grows while it does not read', async () => {
    await world.follow()
    expect(await lag()).toMatchObject({ cursor: await head(), head: await head() })
    await fallBehind()
    expect((await lag())?.lagSeconds).toBeGreaterThan(690)
    await world.follow()
    expect((await lag())?.lagSeconds).toBeLessThan(60)
  })
})
