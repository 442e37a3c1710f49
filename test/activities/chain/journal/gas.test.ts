import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex } from 'viem'
import { escrowCoreAbi } from '../../../../activities/chain/abi/escrow-core.ts'
import { type CallContext, createJobIntent, escrowIntent, GAS, resolveIntent } from '../../../../activities/chain/escrow-calls.ts'
import type { TransactionIntent } from '../../../../activities/chain/journal/rows.ts'
import { OPEN_DISPUTE_GAS } from '../../../../domain/common/constants.ts'
import { verdictCodeBytes } from '../../../../domain/settlement/award.ts'
import { buildSeed, seedJobs } from '../../../../local/catalogue/seed-jobs.ts'
import { receiptOf } from '../../../../local/chain/receipts.ts'
import { fund, hashOf } from '../../../contracts/support/jobs.ts'
import { startWorld, type World, who } from '../../../contracts/support/world.ts'

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
  const { definition, specHash } = buildSeed(seed, { symbol: 'USDC', decimals: 6 })
  return createJobIntent(context, 'create', { chainJobId: hashOf(name), definition, specHash, asset: world.at.token })
}

const withinShare = (name: string, limit: bigint): void => {
  const share = Number(used.get(name) ?? 0n) / Number(limit)
  expect({ name, share: share > 0 && share <= SHARE }).toEqual({ name, share: true })
}

describe('the fixed gas of a step leaves room', () => {
  test('for a paid claim that is approved, with the longest badge address', async () => {
    const job = hashOf('approved')
    await send(who.operator, create('approved', false))
    await send(who.operator, escrowIntent(context, 'claim', 'claimJobFor', [job, who.worker]))
    await send(who.operator, escrowIntent(context, 'submit', 'submitWorkFor', [job, who.worker, hashOf('evidence')]))
    await send(
      who.verifier,
      resolveIntent(context, 'resolve', {
        chainJobId: job,
        approved: true,
        reasonCode: 'BENCHMARK_THRESHOLD_MET',
        metadataURI: LONG_BADGE_ADDRESS,
      }),
    )
    withinShare('createSinglePayoutJob', GAS.createSinglePayoutJob)
    withinShare('claimJobFor', GAS.claimJobFor)
    withinShare('submitWorkFor', GAS.submitWorkFor)
    withinShare('resolveSinglePayout', GAS.resolveSinglePayout)
  })

  test('for a waived job', async () => {
    const job = hashOf('waived')
    await send(who.operator, create('waived', true))
    await send(who.operator, escrowIntent(context, 'waiver', 'setOnboardingWaiverEligible', [job, true]))
    await send(who.operator, escrowIntent(context, 'claim', 'claimJobFor', [job, who.stranger]))
    withinShare('createSinglePayoutJobFeeWaived', GAS.createSinglePayoutJobFeeWaived)
    withinShare('setOnboardingWaiverEligible', GAS.setOnboardingWaiverEligible)
  })

  test('for a claim that ran out and one that was rejected for good', async () => {
    const [lapsed, rejected] = [hashOf('lapsed'), hashOf('rejected')]
    for (const [name, job] of [
      ['lapsed', lapsed],
      ['rejected', rejected],
    ] as const) {
      await send(who.operator, create(name, false))
      await send(who.operator, escrowIntent(context, `claim ${name}`, 'claimJobFor', [job, who.worker]))
    }
    await send(who.operator, escrowIntent(context, 'submit', 'submitWorkFor', [rejected, who.worker, hashOf('bad')]))
    await send(
      who.verifier,
      resolveIntent(context, 'reject', {
        chainJobId: rejected,
        approved: false,
        reasonCode: 'BENCHMARK_THRESHOLD_MISSED',
        metadataURI: '',
      }),
    )
    await world.pass(604_801)
    await send(who.operator, escrowIntent(context, 'timeout', 'handleClaimTimeout', [lapsed]))
    await send(who.operator, escrowIntent(context, 'finalize', 'finalizeRejectedJob', [rejected]))
    withinShare('handleClaimTimeout', GAS.handleClaimTimeout)
    withinShare('finalizeRejectedJob', GAS.finalizeRejectedJob)
  })

  test('for a dispute that is opened for the worker, paid, upheld or timed out', async () => {
    const jobs = ['paid', 'upheld', 'overdue'].map((name) => ({ name, job: hashOf(name) }))
    for (const { name, job } of jobs) {
      await send(who.operator, create(name, false))
      await send(who.operator, escrowIntent(context, `claim ${name}`, 'claimJobFor', [job, who.worker]))
      await send(who.operator, escrowIntent(context, `submit ${name}`, 'submitWorkFor', [job, who.worker, hashOf('bad')]))
      const rejected = { chainJobId: job, approved: false, reasonCode: 'BENCHMARK_THRESHOLD_MISSED', metadataURI: '' }
      await send(who.verifier, resolveIntent(context, `reject ${name}`, rejected))
      if (name === 'upheld') {
        const data = encodeFunctionData({ abi: escrowCoreAbi, functionName: 'openDispute', args: [job] })
        await send(who.worker, { key: 'own', to: world.at.escrow, functionName: 'openDispute', data, gas: OPEN_DISPUTE_GAS })
      } else await send(who.operator, escrowIntent(context, `open ${name}`, 'openDisputeFor', [job, who.worker]))
    }
    withinShare('openDisputeFor', GAS.openDisputeFor)
    withinShare('openDispute', OPEN_DISPUTE_GAS)
    const resolve = (job: Hex, payoutRaw: bigint, verdict: 'split' | 'upheld') => {
      const args = [job, payoutRaw, verdictCodeBytes(verdict), LONG_BADGE_ADDRESS] as const
      return send(who.arbitrator, escrowIntent(context, `resolve ${verdict}`, 'resolveDispute', args))
    }
    await resolve(hashOf('paid'), 1n, 'split')
    withinShare('resolveDispute', GAS.resolveDispute)
    await resolve(hashOf('upheld'), 0n, 'upheld')
    withinShare('resolveDispute', GAS.resolveDispute)
    await world.pass(1_209_600)
    await send(who.operator, escrowIntent(context, 'timeout', 'autoResolveOnTimeout', [hashOf('overdue')]))
    withinShare('autoResolveOnTimeout', GAS.autoResolveOnTimeout)
  })
})
