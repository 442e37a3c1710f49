// Every page of an answer, rendered from the recorded answers of a real stack.

import type { Logger } from 'pino'
import type { z } from 'zod'
import { jobPage, jobsPage } from '../../../api/catalogue/page.ts'
import { agentsPage } from '../../../api/directory/agents-page.ts'
import { profilePage } from '../../../api/directory/profile-page.ts'
import { homePage } from '../../../api/discovery/home-page.ts'
import { docsSubjects } from '../../../api/discovery/pages/docs-index.ts'
import { searchPage } from '../../../api/discovery/pages/docs-page.ts'
import { answerExample } from '../../../api/discovery/recorded-answers.ts'
import { problemPage } from '../../../api/http/pages/problem-page.ts'
import { poolPage } from '../../../api/pool/pool-page.ts'
import { receiptPage } from '../../../api/receipts/receipt-page.ts'
import { badgePage } from '../../../api/reputation/badge-page.ts'
import { headsPage } from '../../../api/session-log/heads-page.ts'
import { sharePage } from '../../../api/shares/share-page.ts'
import { disputeSnapshot } from '../../../domain/shares/dispute-snapshot.ts'
import { POLICIES } from '../../../domain/shares/policies.ts'
import { sessionSnapshot } from '../../../domain/shares/session-snapshot.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { OPERATIONS, operationList } from '../../../schemas/operations/registry.ts'
import { ProblemShape } from '../../../schemas/operations/values.ts'
import { aDelivery } from '../records/delivery-row.ts'

const BASE = 'https://work.example'

// biome-ignore lint/suspicious/noExplicitAny: recorded answers of any operation
type Recorded = any

const recorded = (spec: OperationSpec): Recorded => {
  const answer = answerExample(spec, 200)
  if (answer === undefined) throw new Error(`no answer of ${spec.id} is recorded`)
  return structuredClone(answer)
}

/** An answer of one kind, its shape, and its page. */
export interface Rendering {
  answer: Recorded
  shape: z.ZodType
  render: (answer: Recorded) => string | Promise<string>
}

const ofOperation = (spec: OperationSpec, render: Rendering['render'], answer: Recorded = recorded(spec)): Rendering => ({
  answer,
  shape: spec.responses[200] as z.ZodType,
  render,
})

const ROW = {
  ...{ id: 'job-1', title: 'Retry policy of a client', tier: 'starter', category: 'coding', verifierMode: 'benchmark', reward: '1 USDC' },
  ...{ bond: '0.15 USDC', waiverEligible: true, claimable: true, reason: 'claimable', claimTtlSeconds: 3_600 },
  definitionUrl: '/jobs/definition?jobId=job-1',
}
const COMPACT = { ...recorded(OPERATIONS.listJobs), jobs: [ROW, { ...ROW, waiverEligible: false, bond: null }] }

const JOB = {
  ...recorded(OPERATIONS.getJobDefinition),
  acceptanceCriteria: ['The policy names a budget for retries.'],
  agentInstructions: ['Read the client before the answer is written.'],
}

const PROFILE = recorded(OPERATIONS.getAgentProfile)
const AT_WORK = {
  ...PROFILE,
  currentActivity: {
    ...{ sessionId: 'job-1', jobId: 'job-1', status: 'claimed', label: 'Retry policy of a client', phase: 'work', outcome: 'in_progress' },
    ...{ canSubmit: true, awaitingVerification: false },
  },
}

const SHARE = recorded(OPERATIONS.getShare)
const { timeline, ...dispute } = recorded(OPERATIONS.getDispute)
const RESOURCES = {
  session: SHARE.resource,
  dispute: disputeSnapshot(dispute, timeline, 'The worker read the right page.'),
  policy: { kind: 'policy_snapshot', policy: POLICIES[0] },
}
const sharesOf = (resource: Recorded): Rendering =>
  ofOperation(OPERATIONS.getShare, ({ share, resource: shown }) => sharePage(share, shown), { ...SHARE, resource })

const PROBLEM = {
  ...{
    type: `${BASE}/docs/errors/invalid_request`,
    title: 'Invalid request',
    status: 400,
    code: 'invalid_request',
    requestId: 'request-1',
  },
  detail: 'The request does not have the shape of the operation.',
  retryable: false,
  nextActions: [{ kind: 'http', method: 'GET', path: '/docs', description: 'Read what the operation takes.' }],
  errors: [{ pointer: '/title', rule: 'maxLength', message: 'must be shorter' }],
}

const DEPS = { baseUrl: BASE, clock: { now: () => 0 }, logger: { error: () => undefined } as unknown as Logger }
const HOME = { listJobs: COMPACT, getSettlementClock: recorded(OPERATIONS.getSettlementClock), listBadges: recorded(OPERATIONS.listBadges) }

/** Page of the service itself; operations without an answer cannot be read. */
export const renderHome = (answers: Partial<Record<keyof typeof HOME, Recorded>>) =>
  homePage(
    {
      read: async ({ id }) => {
        const answer = answers[id as keyof typeof HOME]
        if (answer === undefined) throw new Error(`${id} cannot be read`)
        return answer
      },
      readOutage: async () => WELL,
    },
    DEPS,
  )

const WELL = { old: null, engineAwaySince: null }

/** Answers with pages, by what they show. */
export const RENDERINGS = {
  jobs: ofOperation(OPERATIONS.listJobs, (body) => jobsPage(body, {}, WELL), COMPACT),
  job: ofOperation(
    OPERATIONS.getJobDefinition,
    (job) => jobPage(job, { reward: '1 USDC', bond: '0.15 USDC', gas: '0.05 USDC' }, { outage: WELL, baseUrl: BASE }),
    JOB,
  ),
  badge: ofOperation(OPERATIONS.getBadge, (badge) =>
    badgePage(
      badge,
      { transactions: { claimed: `0x${'c1'.repeat(32)}`, submitted: null, paid: `0x${'9a'.repeat(32)}` }, delivery: aDelivery() },
      BASE,
    ),
  ),
  receipt: ofOperation(OPERATIONS.getReceipt, (receipt) => receiptPage(receipt)),
  agents: ofOperation(OPERATIONS.listAgents, (body) => agentsPage(body, { includeSynthetic: false, baseUrl: BASE })),
  profile: ofOperation(OPERATIONS.getAgentProfile, (profile) => profilePage(profile, BASE), AT_WORK),
  pool: ofOperation(OPERATIONS.getPool, (body) => poolPage(body, BASE)),
  'log heads': ofOperation(OPERATIONS.listLogHeads, headsPage),
  'shared session': sharesOf(RESOURCES.session),
  'shared profile': ofOperation(
    OPERATIONS.getAgentProfile,
    (profile) => sharePage(SHARE.share, { kind: 'agent_profile', profile }),
    AT_WORK,
  ),
  'shared dispute': sharesOf(RESOURCES.dispute),
  'shared policy': sharesOf(RESOURCES.policy),
  'a refusal': { answer: PROBLEM, shape: ProblemShape, render: problemPage },
  'jobs at the root': ofOperation(OPERATIONS.listJobs, async (jobs) => (await renderHome({ ...HOME, listJobs: jobs })).text, COMPACT),
  'badges at the root': ofOperation(
    OPERATIONS.listBadges,
    async (badges) => (await renderHome({ ...HOME, listBadges: badges })).text,
    HOME.listBadges,
  ),
} satisfies Record<string, Rendering>

/** Records as a share copies them: the answer to their owner, and the page of the copy. */
export const COPIES = {
  'a copied session': ofOperation(OPERATIONS.getSession, (session) =>
    sharePage(SHARE.share, sessionSnapshot(session, SHARE.resource.timeline)),
  ),
  'a copied dispute': ofOperation(OPERATIONS.getDispute, ({ timeline: entries, ...one }) =>
    sharePage(SHARE.share, disputeSnapshot(one, entries, 'The worker read the right page.')),
  ),
} satisfies Record<string, Rendering>

const subjects = docsSubjects(operationList)
/** Page of what a search of the documentation finds. */
export const renderSearch = (text: string): string => searchPage(subjects, [], text)

type Path = readonly (string | number)[]
export type Leaf = readonly [path: Path, value: unknown]

/** Every value of an answer that holds no others, with the way to it. */
export const leavesOf = (value: Recorded, path: Path = []): Leaf[] => {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  const entries = Array.isArray(value) ? value.map((entry, index) => [index, entry] as const) : Object.entries(value)
  return entries.flatMap(([name, entry]) => leavesOf(entry, [...path, name]))
}

/** The answer with another value at the end of a way. */
export const withValue = (answer: Recorded, [name, ...rest]: Path, value: unknown): Recorded => {
  if (name === undefined) return value
  if (Array.isArray(answer)) return answer.map((entry, index) => (index === name ? withValue(entry, rest, value) : entry))
  return { ...answer, [name]: withValue(answer[name], rest, value) }
}

/** What the service makes itself, whatever a stranger writes: instants, addresses, hashes, numbers as text, and paths. */
const MADE = /^(\d{4}-\d\d-\d\dT.*Z|0x[\da-f]*|[\d.]+|\/.*|https?:.*)$/i
const PROBE = 'A text of a stranger, which is long enough for <every> "rule".'

/** Ways to the texts that may be any text. */
export const freeTexts = ({ answer, shape }: Rendering): Path[] =>
  leavesOf(answer)
    .filter(([path, value]) => {
      if (typeof value !== 'string' || MADE.test(value)) return false
      return [PROBE, PROBE.slice(0, 20)].some((text) => shape.safeParse(withValue(answer, path, text)).success)
    })
    .map(([path]) => path)

/** The page with the text in the place of every text that may be any. */
export const renderWith = async (rendering: Rendering, paths: readonly Path[], text: string): Promise<string> => {
  // An id is part of addresses, which hold no half characters.
  const fitting = (path: Path): string => (/^id$|Id$/.test(String(path.at(-1))) ? text.toWellFormed() : text)
  const changed = paths.reduce((answer, path) => withValue(answer, path, fitting(path)), rendering.answer)
  return rendering.render(changed)
}
