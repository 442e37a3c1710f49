// Every state-changing function of the protocol: who may call it, what must be true before, with what arguments.
import { type Address, type Hex, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  approvePart,
  create,
  DAY,
  dispute,
  hashOf,
  JOB,
  milestoneTerms,
  milestoneVerdict,
  NO_SCHEMA,
  recurring,
  reject,
  reserveTemplate,
  shortText,
  submit,
  TEMPLATE,
  TTL,
  terms,
  verdict,
} from './jobs.ts'
import { SEND_TYPES } from './signing.ts'
import { depositParams, REQUEST, requestId, type Strategies, SYNC_ID, withdrawParams } from './strategies.ts'
import { type ContractKey, WORKER_KEY, type World, who } from './world.ts'

/** Accounts that try a call; contracts act through impersonation. */
export type Role = keyof typeof who | 'settler' | 'transferBroker' | 'escrow' | 'accounts'

export const EXTRA: Readonly<Record<'settler' | 'transferBroker', Address>> = {
  settler: '0x1000000000000000000000000000000000000007',
  transferBroker: '0x1000000000000000000000000000000000000008',
}

export interface Mutator {
  readonly contract: ContractKey
  readonly name: string
  /** Tells overloads apart. */
  readonly inputs?: number
  readonly allowed: readonly Role[] | 'anyone'
  readonly prepare?: (world: World) => Promise<unknown>
  readonly args: (world: World) => readonly unknown[] | Promise<readonly unknown[]>
  /** Refusal of every other caller; `Unauthorized()` unless stated. */
  readonly otherwise?: string
  /** The pause stops it. */
  readonly pausable: boolean
  /** The role is tested before the pause. */
  readonly roleFirst?: true
}

const NEWCOMER: Address = '0x1000000000000000000000000000000000000009'
const OWNER = ['owner'] as const
/** Both hold the broker role: the escrow needs it to reserve for a poster. */
const BROKERS = ['operator', 'escrow'] as const
const SETTLERS = ['settler', 'accounts', 'operator'] as const

const policySetter = (name: string, ...args: readonly unknown[]): Mutator => ({
  contract: 'policy',
  name,
  allowed: OWNER,
  args: () => args,
  pausable: false,
})

export const policyMutators: readonly Mutator[] = [
  policySetter('transferOwnership', who.stranger),
  policySetter('setPauser', who.stranger),
  { ...policySetter('setPaused', false), allowed: ['owner', 'pauser'] },
  ...['ApprovedAsset', 'ApprovedStrategy', 'SettlementBroker', 'AgentTransferBroker', 'StrategySettler'].map((role) =>
    policySetter(`set${role}`, who.stranger, true),
  ),
  ...['ReputationWriter', 'OutflowRecorder', 'TrustedSchemaIssuer', 'Verifier', 'Arbitrator'].map((role) =>
    policySetter(`set${role}`, who.stranger, true),
  ),
  ...['DailyOutflowCap', 'PerAccountBorrowCap', 'OnboardingWaiverClaimCount'].map((name) => policySetter(`set${name}`, 5n)),
  policySetter('setMinimumCollateralRatioBps', 10_000n),
  ...['DefaultClaimStakeBps', 'ClaimFeeBps', 'ClaimFeeVerifierBps'].map((name) => policySetter(`set${name}`, 10_000)),
  policySetter('setMinClaimFee', who.stranger, 5n),
  ...['RejectionSkill', 'RejectionReliability', 'DisputeLossSkill', 'DisputeLossReliability'].map((name) =>
    policySetter(`set${name}Penalty`, 5n),
  ),
  { ...policySetter('recordOutflow', who.worker, 5n), allowed: ['accounts'] },
  { ...policySetter('recordProtocolOutflow', who.worker, 5n), allowed: ['accounts'] },
]

export const badgeMutators: readonly Mutator[] = [
  { contract: 'reputation', name: 'mintBadge', allowed: ['escrow'], args: () => [who.worker, zeroHash, 1n, ''], pausable: false },
  { contract: 'reputation', name: 'updateReputation', allowed: ['escrow'], args: () => [who.worker, 1n, 1n, 1n], pausable: false },
  { contract: 'reputation', name: 'slashReputation', allowed: ['escrow'], args: () => [who.worker, 1n, 1n, 1n, zeroHash], pausable: false },
]

export const registryMutators = (strategies: () => Strategies): readonly Mutator[] => [
  { contract: 'registry', name: 'registerStrategy', allowed: OWNER, args: () => [strategies().sync], pausable: false },
  { contract: 'registry', name: 'setStrategyActive', allowed: OWNER, args: () => [SYNC_ID, false], pausable: false },
]

const account = (name: string, allowed: Mutator['allowed'], args: Mutator['args'], more: Partial<Mutator> = {}): Mutator => ({
  contract: 'accounts',
  name,
  allowed,
  args,
  pausable: true,
  ...more,
})

/** A transfer that the worker signed. */
async function signedTransfer(world: World): Promise<readonly unknown[]> {
  const message = { from: who.worker, recipient: who.poster, asset: world.at.token, amount: 5n, nonce: 1n, deadline: 9_999_999_999n }
  const domain = { name: 'Service AgentAccountCore', version: '1', chainId: 31_337, verifyingContract: world.at.accounts }
  const signature = await privateKeyToAccount(WORKER_KEY).signTypedData({ domain, types: SEND_TYPES, primaryType: 'SendToAgent', message })
  return [...Object.values(message), signature]
}

const queued = async (world: World): Promise<void> => {
  await world.run(who.worker, 'accounts', 'requestStrategyDeposit', who.worker, depositParams(1_000n))
}

const settled = async (world: World): Promise<void> => {
  await queued(world)
  await world.run(
    EXTRA.settler,
    'accounts',
    'settleStrategyRequest',
    depositId(world),
    REQUEST.succeeded,
    1_000n,
    1_000n,
    zeroHash,
    zeroHash,
  )
}

export const depositId = (world: World): Hex => requestId(0, who.worker, world.at.token, who.worker, 1_000n, 0n)

const stakeOf = (world: World): readonly unknown[] => [who.worker, world.at.token, 5n]
const lockStake = (world: World) => world.run(world.at.escrow, 'accounts', 'lockJobStake', ...stakeOf(world))
const ofPoster = (world: World): readonly unknown[] => [who.poster, world.at.token, 5n]
const reserve = (world: World) => world.run(who.poster, 'accounts', 'reserveForJob', ...ofPoster(world))
const templateArgs = (world: World): readonly unknown[] => [who.poster, world.at.token, TEMPLATE, 5n]
const reserveTemplateUnits = (world: World) => reserveTemplate(world, 5n)
const own = (world: World): readonly unknown[] => [world.at.token, 5n]
/** The caller of an own-account call must have something; the other roles answer with an empty position. */
const posterOnly = { otherwise: 'InsufficientLiquidity()' }

export const accountMutators: readonly Mutator[] = [
  account('setEscrowOperator', OWNER, () => [who.stranger, true], { pausable: false }),
  account('setTreasuryAccount', OWNER, () => [who.stranger], { pausable: false }),
  account('deposit', ['poster'], own, {
    prepare: async (world) => {
      await world.run(who.owner, 'token', 'mint', who.poster, 5n)
      await world.run(who.poster, 'token', 'approve', world.at.accounts, 5n)
    },
    otherwise: 'TransferFailed()',
  }),
  account('withdraw', ['poster', 'worker', 'operator'], own, posterOnly),
  account('reserveForJob', ['poster', ...BROKERS], ofPoster),
  account('reserveForRecurringTemplate', ['poster', ...BROKERS], templateArgs),
  account('consumeRecurringTemplateReserve', ['escrow'], templateArgs, { prepare: reserveTemplateUnits }),
  account('cancelRecurringTemplateReserve', ['poster', ...BROKERS], templateArgs, { prepare: reserveTemplateUnits }),
  account('refundReserved', ['escrow'], ofPoster, { prepare: reserve }),
  account('settleReservedTo', ['escrow'], (world) => [hashOf('id'), who.poster, world.at.token, who.worker, 5n], { prepare: reserve }),
  account('allocateIdleFunds', ['poster', ...BROKERS], () => [who.poster, SYNC_ID, 5n]),
  account('deallocateIdleFunds', ['poster', ...BROKERS], () => [who.poster, SYNC_ID, 5n], {
    prepare: (world) => world.run(who.poster, 'accounts', 'allocateIdleFunds', who.poster, SYNC_ID, 5n),
  }),
  account('requestStrategyDeposit', ['worker', ...SETTLERS], () => [who.worker, depositParams(1_000n)]),
  account('requestStrategyWithdraw', ['worker', ...SETTLERS], () => [who.worker, withdrawParams(1_000n, who.worker)], { prepare: settled }),
  account('settleStrategyRequest', SETTLERS, (world) => [depositId(world), REQUEST.succeeded, 1_000n, 1_000n, zeroHash, zeroHash], {
    prepare: queued,
    roleFirst: true,
  }),
  account('lockCollateral', ['poster', 'worker', 'operator'], own, posterOnly),
  account('unlockCollateral', ['poster'], own, {
    prepare: (world) => world.run(who.poster, 'accounts', 'lockCollateral', ...own(world)),
    otherwise: '"INSUFFICIENT_COLLATERAL"',
  }),
  account('borrow', ['poster'], own, {
    prepare: (world) => world.run(who.poster, 'accounts', 'lockCollateral', world.at.token, 10n),
    otherwise: 'InsolventAccount()',
  }),
  account('repay', ['poster'], own, {
    prepare: async (world) => {
      await world.run(who.poster, 'accounts', 'lockCollateral', world.at.token, 10n)
      await world.run(who.poster, 'accounts', 'borrow', ...own(world))
      await world.run(who.owner, 'token', 'mint', who.poster, 5n)
      await world.run(who.poster, 'token', 'approve', world.at.accounts, 5n)
    },
    otherwise: '"OVERPAY"',
  }),
  account('lockJobStake', ['escrow'], stakeOf, { roleFirst: true }),
  account('releaseJobStake', ['escrow'], stakeOf, { prepare: lockStake, roleFirst: true }),
  account('slashJobStake', ['escrow'], (world) => [...stakeOf(world), who.poster], { prepare: lockStake, roleFirst: true }),
  account('slashClaimFee', ['escrow'], (world) => [...stakeOf(world), who.verifier], { prepare: lockStake, roleFirst: true }),
  account('sendToAgent', ['poster', 'worker', 'operator'], (world) => [NEWCOMER, world.at.token, 5n], posterOnly),
  account('sendToAgentFor', ['transferBroker'], signedTransfer),
]

const job = (name: string, allowed: Mutator['allowed'], args: Mutator['args'], more: Partial<Mutator> = {}): Mutator => ({
  contract: 'escrow',
  name,
  allowed,
  args,
  pausable: true,
  ...more,
})

/** So that the escrow, which holds the broker role, could pay a job of its own. */
const fundEscrow = (world: World) => world.run(who.poster, 'accounts', 'sendToAgent', world.at.escrow, world.at.token, 5_000_000n)

const claimed = async (world: World): Promise<void> => {
  await create(world)
  await world.run(who.worker, 'escrow', 'claimJob', JOB)
}

const submitted = async (world: World): Promise<void> => {
  await create(world)
  await submit(world)
}

const after = (prepare: (world: World) => Promise<unknown>, seconds: number) => async (world: World) => {
  await prepare(world)
  await world.pass(seconds)
}

const rejected = async (world: World): Promise<void> => {
  await submitted(world)
  await reject(world)
}

const disputed = async (world: World): Promise<void> => {
  await submitted(world)
  await dispute(world)
}

const secondPart = async (world: World): Promise<void> => {
  await world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, [5n, 5n]))
  await submit(world)
  await approvePart(world, 0)
  await world.run(who.worker, 'escrow', 'submitWork', JOB, zeroHash)
}

export const escrowMutators: readonly Mutator[] = [
  job('setFeeSchedule', OWNER, () => [1n, 1, 1, 1n], { pausable: false }),
  job('setTreasuryAccount', OWNER, () => [who.stranger], { pausable: false }),
  job('setOnboardingWaiverEligible', BROKERS, () => [JOB, true], { prepare: create }),
  job('createSinglePayoutJob', ['poster', 'worker', 'operator'], terms, { inputs: 9, ...posterOnly }),
  job('createSinglePayoutJob', ['poster', 'worker', 'operator'], (world) => [...terms(world), NO_SCHEMA], { inputs: 10, ...posterOnly }),
  job('createSinglePayoutJobFeeWaived', BROKERS, terms, { inputs: 9, prepare: fundEscrow }),
  job('createSinglePayoutJobFeeWaived', BROKERS, (world) => [...terms(world), NO_SCHEMA], { inputs: 10, prepare: fundEscrow }),
  job('createSinglePayoutJobFromRecurringReserve', BROKERS, (world) => [recurring(world, { protocolFeeWaived: true }, { reward: 5n })], {
    prepare: reserveTemplateUnits,
  }),
  job('createMilestoneJob', ['poster', 'worker', 'operator'], (world) => milestoneTerms(world, [5n, 5n]), posterOnly),
  job('claimJob', ['poster', 'worker', 'operator'], () => [JOB], { prepare: create, ...posterOnly }),
  job('claimJobFor', BROKERS, () => [JOB, who.worker], { prepare: create }),
  job('submitWork', ['worker'], () => [JOB, zeroHash], { prepare: claimed }),
  job('submitWorkFor', BROKERS, () => [JOB, who.worker, zeroHash], { prepare: claimed }),
  job('disclose', 'anyone', () => [JOB]),
  job('discloseFor', ['verifier', 'owner'], () => [JOB, who.worker]),
  job('autoDisclose', ['verifier', 'owner'], () => [JOB]),
  job('handleClaimTimeout', 'anyone', () => [JOB], { prepare: after(claimed, TTL + 1) }),
  job('cancelOpenJob', ['poster'], () => [JOB], { prepare: after(create, 3_600) }),
  job('resolveSinglePayout', ['verifier'], () => verdict(true), { prepare: submitted }),
  job('resolveMilestone', ['verifier'], () => milestoneVerdict(1, true), { prepare: secondPart }),
  job('openDispute', ['poster', 'worker'], () => [JOB], { prepare: rejected }),
  job('openDisputeFor', BROKERS, () => [JOB, who.worker], { prepare: rejected }),
  job('finalizeRejectedJob', 'anyone', () => [JOB], { prepare: after(rejected, 7 * DAY + 1) }),
  job('resolveDispute', ['arbitrator'], () => [JOB, 5n, shortText('DISPUTE_PARTIAL'), ''], { prepare: disputed }),
  job('autoResolveOnTimeout', 'anyone', () => [JOB], { prepare: after(disputed, 14 * DAY) }),
]
