// What the acts of a run have in common.
import { privateKeyToAccount } from 'viem/accounts'
import { disputeId } from '../../../domain/common/ids.ts'
import type { Reply } from '../../e2e/support/http.ts'
import type { CrashWorld } from '../crash-world.ts'
import { createPatientAgent } from './agent.ts'
import { isToldOf } from './engine.ts'
import type { Answers, Task } from './work.ts'

/** Answers so far. */
export type Told = Partial<Answers>
export type Act = (world: CrashWorld, task: Task, told: Told) => Promise<Told>

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

export const sessionIdOf = ({ claimed }: Told): string => {
  if (claimed === undefined) throw new Error('nothing was claimed yet')
  return claimed.body.sessionId
}

const isOver = ({ status, rejectionFinalizedAt }: Reply['body']): boolean =>
  status === 'resolved' || status === 'closed' || rejectionFinalizedAt !== undefined

/** Waits for the end of the session, and of its dispute: what tells of the end comes after it. */
export const untilOver = async (world: CrashWorld, { agent }: Task, told: Told): Promise<Told> => {
  const sessionId = sessionIdOf(told)
  const decided = await agent.until(sessionId, isOver)
  await untilSo(() => isToldOf(world, sessionId))
  return { decided }
}

/** A verdict of somebody with a role, under one key (of its own where it is the second) however often it is sent. */
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

const disputePath = (told: Told): string => `/disputes/${disputeId(sessionIdOf(told))}`

/** The dispute as its party is shown it. */
export const disputeOf = async ({ agent }: Task, told: Told): Promise<Reply['body']> =>
  needOk(await agent.call(disputePath(told)), 'the dispute').body

/** Until this holds of the dispute. */
export const untilDispute = async (task: Task, told: Told, holds: (dispute: Reply['body']) => boolean): Promise<void> => {
  if (!(await untilSo(async () => holds(await disputeOf(task, told)))))
    throw new Error(`the dispute has not come so far after ${END_MS / 1000} s`)
}

/** Another word of the arbitration, in the place of the one that nobody has signed yet. */
export const decideAnew = async (world: CrashWorld, task: Task, told: Told, who: 'arbitrator' | 'admin'): Promise<void> => {
  const { preparation } = await disputeOf(task, told)
  const body = { verdict: 'dismissed', rationale: RATIONALE, supersedes: preparation.preparationId }
  return giveVerdict(world, task, who, `${disputePath(told)}/verdict`, body, task.keys.other)
}

const SPLIT = { verdict: 'split', workerPayout: PAYOUT_RAW }
/** An arbitration's word; a split unless another is given. */
export const decide = (world: CrashWorld, task: Task, told: Told, who: 'arbitrator' | 'admin', verdict: object = SPLIT): Promise<void> =>
  giveVerdict(world, task, who, `${disputePath(told)}/verdict`, { ...verdict, rationale: RATIONALE })
