import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, toHex, zeroAddress, zeroHash } from 'viem'
import {
  approvePart,
  create,
  dispute,
  fund,
  JOB,
  milestoneTerms,
  milestoneVerdict,
  namesOf,
  reject,
  shortText,
  submit,
  TTL,
  verdict,
} from './support/jobs.ts'
import { accountMutators, EXTRA, escrowMutators } from './support/mutators.ts'
import { revertAfterEach } from './support/shared-chain.ts'
import { addStrategies } from './support/strategies.ts'
import { startWorld, type World, who } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await fund(world, who.poster, 100_000_000n)
  await fund(world, who.worker, 10_000_000n)
  await world.run(who.owner, 'policy', 'setAgentTransferBroker', EXTRA.transferBroker, true)
  await addStrategies(world, EXTRA.settler)
})
revertAfterEach(() => world)

const escrow = (from: Hex, name: string, ...args: readonly unknown[]) => world.refusal(from, 'escrow', name, ...args)
const accounts = (from: Hex, name: string, ...args: readonly unknown[]) => world.refusal(from, 'accounts', name, ...args)
const split = (payout: bigint) => [JOB, payout, shortText('DISPUTE_PARTIAL'), ''] as const

describe('the reentrancy lock', () => {
  /** Pretends that a call is running: the flag is the first byte of storage in both contracts. */
  const enter = async (contract: 'escrow' | 'accounts'): Promise<void> => {
    const address = world.at[contract]
    const word = BigInt((await world.rpc('eth_getStorageAt', address, '0x0', 'latest')) as Hex)
    await world.rpc('anvil_setStorageAt', address, '0x0', toHex(word | 1n, { size: 32 }))
  }
  const guarded = async (contract: 'escrow' | 'accounts'): Promise<string[]> => {
    const names: string[] = []
    for (const mutator of contract === 'escrow' ? escrowMutators : accountMutators) {
      const reason = await world.refusal(who.treasury, contract, mutator.name, ...(await mutator.args(world)))
      if (reason === 'ReentrantCall()') names.push(mutator.name)
    }
    return [...new Set(names)]
  }
  const ESCROW = [
    'createSinglePayoutJob',
    'createSinglePayoutJobFeeWaived',
    'createSinglePayoutJobFromRecurringReserve',
    'createMilestoneJob',
    'claimJob',
    'claimJobFor',
    'handleClaimTimeout',
    'cancelOpenJob',
    'resolveSinglePayout',
    'resolveMilestone',
    'finalizeRejectedJob',
    'resolveDispute',
    'autoResolveOnTimeout',
  ]
  const ACCOUNTS = [
    'deposit',
    'withdraw',
    'settleReservedTo',
    'allocateIdleFunds',
    'deallocateIdleFunds',
    'requestStrategyDeposit',
    'requestStrategyWithdraw',
    'settleStrategyRequest',
    'repay',
    'slashJobStake',
    'slashClaimFee',
  ]

  test('of the escrow stands before the role and after the pause', async () => {
    await enter('escrow')
    expect(await guarded('escrow')).toEqual(ESCROW)
    await world.run(who.owner, 'policy', 'setPaused', true)
    expect(await guarded('escrow')).toEqual([])
  })

  test('of the accounts stands before the role and before the pause', async () => {
    await enter('accounts')
    expect(await guarded('accounts')).toEqual(ACCOUNTS)
    await world.run(who.owner, 'policy', 'setPaused', true)
    expect(await guarded('accounts')).toEqual(ACCOUNTS)
  })
})

describe('the escrow asks in this order', () => {
  test('claim: worker, known job, open job, funds', async () => {
    expect(await escrow(who.operator, 'claimJobFor', JOB, zeroAddress)).toBe('Unauthorized()')
    expect(await escrow(who.operator, 'claimJobFor', JOB, who.stranger)).toBe('UnknownJob()')
    await create(world)
    expect(await escrow(who.operator, 'claimJobFor', JOB, who.stranger)).toBe('InsufficientLiquidity()')
    await submit(world)
    expect(await escrow(who.operator, 'claimJobFor', JOB, who.stranger)).toBe('InvalidState()')
  })

  test('submit: state, worker, time', async () => {
    expect(await escrow(who.worker, 'submitWork', JOB, zeroHash)).toBe('InvalidState()')
    await create(world)
    await world.run(who.worker, 'escrow', 'claimJob', JOB)
    await world.pass(TTL + 1)
    expect(await escrow(who.stranger, 'submitWork', JOB, zeroHash)).toBe('Unauthorized()')
    expect(await escrow(who.worker, 'submitWork', JOB, zeroHash)).toBe('InvalidState()')
  })

  test('claim time-out: state, time', async () => {
    expect(await escrow(who.stranger, 'handleClaimTimeout', JOB)).toBe('InvalidState()')
    await create(world)
    await world.run(who.worker, 'escrow', 'claimJob', JOB)
    expect(await escrow(who.stranger, 'handleClaimTimeout', JOB)).toBe('"NOT_EXPIRED"')
  })

  test('cancel: known job, open job, poster, time', async () => {
    expect(await escrow(who.stranger, 'cancelOpenJob', JOB)).toBe('UnknownJob()')
    await create(world)
    expect(await escrow(who.stranger, 'cancelOpenJob', JOB)).toBe('Unauthorized()')
    expect(await escrow(who.poster, 'cancelOpenJob', JOB)).toBe('"OPEN_FLOOR_ACTIVE"')
    await submit(world)
    expect(await escrow(who.stranger, 'cancelOpenJob', JOB)).toBe('InvalidState()')
  })

  test('verdict: verifier, state and mode together', async () => {
    expect(await escrow(who.stranger, 'resolveSinglePayout', ...verdict(true))).toBe('Unauthorized()')
    expect(await escrow(who.verifier, 'resolveSinglePayout', ...verdict(true))).toBe('InvalidState()')
    await create(world)
    await submit(world)
    expect(await escrow(who.verifier, 'resolveMilestone', ...milestoneVerdict(0, true))).toBe('InvalidState()')
  })

  test('milestone verdict: mode, released mark, index', async () => {
    await world.run(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, [5n, 5n]))
    await submit(world)
    expect(await escrow(who.verifier, 'resolveSinglePayout', ...verdict(true))).toBe('InvalidState()')
    await approvePart(world, 0)
    await world.run(who.worker, 'escrow', 'submitWork', JOB, zeroHash)
    expect(await escrow(who.verifier, 'resolveMilestone', ...milestoneVerdict(0, true))).toBe('InvalidState()')
    expect(await escrow(who.verifier, 'resolveMilestone', ...milestoneVerdict(0, false))).toBe('InvalidState()')
    expect(await escrow(who.verifier, 'resolveMilestone', ...milestoneVerdict(2, true))).toBe('Panic(0x32)')
  })

  test('dispute: participant, state', async () => {
    await create(world)
    await submit(world)
    expect(await escrow(who.operator, 'openDispute', JOB)).toBe('Unauthorized()')
    expect(await escrow(who.operator, 'openDisputeFor', JOB, who.stranger)).toBe('Unauthorized()')
    expect(await escrow(who.worker, 'openDispute', JOB)).toBe('InvalidState()')
    expect(await escrow(who.operator, 'openDisputeFor', JOB, who.poster)).toBe('InvalidState()')
  })

  test('decision: arbitrator, state, amount', async () => {
    expect(await escrow(who.stranger, 'resolveDispute', ...split(2_000_000n))).toBe('Unauthorized()')
    expect(await escrow(who.arbitrator, 'resolveDispute', ...split(2_000_000n))).toBe('InvalidState()')
    await create(world)
    await submit(world)
    await dispute(world)
    expect(await escrow(who.arbitrator, 'resolveDispute', ...split(2_000_000n))).toBe('"EXCESS_PAYOUT"')
    expect(await escrow(who.stranger, 'autoResolveOnTimeout', JOB)).toBe('"ARBITRATOR_SLA_ACTIVE"')
    expect(await escrow(who.stranger, 'finalizeRejectedJob', JOB)).toBe('InvalidState()')
  })

  test('finalise and arbiter time-out: state, time', async () => {
    expect(await escrow(who.stranger, 'finalizeRejectedJob', JOB)).toBe('InvalidState()')
    expect(await escrow(who.stranger, 'autoResolveOnTimeout', JOB)).toBe('InvalidState()')
    await create(world)
    await submit(world)
    await reject(world)
    expect(await escrow(who.stranger, 'finalizeRejectedJob', JOB)).toBe('"DISPUTE_WINDOW_ACTIVE"')
  })

  test('waiver eligibility: known job, and it repeats without complaint', async () => {
    expect(await escrow(who.operator, 'setOnboardingWaiverEligible', JOB, true)).toBe('UnknownJob()')
    await create(world)
    for (const _ of [1, 2]) {
      expect(namesOf(await world.run(who.operator, 'escrow', 'setOnboardingWaiverEligible', JOB, true))).toEqual([
        'OnboardingWaiverEligibilityUpdated',
      ])
    }
  })

  test('disclosures may repeat, automatic ones may not', async () => {
    await world.run(who.worker, 'escrow', 'disclose', JOB)
    const [again] = await world.run(who.worker, 'escrow', 'disclose', JOB)
    expect(again).toEqual({ name: 'Disclosed', args: { hash: JOB, byWallet: who.worker, timestamp: BigInt(await world.now()) } })
    await world.run(who.verifier, 'escrow', 'autoDisclose', JOB)
    expect(await escrow(who.owner, 'autoDisclose', JOB)).toBe('AlreadyAutoDisclosed()')
    expect(await escrow(who.owner, 'setTreasuryAccount', zeroAddress)).toBe('InvalidTreasuryAccount()')
  })
})

describe('the accounts ask in this order', () => {
  test('settlement: id, recipient, amount, repetition, reserve', async () => {
    const settle = (id: Hex, recipient: Hex, amount: bigint) =>
      accounts(world.at.escrow, 'settleReservedTo', id, who.poster, world.at.token, recipient, amount)
    expect(await settle(zeroHash, zeroAddress, 0n)).toBe('InvalidSettlement()')
    expect(await settle(JOB, zeroAddress, 0n)).toBe('InvalidRecipient()')
    expect(await settle(JOB, who.worker, 0n)).toBe('ZeroAmount()')
    expect(await settle(JOB, who.worker, 5n)).toBe('InsufficientReserved()')
    await world.run(who.poster, 'accounts', 'reserveForJob', who.poster, world.at.token, 5n)
    await world.run(world.at.escrow, 'accounts', 'settleReservedTo', JOB, who.poster, world.at.token, who.worker, 5n)
    expect(await settle(JOB, who.worker, 5n)).toBe('SettlementAlreadyExecuted()')
  })

  test('a foreign token comes after the role', async () => {
    expect(await accounts(who.poster, 'reserveForJob', who.worker, who.stranger, 5n)).toBe('Unauthorized()')
    expect(await accounts(who.poster, 'reserveForJob', who.poster, who.stranger, 5n)).toBe('UnsupportedAsset()')
    expect(await accounts(who.poster, 'withdraw', who.stranger, 5n)).toBe('UnsupportedAsset()')
  })

  test('a bond that is not there cannot be released or slashed, and zero is nothing', async () => {
    const stake = (name: string, amount: bigint, ...more: readonly Hex[]) =>
      world.attempt(world.at.escrow, 'accounts', name, who.worker, world.at.token, amount, ...more)
    for (const [name, ...more] of [['releaseJobStake'], ['slashJobStake', who.poster], ['slashClaimFee', who.verifier]] as const) {
      expect((await stake(name, 1n, ...more)).error).toBe('"INSUFFICIENT_STAKE"')
      expect(await stake(name, 0n, ...more)).toEqual({ events: [] })
    }
    expect(await stake('lockJobStake', 0n)).toEqual({ events: [] })
  })

  test('zero is refused by deposits in words, by withdrawals only without funds', async () => {
    expect(await accounts(who.worker, 'deposit', world.at.token, 0n)).toBe('"ZERO_AMOUNT"')
    expect(await accounts(who.stranger, 'withdraw', world.at.token, 0n)).toBe('InsufficientLiquidity()')
    expect(await accounts(who.worker, 'withdraw', world.at.token, 0n)).toBe('it passed')
  })

  test('owner settings refuse the zero escrow, but not the zero treasury', async () => {
    expect(await accounts(who.owner, 'setEscrowOperator', zeroAddress, true)).toBe('InvalidRecipient()')
    expect(await accounts(who.owner, 'setTreasuryAccount', zeroAddress)).toBe('it passed')
  })

  test('a transfer needs another recipient, then an amount, then funds', async () => {
    const send = (recipient: Hex, amount: bigint) => accounts(who.stranger, 'sendToAgent', recipient, world.at.token, amount)
    expect(await send(zeroAddress, 0n)).toBe('InvalidRecipient()')
    expect(await send(who.stranger, 0n)).toBe('InvalidRecipient()')
    expect(await send(who.worker, 0n)).toBe('ZeroAmount()')
    expect(await send(who.worker, 1n)).toBe('InsufficientLiquidity()')
  })
})
