import { beforeAll, describe, expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import type { Happening } from './support/decode.ts'
import {
  approve,
  approvePart,
  argsOf,
  create,
  DAY,
  fund,
  hashOf,
  JOB,
  jobOf,
  milestoneTerms,
  namesOf,
  observe,
  reject,
  STATE,
  shortText,
  submit,
  submitWaived,
  TTL,
  verdict,
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

const WINDOW = 7 * DAY
const STAKE_SLASHED = ['AAC.TreasuryCredited', 'POL.OutflowRecorded', 'TOK.Transfer', 'AAC.JobStakeSlashed']
const FEE_DIVIDED = ['AAC.TreasuryCredited', 'POL.OutflowRecorded', 'TOK.Transfer', 'AAC.ClaimFeeSlashed']
const RELEASED = 'AAC.ReservationReleased'

const finalise = async (): Promise<readonly Happening[]> => {
  await world.pass(WINDOW + 1)
  return world.run(who.stranger, 'escrow', 'finalizeRejectedJob', JOB)
}

describe('a claim that runs out', () => {
  const timeOut = async (): Promise<readonly Happening[]> => {
    await world.pass(TTL + 1)
    return world.run(who.stranger, 'escrow', 'handleClaimTimeout', JOB)
  }

  test('is slashed to the poster and the treasury, and the job opens again', async () => {
    await create(world, { reward: 1_000_010n })
    await world.run(who.operator, 'escrow', 'claimJobFor', JOB, who.worker)
    const { moved, events } = await observe(world, () => timeOut())
    expect(moved).toEqual({ worker: { stake: -150_001n }, poster: { wallet: 50_000n }, treasury: { liquid: 50_001n + 50_000n } })
    expect(namesOf(events)).toEqual([
      'AAC.TreasuryCredited',
      'POL.OutflowRecorded',
      'TOK.Transfer',
      'AAC.JobStakeSlashed',
      'AAC.TreasuryCredited',
      'AAC.ClaimFeeSlashed',
      'JobReopened',
    ])
    expect(argsOf(events, 'AAC.JobStakeSlashed')).toMatchObject({ amount: 100_001n, posterAmount: 50_000n, treasuryAmount: 50_001n })
    expect(argsOf(events, 'AAC.ClaimFeeSlashed')).toMatchObject({
      verifierRecipient: zeroAddress,
      verifierAmount: 0n,
      treasuryAmount: 50_000n,
    })
    expect(argsOf(events, 'POL.OutflowRecorded')).toMatchObject({ account: who.worker, amount: 50_000n })
  })

  test('leaves a job as it was before, apart from its evidence', async () => {
    await create(world)
    const before = await jobOf(world)
    await world.run(who.operator, 'escrow', 'claimJobFor', JOB, who.worker)
    await timeOut()
    expect(await jobOf(world)).toEqual(before)
    expect(await world.read('escrow', 'brokeredClaims', JOB)).toBe(false)
    expect(await world.read('escrow', 'retentionFlatRawAtClaim', JOB)).toBe(0n)
    expect(await world.read('escrow', 'retentionCapBpsAtClaim', JOB)).toBe(0)
  })

  test('gives the claim number back, so the next claim carries it again', async () => {
    await create(world)
    await world.run(who.worker, 'escrow', 'claimJob', JOB)
    await timeOut()
    expect(await world.read('escrow', 'workerClaimCount', who.worker)).toBe(0n)
    const again = await world.run(who.worker, 'escrow', 'claimJob', JOB)
    expect(argsOf(again, 'ClaimEconomicsLocked').claimNumber).toBe(1n)
    await world.run(who.worker, 'escrow', 'submitWork', JOB, hashOf('evidence'))
    expect(namesOf(await approve(world))).toContain('JobClosed')
  })

  test('costs nothing when it was waived, and the waiver slot comes back', async () => {
    await create(world)
    await world.run(who.operator, 'escrow', 'setOnboardingWaiverEligible', JOB, true)
    await world.run(who.operator, 'escrow', 'claimJobFor', JOB, who.worker)
    const { moved, events } = await observe(world, timeOut)
    expect(moved).toEqual({})
    expect(namesOf(events)).toEqual(['JobReopened'])
    expect(await world.read('escrow', 'previewClaimEconomics', who.worker, JOB)).toEqual([0n, 0, 0n, 0, true, 1n])
    expect((await jobOf(world)).claimEconomicsWaived).toBe(false)
  })
})

describe('cancelling', () => {
  test('an open job gives everything back to its poster', async () => {
    await create(world, { ops: 7n, contingency: 11n })
    await world.pass(3_600)
    const { moved, events } = await observe(world, () => world.run(who.poster, 'escrow', 'cancelOpenJob', JOB))
    expect(moved).toEqual({ poster: { liquid: 1_050_018n, reserved: -1_050_018n } })
    expect(namesOf(events)).toEqual([...Array.from({ length: 4 }, () => 'AAC.ReservationReleased'), 'JobCancelled'])
    expect(events.slice(0, 4).map(({ args }) => args.amount)).toEqual([1_000_000n, 50_000n, 7n, 11n])
    expect((await jobOf(world)).state).toBe(STATE.cancelled)
  })

  test('a milestone job that was partly paid gives back the rest and says the sum that moved', async () => {
    await world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, [300_000n, 700_000n], { ops: 5n }))
    await submit(world)
    await approvePart(world, 0)
    await world.pass(TTL + 1)
    await world.run(who.stranger, 'escrow', 'handleClaimTimeout', JOB)
    const events = await world.run(who.poster, 'escrow', 'cancelOpenJob', JOB)
    expect(argsOf(events, 'JobCancelled').refundedRaw).toBe(735_005n)
    expect(events.slice(0, -1).map(({ args }) => args.amount)).toEqual([700_000n, 35_000n, 5n])
  })
})

describe('a rejection', () => {
  test('moves no money and remembers who rejected and when', async () => {
    await create(world)
    await submit(world)
    const { moved, events } = await observe(world, () => reject(world))
    expect(moved).toEqual({})
    expect(namesOf(events)).toEqual(['Verified', 'JobRejected'])
    expect(argsOf(events, 'Verified')).toMatchObject({ verifier: who.verifier, approved: false, reasonCode: verdict(false)[2] })
    expect(argsOf(events, 'JobRejected').reasonCode).toBe(verdict(false)[2])
    const rejectedAt = BigInt(await world.now())
    expect(await jobOf(world)).toMatchObject({
      state: STATE.rejected,
      rejectedAt,
      disputedAt: 0n,
      rejectingVerifier: who.verifier,
      claimStake: 100_000n,
      claimFee: 50_000n,
    })
  })

  test('becomes final after the window: the bond is divided, the poster refunded, the score lowered', async () => {
    await create(world, { ops: 7n, contingency: 11n })
    await submit(world)
    await reject(world)
    const { moved, events } = await observe(world, finalise)
    expect(moved).toEqual({
      worker: { stake: -150_000n },
      poster: { reserved: -1_050_018n, liquid: 1_050_018n, wallet: 50_000n },
      treasury: { liquid: 50_000n + 15_000n },
      verifier: { wallet: 35_000n },
    })
    expect(namesOf(events)).toEqual([
      ...STAKE_SLASHED,
      ...FEE_DIVIDED,
      'SBT.ReputationSlashed',
      RELEASED,
      RELEASED,
      RELEASED,
      RELEASED,
      'JobClosed',
    ])
    expect(argsOf(events, 'SBT.ReputationSlashed')).toMatchObject({
      skillDelta: 10n,
      reliabilityDelta: 20n,
      economicDelta: 0n,
      reasonCode: shortText('REJECTED'),
      newSkill: 0n,
      newReliability: 0n,
    })
    expect(argsOf(events, 'JobClosed')).toMatchObject({ worker: who.worker, releasedAmount: 0n })
  })

  test('of a waived claim lowers the score too, but touches no bond', async () => {
    await submitWaived(world)
    await reject(world)
    const { moved, events } = await observe(world, finalise)
    expect(moved).toEqual({ poster: { reserved: -1_050_000n, liquid: 1_050_000n } })
    expect(namesOf(events)).toEqual(['SBT.ReputationSlashed', RELEASED, RELEASED, 'JobClosed'])
  })

  test('leaves the worker, the times and the amounts on the closed job', async () => {
    await create(world)
    await submit(world)
    await reject(world)
    const before = await jobOf(world)
    await finalise()
    expect(await jobOf(world)).toEqual({
      ...before,
      state: STATE.closed,
      claimExpiry: 0n,
      claimStake: 0n,
      claimStakeBps: 0,
      claimFee: 0n,
      claimFeeBps: 0,
      rejectingVerifier: zeroAddress,
    })
  })
})
