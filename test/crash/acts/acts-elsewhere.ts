// Acts in which another party changes the chain, or the service cannot do it itself.
import type { Reply } from '../../e2e/support/http.ts'
import { BAD_WORK, deposit } from '../../e2e/support/jobs.ts'
import { type Act, AFTER_MS, decide, decideAnew, disputeOf, needOk, sessionIdOf, untilDispute, untilOver, untilSo } from './act.ts'
import { judgeElsewhere, signElsewhere, submitElsewhere, whilePaused, withdrawElsewhere } from './elsewhere.ts'
import { isStarted } from './engine.ts'

const FUNDS_RAW = 10_000_000n

const needCode = ({ code, status }: Reply['body'], wanted: string, what: string): void => {
  if (code !== wanted) throw new Error(`${what} was answered with ${code ?? status}, not with ${wanted}`)
}

/** The account is emptied after the service has looked at it, and filled again after the refusal. */
export const claimPenniless: Act = async (world, { agent, owner, jobId, keys }) => {
  const [answer] = await world.withoutWorkers(async () => {
    const claiming = agent.claim(jobId, keys.other)
    claiming.catch(() => undefined)
    await untilSo(() => isStarted(world, jobId))
    await withdrawElsewhere(world, owner.account)
    // In a list, since it is answered only when the workers are back.
    return [claiming]
  })
  const { body } = await answer
  needCode(body, 'insufficient_liquidity', 'a claim without money')
  await deposit(world, owner, FUNDS_RAW)
  return {}
}

/** An external verifier decides directly on chain. */
export const judgedElsewhere =
  (approved: boolean): Act =>
  async (world, task, answers) => {
    await judgeElsewhere(world, task.jobId, approved)
    return { decided: await task.agent.untilDecided(sessionIdOf(answers)) }
  }

/** The work is on chain by the worker's own key; the service is given other work, and refuses it. */
export const handInOther: Act = async (world, task, answers) => {
  await submitElsewhere(world, task)
  const { body } = await task.agent.submit(sessionIdOf(answers), task.keys.other, BAD_WORK)
  needCode(body, 'external_direct_submit_evidence_mismatch', 'other work')
  return {}
}

/** The same work that is on chain. */
export const handInSame: Act = async (_world, { agent, keys, work }, answers) => {
  const sessionId = sessionIdOf(answers)
  const submitted = needOk(await agent.submit(sessionId, keys.submit, work), 'the submission')
  return { submitted, decided: await agent.untilDecided(sessionId) }
}

/** For the chain the deadline has passed when the service accepts what is in time by its own clock. */
export const handInLate: Act = async (world, { agent, keys, work }, answers) => {
  const [sessionId, deadline] = [sessionIdOf(answers), Date.parse(answers.claimed?.body.claimExpiresAt)]
  await world.overtake(deadline + AFTER_MS)
  needCode((await agent.submit(sessionId, keys.submit, work)).body, 'chain_state_diverged', 'work that came too late')
  await world.passTo(deadline + AFTER_MS)
  await agent.signInAgain()
  return { decided: await agent.until(sessionId, ({ status }) => status !== 'claimed') }
}

/** The contracts are paused when the arbitrator decides. The service has lost its key when they resume. */
export const loseKey: Act = async (world, task, answers) => {
  await whilePaused(world, async () => {
    const decided = decide(world, task, answers, 'arbitrator')
    decided.catch(() => undefined)
    await untilDispute(task, answers, ({ verdict }) => verdict !== null)
    await world.holdArbitrator(false)
    await decided
  })
  await untilDispute(task, answers, ({ preparation }) => preparation !== undefined)
  return {}
}

/** An arbitrator decides whose key no service holds: what it answers is to be signed. */
export const prepare: Act = async (world, task, answers) => {
  await decide(world, task, answers, 'admin')
  return {}
}

/** The arbitrator replaces the first prepared verdict before a key holder signs it. */
export const supersede: Act = async (world, task, answers) => {
  await decideAnew(world, task, answers, 'admin')
  return {}
}

/** The arbitrator signs what was prepared; the service reads it from the chain alone. */
export const sign: Act = async (world, task, answers) => {
  await untilDispute(task, answers, ({ nextActions }) => nextActions[0]?.kind === 'transaction')
  const { preparation } = await disputeOf(task, answers)
  await signElsewhere(world, preparation.transaction)
  return untilOver(world, task, answers)
}

/** Without an arbitrator's key the service can only take the work before one. */
export const stayUnanswered: Act = async (world, task, answers) => {
  const { stage, deadline } = await disputeOf(task, answers)
  if (stage === 'review') await world.passTo(Date.parse(deadline) + AFTER_MS)
  await task.agent.signInAgain()
  return { decided: await task.agent.until(sessionIdOf(answers), ({ chainState }) => chainState === 'disputed') }
}
