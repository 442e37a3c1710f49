import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, toHex, zeroAddress, zeroHash } from 'viem'
import {
  approvePart,
  create,
  DAY,
  dispute,
  endless,
  JOB,
  milestoneTerms,
  milestoneVerdict,
  namesOf,
  recurring,
  reject,
  reserveTemplate,
  shortText,
  startFundedWorld,
  submit,
  TEMPLATE,
  TTL,
  terms,
  verdict,
} from './support/jobs.ts'
import { accountMutators, EXTRA, escrowMutators } from './support/mutators.ts'
import { revertAfterEach } from './support/revert.ts'
import { addStrategies } from './support/strategies.ts'
import { type World, who } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await startFundedWorld()
  await world.run(who.owner, 'policy', 'setAgentTransferBroker', EXTRA.transferBroker, true)
  await addStrategies(world, EXTRA.settler)
})
revertAfterEach(() => world)

const PASSED = 'it passed'
const claim = () => world.run(who.worker, 'escrow', 'claimJob', JOB)
const createParts = () => world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, [5n, 5n]))

/** What has happened to the job before a call, in order. */
const STATES = {
  absent: [],
  open: [() => create(world)],
  claimed: [() => create(world), claim],
  expired: [() => create(world), claim, () => world.pass(TTL + 1)],
  reopened: [() => create(world), claim, () => world.pass(TTL + 1), () => world.run(who.stranger, 'escrow', 'handleClaimTimeout', JOB)],
  submitted: [() => create(world), () => submit(world)],
  rejected: [() => create(world), () => submit(world), () => reject(world)],
  disputed: [() => create(world), () => submit(world), () => dispute(world)],
  'disputed for 14 days': [() => create(world), () => submit(world), () => dispute(world), () => world.pass(14 * DAY + 1)],
  'submitted in parts': [createParts, () => submit(world)],
  'half paid': [
    createParts,
    () => submit(world),
    () => approvePart(world, 0),
    () => world.run(who.worker, 'escrow', 'submitWork', JOB, zeroHash),
  ],
  'open without an end': [() => create(world, { ttl: endless })],
  'open for an hour without an end': [() => create(world, { ttl: endless }), () => world.pass(3_600)],
  // A wallet disclosed it before: that does not count as automatic.
  'disclosed automatically': [
    () => world.run(who.worker, 'escrow', 'disclose', JOB),
    () => world.run(who.verifier, 'escrow', 'autoDisclose', JOB),
  ],
  'reserved by a template': [() => reserveTemplate(world, 1_049_999n)],
  reserved: [() => world.run(who.poster, 'accounts', 'reserveForJob', who.poster, world.at.token, 5n)],
  'settled once': [
    () => world.run(who.poster, 'accounts', 'reserveForJob', who.poster, world.at.token, 5n),
    () => world.run(world.at.escrow, 'accounts', 'settleReservedTo', JOB, who.poster, world.at.token, who.worker, 5n),
  ],
} as const satisfies Record<string, readonly (() => Promise<unknown>)[]>

const bring = async (state: keyof typeof STATES): Promise<void> => {
  for (const step of STATES[state]) await step()
}

type Caller = keyof typeof who | 'escrow'
type Row = readonly [call: string, from: Caller, state: keyof typeof STATES, refused: string, args: (() => readonly unknown[]) | unknown[]]

const payout = (amount: bigint) => [JOB, amount, shortText('DISPUTE_PARTIAL'), '']
const job = (more: Parameters<typeof terms>[1]) => () => terms(world, more)
const parts = (amounts: readonly bigint[]) => () => milestoneTerms(world, amounts)

/** Rows of one call stand in the order in which it checks. */
const ESCROW: readonly Row[] = [
  ['createMilestoneJob', 'poster', 'open', 'InvalidState()', parts([])],
  ['createMilestoneJob', 'poster', 'absent', 'MilestoneLimitExceeded()', parts([])],
  ['createMilestoneJob', 'poster', 'absent', 'MilestoneLimitExceeded()', parts(Array.from({ length: 33 }, () => 0n))],
  ['createMilestoneJob', 'poster', 'absent', 'ZeroAmount()', parts([1n, 0n])],
  ['createMilestoneJob', 'poster', 'absent', 'Panic(0x11)', parts([2n ** 255n, 2n ** 255n])],
  ['createMilestoneJob', 'poster', 'absent', PASSED, parts(Array.from({ length: 32 }, () => 1_000n))],
  ['createSinglePayoutJob', 'poster', 'absent', 'ZeroAmount()', job({ reward: 0n })],
  ['createSinglePayoutJob', 'poster', 'absent', 'UnsupportedAsset()', () => terms(world).with(1, who.stranger)],
  ['createSinglePayoutJob', 'stranger', 'absent', 'InsufficientLiquidity()', job({})],
  [
    'createSinglePayoutJobFromRecurringReserve',
    'operator',
    'reserved by a template',
    'Unauthorized()',
    () => [recurring(world, { poster: zeroAddress })],
  ],
  ['createSinglePayoutJobFromRecurringReserve', 'operator', 'reserved by a template', 'InsufficientReserved()', () => [recurring(world)]],
  [
    'createSinglePayoutJobFromRecurringReserve',
    'operator',
    'reserved by a template',
    PASSED,
    () => [recurring(world, { protocolFeeWaived: true })],
  ],
  ['claimJobFor', 'operator', 'absent', 'Unauthorized()', [JOB, zeroAddress]],
  ['claimJobFor', 'operator', 'absent', 'UnknownJob()', [JOB, who.stranger]],
  ['claimJobFor', 'operator', 'submitted', 'InvalidState()', [JOB, who.stranger]],
  ['claimJobFor', 'operator', 'open', 'InsufficientLiquidity()', [JOB, who.stranger]],
  ['claimJob', 'worker', 'open without an end', 'Panic(0x11)', [JOB]],
  ['cancelOpenJob', 'poster', 'open for an hour without an end', PASSED, [JOB]],
  ['submitWork', 'worker', 'absent', 'InvalidState()', [JOB, zeroHash]],
  ['submitWork', 'stranger', 'expired', 'Unauthorized()', [JOB, zeroHash]],
  ['submitWork', 'worker', 'expired', 'InvalidState()', [JOB, zeroHash]],
  ['handleClaimTimeout', 'stranger', 'absent', 'InvalidState()', [JOB]],
  ['handleClaimTimeout', 'stranger', 'claimed', '"NOT_EXPIRED"', [JOB]],
  ['cancelOpenJob', 'stranger', 'absent', 'UnknownJob()', [JOB]],
  ['cancelOpenJob', 'stranger', 'submitted', 'InvalidState()', [JOB]],
  ['cancelOpenJob', 'stranger', 'open', 'Unauthorized()', [JOB]],
  ['cancelOpenJob', 'poster', 'open', '"OPEN_FLOOR_ACTIVE"', [JOB]],
  ['cancelOpenJob', 'poster', 'reopened', PASSED, [JOB]],
  ['resolveSinglePayout', 'stranger', 'absent', 'Unauthorized()', [...verdict(true)]],
  ['resolveSinglePayout', 'verifier', 'absent', 'InvalidState()', [...verdict(true)]],
  ['resolveSinglePayout', 'verifier', 'submitted in parts', 'InvalidState()', [...verdict(true)]],
  ['resolveMilestone', 'verifier', 'submitted', 'InvalidState()', [...milestoneVerdict(0, true)]],
  ['resolveMilestone', 'verifier', 'half paid', 'InvalidState()', [...milestoneVerdict(0, true)]],
  ['resolveMilestone', 'verifier', 'half paid', 'InvalidState()', [...milestoneVerdict(0, false)]],
  ['resolveMilestone', 'verifier', 'half paid', 'Panic(0x32)', [...milestoneVerdict(2, true)]],
  ['openDispute', 'operator', 'submitted', 'Unauthorized()', [JOB]],
  ['openDispute', 'worker', 'submitted', 'InvalidState()', [JOB]],
  ['openDisputeFor', 'operator', 'submitted', 'Unauthorized()', [JOB, who.stranger]],
  ['openDisputeFor', 'operator', 'submitted', 'InvalidState()', [JOB, who.poster]],
  ['finalizeRejectedJob', 'stranger', 'absent', 'InvalidState()', [JOB]],
  ['finalizeRejectedJob', 'stranger', 'disputed', 'InvalidState()', [JOB]],
  ['finalizeRejectedJob', 'stranger', 'rejected', '"DISPUTE_WINDOW_ACTIVE"', [JOB]],
  ['resolveDispute', 'stranger', 'absent', 'Unauthorized()', payout(2_000_000n)],
  ['resolveDispute', 'arbitrator', 'absent', 'InvalidState()', payout(2_000_000n)],
  ['resolveDispute', 'arbitrator', 'disputed', '"EXCESS_PAYOUT"', payout(1_000_001n)],
  ['resolveDispute', 'arbitrator', 'disputed for 14 days', PASSED, payout(1n)],
  ['autoResolveOnTimeout', 'stranger', 'absent', 'InvalidState()', [JOB]],
  ['autoResolveOnTimeout', 'stranger', 'disputed', '"ARBITRATOR_SLA_ACTIVE"', [JOB]],
  ['setOnboardingWaiverEligible', 'operator', 'absent', 'UnknownJob()', [JOB, true]],
  ['autoDisclose', 'owner', 'disclosed automatically', 'AlreadyAutoDisclosed()', [JOB]],
  ['setTreasuryAccount', 'owner', 'absent', 'InvalidTreasuryAccount()', [zeroAddress]],
  ['setFeeSchedule', 'owner', 'absent', 'RetentionFlatTooHigh()', [500_001n, 2_501, 1_001, 500_001n]],
  ['setFeeSchedule', 'owner', 'absent', 'RetentionCapTooHigh()', [500_000n, 2_501, 1_001, 500_001n]],
  ['setFeeSchedule', 'owner', 'absent', 'ProtocolFeeTooHigh()', [500_000n, 2_500, 1_001, 500_001n]],
  ['setFeeSchedule', 'owner', 'absent', 'PosterFeeFloorTooHigh()', [500_000n, 2_500, 1_000, 500_001n]],
]

const settle = (id: Hex, recipient: Hex, amount: bigint) => () => [id, who.poster, world.at.token, recipient, amount]
const cancelTemplate = (id: Hex, amount: bigint) => () => [who.poster, world.at.token, id, amount]
const send = (recipient: Hex, amount: bigint) => () => [recipient, world.at.token, amount]
const bond =
  (...more: readonly Hex[]) =>
  () => [who.worker, world.at.token, 1n, ...more]
const token = (amount: bigint) => () => [world.at.token, amount]

const ACCOUNTS: readonly Row[] = [
  ['settleReservedTo', 'escrow', 'absent', 'InvalidSettlement()', settle(zeroHash, zeroAddress, 0n)],
  ['settleReservedTo', 'escrow', 'absent', 'InvalidRecipient()', settle(JOB, zeroAddress, 0n)],
  ['settleReservedTo', 'escrow', 'absent', 'ZeroAmount()', settle(JOB, who.worker, 0n)],
  ['settleReservedTo', 'escrow', 'settled once', 'SettlementAlreadyExecuted()', settle(JOB, who.worker, 5n)],
  ['settleReservedTo', 'escrow', 'absent', 'InsufficientReserved()', settle(JOB, who.worker, 5n)],
  ['reserveForJob', 'poster', 'absent', 'Unauthorized()', [who.worker, who.stranger, 5n]],
  ['reserveForJob', 'poster', 'absent', 'UnsupportedAsset()', [who.poster, who.stranger, 5n]],
  ['withdraw', 'poster', 'absent', 'UnsupportedAsset()', [who.stranger, 5n]],
  ['withdraw', 'stranger', 'absent', 'InsufficientLiquidity()', token(0n)],
  ['withdraw', 'worker', 'absent', PASSED, token(0n)],
  ['deposit', 'worker', 'absent', '"ZERO_AMOUNT"', token(0n)],
  ['releaseJobStake', 'escrow', 'absent', '"INSUFFICIENT_STAKE"', bond()],
  ['slashJobStake', 'escrow', 'absent', '"INSUFFICIENT_STAKE"', bond(who.poster)],
  ['slashClaimFee', 'escrow', 'absent', '"INSUFFICIENT_STAKE"', bond(who.verifier)],
  ['setEscrowOperator', 'owner', 'absent', 'InvalidRecipient()', [zeroAddress, true]],
  ['setTreasuryAccount', 'owner', 'absent', PASSED, [zeroAddress]],
  ['sendToAgent', 'stranger', 'absent', 'InvalidRecipient()', send(zeroAddress, 0n)],
  ['sendToAgent', 'stranger', 'absent', 'InvalidRecipient()', send(who.stranger, 0n)],
  ['sendToAgent', 'stranger', 'absent', 'ZeroAmount()', send(who.worker, 0n)],
  ['sendToAgent', 'stranger', 'absent', 'InsufficientLiquidity()', send(who.worker, 1n)],
  ['cancelRecurringTemplateReserve', 'poster', 'reserved by a template', 'ZeroAmount()', cancelTemplate(zeroHash, 1n)],
  ['cancelRecurringTemplateReserve', 'poster', 'reserved by a template', 'ZeroAmount()', cancelTemplate(TEMPLATE, 0n)],
  ['cancelRecurringTemplateReserve', 'poster', 'reserved by a template', 'InsufficientReserved()', cancelTemplate(TEMPLATE, 1_050_000n)],
]

describe.each([
  ['escrow', ESCROW],
  ['accounts', ACCOUNTS],
] as const)('the answer of the contract: %s', (contract, rows) => {
  test.each(rows)('%s by the %s, the job is %s: %s', async (call, from, state, refused, args) => {
    await bring(state)
    const caller = from === 'escrow' ? world.at.escrow : who[from]
    expect(await world.refusal(caller, contract, call, ...(typeof args === 'function' ? args() : args))).toBe(refused)
  })
})

test.each([['lockJobStake'], ['releaseJobStake'], ['slashJobStake', who.poster], ['slashClaimFee', who.verifier]])(
  '%s of zero does nothing',
  async (name, ...more) => {
    expect(await world.run(world.at.escrow, 'accounts', name, who.worker, world.at.token, 0n, ...more)).toEqual([])
  },
)

test('the waiver of a job can be set again', async () => {
  await create(world)
  for (const _ of [1, 2]) {
    const events = await world.run(who.operator, 'escrow', 'setOnboardingWaiverEligible', JOB, true)
    expect(namesOf(events)).toEqual(['OnboardingWaiverEligibilityUpdated'])
  }
})

test('a disclosure can be repeated', async () => {
  await world.run(who.worker, 'escrow', 'disclose', JOB)
  const [again] = await world.run(who.worker, 'escrow', 'disclose', JOB)
  expect(again).toEqual({ name: 'Disclosed', args: { hash: JOB, byWallet: who.worker, timestamp: BigInt(await world.now()) } })
})

type Boundary = readonly [
  call: string,
  from: Caller & keyof typeof who,
  state: keyof typeof STATES,
  /** Seconds from the last block of the state to the boundary. */
  seconds: number,
  args: readonly unknown[],
  before: string,
  at: string,
  after: string,
]

const BOUNDARIES: readonly Boundary[] = [
  ['submitWork', 'worker', 'claimed', TTL, [JOB, zeroHash], PASSED, PASSED, 'InvalidState()'],
  ['handleClaimTimeout', 'stranger', 'claimed', TTL, [JOB], '"NOT_EXPIRED"', '"NOT_EXPIRED"', PASSED],
  ['cancelOpenJob', 'poster', 'open', 3_600, [JOB], '"OPEN_FLOOR_ACTIVE"', PASSED, PASSED],
  ['openDispute', 'worker', 'rejected', 7 * DAY, [JOB], PASSED, PASSED, '"DISPUTE_WINDOW_CLOSED"'],
  ['openDisputeFor', 'operator', 'rejected', 7 * DAY, [JOB, who.worker], PASSED, PASSED, '"DISPUTE_WINDOW_CLOSED"'],
  ['finalizeRejectedJob', 'stranger', 'rejected', 7 * DAY, [JOB], '"DISPUTE_WINDOW_ACTIVE"', '"DISPUTE_WINDOW_ACTIVE"', PASSED],
  ['autoResolveOnTimeout', 'stranger', 'disputed', 14 * DAY, [JOB], '"ARBITRATOR_SLA_ACTIVE"', PASSED, PASSED],
]

test.each(BOUNDARIES)(
  '%s by the %s changes its answer where the job is %s for %s s',
  async (call, from, state, seconds, args, ...answers) => {
    await bring(state)
    const boundary = (await world.now()) + seconds
    const found: string[] = []
    for (const shift of [-1, 0, 1]) {
      const answer = await world.undone(async () => {
        await world.nextBlockAt(boundary + shift)
        const reason = await world.refusal(who[from], 'escrow', call, ...args)
        expect(await world.now()).toBe(boundary + shift)
        return reason
      })
      found.push(answer)
    }
    expect(found).toEqual(answers)
  },
)

describe('the reentrancy lock', () => {
  /** Pretends that a call is running: the flag is the first byte of storage in both contracts. */
  const enter = async (contract: 'escrow' | 'accounts'): Promise<void> => {
    const address = world.at[contract]
    const word = BigInt((await world.rpc('eth_getStorageAt', address, '0x0', 'latest')) as Hex)
    await world.rpc('anvil_setStorageAt', address, '0x0', toHex(word | 1n, { size: 32 }))
  }
  const guarded = async (contract: 'escrow' | 'accounts'): Promise<string> => {
    const names = new Set<string>()
    for (const mutator of contract === 'escrow' ? escrowMutators : accountMutators) {
      const reason = await world.refusal(who.treasury, contract, mutator.name, ...(await mutator.args(world)))
      if (reason === 'ReentrantCall()') names.add(mutator.name)
    }
    return [...names].join(' ')
  }
  const GUARDED = {
    escrow:
      'createSinglePayoutJob createSinglePayoutJobFeeWaived createSinglePayoutJobFromRecurringReserve createMilestoneJob claimJob claimJobFor ' +
      'handleClaimTimeout cancelOpenJob resolveSinglePayout resolveMilestone finalizeRejectedJob resolveDispute autoResolveOnTimeout',
    accounts:
      'deposit withdraw settleReservedTo allocateIdleFunds deallocateIdleFunds requestStrategyDeposit requestStrategyWithdraw ' +
      'settleStrategyRequest repay slashJobStake slashClaimFee',
  }

  test.each([
    ['escrow', 'after', ''],
    ['accounts', 'before', GUARDED.accounts],
  ] as const)('of the %s stands before the role and %s the pause', async (contract, _, whilePaused) => {
    await enter(contract)
    expect(await guarded(contract)).toBe(GUARDED[contract])
    await world.run(who.owner, 'policy', 'setPaused', true)
    expect(await guarded(contract)).toBe(whilePaused)
  })
})

test.each([
  ['DISPUTE_WINDOW', 604_800n],
  ['ARBITRATOR_SLA', 1_209_600n],
  ['MIN_OPEN_FOR_CANCEL', 3_600n],
  ['MAX_MILESTONES', 32n],
  ['MAX_PROTOCOL_FEE_BPS', 1_000],
  ['MAX_RETENTION_FLAT_RAW', 500_000n],
  ['MAX_RETENTION_CAP_BPS', 2_500],
  ['MAX_POSTER_FEE_FLOOR_RAW', 500_000n],
  ['retainsClaimFeeOnSuccess', false],
  ['supportsGasRetention', true],
])('the escrow publishes %s as %s', async (name, value) => {
  expect(await world.read('escrow', name)).toBe(value)
})
