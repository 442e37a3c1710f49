// What stands against a worker of a posted job, which sends its claim and its submission itself.
import { expect } from '@jest/globals'
import { getAddress, type Hex } from 'viem'
import { BAD, GOOD } from '../../../activities/support/settlements.ts'
import type { Blocker, Stage } from './row.ts'

const ANOTHER_JOB = 'GET /jobs/recommendations'
const SESSION = ['GET /session?sessionId={session}', 'GET /sessions']

export const workBlockers = (stage: Stage): Blocker[] => {
  const claim = (wallet: Hex, jobId: Hex) => stage.post(wallet, '/jobs/claim', { jobId })
  const submit = ({ wallet, sessionId }: { wallet: Hex; sessionId: string }, submission: unknown) =>
    stage.post(wallet, '/jobs/submit', { sessionId, submission })

  /** A claim that a rule refuses, and one of a wallet that the rule lets claim. */
  const ofClaim = (code: string, name: string, status: number, details: object, play: Blocker['play']): Blocker => ({
    ...{ code, name, status, details, play, next: [ANOTHER_JOB], asks: 'external_self_paid_claim_required' },
  })
  const byWorker = async (jobId: Hex) => claim(await stage.self.worker(), jobId)

  return [
    ofClaim('claimant_is_poster', 'a claim by the poster', 403, { jobId: expect.any(String), poster: expect.any(String) }, async () => {
      const { jobId, poster } = await stage.self.posted()
      return [await claim(poster, jobId), await byWorker(jobId)]
    }),
    ofClaim(
      'external_reward_exceeds_capital_ceiling',
      'a claim above the ceiling of the wallet',
      409,
      { workerExposure: { limit: '1', candidate: '1.000001' } },
      async () => {
        const [above, at] = [await stage.self.posted({ rewardRaw: 1_000_001n }), await stage.self.posted({ rewardRaw: 1_000_000n })]
        return [await byWorker(above.jobId), await byWorker(at.jobId)]
      },
    ),
    ofClaim(
      'external_job_delisted',
      'a claim of a delisted job',
      409,
      { delistReason: 'Spam.', delistedAt: expect.any(String) },
      async () => {
        const { jobId } = await stage.self.posted()
        const before = await byWorker(jobId)
        await stage.delist(jobId, 'Spam.')
        return [await byWorker(jobId), before]
      },
    ),
    ofClaim('designated_claimants_only', 'a claim of a job for another wallet', 409, {}, async () => {
      const named = await stage.self.worker()
      const { jobId } = await stage.self.posted({ designated: getAddress(named) })
      const right = await claim(named, jobId)
      const refused = await byWorker(jobId)
      await stage.rows.updateTable('posting').set({ status: 'settled' }).where('jobId', '=', jobId).execute()
      return [refused, right]
    }),
    {
      ...{ code: 'external_self_paid_claim_required', name: 'a claim that is not on chain', status: 409, retryable: true },
      ...{ next: ['transaction', 'POST /jobs/claim'] },
      details: {
        ...{ requiresSponsoredGas: false, jobId: expect.any(String), worker: expect.any(String) },
        transaction: { value: '0', function: 'claimJob(bytes32)', args: [expect.any(String)], data: expect.any(String) },
      },
      play: async () => {
        const { jobId } = await stage.self.posted()
        const wallet = await stage.self.worker()
        const refused = await claim(wallet, jobId)
        const { to, data } = refused.body.details.transaction
        await stage.send([{ from: wallet, to, data }])
        await stage.self.adopt(jobId, wallet)
        return [refused, await claim(wallet, jobId)]
      },
    },
    {
      ...{ code: 'external_self_paid_submit_required', name: 'a submission that is not on chain', status: 409, retryable: true },
      ...{ next: ['transaction', 'POST /jobs/submit'] },
      details: {
        ...{ requiresSponsoredGas: false, evidenceHash: expect.any(String), claimExpiresAt: expect.any(String) },
        transaction: { value: '0', function: 'submitWork(bytes32,bytes32)' },
      },
      play: async () => {
        const session = await stage.self.claimed()
        const refused = await submit(session, GOOD)
        const { to, data } = refused.body.details.transaction
        await stage.send([{ from: session.wallet, to, data }])
        await stage.self.bringHome(session)
        return [refused, await submit(session, GOOD)]
      },
    },
    {
      ...{ code: 'external_direct_submit_evidence_mismatch', name: 'other work than that on chain', status: 409 },
      ...{ next: ['POST /jobs/submit'], details: { evidenceHash: expect.any(String), chainEvidenceHash: expect.any(String) } },
      play: async () => {
        const session = await stage.self.claimed()
        await stage.self.submitOnChain(session.wallet, session.jobId, await stage.self.offerWork(session.sessionId, GOOD))
        const refused = await submit(session, BAD)
        await stage.self.bringHome(session)
        return [refused, await submit(session, GOOD)]
      },
    },
    {
      ...{ code: 'external_direct_submit_state_mismatch', name: 'a submission whose claim a fork removed', status: 409, next: SESSION },
      details: { chainState: 'open', worker: null },
      asks: 'external_self_paid_submit_required',
      play: async () => {
        const drafted = await stage.self.posted()
        const wallet = await stage.self.worker()
        const undo = await stage.snapshot()
        await stage.self.claimOnChain(wallet, drafted.jobId)
        const session = { ...(await stage.self.adopt(drafted.jobId, wallet)), wallet }
        const before = await submit(session, GOOD)
        await undo()
        return [await submit(session, GOOD), before]
      },
    },
    {
      ...{ code: 'claim_not_admitted', name: 'a submission of a claim that was refused', status: 409, next: SESSION },
      details: { refusedBy: { gate: 'open_exposure', code: 'external_reward_exceeds_capital_ceiling' } },
      asks: 'external_self_paid_submit_required',
      play: async () => {
        const [above, at] = [await stage.self.claimed({ rewardRaw: 1_000_001n }), await stage.self.claimed({ rewardRaw: 1_000_000n })]
        return [await submit(above, GOOD), await submit(at, GOOD)]
      },
    },
  ]
}
