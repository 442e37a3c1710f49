import { randomBytes } from 'node:crypto'
import { chainJobId } from '../../domain/ids.ts'
import type { Reply } from '../e2e/support/http.ts'
import { createJob, fundedAgent, GOOD_WORK } from '../e2e/support/jobs.ts'
import { createPatientAgent, type PatientAgent } from './agent.ts'
import type { CrashWorld } from './crash-world.ts'
import type { Placeholder } from './points.ts'

/** A claim without a bond, or with one. */
export type Kind = 'waived' | 'bonded'

/** One job and the agent that is going to do it. */
export interface Task {
  kind: Kind
  jobId: string
  agent: PatientAgent
  keys: { claim: string; submit: string }
}

/** Final answers of a task. */
export interface Answers {
  claimed: Reply
  submitted: Reply
  decided: Reply['body']
}

const key = (operation: string): string => `${operation}-${randomBytes(6).toString('hex')}`

export const prepareTask = async (world: CrashWorld, kind: Kind, where = { door: 0, roams: false }): Promise<Task> => {
  const jobId = await createJob(world, kind === 'waived' ? { onboardingWaiverEligible: true } : {})
  const agent = kind === 'waived' ? await world.agent() : await fundedAgent(world)
  return { kind, jobId, agent: createPatientAgent(world, agent, where), keys: { claim: key('claim'), submit: key('submit') } }
}

const needOk = (reply: Reply, what: string): Reply => {
  if (reply.status !== 200) throw new Error(`${what} was answered with ${reply.status} ${reply.body?.code}: ${reply.body?.detail}`)
  return reply
}

/** Claims, submits and waits for the decision, however often something has to be sent. */
export const doTask = async ({ agent, jobId, keys }: Task): Promise<Answers> => {
  const claimed = needOk(await agent.claim(jobId, keys.claim), 'the claim')
  const submitted = needOk(await agent.submit(claimed.body.sessionId, keys.submit, GOOD_WORK), 'the submission')
  return { claimed, submitted, decided: await agent.untilDecided(claimed.body.sessionId) }
}

/** What a trap's texts stand for in this task. */
export const meaningOf = ({ jobId, keys }: Task): Record<Placeholder, string> => ({
  '{job}': jobId,
  '{chainJob}': chainJobId(jobId).slice(2),
  '{claimKey}': keys.claim,
  '{submitKey}': keys.submit,
})
