// A stranger claims, on chain alone, what is funded but not listed: the poster gets its money back whatever the stranger does.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, zeroHash } from 'viem'
import { createFreeing } from '../../../activities/postings/unlisted.ts'
import { localKeys } from '../../../local/keys.ts'
import type { Freeing } from '../../../schemas/postings/process.ts'
import { DAY, hashOf, milestoneTerms } from '../../contracts/support/jobs.ts'
import { who } from '../../contracts/support/world.ts'
import { type FollowerWorld, startFollowerWorld } from '../support/follower-world.ts'
import { type Drafted, openPostings } from '../support/postings.ts'
import { walletAt } from '../support/service.ts'

let world: FollowerWorld
const postings = openPostings(() => world)
const POSTER = walletAt(910)
const STRANGER = walletAt(911)
const LAG_SECONDS = 60

beforeAll(async () => {
  world = await startFollowerWorld('unlisted')
  await postings.endow(POSTER)
  await postings.endow(STRANGER)
})
afterAll(() => world.stop())

const send = (from: Hex, name: string, ...args: unknown[]) => world.world.run(from, 'escrow', name as 'claimJob', ...(args as [Hex]))
const stateOf = async ({ jobId }: Drafted) => (await world.reads.escrowJob(jobId)).state
/** What the wallet may spend in its account. */
const liquidOf = async (wallet: Hex) =>
  ((await world.world.read('accounts', 'positions', wallet, world.world.at.token)) as bigint[])[0] ?? 0n

const freeing = (parts: Partial<FollowerWorld> = {}) =>
  createFreeing({ ...world, ...parts, reconcilePosting: ({ jobId }) => postings.reconcile(jobId as Hex) })

/** What frees the escrow of the job that the process has just seen; null where it sends nothing. */
const free = async (drafted: Drafted, { hasKey = true } = {}): Promise<Freeing | null> => {
  const { unlistedClaim, isOver } = await postings.observe(drafted)
  expect(isOver).toBe(unlistedClaim === null)
  if (unlistedClaim === null) return null
  const transactions = hasKey ? world.transactions : { ...world.transactions, hasKey: () => false }
  return freeing({ transactions }).freeEscrow({ jobId: drafted.jobId })
}

const passUntil = async ({ until }: Freeing): Promise<void> => {
  const seconds = Math.ceil((Date.parse(until) - world.clock.now()) / 1_000)
  // The clock of the chain lags behind that of the service.
  if (seconds > 0) await world.pass(seconds + LAG_SECONDS)
}

/** Plays the process until nothing is left to do; the steps that it took. */
const playOut = async (drafted: Drafted): Promise<string[]> => {
  const steps: string[] = []
  for (let turns = 0; turns < 10; turns += 1) {
    const before = await stateOf(drafted)
    const { unlistedClaim } = await postings.observe(drafted)
    if (unlistedClaim === null) return steps
    const next = await free(drafted)
    const after = await stateOf(drafted)
    if (after !== before) steps.push(`${before} to ${after}`)
    if (next !== null) await passUntil(next)
  }
  throw new Error(`no end: ${steps.join(', ')}`)
}

const claim = (drafted: Drafted) => send(STRANGER, 'claimJob', drafted.jobId)
const submit = (drafted: Drafted) => send(STRANGER, 'submitWork', drafted.jobId, hashOf('anything'))

/** A job of another reward than drafted. */
const mismatched = async (): Promise<Drafted> => {
  const drafted = await postings.draft({ poster: POSTER })
  await postings.create(drafted, { rewardRaw: 2_000_001n })
  return drafted
}
const milestones = async (): Promise<Drafted> => {
  const drafted = await postings.draft({ poster: POSTER })
  const { jobId } = drafted
  await send(POSTER, 'createMilestoneJob', ...milestoneTerms(world.world, [1_000_000n, 1_000_000n], { jobId }))
  return drafted
}
const late = async (): Promise<Drafted> => {
  const drafted = await postings.draft({ poster: POSTER, ttlHours: 1 })
  await world.pass(3_700)
  await postings.create(drafted)
  return drafted
}

const REJECTED = ['submitted to rejected', 'rejected to closed']
const PLAYS: [string, () => Promise<Drafted>, ((drafted: Drafted) => Promise<unknown>)[], string[]][] = [
  ['a submission for another reward', mismatched, [claim, submit], REJECTED],
  ['a submission for a job of milestones', milestones, [claim, submit], REJECTED],
  ['a submission for a job that was funded too late', late, [claim, submit], REJECTED],
  ['a claim without a submission', mismatched, [claim], ['claimed to open']],
]

describe('an escrow that is funded but not listed', () => {
  test.each(PLAYS)('gives the whole sum back after %s', async (_name, make, moves, steps) => {
    const before = await liquidOf(POSTER)
    const drafted = await make()
    for (const move of moves) await move(drafted)
    expect(await playOut(drafted)).toEqual(steps)
    if ((await stateOf(drafted)) === 'open') {
      await send(POSTER, 'cancelOpenJob', drafted.jobId)
      await postings.observe(drafted)
    }
    const { status, refund, funding } = await postings.recordOf(drafted)
    expect(['mismatch', 'expired']).toContain(status)
    expect(refund?.refundedRaw).toBe(funding?.totalReservedRaw)
    expect(await liquidOf(POSTER)).toBe(before)
    expect(await postings.announcedTo(drafted)).toContain('posting.refunded')
  })

  test('pays nothing to a stranger that disputes the rejection, and waits for the key of the arbitrator', async () => {
    const before = await liquidOf(STRANGER)
    const drafted = await mismatched()
    await claim(drafted)
    await submit(drafted)
    await free(drafted)
    await send(STRANGER, 'openDispute', drafted.jobId)
    const waiting = await free(drafted, { hasKey: false })
    const { disputedAt } = await world.reads.escrowJob(drafted.jobId)
    const lapsesAt = new Date((disputedAt ?? 0) + 14 * DAY * 1_000).toISOString()
    expect(waiting).toMatchObject({ next: 'uphold', missingKey: 'arbitrator', lapsesAt })
    expect(await stateOf(drafted)).toBe('disputed')
    expect(await playOut(drafted)).toEqual(['disputed to closed'])
    const { refund, funding } = await postings.recordOf(drafted)
    expect(refund?.refundedRaw).toBe(funding?.totalReservedRaw)
    expect(await liquidOf(STRANGER)).toBeLessThan(before)
  })

  test('sends nothing before its time, and nothing twice', async () => {
    const drafted = await mismatched()
    await claim(drafted)
    const { claimExpiresAt } = await world.reads.escrowJob(drafted.jobId)
    expect(await free(drafted)).toEqual({
      next: 'time_out',
      until: new Date((claimExpiresAt ?? 0) + 1_000).toISOString(),
      lapsesAt: null,
      missingKey: null,
    })
    await submit(drafted)
    await Promise.all([free(drafted), free(drafted)])
    expect(await free(drafted)).toMatchObject({ next: 'finalize' })
    const sent = await world.rows.selectFrom('chain_transaction').select('functionName').where('jobId', '=', drafted.jobId).execute()
    expect(sent).toEqual([{ functionName: 'resolveSinglePayout' }])
  })

  test('rejects again what a fork has freed of its rejection', async () => {
    const drafted = await mismatched()
    await claim(drafted)
    await submit(drafted)
    const undo = await world.snapshot()
    await free(drafted)
    expect(await stateOf(drafted)).toBe('rejected')
    await world.follow()
    const verifier = localKeys().verifier.address
    const nonce = await world.world.rpc('eth_getTransactionCount', verifier, 'latest')
    await undo()
    // Another transaction of the key has the nonce now.
    await world.world.rpc('anvil_setNonce', verifier, nonce)
    await world.mine(3)
    expect(await playOut(drafted)).toEqual(REJECTED)
  })

  test('sends nothing by an order that is older than a fork which listed the job', async () => {
    const drafted = await postings.draft({ poster: POSTER })
    const undo = await world.snapshot()
    await postings.create(drafted, { rewardRaw: 2_000_001n })
    await claim(drafted)
    expect((await postings.observe(drafted)).unlistedClaim).not.toBeNull()
    await undo()
    await postings.create(drafted)
    await claim(drafted)
    await submit(drafted)
    await world.mine(2)
    await world.follow()
    expect(await freeing().freeEscrow({ jobId: drafted.jobId })).toBeNull()
    expect(await stateOf(drafted)).toBe('submitted')
  })

  test('that another verifier has paid out of is settled, and says so', async () => {
    const drafted = await mismatched()
    await claim(drafted)
    await submit(drafted)
    const { verifier } = localKeys()
    const approved = [drafted.jobId, true, hashOf('APPROVED'), '', zeroHash] as const
    await world.world.rpc('anvil_impersonateAccount', verifier.address)
    await world.world.run(verifier.address, 'escrow', 'resolveSinglePayout', ...approved)
    expect(await postings.observe(drafted)).toMatchObject({ status: 'settled', unlistedClaim: null, isOver: true })
    expect(await postings.recordOf(drafted)).toMatchObject({ refund: null, mismatch: { field: 'reward' } })
    expect(await postings.announcedTo(drafted)).toContain('posting.settled')
  })

  test('is left to the wallet that paid for it under the id of another one', async () => {
    const drafted = await postings.draft({ poster: POSTER })
    await postings.create(drafted, { poster: STRANGER })
    await send(who.worker, 'claimJob', drafted.jobId).catch(() => undefined)
    expect(await postings.observe(drafted)).toMatchObject({ status: 'mismatch', unlistedClaim: null, isOver: true })
  })
})
