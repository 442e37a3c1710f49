import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, type Hex, zeroAddress } from 'viem'
import type { Happening } from './support/decode.ts'
import {
  approve,
  approvePart,
  argsOf,
  BADGE_URI,
  CATEGORY,
  type Changes,
  create,
  DAY,
  decide,
  dispute,
  hashOf,
  JOB,
  type JobTerms,
  jobOf,
  milestoneTerms,
  milestoneVerdict,
  namesOf,
  type Observation,
  observe,
  reject,
  SPEC,
  STATE,
  shortText,
  startFundedWorld,
  submit,
  submitWaived,
  TTL,
  verdict,
} from './support/jobs.ts'
import { revertAfterEach } from './support/revert.ts'
import { type World, who } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await startFundedWorld()
})
revertAfterEach(() => world)

const RELEASED = 'AAC.ReservationReleased'
const SETTLED = 'AAC.ReservationSettled'
const RETURNED = 'AAC.JobStakeReleased'
const CREATED = ['AAC.Reserved', 'JobFunded', 'JobCreated']
const CLAIMED = ['AAC.JobStakeLocked', 'JobClaimed', 'ClaimRetentionSnapshot', 'ClaimEconomicsLocked']
const PAID = [SETTLED, SETTLED, 'SettlementSplit']
const CELEBRATED = ['SBT.BadgeMinted', 'SBT.ReputationUpdated', 'JobClosed']
const STAKE_SLASHED = ['AAC.TreasuryCredited', 'POL.OutflowRecorded', 'TOK.Transfer', 'AAC.JobStakeSlashed']
const FEE_DIVIDED = ['AAC.TreasuryCredited', 'POL.OutflowRecorded', 'TOK.Transfer', 'AAC.ClaimFeeSlashed']
const FEE_TO_TREASURY = ['AAC.TreasuryCredited', 'AAC.ClaimFeeSlashed']
const TIMED_OUT = ['DisputeResolved', 'AutoResolvedOnTimeout', 'JobClosed']

const run = (from: Address, name: string, ...args: readonly unknown[]) => world.run(from, 'escrow', name, ...args)
const claim = () => run(who.worker, 'claimJob', JOB)
const claimFor = () => run(who.operator, 'claimJobFor', JOB, who.worker)
const waive = () => run(who.operator, 'setOnboardingWaiverEligible', JOB, true)
const hand = (text: string) => run(who.worker, 'submitWork', JOB, hashOf(text))
const createParts = (parts: readonly bigint[], more: JobTerms = {}) =>
  run(who.poster, 'createMilestoneJob', ...milestoneTerms(world, parts, more))

const submitted =
  (more: JobTerms = {}) =>
  async (): Promise<void> => {
    await create(world, more)
    await submit(world)
  }
const rejected =
  (more: JobTerms = {}) =>
  async (): Promise<void> => {
    await submitted(more)()
    await reject(world)
  }
const disputed =
  (more: JobTerms = {}) =>
  async (): Promise<void> => {
    await submitted(more)()
    await dispute(world)
  }
/** Of 300,000 and 700,000 the first part is paid. */
const firstPaid =
  (more: JobTerms = {}) =>
  async (): Promise<void> => {
    await createParts([300_000n, 700_000n], more)
    await submit(world)
    await approvePart(world, 0)
  }
const secondDisputed = async (): Promise<void> => {
  await firstPaid()()
  await hand('more evidence')
  await run(who.verifier, 'resolveMilestone', ...milestoneVerdict(1, false))
  await run(who.worker, 'openDispute', JOB)
}

const timeOutClaim = async (): Promise<readonly Happening[]> => {
  await world.pass(TTL + 1)
  return run(who.stranger, 'handleClaimTimeout', JOB)
}
const finalise = async (): Promise<readonly Happening[]> => {
  await world.pass(7 * DAY + 1)
  return run(who.stranger, 'finalizeRejectedJob', JOB)
}
const timeOutArbitrator = async (): Promise<readonly Happening[]> => {
  await world.pass(14 * DAY)
  return run(who.stranger, 'autoResolveOnTimeout', JOB)
}
const amountsOf = (events: readonly Happening[], wanted: string): unknown[] =>
  events.filter(({ name }) => name === wanted).map(({ args }) => args.amount)
/** Recipients, ids and amounts of the settled legs. */
const legs = (events: readonly Happening[]) =>
  events.filter(({ name }) => name === SETTLED).map(({ args }) => [args.recipient, args.settlementId, args.amount])

interface Row {
  readonly title: string
  readonly before?: () => Promise<unknown>
  readonly call: () => Promise<readonly Happening[]>
  readonly moved: Changes
  readonly events: readonly string[]
  /** Arguments of events that occur once; a function is called after the call. */
  readonly args?: Readonly<Record<string, object>> | (() => Promise<Readonly<Record<string, object>>>)
  /** Amounts of events that occur more often. */
  readonly amounts?: Readonly<Record<string, readonly bigint[]>>
  /** Settled legs, in order. */
  readonly settled?: readonly (readonly [recipient: Address, settlementId: Hex, amount: bigint])[]
  readonly job?: Partial<Awaited<ReturnType<typeof jobOf>>>
}

const check = async ({ before, call, moved, events, args = {}, amounts = {}, settled, job }: Row): Promise<void> => {
  await before?.()
  const found: Observation = await observe(world, call)
  expect(found.moved).toEqual(moved)
  expect(namesOf(found.events)).toEqual(events)
  const stated = typeof args === 'function' ? await args() : args
  for (const [name, expected] of Object.entries(stated)) expect(argsOf(found.events, name)).toMatchObject(expected)
  for (const [name, expected] of Object.entries(amounts)) expect(amountsOf(found.events, name)).toEqual(expected)
  if (settled) expect(legs(found.events)).toEqual(settled)
  if (job) expect(await jobOf(world)).toMatchObject(job)
}

const UNWAIVED = { claimStake: 100_000n, claimFee: 50_000n, waived: false, claimNumber: 1n }
const RESERVES = { ops: 7n, contingency: 11n }

const TO_APPROVAL: readonly Row[] = [
  {
    title: 'creation reserves reward, poster fee and both reserves',
    call: () => create(world, RESERVES),
    moved: { poster: { liquid: -1_050_018n, reserved: 1_050_018n } },
    events: CREATED,
    args: async () => {
      const common = { jobId: JOB, poster: who.poster, asset: world.at.token, totalReserved: 1_050_018n, payoutMode: 0 }
      return { JobFunded: common, JobCreated: { ...common, specHash: SPEC } }
    },
  },
  {
    title: 'a brokered claim locks stake and fee and keeps the retention of that moment',
    before: () => create(world),
    call: claimFor,
    moved: { worker: { liquid: -150_000n, stake: 150_000n } },
    events: CLAIMED,
    args: async () => ({
      'AAC.JobStakeLocked': { amount: 150_000n },
      JobClaimed: { jobId: JOB, worker: who.worker, claimStake: 100_000n, claimExpiry: BigInt((await world.now()) + TTL) },
      ClaimRetentionSnapshot: { brokered: true, waived: false, retentionFlatRaw: 50_000n, retentionCapBps: 2_000 },
      ClaimEconomicsLocked: UNWAIVED,
    }),
  },
  {
    title: 'a waived claim locks nothing',
    before: async () => {
      await create(world)
      await waive()
    },
    call: claimFor,
    moved: {},
    events: CLAIMED.slice(1),
    args: { ClaimRetentionSnapshot: { brokered: true, waived: true, retentionFlatRaw: 50_000n } },
  },
  {
    title: 'a submission is announced by two events with one hash',
    before: async () => {
      await create(world)
      await claim()
    },
    call: () => hand('evidence'),
    moved: {},
    events: ['WorkSubmitted', 'Submitted'],
    args: {
      WorkSubmitted: { jobId: JOB, worker: who.worker, evidenceHash: hashOf('evidence') },
      Submitted: { jobId: JOB, worker: who.worker, payloadHash: hashOf('evidence') },
    },
  },
  {
    title: 'approval of a brokered claim pays the reward without the retained gas',
    before: submitted(RESERVES),
    call: () => approve(world),
    moved: {
      worker: { liquid: 950_000n + 150_000n, stake: -150_000n },
      treasury: { liquid: 50_000n + 50_000n },
      poster: { reserved: -1_050_018n, liquid: 18n },
    },
    events: ['Verified', RETURNED, ...PAID, SETTLED, 'GasRetentionApplied', RELEASED, RELEASED, ...CELEBRATED],
    args: {
      SettlementSplit: { workerAmount: 950_000n, protocolFeeAmount: 50_000n, protocolFeeBps: 500 },
      GasRetentionApplied: { retainedRaw: 50_000n, rewardRaw: 1_000_000n },
      'SBT.BadgeMinted': { tokenId: 1n, account: who.worker, category: CATEGORY, level: 1n, metadataURI: BADGE_URI },
      'SBT.ReputationUpdated': { skill: 100n, reliability: 100n, economic: 1_000_000n },
      JobClosed: { releasedAmount: 1_000_000n },
    },
    amounts: { [RELEASED]: [7n, 11n] },
    settled: [
      [who.worker, '0x8dac8523b35b54799bf7319ade0efbab5c39dd9f00f6213b57526bd19ed9ab33', 950_000n],
      [who.treasury, '0x6aa548ec5e51824af8b2dc7017a05f9d5799b5853f17457d58f1b1de9fbdd87c', 50_000n],
      [who.treasury, '0xbc7098007ea52ed678eb92f4d6289e72069f26d34b91e7c3d47917ab8c6c6226', 50_000n],
    ],
  },
  {
    title: 'approval of a self-paid claim pays the whole reward',
    before: async () => {
      await create(world)
      await submit(world, { brokered: false })
    },
    call: () => approve(world),
    moved: {
      worker: { liquid: 1_000_000n + 150_000n, stake: -150_000n },
      treasury: { liquid: 50_000n },
      poster: { reserved: -1_050_000n },
    },
    events: ['Verified', RETURNED, ...PAID, ...CELEBRATED],
  },
  {
    title: 'approval of a waived claim pays the whole reward although a broker made it',
    before: () => submitWaived(world),
    call: () => approve(world),
    moved: { worker: { liquid: 1_000_000n }, treasury: { liquid: 50_000n }, poster: { reserved: -1_050_000n } },
    events: ['Verified', ...PAID, ...CELEBRATED],
    job: { claimEconomicsWaived: false },
  },
  {
    title: 'approval of a milestone retains no gas',
    before: async () => {
      await createParts([1_000_000n])
      await submit(world)
    },
    call: () => approvePart(world, 0),
    moved: {
      worker: { liquid: 1_000_000n + 150_000n, stake: -150_000n },
      treasury: { liquid: 50_000n },
      poster: { reserved: -1_050_000n },
    },
    events: ['Verified', ...PAID, RETURNED, ...CELEBRATED],
  },
]

const TO_REJECTION: readonly Row[] = [
  {
    title: 'a claim that times out is slashed to poster and treasury, and the job opens again',
    before: async () => {
      await create(world, { reward: 1_000_010n })
      await claimFor()
    },
    call: timeOutClaim,
    moved: { worker: { stake: -150_001n }, poster: { wallet: 50_000n }, treasury: { liquid: 50_001n + 50_000n } },
    events: [...STAKE_SLASHED, ...FEE_TO_TREASURY, 'JobReopened'],
    args: {
      'AAC.JobStakeSlashed': { amount: 100_001n, posterAmount: 50_000n, treasuryAmount: 50_001n },
      'AAC.ClaimFeeSlashed': { verifierRecipient: zeroAddress, verifierAmount: 0n, treasuryAmount: 50_000n },
      'POL.OutflowRecorded': { account: who.worker, amount: 50_000n },
    },
  },
  {
    title: 'a waived claim that times out costs nothing',
    before: async () => {
      await create(world)
      await waive()
      await claimFor()
    },
    call: timeOutClaim,
    moved: {},
    events: ['JobReopened'],
    job: { claimEconomicsWaived: false },
  },
  {
    title: 'the bond of a claim that times out does not follow a later policy',
    before: async () => {
      await create(world)
      await claim()
      await world.run(who.owner, 'policy', 'setDefaultClaimStakeBps', 10_000)
    },
    call: timeOutClaim,
    moved: { worker: { stake: -150_000n }, poster: { wallet: 50_000n }, treasury: { liquid: 100_000n } },
    events: [...STAKE_SLASHED, ...FEE_TO_TREASURY, 'JobReopened'],
  },
  {
    title: 'cancellation of an open job gives everything back to its poster',
    before: async () => {
      await create(world, RESERVES)
      await world.pass(3_600)
    },
    call: () => run(who.poster, 'cancelOpenJob', JOB),
    moved: { poster: { liquid: 1_050_018n, reserved: -1_050_018n } },
    events: [RELEASED, RELEASED, RELEASED, RELEASED, 'JobCancelled'],
    amounts: { [RELEASED]: [1_000_000n, 50_000n, 7n, 11n] },
    job: { state: STATE.cancelled },
  },
  {
    title: 'cancellation of a milestone job that was partly paid gives back the rest',
    before: async () => {
      await firstPaid({ ops: 5n })()
      await timeOutClaim()
    },
    call: () => run(who.poster, 'cancelOpenJob', JOB),
    moved: { poster: { liquid: 735_005n, reserved: -735_005n } },
    events: [RELEASED, RELEASED, RELEASED, 'JobCancelled'],
    args: { JobCancelled: { refundedRaw: 735_005n } },
    amounts: { [RELEASED]: [700_000n, 35_000n, 5n] },
  },
  {
    title: 'a rejection moves no money',
    before: submitted(),
    call: () => reject(world),
    moved: {},
    events: ['Verified', 'JobRejected'],
    args: {
      Verified: { verifier: who.verifier, approved: false, reasonCode: verdict(false)[2] },
      JobRejected: { reasonCode: verdict(false)[2] },
    },
    job: { state: STATE.rejected, disputedAt: 0n, rejectingVerifier: who.verifier, claimStake: 100_000n, claimFee: 50_000n },
  },
  {
    title: 'a rejection does not check whether the milestone exists',
    before: async () => {
      await createParts([300_000n, 700_000n])
      await submit(world)
    },
    call: () => run(who.verifier, 'resolveMilestone', ...milestoneVerdict(2, false)),
    moved: {},
    events: ['Verified', 'JobRejected'],
    job: { state: STATE.rejected },
  },
  {
    title: 'a rejection that becomes final divides the bond, refunds the poster and lowers the score',
    before: rejected(RESERVES),
    call: finalise,
    moved: {
      worker: { stake: -150_000n },
      poster: { reserved: -1_050_018n, liquid: 1_050_018n, wallet: 50_000n },
      treasury: { liquid: 50_000n + 15_000n },
      verifier: { wallet: 35_000n },
    },
    events: [...STAKE_SLASHED, ...FEE_DIVIDED, 'SBT.ReputationSlashed', RELEASED, RELEASED, RELEASED, RELEASED, 'JobClosed'],
    args: {
      'SBT.ReputationSlashed': {
        skillDelta: 10n,
        reliabilityDelta: 20n,
        economicDelta: 0n,
        reasonCode: shortText('REJECTED'),
        newSkill: 0n,
        newReliability: 0n,
      },
      JobClosed: { worker: who.worker, releasedAmount: 0n },
    },
  },
  {
    title: 'a rejection of a waived claim that becomes final lowers the score and touches no bond',
    before: async () => {
      await submitWaived(world)
      await reject(world)
    },
    call: finalise,
    moved: { poster: { reserved: -1_050_000n, liquid: 1_050_000n } },
    events: ['SBT.ReputationSlashed', RELEASED, RELEASED, 'JobClosed'],
  },
]

const OF_DISPUTES: readonly Row[] = [
  {
    title: 'a dispute that the broker opens names the participant',
    before: rejected(),
    call: () => run(who.operator, 'openDisputeFor', JOB, who.worker),
    moved: {},
    events: ['DisputeOpened'],
    args: async () => ({ DisputeOpened: { jobId: JOB, opener: who.worker, disputedAt: BigInt(await world.now()) } }),
  },
  {
    title: 'a dismissed rejection pays the whole reward without retention and returns the bond',
    before: disputed({ ops: 7n }),
    call: () => decide(world, 1_000_000n, 'DISPUTE_OVERTURNED'),
    moved: {
      worker: { liquid: 1_150_000n, stake: -150_000n },
      treasury: { liquid: 50_000n },
      poster: { reserved: -1_050_007n, liquid: 7n },
    },
    events: [...PAID, RETURNED, RELEASED, 'SBT.BadgeMinted', 'DisputeResolved', 'JobClosed'],
    args: { 'SBT.BadgeMinted': { level: 1n, metadataURI: BADGE_URI }, JobClosed: { releasedAmount: 1_000_000n } },
  },
  {
    title: 'a split pays its share of the fee and returns the whole bond',
    before: disputed({ ops: 7n }),
    call: () => decide(world, 400_000n),
    moved: {
      worker: { liquid: 400_000n + 150_000n, stake: -150_000n },
      treasury: { liquid: 20_000n },
      poster: { reserved: -1_050_007n, liquid: 600_000n + 30_000n + 7n },
    },
    events: [...PAID, RETURNED, RELEASED, RELEASED, RELEASED, 'SBT.BadgeMinted', 'DisputeResolved', 'JobClosed'],
    args: {
      DisputeResolved: {
        jobId: JOB,
        arbitrator: who.arbitrator,
        workerPayout: 400_000n,
        reasonCode: shortText('DISPUTE_PARTIAL'),
        metadataURI: BADGE_URI,
      },
    },
    amounts: { [RELEASED]: [600_000n, 30_000n, 7n] },
    settled: [
      [who.worker, '0x970d9e441e96bb774e27147ca823b6f42b747b3397f4dcb3f9c1aa593d717a7c', 400_000n],
      [who.treasury, '0xc9122c5739503a54c17853d67780556d259db29a9209db8ad40aae3c01ebca9f', 20_000n],
    ],
  },
  {
    title: 'an upheld rejection divides the bond and states the reason of the arbitrator',
    before: disputed({ ops: 7n }),
    call: () => decide(world, 0n, 'REJECTED'),
    moved: {
      worker: { stake: -150_000n },
      poster: { reserved: -1_050_007n, liquid: 1_050_007n, wallet: 50_000n },
      treasury: { liquid: 65_000n },
      verifier: { wallet: 35_000n },
    },
    events: [
      ...[...STAKE_SLASHED, ...FEE_DIVIDED, 'SBT.ReputationSlashed', 'JobRejected'],
      ...[RELEASED, RELEASED, RELEASED, 'DisputeResolved', 'JobClosed'],
    ],
    args: {
      JobRejected: { reasonCode: shortText('REJECTED') },
      'SBT.ReputationSlashed': { skillDelta: 30n, reliabilityDelta: 50n, reasonCode: shortText('DISPUTE_LOST') },
    },
  },
  {
    title: 'a tiny payout of a floored fee charges no fee',
    before: disputed({ reward: 20n }),
    call: () => decide(world, 1n),
    moved: { worker: { liquid: 50_003n, stake: -50_002n }, poster: { reserved: -50_020n, liquid: 50_019n } },
    events: [SETTLED, 'SettlementSplit', RETURNED, RELEASED, RELEASED, 'SBT.BadgeMinted', 'DisputeResolved', 'JobClosed'],
    args: { SettlementSplit: { protocolFeeAmount: 0n } },
  },
  {
    title: 'an arbitrator who does not decide leaves half to the worker, and the bond is slashed without the verifier',
    before: disputed(),
    call: timeOutArbitrator,
    moved: {
      worker: { liquid: 500_000n, stake: -150_000n },
      treasury: { liquid: 25_000n + 50_000n + 50_000n },
      poster: { reserved: -1_050_000n, liquid: 525_000n, wallet: 50_000n },
    },
    events: [...PAID, ...STAKE_SLASHED, ...FEE_TO_TREASURY, RELEASED, RELEASED, ...TIMED_OUT],
    args: {
      DisputeResolved: { arbitrator: who.stranger, workerPayout: 500_000n, reasonCode: shortText('ARB_TIMEOUT'), metadataURI: '' },
      AutoResolvedOnTimeout: { caller: who.stranger, workerPayout: 500_000n, reasonCode: shortText('ARB_TIMEOUT') },
      JobClosed: { releasedAmount: 500_000n },
    },
    settled: [
      [who.worker, '0xcc2dacc9f2284802f3fcdef317863f067d41fda52f8e079820fde087d59db25c', 500_000n],
      [who.treasury, '0x99593b8a0f5ba729192f51d5428b73589ab2bd365e4b4d1122ff35b7ed717838', 25_000n],
    ],
  },
  {
    title: 'an arbitrator who does not decide a small job costs it a share of the floored fee',
    before: disputed({ reward: 200_000n }),
    call: timeOutArbitrator,
    moved: {
      worker: { liquid: 100_000n, stake: -70_000n },
      treasury: { liquid: 5_000n + 10_000n + 50_000n },
      poster: { reserved: -250_000n, liquid: 100_000n + 45_000n, wallet: 10_000n },
    },
    events: [...PAID, ...STAKE_SLASHED, ...FEE_TO_TREASURY, RELEASED, RELEASED, ...TIMED_OUT],
  },
  {
    title: 'an arbitrator who does not decide about one unit: nothing is paid and the bond is slashed',
    before: disputed({ reward: 1n }),
    call: timeOutArbitrator,
    moved: { worker: { stake: -50_000n }, treasury: { liquid: 50_000n }, poster: { reserved: -50_001n, liquid: 50_001n } },
    events: [...FEE_TO_TREASURY, RELEASED, RELEASED, ...TIMED_OUT],
    amounts: { [RELEASED]: [1n, 50_000n] },
  },
  {
    title: 'an arbitrator who does not decide costs a waived claim no bond',
    before: async () => {
      await submitWaived(world)
      await dispute(world)
    },
    call: timeOutArbitrator,
    moved: { worker: { liquid: 500_000n }, treasury: { liquid: 25_000n }, poster: { reserved: -1_050_000n, liquid: 525_000n } },
    events: [...PAID, RELEASED, RELEASED, ...TIMED_OUT],
  },
  {
    title: 'a decision about a milestone pays the open part, and the fee is charged to the last unit',
    before: async () => {
      await secondDisputed()
      const call = [JOB, 700_001n, shortText('DISPUTE_PARTIAL'), ''] as const
      expect(await world.refusal(who.arbitrator, 'escrow', 'resolveDispute', ...call)).toBe('"EXCESS_PAYOUT"')
    },
    call: () => decide(world, 700_000n, 'DISPUTE_OVERTURNED'),
    moved: {
      worker: { liquid: 700_000n + 70_000n + 50_000n, stake: -120_000n },
      treasury: { liquid: 35_000n },
      poster: { reserved: -735_000n },
    },
    events: [...PAID, RETURNED, 'SBT.BadgeMinted', 'DisputeResolved', 'JobClosed'],
    args: { 'SBT.BadgeMinted': { level: 1n }, JobClosed: { releasedAmount: 1_000_000n } },
  },
  {
    title: 'an arbitrator who does not decide about a milestone leaves half of the open part',
    before: secondDisputed,
    call: timeOutArbitrator,
    moved: {
      worker: { liquid: 350_000n, stake: -120_000n },
      treasury: { liquid: 17_500n + 35_000n + 50_000n },
      poster: { reserved: -735_000n, liquid: 367_500n, wallet: 35_000n },
    },
    events: [...PAID, ...STAKE_SLASHED, ...FEE_TO_TREASURY, RELEASED, RELEASED, ...TIMED_OUT],
    args: { JobClosed: { releasedAmount: 650_000n } },
  },
]

describe.each([
  ['from creation to approval', TO_APPROVAL],
  ['to a rejection or a time-out', TO_REJECTION],
  ['of disputes', OF_DISPUTES],
])('calls of the escrow %s', (_, rows) => test.each(rows)('$title', check))
