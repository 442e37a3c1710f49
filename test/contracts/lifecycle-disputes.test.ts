import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Happening } from './support/decode.ts'
import {
  approvePart,
  argsOf,
  BADGE_URI,
  create,
  DAY,
  decide,
  dispute,
  fund,
  hashOf,
  JOB,
  jobOf,
  milestoneTerms,
  milestoneVerdict,
  namesOf,
  observe,
  reject,
  shortText,
  submit,
  submitWaived,
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

const SLA = 14 * DAY
const STAKE_SLASHED = ['AAC.TreasuryCredited', 'POL.OutflowRecorded', 'TOK.Transfer', 'AAC.JobStakeSlashed']
const FEE_DIVIDED = ['AAC.TreasuryCredited', 'POL.OutflowRecorded', 'TOK.Transfer', 'AAC.ClaimFeeSlashed']
const FEE_TO_TREASURY = ['AAC.TreasuryCredited', 'AAC.ClaimFeeSlashed']
const RELEASED = 'AAC.ReservationReleased'
const SETTLED = 'AAC.ReservationSettled'

const timeOut = async (): Promise<readonly Happening[]> => {
  await world.pass(SLA)
  return world.run(who.stranger, 'escrow', 'autoResolveOnTimeout', JOB)
}

const amountsOf = (events: readonly Happening[], wanted: string): unknown[] =>
  events.filter(({ name }) => name === wanted).map(({ args }) => args.amount)

describe('a dispute', () => {
  const disputed = async (): Promise<void> => {
    await create(world, { ops: 7n })
    await submit(world)
    await dispute(world)
  }

  test('opened by the broker names the participant, not the broker', async () => {
    await create(world)
    await submit(world)
    await reject(world)
    const events = await world.run(who.operator, 'escrow', 'openDisputeFor', JOB, who.worker)
    expect(events).toEqual([{ name: 'DisputeOpened', args: { jobId: JOB, opener: who.worker, disputedAt: BigInt(await world.now()) } }])
  })

  test('dismissed pays the whole reward without retention and returns the bond', async () => {
    await disputed()
    const { moved, events } = await observe(world, () => decide(world, 1_000_000n, 'DISPUTE_OVERTURNED'))
    expect(moved).toEqual({
      worker: { liquid: 1_150_000n, stake: -150_000n },
      treasury: { liquid: 50_000n },
      poster: { reserved: -1_050_007n, liquid: 7n },
    })
    expect(namesOf(events)).toEqual([
      SETTLED,
      SETTLED,
      'SettlementSplit',
      'AAC.JobStakeReleased',
      RELEASED,
      'SBT.BadgeMinted',
      'DisputeResolved',
      'JobClosed',
    ])
    expect(argsOf(events, 'SBT.BadgeMinted')).toMatchObject({ level: 1n, metadataURI: BADGE_URI })
    expect(argsOf(events, 'JobClosed').releasedAmount).toBe(1_000_000n)
  })

  test('split pays its share of the fee and returns the whole bond', async () => {
    await disputed()
    const { moved, events } = await observe(world, () => decide(world, 400_000n))
    expect(moved).toEqual({
      worker: { liquid: 400_000n + 150_000n, stake: -150_000n },
      treasury: { liquid: 20_000n },
      poster: { reserved: -1_050_007n, liquid: 600_000n + 30_000n + 7n },
    })
    expect(amountsOf(events, RELEASED)).toEqual([600_000n, 30_000n, 7n])
    const leg = events.find(({ args }) => args.recipient === who.worker)
    expect(leg?.args.settlementId).toBe('0x970d9e441e96bb774e27147ca823b6f42b747b3397f4dcb3f9c1aa593d717a7c')
    expect(argsOf(events, 'DisputeResolved')).toEqual({
      jobId: JOB,
      arbitrator: who.arbitrator,
      workerPayout: 400_000n,
      reasonCode: shortText('DISPUTE_PARTIAL'),
      metadataURI: BADGE_URI,
    })
  })

  test('upheld shares the bond out and says the reason of the arbitrator', async () => {
    await disputed()
    const { rejectedAt } = await jobOf(world)
    const { moved, events } = await observe(world, () => decide(world, 0n, 'REJECTED'))
    expect(moved).toEqual({
      worker: { stake: -150_000n },
      poster: { reserved: -1_050_007n, liquid: 1_050_007n, wallet: 50_000n },
      treasury: { liquid: 65_000n },
      verifier: { wallet: 35_000n },
    })
    expect(namesOf(events)).toEqual([
      ...STAKE_SLASHED,
      ...FEE_DIVIDED,
      'SBT.ReputationSlashed',
      'JobRejected',
      RELEASED,
      RELEASED,
      RELEASED,
      'DisputeResolved',
      'JobClosed',
    ])
    expect(argsOf(events, 'JobRejected').reasonCode).toBe(shortText('REJECTED'))
    expect(argsOf(events, 'SBT.ReputationSlashed')).toMatchObject({
      skillDelta: 30n,
      reliabilityDelta: 50n,
      reasonCode: shortText('DISPUTE_LOST'),
    })
    expect((await jobOf(world)).rejectedAt).toBe(rejectedAt)
  })

  test('a tiny payout of a floored fee charges no fee at all', async () => {
    await create(world, { reward: 20n })
    await submit(world)
    await dispute(world)
    const { moved, events } = await observe(world, () => decide(world, 1n))
    expect(moved.poster).toEqual({ reserved: -50_020n, liquid: 50_019n })
    expect(namesOf(events)).toEqual([
      SETTLED,
      'SettlementSplit',
      'AAC.JobStakeReleased',
      RELEASED,
      RELEASED,
      'SBT.BadgeMinted',
      'DisputeResolved',
      'JobClosed',
    ])
    expect(argsOf(events, 'SettlementSplit').protocolFeeAmount).toBe(0n)
  })

  test('a payout above the open reward is refused', async () => {
    await disputed()
    const call = [JOB, 1_000_001n, shortText('DISPUTE_PARTIAL'), BADGE_URI] as const
    expect(await world.refusal(who.arbitrator, 'escrow', 'resolveDispute', ...call)).toBe('"EXCESS_PAYOUT"')
  })
})

describe('an arbiter who does not answer', () => {
  test('leaves half to the worker and slashes the bond without the verifier', async () => {
    await create(world)
    await submit(world)
    await dispute(world)
    const { moved, events } = await observe(world, timeOut)
    expect(moved).toEqual({
      worker: { liquid: 500_000n, stake: -150_000n },
      treasury: { liquid: 25_000n + 50_000n + 50_000n },
      poster: { reserved: -1_050_000n, liquid: 525_000n, wallet: 50_000n },
    })
    expect(namesOf(events)).toEqual([
      SETTLED,
      SETTLED,
      'SettlementSplit',
      ...STAKE_SLASHED,
      ...FEE_TO_TREASURY,
      RELEASED,
      RELEASED,
      'DisputeResolved',
      'AutoResolvedOnTimeout',
      'JobClosed',
    ])
    expect(events[0]?.args.settlementId).toBe('0xcc2dacc9f2284802f3fcdef317863f067d41fda52f8e079820fde087d59db25c')
    const reasonCode = shortText('ARB_TIMEOUT')
    expect(argsOf(events, 'DisputeResolved')).toMatchObject({
      arbitrator: who.stranger,
      workerPayout: 500_000n,
      reasonCode,
      metadataURI: '',
    })
    expect(argsOf(events, 'AutoResolvedOnTimeout')).toMatchObject({ caller: who.stranger, workerPayout: 500_000n, reasonCode })
    expect(argsOf(events, 'JobClosed').releasedAmount).toBe(500_000n)
  })

  test('charges a small job its share of the floored fee', async () => {
    await create(world, { reward: 200_000n })
    await submit(world)
    await dispute(world)
    const { moved } = await observe(world, timeOut)
    expect(moved.worker?.liquid).toBe(100_000n)
    expect(moved.poster?.liquid).toBe(100_000n + 45_000n)
    expect(moved.treasury?.liquid).toBe(5_000n + 10_000n + 50_000n)
  })

  test('pays nothing out of a reward of one unit and still slashes', async () => {
    await create(world, { reward: 1n })
    await submit(world)
    await dispute(world)
    const events = await timeOut()
    expect(namesOf(events)).toEqual([...FEE_TO_TREASURY, RELEASED, RELEASED, 'DisputeResolved', 'AutoResolvedOnTimeout', 'JobClosed'])
    expect(amountsOf(events, RELEASED)).toEqual([1n, 50_000n])
  })

  test('costs a waived claim nothing', async () => {
    await submitWaived(world)
    await dispute(world)
    const { moved } = await observe(world, timeOut)
    expect(moved.worker).toEqual({ liquid: 500_000n })
    expect(moved.treasury).toEqual({ liquid: 25_000n })
  })
})

describe('a milestone job that is disputed half way', () => {
  const halfPaid = async (): Promise<void> => {
    await world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, [300_000n, 700_000n]))
    await submit(world)
    await approvePart(world, 0)
    await world.run(who.worker, 'escrow', 'submitWork', JOB, hashOf('more evidence'))
    await world.run(who.verifier, 'escrow', 'resolveMilestone', ...milestoneVerdict(1, false))
    await world.run(who.worker, 'escrow', 'openDispute', JOB)
  }

  test('is decided about the open part only, and the fee is charged to the last unit', async () => {
    await halfPaid()
    expect(await world.refusal(who.arbitrator, 'escrow', 'resolveDispute', JOB, 700_001n, shortText('DISPUTE_PARTIAL'), '')).toBe(
      '"EXCESS_PAYOUT"',
    )
    const { moved, events } = await observe(world, () => decide(world, 700_000n, 'DISPUTE_OVERTURNED'))
    expect(moved).toEqual({
      worker: { liquid: 700_000n + 70_000n + 50_000n, stake: -120_000n },
      treasury: { liquid: 35_000n },
      poster: { reserved: -735_000n },
    })
    expect(argsOf(events, 'SBT.BadgeMinted').level).toBe(1n)
    expect(argsOf(events, 'JobClosed').releasedAmount).toBe(1_000_000n)
  })

  test('runs out of time with half of the open part', async () => {
    await halfPaid()
    const { moved, events } = await observe(world, timeOut)
    expect(moved.worker).toEqual({ liquid: 350_000n, stake: -120_000n })
    expect(moved.treasury).toEqual({ liquid: 17_500n + 35_000n + 50_000n })
    expect(moved.poster).toEqual({ reserved: -735_000n, liquid: 367_500n, wallet: 35_000n })
    expect(argsOf(events, 'JobClosed').releasedAmount).toBe(650_000n)
  })
})
