import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { createSelfPaid } from '../../../api/claims/self-paid.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { checkPinnedSubmission } from '../../../domain/claims/pinned-submission.ts'
import { claimJob, submitWork } from '../../../schemas/claims/operations.ts'
import { isServiceError, type ServiceError } from '../../../schemas/errors.ts'
import { type FollowerWorld, startFollowerWorld } from '../../activities/support/follower-world.ts'
import { openSelfPaid } from '../../activities/support/self-paid.ts'
import { BAD, GOOD, HOUR } from '../../activities/support/settlements.ts'
import { NATIVE_CHAIN } from '../../domain/identity/native/accounts.ts'
import { inputOf } from '../support/account-world.ts'

let world: FollowerWorld
const self = openSelfPaid(() => world)
beforeAll(async () => {
  world = await startFollowerWorld('self-paid-api')
})
afterAll(() => world.stop())

const routes = ({ isNative = false } = {}) => {
  const chain = isNative ? { ...world.chain, native: NATIVE_CHAIN } : world.chain
  const deps = { ...world, chain, evaluations: createEvaluations(world), isNativeAccount: async () => isNative }
  return createSelfPaid(deps as unknown as ApiDeps)
}
const find = (wallet: Hex, jobId: Hex, options?: Parameters<typeof routes>[0]) =>
  routes(options).findClaim(inputOf(claimJob, { wallet, body: { jobId } }))
const errorOf = async (work: Promise<unknown>): Promise<ServiceError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!isServiceError(error)) throw error ?? new Error('it was not refused')
  return error
}

interface Asked {
  transactions: { to: Hex; data: Hex; function: string; gasEstimate: { status: string }; revive?: { call: string } }[]
}
const askedOf = ({ info }: ServiceError): Asked['transactions'] => (info.details as unknown as Asked).transactions
const send = async (wallet: Hex, refusal: ServiceError): Promise<void> => {
  for (const { to, data } of askedOf(refusal)) {
    const { error } = await world.world.attemptAt(wallet, to, data)
    if (error !== undefined) throw new Error(error)
  }
}

describe('a claim that the service hands out', () => {
  test('is a transaction that succeeds, and is noted once however often it is asked for', async () => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    const refusal = await errorOf(find(wallet, jobId))
    expect(refusal.code).toBe('external_self_paid_claim_required')
    expect(askedOf(refusal).map(({ function: name }) => name)).toEqual(['claimJob(bytes32)'])
    await errorOf(find(wallet, jobId))
    const offers = await world.rows.selectFrom('claim_offer').selectAll().where('jobId', '=', jobId).execute()
    expect(offers).toMatchObject([{ wallet, protocol: 'http', grantId: null }])
    await send(wallet, refusal)
    expect((await find(wallet, jobId)).assessment.facts.job.id).toBe(jobId)
  })

  test('first times out a claim of another wallet that has run out', async () => {
    const { jobId } = await self.posted()
    await self.claimOnChain(await self.worker(), jobId)
    const wallet = await self.worker()
    expect((await errorOf(find(wallet, jobId))).code).toBe('job_already_claimed')
    await world.pass(HOUR + 10)
    const refusal = await errorOf(find(wallet, jobId))
    expect(askedOf(refusal).map(({ function: name, gasEstimate }) => [name, gasEstimate.status])).toEqual([
      ['handleClaimTimeout(bytes32)', 'estimated'],
      ['claimJob(bytes32)', 'requires_prerequisite'],
    ])
    expect(refusal.info.nextActions?.map(({ kind }) => kind)).toEqual(['transaction', 'transaction', 'http'])
    await send(wallet, refusal)
    await self.adopt(jobId, wallet)
  })

  test('is not handed out while the block still counts a claim that is over by the service clock', async () => {
    const { jobId } = await self.posted()
    await self.claimOnChain(await self.worker(), jobId)
    const wallet = await self.worker()
    world.clock.move((HOUR + 10) * 1_000)
    expect((await errorOf(find(wallet, jobId))).code).toBe('job_already_claimed')
    world.clock.move(-(HOUR + 10) * 1_000)
  })

  test('carries the call of a native account, which sends no transaction of Ethereum', async () => {
    const { jobId } = await self.posted()
    const refusal = await errorOf(find(await self.worker(), jobId, { isNative: true }))
    expect(askedOf(refusal)[0]?.revive).toMatchObject({ pallet: 'Revive', call: 'call' })
  })

  test('is refused to a wallet without the bond, and to the poster, and notes nothing', async () => {
    const { jobId, poster } = await self.posted()
    const poor: Hex = `0x${'9c'.repeat(20)}`
    expect((await errorOf(find(poor, jobId))).code).toBe('insufficient_liquidity')
    expect((await errorOf(find(poster.toLowerCase() as Hex, jobId))).code).toBe('claimant_is_poster')
    expect(await world.rows.selectFrom('claim_offer').selectAll().where('jobId', '=', jobId).execute()).toEqual([])
  })

  test('counts once it is mined, whatever changed meanwhile', async () => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    await send(wallet, await errorOf(find(wallet, jobId)))
    await world.rows.updateTable('job').set({ delistedAt: world.clock.now(), delistReason: 'spam' }).where('id', '=', jobId).execute()
    expect((await find(wallet, jobId)).eligible).toBe(false)
    expect((await errorOf(find(await self.worker(), jobId))).code).toBe('external_job_delisted')
    expect((await self.sessionOf(await self.adopt(jobId, wallet))).admission.refusedBy).toBeUndefined()
  })
})

describe('a submission that the service hands out', () => {
  const submit = async (claim: { sessionId: string; wallet: Hex }, submission: unknown, assertCapacity = async () => undefined) => {
    const session = await getSession(world.rows, claim.sessionId)
    const { sessionId, wallet } = claim
    const input = inputOf(submitWork, { wallet, body: { sessionId, submission } })
    return routes().assertSubmitted(input, session, checkPinnedSubmission(session, submission), assertCapacity)
  }

  test('is a transaction that succeeds, and the repeat passes', async () => {
    const claim = await self.claimed()
    const refusal = await errorOf(submit(claim, GOOD))
    expect(refusal).toMatchObject({ code: 'external_self_paid_submit_required', info: { details: { evidenceHash: expect.any(String) } } })
    await send(claim.wallet, refusal)
    await submit(claim, GOOD)
    expect((await errorOf(submit(claim, BAD))).code).toBe('external_direct_submit_evidence_mismatch')
  })

  test('asks for the capacity of a repository only while nothing is on chain', async () => {
    const claim = await self.claimed()
    let asked = 0
    const full = async () => {
      asked += 1
      return undefined
    }
    const refusal = await errorOf(submit(claim, GOOD, full))
    await send(claim.wallet, refusal)
    await submit(claim, GOOD, full)
    expect(asked).toBe(1)
  })

  test('is refused once the escrow holds another claim or none', async () => {
    const claim = await self.claimed()
    await world.pass(HOUR + 10)
    const other = await self.worker()
    await world.world.run(other, 'escrow', 'handleClaimTimeout', claim.jobId)
    expect(await errorOf(submit(claim, GOOD))).toMatchObject({
      code: 'external_direct_submit_state_mismatch',
      info: { details: { chainState: 'open', worker: null } },
    })
    await self.claimOnChain(other, claim.jobId)
    expect(await errorOf(submit(claim, GOOD))).toMatchObject({
      code: 'external_direct_submit_state_mismatch',
      info: { details: { chainState: 'claimed', worker: other } },
    })
  })

  test('is refused for a claim that was not admitted, and its work is not stored', async () => {
    const claim = await self.claimed({ rewardRaw: 2_000_000n })
    expect((await errorOf(submit(claim, GOOD))).code).toBe('claim_not_admitted')
    expect(await world.rows.selectFrom('submission_offer').selectAll().where('sessionId', '=', claim.sessionId).execute()).toEqual([])
  })
})
