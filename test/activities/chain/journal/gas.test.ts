import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex, maxUint256, zeroHash } from 'viem'
import { escrowCoreAbi } from '../../../../activities/chain/abi/escrow-core.ts'
import { type CallContext, createJobIntent, escrowIntent, GAS, resolveIntent } from '../../../../activities/chain/escrow-calls.ts'
import type { TransactionIntent } from '../../../../activities/chain/journal/rows.ts'
import { receiptOf } from '../../../../contracts/receipts.ts'
import { OPEN_DISPUTE_GAS } from '../../../../domain/common/constants.ts'
import { reasonCodeHash } from '../../../../domain/common/ids.ts'
import { verdictCodeBytes } from '../../../../domain/settlement/award.ts'
import { buildSeed, seedJobs } from '../../../../local/catalogue/seed-jobs.ts'
import { fund, hashOf, milestoneTerms } from '../../../contracts/support/jobs.ts'
import { startWorld, type World, who } from '../../../contracts/support/world.ts'
import { AUTHOR } from '../../../domain/builders/job.ts'

/** A step may use this share of what it is sent with; the rest is room for other nodes' prices. */
const SHARE = 0.75
const LONG_BADGE_ADDRESS = `https://work.example/badges/${'a'.repeat(120)}%3A0x70997970C51812dc3A010C7d01b50e0d17dc79C8%3A12`

let world: World
let context: CallContext
const used = new Map<string, bigint>()

beforeAll(async () => {
  world = await startWorld()
  context = { escrow: world.at.escrow, jobId: 'gas', sessionId: 'gas:session' }
  await fund(world, who.worker, 50_000_000n)
})

const send = async (from: Hex, intent: TransactionIntent): Promise<void> => {
  const hash = (await world.rpc('eth_sendTransaction', {
    from,
    to: intent.to,
    data: intent.data,
    gas: `0x${intent.gas.toString(16)}`,
    gasPrice: '0x0',
  })) as Hex
  const receipt = await receiptOf(world.client, hash)
  expect({ [intent.functionName]: receipt.status }).toEqual({ [intent.functionName]: 'success' })
  used.set(intent.functionName, receipt.gasUsed)
}

const create = (name: string, waiver: boolean) => {
  const seed = seedJobs().find((job) => job.onboardingWaiverEligible === waiver)
  if (!seed) throw new Error('no such seed')
  const { definition, specHash } = buildSeed(seed, { symbol: 'USDC', decimals: 6 }, AUTHOR)
  return createJobIntent(context, 'create', { chainJobId: hashOf(name), definition, specHash, asset: world.at.token })
}

/** Claimed by an account, and handed in. */
const claim = async (name: string, account: Hex = who.worker) =>
  send(who.operator, escrowIntent(context, `claim ${name}`, 'claimJobFor', [hashOf(name), account]))
const handIn = async (name: string): Promise<void> => {
  await claim(name)
  await send(who.operator, escrowIntent(context, `submit ${name}`, 'submitWorkFor', [hashOf(name), who.worker, hashOf('evidence')]))
}
const submit = async (name: string): Promise<void> => {
  await send(who.operator, create(name, false))
  await handIn(name)
}
const reject = async (name: string): Promise<void> => {
  await submit(name)
  const rejected = { chainJobId: hashOf(name), approved: false, reasonCode: 'BENCHMARK_THRESHOLD_MISSED', metadataURI: '' }
  await send(who.verifier, resolveIntent(context, `reject ${name}`, rejected))
}

const expectRoom = (...names: (keyof typeof GAS | 'openDispute')[]): void => {
  for (const name of names) {
    const share = Number(used.get(name) ?? 0n) / Number(name === 'openDispute' ? OPEN_DISPUTE_GAS : GAS[name])
    expect({ name, share: share > 0 && share <= SHARE }).toEqual({ name, share: true })
  }
}

describe('the fixed gas of a step leaves room', () => {
  test('for a paid claim that is approved, with the longest badge address', async () => {
    await submit('approved')
    const approved = { approved: true, reasonCode: 'BENCHMARK_THRESHOLD_MET', metadataURI: LONG_BADGE_ADDRESS }
    await send(who.verifier, resolveIntent(context, 'resolve', { chainJobId: hashOf('approved'), ...approved }))
    expectRoom('createSinglePayoutJob', 'claimJobFor', 'submitWorkFor', 'resolveSinglePayout')
  })

  test('for a waived job', async () => {
    await send(who.operator, create('waived', true))
    await send(who.operator, escrowIntent(context, 'waiver', 'setOnboardingWaiverEligible', [hashOf('waived'), true]))
    await claim('waived', who.stranger)
    expectRoom('createSinglePayoutJobFeeWaived', 'setOnboardingWaiverEligible')
  })

  test('for a claim that ran out and one that was rejected for good', async () => {
    await send(who.operator, create('lapsed', false))
    await claim('lapsed')
    await reject('rejected')
    await world.pass(604_801)
    await send(who.operator, escrowIntent(context, 'timeout', 'handleClaimTimeout', [hashOf('lapsed')]))
    await send(who.operator, escrowIntent(context, 'finalize', 'finalizeRejectedJob', [hashOf('rejected')]))
    expectRoom('handleClaimTimeout', 'finalizeRejectedJob')
  })

  test('for a job of milestones that is rejected', async () => {
    const [, ...terms] = milestoneTerms(world, [1n, 1n])
    await world.run(who.operator, 'escrow', 'createMilestoneJob', hashOf('milestones'), ...terms)
    await handIn('milestones')
    const verdict = [hashOf('milestones'), maxUint256, false, reasonCodeHash('JOB_NOT_LISTED'), '', zeroHash] as const
    await send(who.verifier, escrowIntent(context, 'milestone', 'resolveMilestone', verdict))
    expectRoom('resolveMilestone')
  })

  test('for a dispute that is opened for the worker, paid, upheld or timed out', async () => {
    for (const name of ['paid', 'upheld', 'overdue']) await reject(name)
    for (const name of ['paid', 'overdue'])
      await send(who.operator, escrowIntent(context, `open ${name}`, 'openDisputeFor', [hashOf(name), who.worker]))
    const data = encodeFunctionData({ abi: escrowCoreAbi, functionName: 'openDispute', args: [hashOf('upheld')] })
    await send(who.worker, { key: 'own', to: world.at.escrow, functionName: 'openDispute', data, gas: OPEN_DISPUTE_GAS })
    expectRoom('openDisputeFor', 'openDispute')
    for (const [name, payoutRaw, verdict] of [
      ['paid', 1n, 'split'],
      ['upheld', 0n, 'upheld'],
    ] as const) {
      const args = [hashOf(name), payoutRaw, verdictCodeBytes(verdict), LONG_BADGE_ADDRESS] as const
      await send(who.arbitrator, escrowIntent(context, `resolve ${verdict}`, 'resolveDispute', args))
      expectRoom('resolveDispute')
    }
    await world.pass(1_209_600)
    await send(who.operator, escrowIntent(context, 'timeout', 'autoResolveOnTimeout', [hashOf('overdue')]))
    expectRoom('autoResolveOnTimeout')
  })
})
