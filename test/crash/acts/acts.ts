// What happens in a run, in stretches between which it may wait: the first claims and submits, the others go on after the verdict.
import { REVIEW_SLA_SECONDS } from '../../../domain/common/constants.ts'
import { openDispute } from '../../e2e/support/disputes.ts'
import { encode } from '../../e2e/support/jobs.ts'
import { looked } from '../../e2e/support/pull-requests.ts'
import type { CrashWorld } from '../crash-world.ts'
import {
  type Act,
  AFTER_MS,
  decide,
  disputeOf,
  giveVerdict,
  needOk,
  type PartialAnswers,
  RATIONALE,
  sessionIdOf,
  untilDispute,
  untilOver,
} from './act.ts'
import {
  claimPenniless,
  handInLate,
  handInOther,
  handInSame,
  judgedElsewhere,
  loseKey,
  prepare,
  sign,
  stayUnanswered,
  supersede,
} from './acts-elsewhere.ts'
import { signalPullRequestChange } from './engine.ts'
import type { Kind } from './journeys.ts'
import type { Task } from './work.ts'

const DAY_MS = 86_400_000

const claim: Act = async (_world, { agent, jobId, keys }) => ({ claimed: needOk(await agent.claim(jobId, keys.claim), 'the claim') })

/** Nothing is handed in. A claim shows as expired from its deadline on; its record follows the chain. */
const letClaimPass: Act = async (world, task, answers) => {
  await world.passTo(Date.parse(answers.claimed?.body.claimExpiresAt) + AFTER_MS)
  await task.agent.signInAgain()
  return {
    decided: await task.agent.until(sessionIdOf(answers), ({ status, chainState }) => status !== 'claimed' && chainState !== 'claimed'),
  }
}

const claimAndSubmit = async ({ agent, jobId, keys, work }: Task) => {
  const claimed = needOk(await agent.claim(jobId, keys.claim), 'the claim')
  const { sessionId } = claimed.body
  return { claimed, sessionId, submitted: needOk(await agent.submit(sessionId, keys.submit, work), 'the submission') }
}

/** Claims, submits and waits for the verdict's record. */
const handIn: Act = async (_world, task) => {
  const { sessionId, ...answers } = await claimAndSubmit(task)
  return { ...answers, decided: await task.agent.untilDecided(sessionId) }
}

/** Hands in what no verifier can decide. */
const handInUnread: Act = async (_world, task) => {
  const { sessionId, ...answers } = await claimAndSubmit(task)
  return { ...answers, decided: await task.agent.until(sessionId, ({ status }) => status === 'submitted') }
}

/** The pull request is open and carries the footer of its claim before it is handed in. Its test has failed when it is first looked at, which holds it. */
const handInPull: Act = async (world, task, answers) => {
  const { claimed } = await claim(world, task, answers)
  const body = `Fixes #7.\n\n${claimed?.body.disclosureFooter}`
  world.codehost.world.set(task.repo, 1, { title: 'Keep the last row', body, runs: [{ name: 'test', conclusion: 'failure' }] })
  const handed = await handInUnread(world, task, answers)
  await looked(world, sessionIdOf(handed))
  return handed
}

const letReviewPass: Act = async (world, task, answers) => {
  await world.passTo(Date.parse(answers.decided.submittedAt) + REVIEW_SLA_SECONDS * 1_000 + AFTER_MS)
  await task.agent.signInAgain()
  return { decided: await task.agent.untilDecided(sessionIdOf(answers)) }
}

/** The worker's own key disputes the rejection; the service reads it from the chain alone. */
const dispute: Act = async (world, task, answers) => {
  await openDispute({ view: world.view, chain: world.chainFile }, task.agent.account, task)
  return { decided: await task.agent.until(sessionIdOf(answers), ({ status }) => status === 'disputed') }
}

const arbitrate: Act = async (world, task, answers) => {
  await decide(world, task, answers, 'arbitrator')
  return untilOver(world, task, answers)
}

const uphold: Act = async (world, task, answers) => {
  await decide(world, task, answers, 'arbitrator', { verdict: 'upheld' })
  return untilOver(world, task, answers)
}

/** The pull request is merged, and the code host sends its webhook. */
const mergeNow = async (world: CrashWorld, task: Task, answers: PartialAnswers): Promise<void> => {
  world.codehost.world.set(task.repo, 1, { merged: true })
  await signalPullRequestChange(world, sessionIdOf(answers))
}

const merge: Act = async (world, task, answers) => {
  await mergeNow(world, task, answers)
  return { decided: await task.agent.untilDecided(sessionIdOf(answers)) }
}

/** It is merged while people are to decide. */
const mergeLate: Act = async (world, task, answers) => {
  await mergeNow(world, task, answers)
  return untilOver(world, task, answers)
}

const letDayPass: Act = async (world, task, answers) => {
  const { openedAt } = await disputeOf(task, answers)
  await world.passTo(Date.parse(openedAt) + DAY_MS + AFTER_MS)
  await task.agent.signInAgain()
  await untilDispute(task, answers, ({ timeline }) => timeline.some(({ action }: { action: string }) => action === 'people_reminded'))
  return {}
}

const approve: Act = async (world, task, answers) => {
  const path = `/verifier/sessions/${encode(sessionIdOf(answers))}/verdict`
  await giveVerdict(world, task, 'verifier', path, { verdict: 'approve', rationale: RATIONALE })
  return untilOver(world, task, answers)
}

const refuse: Act = async (world, task, answers) => {
  const path = `/verifier/sessions/${encode(sessionIdOf(answers))}/verdict`
  await giveVerdict(world, task, 'verifier', path, { verdict: 'reject', rationale: RATIONALE })
  return { decided: await task.agent.until(sessionIdOf(answers), ({ status }) => status === 'rejected') }
}

const overturn: Act = async (world, task, answers) => {
  const body = { sessionId: sessionIdOf(answers), note: 'The wrong page was read.' }
  await giveVerdict(world, task, 'admin', '/admin/sessions/overturn', body)
  return { decided: await task.agent.until(sessionIdOf(answers), ({ status }) => status === 'disputed') }
}

/** A deadline that the session does not show any more has passed together with that of another run. */
const passDeadline = async (
  world: CrashWorld,
  task: Task,
  answers: PartialAnswers,
  instant: string | undefined,
): Promise<PartialAnswers> => {
  if (instant !== undefined) await world.passTo(Date.parse(instant) + AFTER_MS)
  await task.agent.signInAgain()
  return untilOver(world, task, answers)
}

const letWindowPass: Act = (world, task, answers) => passDeadline(world, task, answers, answers.decided.lifecycle.disputeWindowEndsAt)

const letReviewDeadlinePass: Act = async (world, task, answers) => {
  const { deadline } = await disputeOf(task, answers)
  return passDeadline(world, task, answers, deadline)
}

/** Acts of each kind of run, in their order. */
export const ACTS: Readonly<Record<Kind, readonly Act[]>> = {
  waived: [handIn],
  bonded: [handIn],
  merged: [handInPull, merge],
  belated: [handInPull, letReviewPass, mergeLate],
  elsewhere: [handInUnread, judgedElsewhere(true)],
  denied: [handInUnread, judgedElsewhere(false), dispute, arbitrate],
  corrected: [claim, handInOther, handInSame],
  late: [claim, handInLate],
  expired: [claim, letClaimPass],
  split: [handIn, dispute, arbitrate],
  upheld: [handIn, dispute, uphold],
  lapsed: [handIn, letWindowPass],
  overturned: [handIn, overturn, arbitrate],
  undecided: [handIn, dispute, letReviewDeadlinePass],
  approved: [handIn, approve],
  reminded: [handIn, letDayPass, approve],
  refused: [handIn, refuse, letWindowPass],
  unreviewed: [handIn, letReviewDeadlinePass],
  overdue: [handInUnread, letReviewPass, approve],
  unsigned: [handIn, prepare, sign],
  superseded: [handIn, prepare, supersede, sign],
  unanswered: [handIn, stayUnanswered, prepare, sign],
  forsaken: [handIn, dispute, loseKey, sign],
  penniless: [claimPenniless, handIn],
}
