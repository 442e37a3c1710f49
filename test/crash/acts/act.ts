// What the acts of a run have in common.
import { privateKeyToAccount } from 'viem/accounts'
import { disputeId } from '../../../domain/common/ids.ts'
import type { Reply } from '../../e2e/support/http.ts'
import type { CrashWorld } from '../crash-world.ts'
import { createPatientAgent } from './agent.ts'
import { isDisputeCompleted } from './engine.ts'
import type { Answers, Task } from './work.ts'

/** Answers so far. */
export type PartialAnswers = Partial<Answers>
export type Act = (world: CrashWorld, task: Task, answers: PartialAnswers) => Promise<PartialAnswers>

/** What the arbitrator hands to the worker, of 1 USDC. */
const PAYOUT_RAW = '400000'
export const RATIONALE = 'The work was read against the whole task.'
/** A deadline's own second still counts. */
export const AFTER_MS = 2_000
const END_MS = 90_000
const LOOK_MS = 50

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** Waits until this holds, or should have held for long. */
export const untilSo = async (holds: () => Promise<boolean>): Promise<boolean> => {
  for (const end = Date.now() + END_MS; Date.now() < end; await sleep(LOOK_MS)) if (await holds()) return true
  return false
}

export const needOk = (reply: Reply, what: string): Reply => {
  if (reply.status !== 200) throw new Error(`${what} was answered with ${reply.status} ${reply.body?.code}: ${reply.body?.detail}`)
  return reply
}

export const sessionIdOf = ({ claimed }: PartialAnswers): string => {
  if (claimed === undefined) throw new Error('nothing was claimed yet')
  return claimed.body.sessionId
}

const isOver = ({ status, rejectionFinalizedAt }: Reply['body']): boolean =>
  status === 'resolved' || status === 'closed' || rejectionFinalizedAt !== undefined

/** Waits for the end of the session, and then of its dispute process, which first notifies the claim. */
export const untilOver = async (world: CrashWorld, { agent }: Task, answers: PartialAnswers): Promise<PartialAnswers> => {
  const sessionId = sessionIdOf(answers)
  const decided = await agent.until(sessionId, isOver)
  await untilSo(() => isDisputeCompleted(world, sessionId))
  return { decided }
}

/** An account with a role sends a verdict and repeats it under one key. A second verdict has its own key. */
export const giveVerdict = async (
  world: CrashWorld,
  task: Task,
  who: 'arbitrator' | 'verifier' | 'admin',
  path: string,
  body: object,
  key: string = task.keys.verdict,
): Promise<void> => {
  const agent = await world.agent(privateKeyToAccount(world.keys[who].privateKey))
  needOk(await createPatientAgent(world, agent, task.where).post(path, key, body), 'the verdict')
}

const disputePath = (answers: PartialAnswers): string => `/disputes/${disputeId(sessionIdOf(answers))}`

/** The dispute as the API shows it to its party. */
export const disputeOf = async ({ agent }: Task, answers: PartialAnswers): Promise<Reply['body']> =>
  needOk(await agent.call(disputePath(answers)), 'the dispute').body

/** Until this holds of the dispute. */
export const untilDispute = async (task: Task, answers: PartialAnswers, holds: (dispute: Reply['body']) => boolean): Promise<void> => {
  if (!(await untilSo(async () => holds(await disputeOf(task, answers)))))
    throw new Error(`the dispute has not come so far after ${END_MS / 1000} s`)
}

/** The arbitrator replaces a decision that no key holder has signed yet. */
export const decideAnew = async (world: CrashWorld, task: Task, answers: PartialAnswers, who: 'arbitrator' | 'admin'): Promise<void> => {
  const { preparation } = await disputeOf(task, answers)
  const body = { verdict: 'dismissed', rationale: RATIONALE, supersedes: preparation.preparationId }
  return giveVerdict(world, task, who, `${disputePath(answers)}/verdict`, body, task.keys.other)
}

const SPLIT = { verdict: 'split', workerPayout: PAYOUT_RAW }
/** The arbitrator decides: a split, unless the caller passes another verdict. */
export const decide = (
  world: CrashWorld,
  task: Task,
  answers: PartialAnswers,
  who: 'arbitrator' | 'admin',
  verdict: object = SPLIT,
): Promise<void> => giveVerdict(world, task, who, `${disputePath(answers)}/verdict`, { ...verdict, rationale: RATIONALE })
