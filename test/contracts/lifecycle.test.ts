import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import type { Happening } from './support/decode.ts'
import {
  approve,
  approvePart,
  argsOf,
  BADGE_URI,
  CATEGORY,
  create,
  fund,
  hashOf,
  JOB,
  jobOf,
  milestoneTerms,
  milestoneVerdict,
  namesOf,
  observe,
  SPEC,
  STATE,
  submit,
  TTL,
} from './support/jobs.ts'
import { revertAfterEach } from './support/shared-chain.ts'
import { startWorld, type World, who } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await fund(world, who.poster, 100_000_000n)
  await fund(world, who.worker, 10_000_000n)
})
revertAfterEach(() => world)

const CREATED = ['AAC.Reserved', 'JobFunded', 'JobCreated']
const CLAIMED = ['AAC.JobStakeLocked', 'JobClaimed', 'ClaimRetentionSnapshot', 'ClaimEconomicsLocked']
const CELEBRATED = ['SBT.BadgeMinted', 'SBT.ReputationUpdated', 'JobClosed']

/** Recipients, ids and amounts of the settled legs. */
const legs = (events: readonly Happening[]) =>
  events.filter(({ name }) => name === 'AAC.ReservationSettled').map(({ args }) => [args.recipient, args.settlementId, args.amount])

describe('creating and claiming', () => {
  test('a job reserves reward, poster fee and both reserves and says the same total twice', async () => {
    const { moved, events } = await observe(world, () => create(world, { ops: 7n, contingency: 11n }))
    expect(moved).toEqual({ poster: { liquid: -1_050_018n, reserved: 1_050_018n } })
    expect(namesOf(events)).toEqual(CREATED)
    const common = { jobId: JOB, poster: who.poster, asset: world.at.token, totalReserved: 1_050_018n, payoutMode: 0 }
    expect(argsOf(events, 'JobFunded')).toEqual(common)
    expect(argsOf(events, 'JobCreated')).toEqual({ ...common, specHash: SPEC })
  })

  test('a brokered claim locks stake and fee and keeps the retention of that moment', async () => {
    await create(world)
    const events = await world.run(who.operator, 'escrow', 'claimJobFor', JOB, who.worker)
    expect(namesOf(events)).toEqual(CLAIMED)
    const claimExpiry = BigInt((await world.now()) + TTL)
    expect(argsOf(events, 'AAC.JobStakeLocked').amount).toBe(150_000n)
    expect(argsOf(events, 'JobClaimed')).toEqual({ jobId: JOB, worker: who.worker, claimExpiry, claimStake: 100_000n })
    expect(argsOf(events, 'ClaimRetentionSnapshot')).toMatchObject({
      brokered: true,
      waived: false,
      retentionFlatRaw: 50_000n,
      retentionCapBps: 2_000,
    })
    expect(argsOf(events, 'ClaimEconomicsLocked')).toMatchObject({
      claimStake: 100_000n,
      claimFee: 50_000n,
      waived: false,
      claimNumber: 1n,
    })
  })

  test('a submission is announced twice with the same hash', async () => {
    await create(world)
    await world.run(who.worker, 'escrow', 'claimJob', JOB)
    const events = await world.run(who.worker, 'escrow', 'submitWork', JOB, hashOf('evidence'))
    expect(events).toEqual([
      { name: 'WorkSubmitted', args: { jobId: JOB, worker: who.worker, evidenceHash: hashOf('evidence') } },
      { name: 'Submitted', args: { jobId: JOB, worker: who.worker, payloadHash: hashOf('evidence') } },
    ])
    expect(await world.read('escrow', 'latestEvidence', JOB)).toBe(hashOf('evidence'))
  })
})

describe('approval of a single payout', () => {
  test('a brokered claim is paid less the retained gas', async () => {
    await create(world, { ops: 7n, contingency: 11n })
    await submit(world)
    const { moved, events } = await observe(world, () => approve(world))
    expect(moved).toEqual({
      worker: { liquid: 950_000n + 150_000n, stake: -150_000n },
      treasury: { liquid: 50_000n + 50_000n },
      poster: { reserved: -1_050_018n, liquid: 18n },
    })
    expect(namesOf(events)).toEqual([
      'Verified',
      'AAC.JobStakeReleased',
      'AAC.ReservationSettled',
      'AAC.ReservationSettled',
      'SettlementSplit',
      'AAC.ReservationSettled',
      'GasRetentionApplied',
      'AAC.ReservationReleased',
      'AAC.ReservationReleased',
      ...CELEBRATED,
    ])
    expect(events.filter(({ name }) => name === 'AAC.ReservationReleased').map(({ args }) => args.amount)).toEqual([7n, 11n])
    expect(legs(events)).toEqual([
      [who.worker, '0x8dac8523b35b54799bf7319ade0efbab5c39dd9f00f6213b57526bd19ed9ab33', 950_000n],
      [who.treasury, '0x6aa548ec5e51824af8b2dc7017a05f9d5799b5853f17457d58f1b1de9fbdd87c', 50_000n],
      [who.treasury, '0xbc7098007ea52ed678eb92f4d6289e72069f26d34b91e7c3d47917ab8c6c6226', 50_000n],
    ])
    expect(argsOf(events, 'SettlementSplit')).toMatchObject({ workerAmount: 950_000n, protocolFeeAmount: 50_000n, protocolFeeBps: 500 })
    expect(argsOf(events, 'GasRetentionApplied')).toMatchObject({ retainedRaw: 50_000n, rewardRaw: 1_000_000n })
    expect(argsOf(events, 'SBT.BadgeMinted')).toEqual({
      tokenId: 1n,
      account: who.worker,
      category: CATEGORY,
      level: 1n,
      metadataURI: BADGE_URI,
    })
    expect(argsOf(events, 'SBT.ReputationUpdated')).toMatchObject({ skill: 100n, reliability: 100n, economic: 1_000_000n })
    expect(argsOf(events, 'JobClosed').releasedAmount).toBe(1_000_000n)
  })

  test('a self-paid claim is paid in full', async () => {
    await create(world)
    await submit(world, { brokered: false })
    const { moved, events } = await observe(world, () => approve(world))
    expect(moved).toEqual({
      worker: { liquid: 1_000_000n + 150_000n, stake: -150_000n },
      treasury: { liquid: 50_000n },
      poster: { reserved: -1_050_000n },
    })
    expect(namesOf(events)).toEqual([
      'Verified',
      'AAC.JobStakeReleased',
      'AAC.ReservationSettled',
      'AAC.ReservationSettled',
      'SettlementSplit',
      ...CELEBRATED,
    ])
  })

  test('a waived claim locks nothing and is paid in full although a broker made it', async () => {
    await create(world)
    await world.run(who.operator, 'escrow', 'setOnboardingWaiverEligible', JOB, true)
    const claim = await world.run(who.operator, 'escrow', 'claimJobFor', JOB, who.worker)
    expect(namesOf(claim)).toEqual(CLAIMED.slice(1))
    expect(argsOf(claim, 'ClaimRetentionSnapshot')).toMatchObject({ brokered: true, waived: true, retentionFlatRaw: 50_000n })
    await world.run(who.operator, 'escrow', 'submitWorkFor', JOB, who.worker, hashOf('evidence'))
    const { moved, events } = await observe(world, () => approve(world))
    expect(moved).toEqual({ worker: { liquid: 1_000_000n }, treasury: { liquid: 50_000n }, poster: { reserved: -1_050_000n } })
    expect(namesOf(events)).toEqual(['Verified', 'AAC.ReservationSettled', 'AAC.ReservationSettled', 'SettlementSplit', ...CELEBRATED])
    expect((await jobOf(world)).claimEconomicsWaived).toBe(false)
  })

  test('the closed job forgets the bond and the waiver but keeps the expiry and the amounts', async () => {
    await create(world)
    await submit(world)
    const before = await jobOf(world)
    await approve(world)
    expect(await jobOf(world)).toEqual({
      ...before,
      state: STATE.closed,
      released: 1_000_000n,
      protocolFeeReleased: 50_000n,
      claimStake: 0n,
      claimStakeBps: 0,
      claimFee: 0n,
      claimFeeBps: 0,
    })
  })
})

describe('milestones', () => {
  const PARTS = [300_000n, 300_000n, 400_000n]

  test('each part pays its leg of the fee, shrinks the stake and restarts the clock', async () => {
    await world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, PARTS, { ops: 7n }))
    await submit(world)
    const fees: unknown[] = []
    const stakes: bigint[] = []
    for (const index of [1, 0]) {
      await world.pass(13)
      const events = await approvePart(world, index)
      expect(namesOf(events)).toEqual([
        'Verified',
        'AAC.ReservationSettled',
        'AAC.ReservationSettled',
        'SettlementSplit',
        'AAC.JobStakeReleased',
      ])
      fees.push(argsOf(events, 'SettlementSplit').protocolFeeAmount)
      const job = await jobOf(world)
      expect(job).toMatchObject({ state: STATE.claimed, claimExpiry: BigInt((await world.now()) + TTL), claimFee: 50_000n })
      stakes.push(job.claimStake)
      await world.run(who.worker, 'escrow', 'submitWork', JOB, hashOf('more evidence'))
    }
    const last = await approvePart(world, 2)
    fees.push(argsOf(last, 'SettlementSplit').protocolFeeAmount)
    expect(fees).toEqual([15_000n, 15_000n, 20_000n])
    expect(stakes).toEqual([70_000n, 40_000n])
    expect(argsOf(last, 'AAC.JobStakeReleased').amount).toBe(90_000n)
    expect(namesOf(last)).toEqual([
      'Verified',
      'AAC.ReservationSettled',
      'AAC.ReservationSettled',
      'SettlementSplit',
      'AAC.JobStakeReleased',
      'AAC.ReservationReleased',
      ...CELEBRATED,
    ])
    expect(argsOf(last, 'SBT.BadgeMinted').level).toBe(2n)
    expect(argsOf(last, 'SBT.ReputationUpdated')).toMatchObject({ skill: 200n, reliability: 150n, economic: 1_000_000n })
    expect(argsOf(last, 'JobClosed').releasedAmount).toBe(1_000_000n)
  })

  test('with a fee floor the last part carries the rest of the fee', async () => {
    await world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, [100_000n, 100_000n]))
    await submit(world)
    const first = await approvePart(world, 0)
    await world.run(who.worker, 'escrow', 'submitWork', JOB, hashOf('more evidence'))
    const second = await approvePart(world, 1)
    expect([first, second].map((events) => argsOf(events, 'SettlementSplit').protocolFeeAmount)).toEqual([5_000n, 45_000n])
    expect(legs(first)[0]?.[1]).toBe(milestoneId(0n, 100_000n))
  })

  test('no gas is retained from a milestone', async () => {
    await world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, [1_000_000n]))
    await submit(world)
    const { moved } = await observe(world, () => approvePart(world, 0))
    expect(moved).toMatchObject({ worker: { liquid: 1_150_000n } })
  })

  test('a rejection does not look whether the milestone exists, an approval does', async () => {
    await world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, PARTS))
    await submit(world)
    expect(await world.refusal(who.verifier, 'escrow', 'resolveMilestone', ...milestoneVerdict(3, true))).toBe('Panic(0x32)')
    await world.run(who.verifier, 'escrow', 'resolveMilestone', ...milestoneVerdict(3, false))
    expect((await jobOf(world)).state).toBe(STATE.rejected)
  })
})

function milestoneId(index: bigint, amount: bigint): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }, { type: 'uint256' }], [JOB, index, amount]))
}
