import { randomBytes } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { sql } from 'kysely'
import { encodeFunctionData } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { LOCAL_STRATEGY_ID } from '../../../contracts/parameters.ts'
import { solve } from '../../../local/catalogue/solutions.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { verifierWorkflowId } from '../../../schemas/verification/process.ts'
import { eventually } from '../../support/eventually.ts'
import type { Agent, Reply } from './http.ts'
import type { World } from './world.ts'

const TERMS = ['exponential backoff', 'jitter', 'retry budget']

/** A submission that the benchmark of {@link createJob} approves. */
export const GOOD_WORK = { summary: 'A retry policy.', output: `Use ${TERMS.join(', ')}.`, status: 'complete' }
/** One that has the right shape and none of the terms. */
export const BAD_WORK = { summary: 'A retry policy.', output: 'Try again until it works.', status: 'complete' }

/** A job of 1 USDC with a bond, decided by keywords; `changes` make it another. */
export const newJob = (changes: Partial<JobInputBody> = {}): JobInputBody => ({
  id: `test-${randomBytes(5).toString('hex')}`,
  title: 'Retry policy of a client',
  description: 'Design the retry policy of a client.',
  category: 'coding',
  tier: 'starter',
  rewardAmount: 1,
  lane: 'liveness',
  verifierMode: 'benchmark',
  verifierTerms: TERMS,
  claimTtlSeconds: 3600,
  ...changes,
})

/** Lists {@link newJob}. Returns its id. */
export const createJob = async (world: Pick<World, 'admin'>, changes: Partial<JobInputBody> = {}): Promise<string> => {
  const body = newJob(changes)
  await world.admin.post('/admin/jobs', body, 201)
  if (body.verifierConfig?.anchorEvidence !== undefined) await becomesReady(world, body.id)
  return body.id
}

/** Waits until a worker has checked everything that a verdict on the job needs. */
const becomesReady = async ({ admin }: Pick<World, 'admin'>, jobId: string): Promise<void> => {
  const readiness = async () => (await admin.get(`/jobs/definition?jobId=${encode(jobId)}`)).verification.readiness
  await eventually(`${jobId} is ready for a verdict`, readiness, ({ ready }) => ready === true)
}

export const encode = encodeURIComponent

/** Test money in the agent's account, by the unsigned templates and its own key. */
export const deposit = async (world: Pick<World, 'view'>, agent: Agent, amountRaw: bigint): Promise<void> => {
  await world.view.fund(agent.account.address, amountRaw)
  const { templates } = await agent.post('/account/deposit/transactions', { amount: amountRaw.toString() })
  for (const { to, data } of templates) await world.view.send(agent.account, { to, data })
}

/** An agent whose account holds `amountRaw`. */
export const fundedAgent = async (world: Pick<World, 'view' | 'agent'>, amountRaw = 10_000_000n): Promise<Agent> => {
  const agent = await world.agent()
  await deposit(world, agent, amountRaw)
  return agent
}

/** An agent of whose account half a unit lies in a strategy. */
export const lendingAgent = async (world: Pick<World, 'view' | 'agent'>): Promise<Agent> => lend(world, await fundedAgent(world))

/** Puts half a unit of a funded account into a strategy. */
export const lend = async (world: Pick<World, 'view'>, agent: Agent): Promise<Agent> => {
  const args = [agent.account.address, LOCAL_STRATEGY_ID, 500_000n] as const
  const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'allocateIdleFunds', args })
  const { ownershipProof } = await agent.get('/account/position')
  await world.view.send(agent.account, { to: ownershipProof.address, data })
  return agent
}

export const claim = (agent: Agent, jobId: string): Promise<Reply['body']> => agent.post('/jobs/claim', { jobId })
export const sessionOf = (agent: Agent, sessionId: string): Promise<Reply['body']> => agent.get(`/session?sessionId=${encode(sessionId)}`)

/** Work that satisfies the definition which the service shows. */
export const solved = async (agent: Agent, jobId: string): Promise<Record<string, unknown>> =>
  solve(await agent.get(`/jobs/definition?jobId=${encode(jobId)}`))

/** Waits until the session has left `status`. */
export const leaves = (agent: Agent, sessionId: string, status: string): Promise<Reply['body']> =>
  eventually(
    `${sessionId} leaves ${status}`,
    () => sessionOf(agent, sessionId),
    (session) => session.status !== status,
  )

/** Does `work` while no verification of the session can begin: a run that no worker takes has its workflow id. */
export const beforeVerification = async <T>(engine: Client, sessionId: string, work: () => Promise<T>): Promise<T> => {
  const workflowId = verifierWorkflowId(sessionId)
  const place = await engine.workflow.start('verifierRun', { workflowId, taskQueue: 'no-worker', args: [] })
  const done = await work()
  await place.terminate('the verification may begin now')
  return done
}

/** Submits work under terms that later fail their check: a fault of the platform, which people must decide. */
export const submitUnderFault = async (
  world: Pick<World, 'database' | 'verifier'>,
  engine: Client,
  { agent, sessionId }: { agent: Agent; sessionId: string },
): Promise<void> => {
  await beforeVerification(engine, sessionId, async () => {
    await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
    await breakPin(world, sessionId)
  })
  await world.verifier.post('/verifier/run', { sessionId })
  await leaves(agent, sessionId, 'submitted')
}

const breakPin = async ({ database }: Pick<World, 'database'>, sessionId: string): Promise<void> => {
  await sql`update session set job_snapshot = jsonb_set(job_snapshot, '{definitionHash}', ${JSON.stringify(`0x${'0'.repeat(64)}`)}::jsonb)
    where session_id = ${sessionId}`.execute(database.rows)
}
