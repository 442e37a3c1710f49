// Subjects that the pages and actions of the console are about, on the stack of a test.
import { privateKeyToAccount } from 'viem/accounts'
import { createRemoteSide } from '../../../../local/chain/remote-side.ts'
import { buyRun } from '../../paid-verification/buying.ts'
import { openDispute, rejectedBy } from '../../support/disputes.ts'
import { claim, createJob, fundedAgent, GOOD_WORK, leaves } from '../../support/jobs.ts'
import type { World } from '../../support/world.ts'

/** Kinds of readers of the console. */
export const READERS = ['worker', 'admin', 'verifier', 'arbitrator', 'service token', 'delegate'] as const
export type ReaderName = (typeof READERS)[number]

/**
 * Makes a paid session, a dispute, a service token, a delegate and a cross-chain request of one worker, and a paid run. Answers the members of the
 * addresses of pages and actions, each with a subject that is there, and a token of every kind of reader.
 */
export const fillSubjects = async (
  world: World,
): Promise<{ subjects: Readonly<Record<string, string>>; tokens: Readonly<Record<ReaderName, string>> }> => {
  const { admin, verifier, info } = world
  const worker = await fundedAgent(world)
  const arbitrator = await world.agent(privateKeyToAccount(info.keys.arbitrator))
  const jobId = await createJob(world, { onboardingWaiverEligible: true })
  const { sessionId } = await claim(worker, jobId)
  await worker.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
  await leaves(worker, sessionId, 'submitted')
  const rejected = await rejectedBy(world, worker)
  await openDispute(world, worker.account, rejected)
  await leaves(worker, rejected.sessionId, 'rejected')
  const wallet = worker.account.address.toLowerCase()
  const issued = await admin.post(
    '/admin/service-tokens',
    { subject: wallet, capabilities: ['jobs:list', 'session:read', 'session:timeline'] },
    201,
  )
  const grantee = (await world.agent()).account.address.toLowerCase()
  const grant = await admin.post('/admin/capability-grants', { subject: grantee, capabilities: ['ops:view'] }, 201)
  const terms = { name: 'A client', scopes: ['read'], bondPerDayRaw: '0', jobsPerDay: 1, tiers: ['starter'], days: 1 }
  const { message } = await worker.post('/auth/nonce', { wallet, delegate: terms })
  const delegate = await worker.post('/auth/verify', { message, signature: await worker.account.signMessage({ message }) })
  const { disputes } = await admin.get('/disputes?limit=1')
  const run = await buyRun(world)
  const requestId = await createRemoteSide(world.chain, world.info.rpcUrl).deposit(worker.account.address, 1_000_000n)
  return {
    subjects: {
      jobId,
      sessionId,
      wallet,
      disputeId: disputes[0].id,
      id: issued.grant.id,
      grantId: grant.id,
      grantee,
      lane: 'liveness',
      provider: 'wikipedia',
      day: new Date().toISOString().slice(0, 10),
      runId: run.body.runId,
      requestId,
      templateId: jobId,
    },
    tokens: {
      worker: worker.token(),
      admin: admin.token(),
      verifier: verifier.token(),
      arbitrator: arbitrator.token(),
      'service token': issued.token,
      delegate: delegate.token,
    },
  }
}

/** The subjects of a page or an action at a path. The grant that ends is one of a wallet, not that of the token. */
export const subjectsAt = (path: string, { grantId = '', grantee = '', ...subjects }: Readonly<Record<string, string>>) =>
  path === '/do/revoke-grant' ? { ...subjects, id: grantId, wallet: grantee } : subjects
