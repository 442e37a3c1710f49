// Situations beside those of the table of tools, each with what its answer proposes.
import { rejectedBy } from '../../support/disputes.ts'
import type { Agent } from '../../support/http.ts'
import { claim, createJob, fundedAgent, GOOD_WORK } from '../../support/jobs.ts'
import type { Arguments } from './clients.ts'
import type { Stage } from './rows.ts'

interface Situation {
  tool: string
  sent: Arguments
  as: Agent
  /** Tools of the next actions, or the kind of one that is no tool call. */
  next: string[]
}

const withoutMoney = async ({ world }: Stage) => ({ as: await world.agent(), jobId: await createJob(world) })
const working = async ({ world, agent }: Stage) => ({ as: agent, session: await claim(agent, await createJob(world)) })

export const ELSEWHERE: Record<string, (stage: Stage) => Promise<Situation>> = {
  'a preflight without money': async (stage) => {
    const { as, jobId } = await withoutMoney(stage)
    return { tool: 'preflightJob', sent: { jobId }, as, next: ['buildAccountDepositTransactions', 'explainEligibility'] }
  },
  'an explanation without money': async (stage) => {
    const { as, jobId } = await withoutMoney(stage)
    return { tool: 'explainEligibility', sent: { jobId }, as, next: ['buildAccountDepositTransactions'] }
  },
  'an explanation of a job that can be claimed': async ({ agent, openJob }) => {
    return { tool: 'explainEligibility', sent: { jobId: openJob }, as: agent, next: ['claimJob'] }
  },
  'a claim without money': async (stage) => {
    const { as, jobId } = await withoutMoney(stage)
    return { tool: 'claimJob', sent: { jobId }, as, next: ['buildAccountDepositTransactions'] }
  },
  'a claim of a job that another wallet has': async (stage) => {
    const { session } = await working(stage)
    const as = await fundedAgent(stage.world)
    return { tool: 'claimJob', sent: { jobId: session.jobId }, as, next: ['recommendJobs'] }
  },
  'a preflight of a job that another wallet has': async (stage) => {
    const { session } = await working(stage)
    const as = await fundedAgent(stage.world)
    return { tool: 'preflightJob', sent: { jobId: session.jobId }, as, next: ['recommendJobs', 'explainEligibility'] }
  },
  'a session that is claimed': async (stage) => {
    const { as, session } = await working(stage)
    return { tool: 'resumeSession', sent: { sessionId: session.sessionId }, as, next: ['validateJobSubmission', 'submitWork'] }
  },
  'a session that is approved': async ({ agent, approved }) => {
    const next = ['getAgentBadge', 'getAccountSummary', 'recommendJobs']
    return { tool: 'resumeSession', sent: { sessionId: approved.sessionId }, as: agent, next }
  },
  'a session that is rejected': async ({ world, agent }) => {
    const rejected = await rejectedBy(world, agent)
    return { tool: 'resumeSession', sent: { sessionId: rejected.sessionId }, as: agent, next: ['getVerificationResult', 'transaction'] }
  },
  'a result that is rejected': async ({ world, agent }) => {
    const rejected = await rejectedBy(world, agent)
    return { tool: 'getVerificationResult', sent: { sessionId: rejected.sessionId }, as: agent, next: ['transaction'] }
  },
  'a submission of another wallet': async ({ world, approved }) => {
    const sent = { sessionId: approved.sessionId, submission: GOOD_WORK }
    return { tool: 'submitWork', sent, as: await world.agent(), next: ['listSessions'] }
  },
  'a page that does not exist': async ({ agent }) => {
    return { tool: 'listJobs', sent: { cursor: 'nonsense' }, as: agent, next: ['listJobs'] }
  },
  'recommendations of which there are more': async ({ world }) => {
    for (let job = 0; job < 2; job += 1) await createJob(world, { onboardingWaiverEligible: true })
    return { tool: 'recommendJobs', sent: { limit: 1 }, as: await world.agent(), next: ['preflightJob', 'recommendJobs'] }
  },
  'a withdrawal of more than the balance': async ({ agent }) => {
    return { tool: 'buildWithdrawTransactions', sent: { amount: '900000000' }, as: agent, next: ['getAccountPosition', 'wait'] }
  },
  'a quote of more than the balance': async ({ agent }) => {
    const sent = { tier: 't30', amount: '900000000', consentNonce: 'a1b2c3d4e5f6' }
    return { tool: 'quoteLockedDeposit', sent, as: agent, next: ['buildAccountDepositTransactions'] }
  },
}
