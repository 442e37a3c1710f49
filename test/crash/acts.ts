// What happens in a run, in stretches between which it may wait: the first claims and submits, the others go on after the verdict.
import { privateKeyToAccount } from 'viem/accounts'
import { REVIEW_SLA_SECONDS } from '../../domain/constants.ts'
import { disputeId } from '../../domain/ids.ts'
import { openDispute } from '../e2e/support/disputes.ts'
import type { Reply } from '../e2e/support/http.ts'
import { BAD_WORK, deposit, encode } from '../e2e/support/jobs.ts'
import { createPatientAgent } from './agent.ts'
import type { CrashWorld } from './crash-world.ts'
import { allowArbitrator, judgeElsewhere, signElsewhere, submitElsewhere, withdrawElsewhere } from './elsewhere.ts'
import { isStarted, isToldOf } from './engine.ts'
import type { Kind } from './journeys.ts'
import type { Answers, Task } from './work.ts'

/** Answers so far. */
export type Told = Partial<Answers>
type Act = (world: CrashWorld, task: Task, told: Told) => Promise<Told>

/** What the arbitrator hands to the worker, of 1 USDC. */
const PAYOUT_RAW = '400000'
const RATIONALE = 'The work was read against the whole task.'
/** A deadline's own second still counts. */
const AFTER_MS = 2_000
const END_MS = 90_000
const LOOK_MS = 50
const DAY_MS = 86_400_000
const FUNDS_RAW = 10_000_000n

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

const needOk = (reply: Reply, what: string): Reply => {
  if (reply.status !== 200) throw new Error(`${what} was answered with ${reply.status} ${reply.body?.code}: ${reply.body?.detail}`)
  return reply
}

const sessionIdOf = ({ claimed }: Told): string => {
  if (claimed === undefined) throw new Error('nothing was claimed yet')
  return claimed.body.sessionId
}

const claim: Act = async (_world, { agent, jobId, keys }) => ({ claimed: needOk(await agent.claim(jobId, keys.claim), 'the claim') })

/** The account is emptied after the service has looked at it, and filled again after the refusal. */
const claimPenniless: Act = async (world, { agent, owner, jobId, keys }) => {
  const [answer] = await world.withoutWorkers(async () => {
    const claiming = agent.claim(jobId, keys.other)
    claiming.catch(() => undefined)
    for (const end = Date.now() + END_MS; !(await isStarted(world, jobId)) && Date.now() < end; ) await sleep(LOOK_MS)
    await withdrawElsewhere(world, owner.account)
    return [claiming]
  })
  const { body } = await answer
  if (body.code !== 'insufficient_liquidity') throw new Error(`a claim without money was answered with ${body.code ?? body.status}`)
  await deposit(world, owner, FUNDS_RAW)
  return {}
}

/** Nothing is handed in. A claim shows as expired from its deadline on; its record follows the chain. */
const letClaimPass: Act = async (world, task, told) => {
  await world.passTo(Date.parse(told.claimed?.body.claimExpiresAt) + AFTER_MS)
  await task.agent.signInAgain()
  return {
    decided: await task.agent.until(sessionIdOf(told), ({ status, chainState }) => status !== 'claimed' && chainState !== 'claimed'),
  }
}

const claimAndSubmit = async ({ agent, jobId, keys, work }: Task) => {
  const claimed = needOk(await agent.claim(jobId, keys.claim), 'the claim')
  const { sessionId } = claimed.body
  return { claimed, sessionId, submitted: needOk(await agent.submit(sessionId, keys.submit, work), 'the submission') }
}

/** Claims, submits and waits for the verdict's record. */
const handIn: Act = async (_world, task) => {
  const { sessionId, ...told } = await claimAndSubmit(task)
  return { ...told, decided: await task.agent.untilDecided(sessionId) }
}

/** Hands in what no verifier can decide. */
const handInUnread: Act = async (_world, task) => {
  const { sessionId, ...told } = await claimAndSubmit(task)
  return { ...told, decided: await task.agent.until(sessionId, ({ status }) => status === 'submitted') }
}

/** The pull request is open and carries the footer of its claim before it is handed in, and is merged by then or not. */
const handInPull =
  (merged: boolean): Act =>
  async (world, task, told) => {
    const { claimed } = await claim(world, task, told)
    const body = `Fixes #7.\n\n${claimed?.body.disclosureFooter}`
    world.codehost.world.set(task.repo, 1, { title: 'Keep the last row', body, merged })
    return (merged ? handIn : handInUnread)(world, task, told)
  }

/** A verifier of somebody else decides past the service. */
const judgedElsewhere =
  (approved: boolean): Act =>
  async (world, task, told) => {
    await judgeElsewhere(world, task.jobId, approved)
    return { decided: await task.agent.untilDecided(sessionIdOf(told)) }
  }

/** The work is on chain by the worker's own key; the service is given other work, and refuses it. */
const handInOther: Act = async (world, task, told) => {
  await submitElsewhere(world, task)
  const { body } = await task.agent.submit(sessionIdOf(told), task.keys.other, BAD_WORK)
  if (body.code !== 'external_direct_submit_evidence_mismatch') throw new Error(`other work was answered with ${body.code ?? body.status}`)
  return {}
}

/** The same work that is on chain. */
const handInSame: Act = async (_world, { agent, keys, work }, told) => {
  const sessionId = sessionIdOf(told)
  const submitted = needOk(await agent.submit(sessionId, keys.submit, work), 'the submission')
  return { submitted, decided: await agent.untilDecided(sessionId) }
}

/** For the chain the deadline has passed when the service accepts what is in time by its own clock. */
const handInLate: Act = async (world, { agent, keys, work }, told) => {
  const [sessionId, deadline] = [sessionIdOf(told), Date.parse(told.claimed?.body.claimExpiresAt)]
  await world.overtake(deadline + AFTER_MS)
  await agent.submit(sessionId, keys.submit, work)
  await world.passTo(deadline + AFTER_MS)
  await agent.signInAgain()
  return { decided: await agent.until(sessionId, ({ status }) => status !== 'claimed') }
}

const letReviewPass: Act = async (world, task, told) => {
  await world.passTo(Date.parse(told.decided.submittedAt) + REVIEW_SLA_SECONDS * 1_000 + AFTER_MS)
  await task.agent.signInAgain()
  return { decided: await task.agent.untilDecided(sessionIdOf(told)) }
}

const isOver = ({ status, rejectionFinalizedAt }: Reply['body']): boolean =>
  status === 'resolved' || status === 'closed' || rejectionFinalizedAt !== undefined

/** Waits for the end of the session, and of its dispute: what tells of the end comes after it. */
const untilOver = async (world: CrashWorld, { agent }: Task, told: Told): Promise<Told> => {
  const sessionId = sessionIdOf(told)
  const decided = await agent.until(sessionId, isOver)
  for (const end = Date.now() + END_MS; !(await isToldOf(world, sessionId)) && Date.now() < end; ) await sleep(LOOK_MS)
  return { decided }
}

/** The worker's own key disputes the rejection; the service hears of it from the chain alone. */
const dispute: Act = async (world, task, told) => {
  await openDispute({ view: world.view, chain: world.chainFile }, task.agent.account, task)
  return { decided: await task.agent.until(sessionIdOf(told), ({ status }) => status === 'disputed') }
}

/** A verdict of somebody with a role, under one key however often it is sent. */
const giveVerdict = async (
  world: CrashWorld,
  task: Task,
  who: 'arbitrator' | 'verifier' | 'admin',
  path: string,
  body: object,
): Promise<void> => {
  const agent = await world.agent(privateKeyToAccount(world.keys[who].privateKey))
  needOk(await createPatientAgent(world, agent, task.where).post(path, task.keys.verdict, body), 'the verdict')
}

const disputePath = (told: Told): string => `/disputes/${disputeId(sessionIdOf(told))}`

const decide = (world: CrashWorld, task: Task, told: Told, who: 'arbitrator' | 'admin'): Promise<void> =>
  giveVerdict(world, task, who, `${disputePath(told)}/verdict`, { verdict: 'split', workerPayout: PAYOUT_RAW, rationale: RATIONALE })

const arbitrate: Act = async (world, task, told) => {
  await decide(world, task, told, 'arbitrator')
  return untilOver(world, task, told)
}

/** The pull request is merged while people are to decide, and a verifier asks for a look. */
const mergeLate: Act = async (world, task, told) => {
  world.codehost.world.set(task.repo, 1, { merged: true })
  await giveVerdict(world, task, 'verifier', '/verifier/run', { sessionId: sessionIdOf(told) })
  return untilOver(world, task, told)
}

/** The dispute once this holds of it. */
const untilDispute = async ({ agent }: Task, told: Told, holds: (dispute: Reply['body']) => boolean): Promise<void> => {
  for (const end = Date.now() + END_MS; Date.now() < end; await sleep(LOOK_MS))
    if (holds(needOk(await agent.call(disputePath(told)), 'the dispute').body)) return
  throw new Error(`the dispute has not come so far after ${END_MS / 1000} s`)
}

const letDayPass: Act = async (world, task, told) => {
  const { body } = needOk(await task.agent.call(disputePath(told)), 'the dispute')
  await world.passTo(Date.parse(body.openedAt) + DAY_MS + AFTER_MS)
  await task.agent.signInAgain()
  await untilDispute(task, told, ({ timeline }) => timeline.some(({ action }: { action: string }) => action === 'people_reminded'))
  return {}
}

/** The chain refuses the arbitrator when it decides. It takes its verdicts again when the service has lost its key. */
const loseKey: Act = async (world, task, told) => {
  await allowArbitrator(world, false)
  try {
    const decided = decide(world, task, told, 'arbitrator')
    decided.catch(() => undefined)
    await untilDispute(task, told, ({ verdict }) => verdict !== null)
    await world.holdArbitrator(false)
    await decided
  } finally {
    await allowArbitrator(world, true)
  }
  await untilDispute(task, told, ({ preparation }) => preparation !== undefined)
  return {}
}

/** An arbitrator decides whose key no service holds: what it answers is to be signed. */
const prepare: Act = async (world, task, told) => {
  await decide(world, task, told, 'admin')
  return {}
}

/** The arbitrator signs what was prepared; the service hears of it from the chain alone. */
const sign: Act = async (world, task, told) => {
  const { body } = needOk(await task.agent.call(disputePath(told)), 'the dispute')
  await signElsewhere(world, body.preparation.transaction)
  return untilOver(world, task, told)
}

const approve: Act = async (world, task, told) => {
  const path = `/verifier/sessions/${encode(sessionIdOf(told))}/verdict`
  await giveVerdict(world, task, 'verifier', path, { verdict: 'approve', rationale: RATIONALE })
  return untilOver(world, task, told)
}

const refuse: Act = async (world, task, told) => {
  const path = `/verifier/sessions/${encode(sessionIdOf(told))}/verdict`
  await giveVerdict(world, task, 'verifier', path, { verdict: 'reject', rationale: RATIONALE })
  return { decided: await task.agent.until(sessionIdOf(told), ({ status }) => status === 'rejected') }
}

const overturn: Act = async (world, task, told) => {
  const body = { sessionId: sessionIdOf(told), note: 'The wrong page was read.' }
  await giveVerdict(world, task, 'admin', '/admin/sessions/overturn', body)
  return { decided: await task.agent.until(sessionIdOf(told), ({ status }) => status === 'disputed') }
}

/** A deadline that nobody names any more has passed with another run's. */
const passDeadline = async (world: CrashWorld, task: Task, told: Told, instant: string | undefined): Promise<Told> => {
  if (instant !== undefined) await world.passTo(Date.parse(instant) + AFTER_MS)
  await task.agent.signInAgain()
  return untilOver(world, task, told)
}

const letWindowPass: Act = (world, task, told) => passDeadline(world, task, told, told.decided.lifecycle.disputeWindowEndsAt)

const staySilent: Act = async (world, task, told) => {
  const { body } = needOk(await task.agent.call(disputePath(told)), 'the dispute')
  return passDeadline(world, task, told, body.deadline)
}

/** Without an arbitrator's key the service can only take the work before one. */
const stayUnanswered: Act = async (world, task, told) => {
  const { body } = needOk(await task.agent.call(disputePath(told)), 'the dispute')
  await world.passTo(Date.parse(body.deadline) + AFTER_MS)
  await task.agent.signInAgain()
  return { decided: await task.agent.until(sessionIdOf(told), ({ chainState }) => chainState === 'disputed') }
}

/** Acts of each kind of run, in their order. */
export const ACTS: Readonly<Record<Kind, readonly Act[]>> = {
  waived: [handIn],
  bonded: [handIn],
  merged: [handInPull(true)],
  belated: [handInPull(false), letReviewPass, mergeLate],
  elsewhere: [handInUnread, judgedElsewhere(true)],
  denied: [handInUnread, judgedElsewhere(false), dispute, arbitrate],
  corrected: [claim, handInOther, handInSame],
  late: [claim, handInLate],
  expired: [claim, letClaimPass],
  split: [handIn, dispute, arbitrate],
  lapsed: [handIn, letWindowPass],
  overturned: [handIn, overturn, arbitrate],
  undecided: [handIn, dispute, staySilent],
  approved: [handIn, approve],
  reminded: [handIn, letDayPass, approve],
  refused: [handIn, refuse, letWindowPass],
  silent: [handIn, staySilent],
  overdue: [handInUnread, letReviewPass, approve],
  unsigned: [handIn, prepare, sign],
  unanswered: [handIn, stayUnanswered, prepare, sign],
  forsaken: [handIn, dispute, loseKey, sign],
  penniless: [claimPenniless, handIn],
}
