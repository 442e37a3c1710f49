import type { NextAction } from '../../schemas/errors.ts'
import type { Arguments } from './arguments.ts'
import type { ToolBody, ToolName } from './descriptors.ts'
import { asToolCall, toolCall } from './next-actions.ts'

/** Seconds that a suggested read waits for a change. */
const WAIT_SECONDS = 25

type Hint<Body> = (body: Body, sent: Arguments) => NextAction[]

/** The first job of a list that can be claimed; what stands in the way of the first, if none can. */
const chooseJob = (rows: readonly { jobId: unknown; canClaim: boolean }[]): NextAction[] => {
  const [first] = rows
  const job = rows.find(({ canClaim }) => canClaim)
  if (job !== undefined) return [toolCall('preflightJob', { jobId: job.jobId }, 'See whether you can claim this job, and what it costs.')]
  if (first === undefined) return []
  return [toolCall('explainEligibility', { jobId: first.jobId }, 'See what stands in the way of this job.')]
}

/** What removes the blockers of a claim, each step once. */
const stepsPastBlockers = (body: Pick<ToolBody<'preflightJob'>, 'blockers'>, sent: Arguments): NextAction[] => {
  const steps = body.blockers.flatMap(({ details = {}, nextActions }) =>
    nextActions.map((action) => asToolCall(action, [details, { ...body }, sent])),
  )
  return [...new Map(steps.map((step) => [JSON.stringify(step), step])).values()]
}

const claimOf = (jobId: unknown): NextAction =>
  toolCall('claimJob', { jobId }, 'Claim the job. Its bond is locked and the claim clock starts.')

const preflighted: Hint<ToolBody<'preflightJob'>> = (body, sent) => {
  const { jobId, eligible } = body
  return eligible === true
    ? [toolCall('getJobDefinition', { jobId }, 'Read what is asked and in which shape.'), claimOf(jobId)]
    : [...stepsPastBlockers(body, sent), toolCall('explainEligibility', { jobId }, 'See everything that stands in the way.')]
}

/** What follows an answer that does not say it itself, by tool. */
const HINTS: { readonly [Name in ToolName]?: Hint<ToolBody<Name>> } = {
  getPlatformCapabilities: () => [
    toolCall('listJobs', { claimable: true, limit: 10 }, 'Find a job.'),
    toolCall('fetchAuthNonce', {}, 'Sign in with the wallet of the agent.'),
  ],
  fetchAuthNonce: ({ message }) => [
    toolCall(
      'verifySiwe',
      { message },
      'Sign the message unchanged, a wallet by personal_sign, a native account as raw text, and send the signature.',
    ),
  ],
  verifySiwe: () => [
    toolCall('recommendJobs', {}, 'Find a job for this wallet. Send the token as Authorization: Bearer with every later message.'),
  ],
  listJobs: ({ jobs }) =>
    chooseJob(
      jobs.map((job) => ({ jobId: job.id, canClaim: 'format' in job ? (job.currentWalletCanClaim ?? job.claimable) : job.claimable })),
    ),
  recommendJobs: ({ recommendations }) => chooseJob(recommendations.map(({ jobId, eligible }) => ({ jobId, canClaim: eligible }))),
  getJobDefinition: ({ id }) => [toolCall('preflightJob', { jobId: id }, 'See whether you can claim this job, and what it costs.')],
  preflightJob: preflighted,
  explainEligibility: (body, sent) => (body.eligible === true ? [claimOf(body.jobId)] : stepsPastBlockers(body, sent)),
  validateJobSubmission: ({ submitSafe, jobId }) => {
    const find = 'Find your session of this job; submitWork takes its id and this submission.'
    if (submitSafe === true) return [toolCall('listSessions', { jobId, state: 'active' }, find)]
    return [toolCall('validateJobSubmission', { jobId }, 'Correct what errors and warnings name, and check again.')]
  },
  getVerificationResult: ({ sessionId, outcome, status }) => {
    if (outcome === 'approved') return [toolCall('getAgentBadge', { sessionId }, 'Read the signed badge.')]
    if (status === 'not_submitted') return [toolCall('resumeSession', { sessionId }, 'Nothing is submitted: see what is left to do.')]
    if (outcome !== undefined) return [toolCall('resumeSession', { sessionId }, 'See what is left to do, a dispute included.')]
    const description = `The status is ${status}. Ask again: the answer comes when it changes, or after ${WAIT_SECONDS} seconds.`
    return [toolCall('getVerificationResult', { sessionId, waitSeconds: WAIT_SECONDS }, description)]
  },
  listSessions: ({ sessions }) => {
    const [first] = sessions
    return first === undefined ? [] : [toolCall('resumeSession', { sessionId: first.sessionId }, 'See what is left to do in this session.')]
  },
  quoteLockedDeposit: ({ terms, termsHash }) => [
    toolCall('createLockedDeposit', { terms, termsHash }, 'Sign the consent with the wallet, and send its signature.'),
  ],
}

/** The next page of a list; it has as many rows as this one. */
const nextPage = (tool: ToolName, { nextCursor, limit }: Arguments, sent: Arguments): NextAction[] =>
  typeof nextCursor === 'string' ? [toolCall(tool, { ...sent, limit, cursor: nextCursor }, 'Read the next page.')] : []

/** Next calls after an answer of the tool; empty where nothing follows from it. */
export const hintsOf = (tool: ToolName, body: Arguments, sent: Arguments): NextAction[] => [
  ...((HINTS[tool] as Hint<Arguments> | undefined)?.(body, sent) ?? []),
  ...nextPage(tool, body, sent),
]
