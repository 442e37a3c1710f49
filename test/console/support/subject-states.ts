// Where the states of subjects stand in the answers of the API, and what the console offers in each.
import { actionAddress } from '../../../console/actions/action.ts'
import { ACTIONS } from '../../../console/actions/all.ts'
import { reasonWords, waitWords } from '../../../console/look/reasons.ts'
import { address } from '../../../console/look/values.ts'
import { PAGES } from '../../../console/pages/all.ts'
import type { OperationId } from '../../../schemas/operations/registry.ts'
import type { Documents } from './answering-api.ts'
import { type Path, publishedAnswer, withValue } from './published.ts'

const LONG_AGO = '2020-01-01T00:00:00.000Z'
export const LONG_AFTER = '2120-01-01T00:00:00.000Z'
/** Members of the addresses of pages and actions. */
export const SUBJECTS: Readonly<Record<string, string>> = {
  ...{ sessionId: 'a-session', jobId: 'a-job', disputeId: 'dispute-327fbcafc916', wallet: `0x${'ab'.repeat(20)}`, lane: 'liveness' },
  ...{ runId: 'verify-00000000-0000-4000-8000-327fbcafc916', requestId: `0x${'1'.repeat(64)}`, provider: 'github' },
}
const idIn = (id: OperationId, path: Path): string =>
  String(path.reduce<unknown>((found, name) => (found as Record<string | number, unknown>)[name], publishedAnswer(id, 'recorded')))

/** Every page, and the preview of every action. */
export const PAGE_ADDRESSES = PAGES.map(({ path }) =>
  address(path, {
    [`${path.slice(1)}Id`]: SUBJECTS[`${path.slice(1)}Id`],
    wallet: path === '/wallet' ? SUBJECTS.wallet : undefined,
  }),
)
export const PREVIEW_ADDRESSES = ACTIONS.map((action) => {
  const id =
    action.name === 'revoke-grant'
      ? idIn('listCapabilityGrants', ['items', 0, 'id'])
      : idIn('listServiceTokens', ['items', 0, 'grant', 'id'])
  return actionAddress(action, Object.fromEntries(action.subject.map((member) => [member, SUBJECTS[member] ?? id])))
})

/** A published answer with other values at places such as `jobs.0.status`; one that is undefined is absent. */
export const answerWith = (id: OperationId, changes: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(changes).reduce(
    (document, [place, value]) => withValue(document, pathOf(place), value),
    publishedAnswer(id, 'every member'),
  )
export const pathOf = (place: string): Path => place.split('.').map((name) => (/^\d+$/.test(name) ? Number(name) : name))

/** Where a state of a subject stands in an answer, and what a page makes of it. */
export interface Subject {
  operation: OperationId
  place: string
  /** Other members of the answer, and other answers. */
  with?: Readonly<Record<string, unknown>>
  beside?: Documents
  /** Members that go with a state. */
  goesWith?: (state: string) => Readonly<Record<string, unknown>>
  /** Words of a state on the page; by default its own. */
  inWords?: (state: string) => string
  /** Actions that the page offers: in every state, or by state. */
  acts?: readonly string[] | Readonly<Record<string, readonly string[]>>
}

const { disputeId, sessionId, jobId, runId, requestId } = SUBJECTS
/** Words of customers, in whose form the page shows them. */
export const RUN_TARGET = { target: { endpoint: 'https://mcp.example/mcp' } }
const DISPUTE = `/dispute?disputeId=${disputeId}`
const SESSION = `/session?sessionId=${sessionId}`
const JOB = `/job?jobId=${jobId}`
const RUN = `/run?runId=${runId}`
const REQUEST = `requestId=${requestId}`
const UNDECIDED = { status: 'open', verdict: null, preparation: undefined }
const RESOLVED = { status: 'resolved', preparation: undefined }
const QUIET = { 'session.chainStateDivergence': undefined, 'session.operatorClose': undefined, 'session.disputableUntil': LONG_AFTER }
const REVOKED_TOKENS = { listServiceTokens: answerWith('listServiceTokens', { 'items.0.grant.status': 'revoked' }) }
const JOB_ACTS = { 'job.recurring': undefined, 'job.listingStatus': 'listed' }
const ARCHIVED = { 'job.effectiveState': 'archived', 'job.lifecycle.status': 'archived', 'job.lifecycle.state': 'archived' }
const ofLife = (state: string) => ({ 'job.lifecycle.status': state === 'stale' ? 'open' : state })
const ofPoster = {
  open: ['pause-job', 'delist-job'],
  paused: ['reopen-job', 'delist-job'],
  stale: ['reopen-job', 'delist-job'],
  archived: ['reopen-job'],
}
const archiving = ({ archived = [], ...acts }: Readonly<Record<string, readonly string[]>>) => ({
  ...Object.fromEntries(Object.entries(acts).map(([state, names]) => [state, [...names, 'archive-job']])),
  archived,
})
const RUNS_OF_TEMPLATE = {
  open: ['fire-template', 'pause-template'],
  paused: ['resume-template'],
  stale: ['fire-template', 'pause-template'],
  archived: ['reopen-job'],
}

/** States that the schemas enumerate, on every page that shows them. */
export const SUBJECT_STATES: readonly (readonly [page: string, subject: Subject])[] = [
  ['/postings', { operation: 'listAdminPostings', place: 'jobs.0.status' }],
  ['/runs', { operation: 'listVerificationRuns', place: 'runs.0.status' }],
  ['/runs', { operation: 'listVerificationRuns', place: 'runs.0.billing.status' }],
  ['/runs', { operation: 'listVerificationRuns', place: 'runs.0.verdict' }],
  [RUN, { operation: 'getVerificationRun', place: 'status', with: RUN_TARGET }],
  [RUN, { operation: 'getVerificationRun', place: 'billing.status', with: RUN_TARGET }],
  [RUN, { operation: 'getVerificationRun', place: 'verdict', with: RUN_TARGET }],
  ['/source-items', { operation: 'listSourceItems', place: 'items.0.outcome' }],
  [
    '/sources',
    {
      operation: 'listSources',
      place: 'sources.0.lastRun.status',
      acts: ['pause-source', 'trigger-source', 'change-source-runs', 'ask-source'],
      with: { 'sources.0.schedule.paused': false },
    },
  ],
  ['/jobs', { operation: 'listAdminJobs', place: 'jobs.0.effectiveState', acts: ['sweep-definitions'] }],
  ['/jobs', { operation: 'listAdminJobs', place: 'jobs.0.reason', inWords: reasonWords, acts: ['sweep-definitions'] }],
  [JOB, { operation: 'getJobTimeline', place: 'job.effectiveState', with: JOB_ACTS, acts: ['pause-job', 'archive-job'] }],
  [
    JOB,
    {
      operation: 'getJobTimeline',
      place: 'job.lifecycle.state',
      with: JOB_ACTS,
      goesWith: ofLife,
      inWords: () => 'Retry policy',
      acts: archiving({ open: ['pause-job'], paused: ['reopen-job'], stale: ['reopen-job'], archived: ['reopen-job'] }),
    },
  ],
  [
    JOB,
    {
      operation: 'getJobTimeline',
      place: 'job.lifecycle.state',
      with: { ...JOB_ACTS, 'job.lane': undefined },
      goesWith: ofLife,
      inWords: () => 'a poster',
      acts: archiving(ofPoster),
    },
  ],
  [
    JOB,
    {
      operation: 'getJobTimeline',
      place: 'job.lifecycle.state',
      with: { ...JOB_ACTS, 'job.recurring': true },
      goesWith: ofLife,
      inWords: () => 'Schedule',
      acts: archiving(RUNS_OF_TEMPLATE),
    },
  ],
  [
    JOB,
    {
      operation: 'getJobTimeline',
      place: 'job.listingStatus',
      with: { ...JOB_ACTS, ...ARCHIVED },
      inWords: () => 'archived',
      acts: { listed: ['reopen-job'], quarantined: ['reopen-job'], delisted: [] },
    },
  ],
  ['/webhooks', { operation: 'listAdminWebhooks', place: 'webhooks.0.state' }],
  [
    '/webhooks',
    { operation: 'listAdminWebhooks', place: 'webhooks.0.pauseReason', with: { 'webhooks.0.state': 'paused' }, inWords: reasonWords },
  ],
  ['/webhooks', { operation: 'listAdminWebhooks', place: 'webhooks.0.lastDelivery.outcome' }],
  ['/webhooks', { operation: 'listAdminWebhooks', place: 'webhooks.0.lastDelivery.failure' }],
  ['/delegates', { operation: 'listAdminDelegates', place: 'items.0.status' }],
  [
    '/grants',
    {
      operation: 'listCapabilityGrants',
      place: 'items.0.status',
      with: { 'items.0.expiresAt': LONG_AFTER },
      beside: REVOKED_TOKENS,
      acts: { active: ['issue-token', 'grant', 'revoke-grant'], revoked: ['issue-token', 'grant'] },
    },
  ],
  [
    '/grants/tokens',
    {
      operation: 'listServiceTokens',
      place: 'items.0.grant.status',
      with: { 'items.0.grant.expiresAt': LONG_AFTER },
      acts: { active: ['issue-token', 'rotate-token', 'revoke-token'], revoked: ['issue-token'] },
    },
  ],
  ['/xcm', { operation: 'listXcmOutcomes', place: 'items.0.status', with: { 'items.0.processed': true }, acts: [] }],
  ['/xcm', { operation: 'listXcmOutcomes', place: 'items.0.status', with: { 'items.0.processed': false }, acts: ['finalize-request'] }],
  [
    '/xcm/waiting',
    { operation: 'listExhaustedXcmRequests', place: 'items.0.status', with: { 'items.0.processed': false }, acts: ['finalize-request'] },
  ],
  [`/do/finalize-request?${REQUEST}`, { operation: 'getXcmRequest', place: 'statusLabel' }],
  [`/do/observe-request?${REQUEST}`, { operation: 'getXcmRequest', place: 'statusLabel' }],
  [`/do/observe-request?${REQUEST}`, { operation: 'getXcmRequest', place: 'kindLabel' }],
  ['/disputes', { operation: 'listDisputes', place: 'disputes.0.status' }],
  ['/disputes', { operation: 'listDisputes', place: 'disputes.0.stage' }],
  ['/disputes', { operation: 'listDisputes', place: 'disputes.0.origin' }],
  ['/disputes', { operation: 'listDisputes', place: 'disputes.0.verdict', with: { 'disputes.0.status': 'resolved' } }],
  [
    DISPUTE,
    {
      operation: 'getDispute',
      place: 'stage',
      with: UNDECIDED,
      acts: { review: ['decide-dispute', 'decide-review'], arbitration: ['decide-dispute'] },
    },
  ],
  [DISPUTE, { operation: 'getDispute', place: 'verdict', with: { status: 'open' }, acts: ['decide-dispute'] }],
  [DISPUTE, { operation: 'getDispute', place: 'verdict', with: { status: 'open', preparation: undefined }, acts: [] }],
  [DISPUTE, { operation: 'getDispute', place: 'verdict', with: RESOLVED, acts: [] }],
  [DISPUTE, { operation: 'getDispute', place: 'source', with: RESOLVED, acts: [] }],
  [DISPUTE, { operation: 'getDispute', place: 'sessionStatus', with: RESOLVED, acts: [] }],
  [DISPUTE, { operation: 'getDispute', place: 'chainState', with: RESOLVED, acts: [] }],
  [
    DISPUTE,
    { operation: 'getDispute', place: 'release.action', with: RESOLVED, inWords: (action) => action.replaceAll('-', ' '), acts: [] },
  ],
  ['/reviews', { operation: 'listPendingVerifications', place: 'pending.0.disposition', with: { 'pending.0.disputeId': undefined } }],
  ['/sessions', { operation: 'listAdminSessions', place: 'sessions.0.status' }],
  ['/sessions', { operation: 'listAdminSessions', place: 'sessions.0.waitingFor', inWords: waitWords }],
  [
    SESSION,
    {
      operation: 'getSessionTimeline',
      place: 'session.status',
      with: QUIET,
      acts: {
        claimed: [],
        submitted: ['run-verifier'],
        disputed: [],
        rejected: ['overturn-session'],
        resolved: [],
        closed: [],
        expired: ['close-session'],
        timed_out: [],
        chain_state_diverged: [],
      },
    },
  ],
  [
    SESSION,
    {
      operation: 'getSessionTimeline',
      place: 'session.status',
      with: {
        ...QUIET,
        'session.disputableUntil': LONG_AGO,
        'session.chainStateDivergence': { expected: 'submitted', observed: 'open', at: LONG_AGO },
      },
      acts: {
        claimed: ['close-session'],
        submitted: ['run-verifier', 'close-session'],
        disputed: ['close-session'],
        rejected: ['close-session'],
        resolved: ['close-session'],
        closed: ['close-session'],
        expired: ['close-session'],
        timed_out: ['close-session'],
        chain_state_diverged: ['close-session'],
      },
    },
  ],
  [
    SESSION,
    { operation: 'getSessionTimeline', place: 'session.waitingFor', with: { ...QUIET, 'session.status': 'resolved' }, inWords: waitWords },
  ],
  [SESSION, { operation: 'getSessionTimeline', place: 'session.chainState', with: { ...QUIET, 'session.status': 'resolved' } }],
]
