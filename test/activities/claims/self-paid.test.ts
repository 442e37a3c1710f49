import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createSubmissionBringer } from '../../../activities/claims/self-paid/submission.ts'
import { CLAIM_OFFER_SECONDS, OFFER_CLOCK_SECONDS } from '../../../domain/common/constants.ts'
import { type FollowerWorld, startFollowerWorld } from '../support/follower-world.ts'
import { openSelfPaid } from '../support/self-paid.ts'
import { failingDatabase, walletAt } from '../support/service.ts'
import { BAD, codeOf, GOOD, HOUR, openSettlements } from '../support/settlements.ts'

let world: FollowerWorld
const self = openSelfPaid(() => world)
const { evaluate } = openSettlements(() => world)
beforeAll(async () => {
  world = await startFollowerWorld('self-paid')
})
afterAll(() => world.stop())

const UNKNOWN_WORK = `0x${'7'.repeat(64)}`
const timeOut = ({ runId, sessionId }: { runId: string; sessionId: string }) => world.steps.timeoutClaim({ runId, sessionId })

describe('a claim that its worker sent itself', () => {
  test('is recorded as the chain shows it, by its worker and unpaid by the operator', async () => {
    const claim = await self.claimed()
    expect(await self.sessionOf(claim)).toMatchObject({
      status: 'claimed',
      wallet: claim.wallet,
      external: true,
      poster: claim.poster.toLowerCase(),
      economics: { brokered: false, waived: false, claimNumber: 1, gasRetainedRaw: 0n },
      admission: expect.not.objectContaining({ refusedBy: expect.anything() }),
    })
    expect(await world.rows.selectFrom('chain_transaction').select('nonce').where('jobId', '=', claim.jobId).execute()).toEqual([])
  })

  test('starts no second process once it has its session, or a run that records it', async () => {
    const claim = await self.claimed()
    expect(await self.startOf(claim.jobId, claim.wallet)).toEqual({ answer: true, claim: null })
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    await self.claimOnChain(wallet, jobId)
    expect((await self.startOf(jobId, wallet, { wallet, runId: 'a-run-without-session' })).answer).toBe(true)
  })

  test('waits while the run of an earlier claim still ends', async () => {
    const earlier = await self.claimed()
    const { jobId } = earlier
    await world.pass(HOUR + 10)
    const next = await self.worker()
    await world.world.run(next, 'escrow', 'handleClaimTimeout', jobId)
    await self.claimOnChain(next, jobId)
    expect((await self.startOf(jobId, next, { wallet: earlier.wallet, runId: earlier.runId })).answer).toBe(false)
    expect((await self.startOf(jobId, earlier.wallet, { wallet: earlier.wallet, runId: earlier.runId })).answer).toBe(false)
  })

  test('is recorded from its own event after an earlier claim of the job has ended', async () => {
    const earlier = await self.claimed()
    const { jobId } = earlier
    await world.pass(HOUR + 10)
    expect(await timeOut(earlier)).toMatchObject({ result: 'expired', observedState: 'open' })
    const expiry = await timeOut(earlier)
    await world.claims.recordExpiry({ runId: earlier.runId, sessionId: earlier.sessionId, expiry })
    const next = await self.worker()
    await self.claimOnChain(next, jobId)
    const claim = await self.adopt(jobId, next)
    const [first, second] = await Promise.all([self.sessionOf(earlier), self.sessionOf(claim)])
    expect([first.status, second.status, second.wallet]).toEqual(['expired', 'claimed', next])
    expect(second.claimTxHash).not.toBe(first.claimTxHash)
  })

  test('is over once another wallet has claimed and submitted, and does not diverge', async () => {
    const earlier = await self.claimed()
    await world.pass(HOUR + 10)
    const next = await self.worker()
    await world.world.run(next, 'escrow', 'handleClaimTimeout', earlier.jobId)
    await self.claimOnChain(next, earlier.jobId)
    await self.submitOnChain(next, earlier.jobId, UNKNOWN_WORK)
    expect(await timeOut(earlier)).toMatchObject({ result: 'expired', observedState: 'submitted', observedWorker: next })
    expect(await self.bringHome(earlier, true)).toEqual({ kind: 'awaited' })
  })

  test('is recorded once, also where the wallet sent it twice', async () => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    await self.claimOnChain(wallet, jobId)
    expect((await world.world.attempt(wallet, 'escrow', 'claimJob', jobId)).error).toBeDefined()
    const { claim } = await self.startOf(jobId, wallet)
    if (claim === null) throw new Error('no claim was started')
    await world.claims.recordClaim(await self.lock(claim))
    await world.rows.updateTable('session').set({ status: 'closed', closedAt: world.clock.now() }).where('jobId', '=', jobId).execute()
    expect(await codeOf(self.lock(claim))).toBe('job_session_completed')
  })

  const NONE: [string, (jobId: Hex) => Promise<unknown>, string][] = [
    ['an open job', async () => undefined, 'external_self_paid_claim_required'],
    ['the claim of another wallet', async (jobId) => self.claimOnChain(await self.worker(), jobId), 'job_already_claimed'],
    [
      'a cancelled job',
      async (jobId) => {
        await world.pass(HOUR + 10)
        const { poster } = await self.recordOf({ jobId })
        await world.world.run(poster as Hex, 'escrow', 'cancelOpenJob', jobId)
      },
      'job_not_claimable',
    ],
  ]
  test.each(NONE)('is refused where the escrow shows %s', async (_name, act, code) => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    const { claim } = await self.startOf(jobId, wallet)
    await act(jobId)
    if (claim === null) throw new Error('no claim was started')
    expect(await codeOf(self.lock(claim))).toBe(code)
    await world.rows.updateTable('claim_intent').set({ status: 'released', failureCode: code }).where('jobId', '=', jobId).execute()
  })

  test('is asked for again while the node is behind the block at which it was seen', async () => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    const { claim } = await self.startOf(jobId, wallet)
    if (claim === null) throw new Error('no claim was started')
    expect(await codeOf(self.lock({ ...claim, block: (BigInt(claim.block) + 1_000n).toString() }))).toBe('blockchain_unavailable')
  })
})

describe('a claim on chain without a right to it', () => {
  const designated = walletAt(950)
  const REFUSED: [string, () => Promise<{ jobId: Hex; wallet: Hex }>, string, string][] = [
    [
      'of a reward above the capital ceiling',
      async () => ({ jobId: (await self.posted({ rewardRaw: 2_000_000n })).jobId, wallet: await self.worker() }),
      'open_exposure',
      'external_reward_exceeds_capital_ceiling',
    ],
    [
      'by its poster',
      async () => {
        const { jobId, poster } = await self.posted()
        return { jobId, wallet: poster.toLowerCase() as Hex }
      },
      'own_posting',
      'claimant_is_poster',
    ],
    [
      'of a job for another wallet',
      async () => ({ jobId: (await self.posted({ designated })).jobId, wallet: await self.worker() }),
      'claim_state',
      'designated_claimants_only',
    ],
    [
      'of a delisted job',
      async () => {
        const { jobId } = await self.posted()
        await world.rows.updateTable('job').set({ delistedAt: world.clock.now(), delistReason: 'spam' }).where('id', '=', jobId).execute()
        return { jobId, wallet: await self.worker() }
      },
      'delisted',
      'external_job_delisted',
    ],
  ]
  test.each(REFUSED)('%s gets a session that says so', async (_name, prepare, gate, code) => {
    const { jobId, wallet } = await prepare()
    await self.claimOnChain(wallet, jobId)
    const session = await self.sessionOf(await self.adopt(jobId, wallet))
    expect(session).toMatchObject({ status: 'claimed', admission: { refusedBy: { gate, code } } })
  })

  const OFFERS: [string, number, number, boolean][] = [
    ['as late as it counts', CLAIM_OFFER_SECONDS - 30, 0, true],
    ['after it counts', CLAIM_OFFER_SECONDS + 30, 0, false],
    ['by a clock that is behind', 0, OFFER_CLOCK_SECONDS - 20, true],
    ['long before the offer', 0, OFFER_CLOCK_SECONDS + 20, false],
  ]
  test.each(OFFERS)('is admitted by what the service handed out, mined %s: %#', async (_name, secondsAgo, secondsAfter, isAdmitted) => {
    const { jobId } = await self.posted({ rewardRaw: 2_000_000n })
    const wallet = await self.worker()
    if (secondsAfter === 0) await self.offerClaim(jobId, wallet, secondsAgo)
    await self.claimOnChain(wallet, jobId)
    if (secondsAfter > 0) await self.offerClaim(jobId, wallet, -secondsAfter)
    const { admission, protocolHistory } = await self.sessionOf(await self.adopt(jobId, wallet))
    expect([admission.refusedBy === undefined, protocolHistory]).toEqual([isAdmitted, ['mcp']])
  })

  test('is rejected as soon as a submission is on chain, whatever the work is', async () => {
    const claim = await self.claimed({ rewardRaw: 2_000_000n })
    const hash = await self.offerWork(claim.sessionId, GOOD)
    await self.submitOnChain(claim.wallet, claim.jobId, hash)
    expect(await self.bringHome(claim)).toMatchObject({ kind: 'recorded', status: 'submitted' })
    expect(await self.sessionOf(claim)).toMatchObject({ submission: null, evidenceHash: hash })
    const verdict = await evaluate(claim)
    expect(verdict.outcome).toBe('rejected')
    expect(await reasonOf(claim)).toBe('CLAIMANT_NOT_ADMITTED')
  })
})

const reasonOf = async ({ sessionId }: { sessionId: string }): Promise<string | undefined> =>
  (await world.rows.selectFrom('verification').select('reasonCode').where('sessionId', '=', sessionId).executeTakeFirst())?.reasonCode

describe('a submission that its worker sent itself', () => {
  test('is awaited, and recorded with the work that was handed in, at the time of its block', async () => {
    const claim = await self.claimed()
    expect(await self.bringHome(claim)).toEqual({ kind: 'awaited' })
    await self.offerWork(claim.sessionId, BAD)
    const hash = await self.offerWork(claim.sessionId, GOOD)
    expect(await self.bringHome(claim)).toEqual({ kind: 'awaited' })
    await self.submitOnChain(claim.wallet, claim.jobId, hash)
    const found = await self.bringHome(claim)
    expect(found).toMatchObject({ kind: 'recorded', status: 'submitted' })
    expect(await self.bringHome(claim)).toEqual(found)
    const session = await self.sessionOf(claim)
    expect(session).toMatchObject({ evidenceHash: hash, submission: { kind: 'structured', structured: GOOD } })
    const [submitted] = (await world.eventsOf(claim.jobId)).filter(({ event }) => event === 'WorkSubmitted')
    expect(session.timestamps.submittedAt).toBe(submitted?.blockTime)
    expect((await evaluate(claim)).outcome).toBe('approved')
    expect(await world.rows.selectFrom('submission_offer').selectAll().where('sessionId', '=', claim.sessionId).execute()).toEqual([])
    expect(await world.rows.selectFrom('content').select('hash').where('owner', '=', claim.wallet).execute()).toHaveLength(1)
  })

  test('of a work that the service never got waits until the end of the claim, then it is rejected to the end', async () => {
    const claim = await self.claimed()
    await self.offerWork(claim.sessionId, GOOD)
    await self.submitOnChain(claim.wallet, claim.jobId, UNKNOWN_WORK)
    expect(await self.bringHome(claim)).toEqual({ kind: 'awaited' })
    expect(await self.bringHome(claim, true)).toMatchObject({ kind: 'recorded' })
    expect(await self.sessionOf(claim)).toMatchObject({ status: 'submitted', submission: null, evidenceHash: UNKNOWN_WORK })
    const verdict = await evaluate(claim)
    expect(await reasonOf(claim)).toBe('SUBMISSION_NOT_PROVIDED')
    await world.disputes.takeVerdict({ ...claim, ...verdict })
    expect((await self.sessionOf(claim)).status).toBe('rejected')
    await world.pass(7 * 24 * HOUR + 10)
    await world.disputes.applyTimeout({ sessionId: claim.sessionId })
    const ended = await self.sessionOf(claim)
    expect(ended.timestamps.rejectionFinalizedAt).not.toBeNull()
    expect(ended.workReceiptId).not.toBeNull()
  })

  test('is taken while its claim lasts, once its work comes late', async () => {
    const claim = await self.claimed()
    const { evidenceHash } = { evidenceHash: await self.offerWork(claim.sessionId, GOOD) }
    await world.rows.deleteFrom('submission_offer').where('sessionId', '=', claim.sessionId).execute()
    await self.submitOnChain(claim.wallet, claim.jobId, evidenceHash)
    expect(await self.bringHome(claim)).toEqual({ kind: 'awaited' })
    await self.offerWork(claim.sessionId, GOOD)
    expect(await self.bringHome(claim)).toMatchObject({ kind: 'recorded' })
    expect((await self.sessionOf(claim)).submission).not.toBeNull()
  })

  test.each([
    ['rolled back', 1],
    ['recorded, and the result was lost', 2],
  ])('is recorded once by a step that is repeated after it was %s', async (_what, times) => {
    const claim = await self.claimed()
    await self.submitOnChain(claim.wallet, claim.jobId, await self.offerWork(claim.sessionId, GOOD))
    await world.follow()
    const cut = createSubmissionBringer({ ...world, database: failingDatabase(world.database, times) })
    const first = cut.bringSubmissionHome({ sessionId: claim.sessionId, isOver: false })
    if (times === 1) await expect(first).rejects.toThrow('the connection was lost')
    else await first
    expect(await self.bringHome(claim)).toMatchObject({ kind: 'recorded', status: 'submitted' })
    const entries = (await self.sessionOf(claim)).statusHistory.map(({ to }) => to)
    expect(entries).toEqual(['claimed', 'submitted'])
    const announced = world.rows.selectFrom('event').select('id').where('sessionId', '=', claim.sessionId)
    expect(await announced.where('topic', '=', 'session.submitted').execute()).toHaveLength(1)
  })

  test('keeps the ten works that were handed in last', async () => {
    const claim = await self.claimed()
    for (const number of Array.from({ length: 12 }, (_, index) => index)) {
      await self.offerWork(claim.sessionId, { ...GOOD, summary: `Exponential backoff ${number}` })
      world.clock.move(1_000)
    }
    const kept = await world.rows.selectFrom('submission_offer').select('work').where('sessionId', '=', claim.sessionId).execute()
    expect(kept).toHaveLength(10)
    expect(JSON.stringify(kept)).not.toContain('backoff 1"')
  })

  test('is recorded by the run of its claim also when the step that recorded the claim was repeated', async () => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    await self.claimOnChain(wallet, jobId)
    const { claim } = await self.startOf(jobId, wallet)
    if (claim === null) throw new Error('no claim was started')
    const parts = await self.lock(claim)
    const { sessionId } = await world.claims.recordClaim(parts)
    const again = await world.steps.lockBond({ ...parts.admitted, requestId: claim.requestId, block: claim.block })
    expect(again).toEqual(parts.bond)
    expect(await world.claims.recordClaim({ ...parts, bond: again })).toMatchObject({ sessionId })
    await self.submitOnChain(wallet, jobId, await self.offerWork(sessionId, GOOD))
    expect(await world.steps.lockBond({ ...parts.admitted, requestId: claim.requestId, block: claim.block })).toEqual(parts.bond)
    expect(await self.bringHome(parts.admitted)).toMatchObject({ kind: 'recorded' })
  })

  test('leaves no copy of its work behind when a slow request hands it in after it was recorded', async () => {
    const claim = await self.claimed()
    await self.submitOnChain(claim.wallet, claim.jobId, await self.offerWork(claim.sessionId, GOOD))
    await self.bringHome(claim)
    await self.offerWork(claim.sessionId, GOOD)
    expect(await world.rows.selectFrom('submission_offer').select('work').where('sessionId', '=', claim.sessionId).execute()).toEqual([])
  })

  test('with which a claim was made before anyone asked is recorded with it', async () => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    await self.claimOnChain(wallet, jobId)
    await self.submitOnChain(wallet, jobId, UNKNOWN_WORK)
    const claim = await self.adopt(jobId, wallet)
    expect(await self.bringHome(claim)).toEqual({ kind: 'awaited' })
    expect(await self.bringHome(claim, true)).toMatchObject({ kind: 'recorded' })
  })
})

describe('a claim that a fork removed', () => {
  test('ends as expired, and is recorded again once it is mined again', async () => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    const undo = await world.snapshot()
    await self.claimOnChain(wallet, jobId)
    const claim = await self.adopt(jobId, wallet)
    const session = await self.sessionOf(claim)
    await undo()
    await world.mine(3)
    const found = await self.bringHome(claim)
    expect(found).toMatchObject({ kind: 'removed', expiry: { observedState: 'open' } })
    if (found.kind !== 'removed') throw new Error('not removed')
    await world.claims.recordExpiry({ runId: claim.runId, sessionId: claim.sessionId, expiry: found.expiry })
    const ended = await self.sessionOf(claim)
    expect([ended.status, ended.statusHistory.at(-1)?.reason]).toEqual(['expired', 'claim_removed_by_fork'])
    await self.claimOnChain(wallet, jobId)
    const again = await self.sessionOf(await self.adopt(jobId, wallet))
    expect([again.status, again.attempt, again.wallet]).toEqual(['claimed', 2, session.wallet])
  })

  test('is awaited while the follower still holds it, and ends where another wallet was mined in its place', async () => {
    const { jobId } = await self.posted()
    const wallet = await self.worker()
    const other = await self.worker()
    const undo = await world.snapshot()
    await self.claimOnChain(wallet, jobId)
    const claim = await self.adopt(jobId, wallet)
    await undo()
    await world.mine(1)
    await self.claimOnChain(other, jobId)
    await world.mine(2)
    expect(await self.bringHome(claim)).toMatchObject({ kind: 'removed', expiry: { observedState: 'claimed', observedWorker: other } })
  })
})
