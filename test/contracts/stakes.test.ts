import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, zeroAddress } from 'viem'
import { approve, approvePart, argsOf, create, fund, hashOf, JOB, milestoneTerms, namesOf, observe, submit, TTL } from './support/jobs.ts'
import { revertAfterEach } from './support/shared-chain.ts'
import { startWorld, type World, who } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await fund(world, who.poster, 100_000_000n)
  await fund(world, who.worker, 10_000_000n)
})
revertAfterEach(() => world)

describe('a slash', () => {
  /** Locks an amount as the escrow does, then slashes it all. */
  const slash = async (name: 'slashJobStake' | 'slashClaimFee', amount: bigint, recipient: Address) => {
    const stake = [who.worker, world.at.token, amount] as const
    await world.run(world.at.escrow, 'accounts', 'lockJobStake', ...stake)
    return observe(world, () => world.run(world.at.escrow, 'accounts', name, ...stake, recipient))
  }

  test('of a stake of one unit goes to the treasury whole and sends nothing', async () => {
    const { moved, events } = await slash('slashJobStake', 1n, who.poster)
    expect(moved).toEqual({ worker: { stake: -1n }, treasury: { liquid: 1n } })
    expect(namesOf(events)).toEqual(['AAC.TreasuryCredited', 'AAC.JobStakeSlashed'])
    expect(argsOf(events, 'AAC.JobStakeSlashed')).toMatchObject({ amount: 1n, posterAmount: 0n, treasuryAmount: 1n })
  })

  test('of a fee follows the share of the policy, floored', async () => {
    const { moved, events } = await slash('slashClaimFee', 9n, who.verifier)
    expect(moved).toEqual({ worker: { stake: -9n }, verifier: { wallet: 6n }, treasury: { liquid: 3n } })
    expect(argsOf(events, 'POL.OutflowRecorded')).toMatchObject({ account: who.worker, amount: 6n })
  })

  test("of a fee that is the verifier's alone credits no treasury, and needs none", async () => {
    await world.run(who.owner, 'policy', 'setClaimFeeVerifierBps', 10_000)
    await world.run(who.owner, 'accounts', 'setTreasuryAccount', zeroAddress)
    const { moved, events } = await slash('slashClaimFee', 9n, who.verifier)
    expect(moved).toEqual({ worker: { stake: -9n }, verifier: { wallet: 9n } })
    expect(namesOf(events)).toEqual(['POL.OutflowRecorded', 'TOK.Transfer', 'AAC.ClaimFeeSlashed'])
  })

  test('of a fee without a verifier passes even without an outflow recorder', async () => {
    await world.run(who.owner, 'policy', 'setOutflowRecorder', world.at.accounts, false)
    const { moved } = await slash('slashClaimFee', 9n, zeroAddress)
    expect(moved).toEqual({ worker: { stake: -9n }, treasury: { liquid: 9n } })
  })
})

describe('what a claim remembers', () => {
  test('the retention of its own moment counts, not the one of the approval', async () => {
    await create(world)
    await submit(world)
    await world.run(who.owner, 'escrow', 'setFeeSchedule', 1n, 1, 500, 50_000n)
    expect(argsOf(await approve(world), 'GasRetentionApplied').retainedRaw).toBe(50_000n)
  })

  test('the bond of a claim does not follow a later policy', async () => {
    await create(world)
    await world.run(who.worker, 'escrow', 'claimJob', JOB)
    await world.run(who.owner, 'policy', 'setDefaultClaimStakeBps', 10_000)
    await world.pass(TTL + 1)
    const { moved } = await observe(world, () => world.run(who.stranger, 'escrow', 'handleClaimTimeout', JOB))
    expect(moved.worker).toEqual({ stake: -150_000n })
  })

  test('a waiver granted after the claim is for the next one', async () => {
    await create(world)
    await submit(world)
    await world.run(who.operator, 'escrow', 'setOnboardingWaiverEligible', JOB, true)
    expect(namesOf(await approve(world))).toContain('GasRetentionApplied')
  })

  test('the evidence of an earlier part outlives the time-out of the next', async () => {
    await world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, [5n, 5n]))
    await submit(world)
    await approvePart(world, 0)
    await world.pass(TTL + 1)
    await world.run(who.stranger, 'escrow', 'handleClaimTimeout', JOB)
    expect(await world.read('escrow', 'latestEvidence', JOB)).toBe(hashOf('evidence'))
  })
})
