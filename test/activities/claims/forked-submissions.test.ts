// Submissions of posted jobs that a fork removed after their verdict.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { runAudit } from '../../../activities/audit/run.ts'
import { createScanClient } from '../../../activities/chain/clients.ts'
import { runRebuild } from '../../../activities/rebuild/run.ts'
import { findVerdict, latestVerdict, type StoredVerdict, storeVerdict } from '../../../activities/verification/records.ts'
import { localKeys } from '../../../local/keys.ts'
import { type FollowerWorld, startFollowerWorld } from '../support/follower-world.ts'
import { openSelfPaid } from '../support/self-paid.ts'
import { failingDatabase } from '../support/service.ts'
import { GOOD, HOUR, openSettlements } from '../support/settlements.ts'

let world: FollowerWorld
const self = openSelfPaid(() => world)
const { evaluate } = openSettlements(() => world)
beforeAll(async () => {
  world = await startFollowerWorld('self-paid')
})
afterAll(() => world.stop())

const UNKNOWN_WORK = `0x${'7'.repeat(64)}`

/** Findings of an audit and differences of a rebuild of all records, once they have settled. */
const findings = async () => {
  await world.follow()
  const { database, chain, readKey } = world
  const deps = { database, chain, readKey, client: createScanClient(chain), now: () => world.clock.now() + HOUR * 1_000 }
  const { results } = await runAudit(deps)
  const { differences, reason } = await runRebuild(deps)
  return { failed: results.filter(({ outcome }) => outcome !== 'passed'), differences, reason }
}
const NONE = { failed: [], differences: [], reason: null }

describe('a submission that a fork removed', () => {
  /** A submission that is recorded, and what takes it from the chain. */
  const recorded = async () => {
    const claim = await self.claimed()
    const hash = await self.offerWork(claim.sessionId, GOOD)
    const undo = await world.snapshot()
    await self.submitOnChain(claim.wallet, claim.jobId, hash)
    await self.bringHome(claim)
    return { claim, hash, undo }
  }
  const approved = async () => {
    const { claim, hash, undo } = await recorded()
    const { verdictId } = await evaluate(claim)
    await undo()
    // The blocks after the fork are older than those before it.
    await world.mine(2)
    const settle = () => world.steps.settleApproval({ runId: claim.runId, sessionId: claim.sessionId, verdictId })
    return { ...claim, hash, verdictId, settle }
  }
  const verdictsSent = ({ sessionId }: { sessionId: string }) =>
    world.rows.selectFrom('chain_transaction').select('functionName').where('sessionId', '=', sessionId).execute()

  test('gets no verdict while the chain shows the claim, and its money once it is mined again', async () => {
    const claim = await approved()
    await expect(claim.settle()).rejects.toThrow('claimed')
    expect(await verdictsSent(claim)).toEqual([])
    await self.submitOnChain(claim.wallet, claim.jobId, claim.hash)
    expect(await claim.settle()).toEqual({ status: 'resolved' })
    await self.observe(claim)
    expect(await findings()).toEqual(NONE)
  })

  test('is paid with its claim, which was mined again with it at an earlier time', async () => {
    const drafted = await self.posted()
    const { jobId } = drafted
    const wallet = await self.worker()
    const undo = await world.snapshot()
    await world.world.pass(60)
    await self.claimOnChain(wallet, jobId)
    const claim = await self.adopt(jobId, wallet)
    const hash = await self.offerWork(claim.sessionId, GOOD)
    await self.submitOnChain(wallet, jobId, hash)
    await self.bringHome(claim)
    const { verdictId } = await evaluate(claim)
    const before = await self.sessionOf(claim)
    await undo()
    await world.mine(2)
    await self.claimOnChain(wallet, jobId)
    await self.submitOnChain(wallet, jobId, hash)
    expect(await world.steps.settleApproval({ runId: claim.runId, sessionId: claim.sessionId, verdictId })).toEqual({ status: 'resolved' })
    expect((await self.sessionOf(claim)).claimExpiresAt).toBeLessThan(before.claimExpiresAt)
    await self.observe(drafted)
    expect(await findings()).toEqual(NONE)
  })

  test('pays nothing for other work that its worker then submitted, and records what the escrow has', async () => {
    const claim = await approved()
    const before = await self.sessionOf(claim)
    await self.submitOnChain(claim.wallet, claim.jobId, UNKNOWN_WORK)
    const answers = [await claim.settle(), await claim.settle()]
    expect(answers).toEqual([{ status: 'rejected' }, { status: 'rejected' }])
    const { status, evidenceHash, submission, verificationSummary } = await self.sessionOf(claim)
    expect({ status, evidenceHash, submission }).toEqual({ status: 'rejected', evidenceHash: UNKNOWN_WORK, submission: null })
    expect(verificationSummary?.reasonCode).toBe('SUBMISSION_NOT_PROVIDED')
    expect((await world.reads.escrowJob(claim.jobId as Hex)).state).toBe('rejected')
    expect(await verdictsSent(claim)).toEqual([{ functionName: 'resolveSinglePayout' }])
    const events = await world.rows
      .selectFrom('event')
      .select(['wallets', 'data'])
      .where('sessionId', '=', claim.sessionId)
      .where('topic', '=', 'session.submission_replaced')
      .execute()
    expect(events).toEqual([
      { wallets: [claim.wallet, claim.poster.toLowerCase()], data: { evidenceHash: UNKNOWN_WORK, replacedEvidenceHash: claim.hash } },
    ])
    // A verifier that read the session before.
    const stale = await findVerdict(world.rows, claim.verdictId)
    const run = { runId: `verify-late-${claim.runId}`, name: '1', once: 'run' } as const
    const stored = await storeVerdict(world.database, before, run, (stale as StoredVerdict).verdict, world.clock.now())
    expect(stored.verdict.verificationInputHash).toBe(UNKNOWN_WORK)
    expect((await latestVerdict(world.rows, claim.sessionId))?.id).toBe(stored.id)
    expect(await findings()).toEqual(NONE)
  })

  test.each([1, 2, 3, 4])('pays nothing for other work where transaction %i of the step is lost', async (failAt) => {
    const claim = await approved()
    await self.submitOnChain(claim.wallet, claim.jobId, UNKNOWN_WORK)
    const cut = world.stepsOn({ database: failingDatabase(world.database, failAt) })
    const input = { runId: claim.runId, sessionId: claim.sessionId, verdictId: claim.verdictId }
    await expect(cut.settleApproval(input)).rejects.toThrow('the connection was lost')
    expect(await claim.settle()).toEqual({ status: 'rejected' })
    expect(await verdictsSent(claim)).toEqual([{ functionName: 'resolveSinglePayout' }])
  })

  test('pays the wallet that claims next and submits the same work, and ends the first session without a badge', async () => {
    const claim = await approved()
    await world.pass(HOUR + 10)
    const next = await self.worker()
    await world.world.run(next, 'escrow', 'handleClaimTimeout', claim.jobId)
    await self.claimOnChain(next, claim.jobId)
    await self.submitOnChain(next, claim.jobId, claim.hash)
    const { status } = await claim.settle()
    expect(status).not.toBe('resolved')
    expect(await verdictsSent(claim)).toEqual([])
    const later = await self.adopt(claim.jobId, next)
    await self.offerWork(later.sessionId, GOOD)
    await self.bringHome(later)
    const { verdictId } = await evaluate(later)
    expect(await world.steps.settleApproval({ runId: later.runId, sessionId: later.sessionId, verdictId })).toEqual({ status: 'resolved' })
    const badges = await world.rows.selectFrom('badge').select('sessionId').where('jobId', '=', claim.jobId).execute()
    expect(badges).toEqual([{ sessionId: later.sessionId }])
  })

  test('is not paid by an approval that was sent before the fork, once its worker has submitted other work', async () => {
    const { claim, undo } = await recorded()
    const { verdictId } = await evaluate(claim)
    const input = { runId: claim.runId, sessionId: claim.sessionId, verdictId }
    // The approval is signed and mined, and never recorded.
    await expect(world.stepsOn({ sign: () => Promise.reject(new Error('killed')) }).settleApproval(input)).rejects.toThrow('killed')
    expect((await world.reads.escrowJob(claim.jobId as Hex)).state).toBe('closed')
    const verifier = localKeys().verifier.address
    const nonce = await world.world.rpc('eth_getTransactionCount', verifier, 'latest')
    await undo()
    await world.world.rpc('anvil_setNonce', verifier, nonce)
    await self.submitOnChain(claim.wallet, claim.jobId, UNKNOWN_WORK)
    await world.mine(3)
    expect(await world.steps.settleApproval(input)).toEqual({ status: 'rejected' })
    expect((await world.reads.escrowJob(claim.jobId as Hex)).state).toBe('rejected')
    expect(await world.rows.selectFrom('badge').select('sessionId').where('jobId', '=', claim.jobId).execute()).toEqual([])
  })

  test('ends its review where the worker submitted other work before the arbitrator got the case', async () => {
    const { claim, undo } = await recorded()
    const { verdictId } = await world.verifications.recordReviewRequired({ sessionId: claim.sessionId, runId: `review-${claim.runId}` })
    await world.disputes.takeVerdict({ ...claim, verdictId })
    await undo()
    await world.mine(2)
    await self.submitOnChain(claim.wallet, claim.jobId, UNKNOWN_WORK)
    await world.pass(14 * 24 * HOUR)
    await world.disputes.applyTimeout(claim)
    await world.disputes.applyTimeout(claim)
    const { status, evidenceHash, chainState } = await self.sessionOf(claim)
    expect({ status, evidenceHash, chainState }).toEqual({ status: 'rejected', evidenceHash: UNKNOWN_WORK, chainState: 'rejected' })
    expect(await verdictsSent(claim)).toEqual([{ functionName: 'resolveSinglePayout' }])
    expect((await findings()).differences).toEqual([])
  })
})
