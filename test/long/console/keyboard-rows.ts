// How every action of the console is reached and taken by keys: from the page of its subject, which a stack has.
import type { Client } from '@temporalio/client'
import { privateKeyToAccount } from 'viem/accounts'
import { disputeId } from '../../../domain/common/ids.ts'
import { openDispute, rejectedBy, reviewedBy } from '../../e2e/support/disputes.ts'
import { claimedBy } from '../../e2e/support/edge-cases.ts'
import { beforeVerification, createJob, encode, fundedAgent, GOOD_WORK, leaves } from '../../e2e/support/jobs.ts'
import type { World } from '../../e2e/support/world.ts'

interface Stage {
  world: World
  engine: Client
}
/** Members of the address of an action. */
type Subject = Readonly<Record<string, string>>

export interface KeyRow {
  /** Makes the subject. */
  of: (stage: Stage) => Promise<Subject>
  /** Page that links to the action; without one the action is opened by its address, and its form is not sent. */
  from?: (subject: Subject) => string
  role?: 'verifier' | 'arbitrator'
  /** What is typed or chosen, by the names of the fields. Each reason is typed, too. */
  types?: Readonly<Record<string, string>>
  /** What a reader sees once it is done, where that is not the words of the action. */
  shows?: string
}

const jobPage = ({ jobId = '' }: Subject) => `/job?jobId=${encode(jobId)}`
const sessionPage = ({ sessionId = '' }: Subject) => `/session?sessionId=${encode(sessionId)}`
const grantsPage = ({ wallet = '' }: Subject) => `/grants?subject=${encode(wallet)}`
const none = async (): Promise<Subject> => ({})

const aJob = async ({ world }: Stage): Promise<Subject> => ({ jobId: await createJob(world) })
const aPausedJob = async (stage: Stage): Promise<Subject> => {
  const subject = await aJob(stage)
  await stage.world.admin.post('/admin/jobs/lifecycle', { ...subject, action: 'pause', reason: 'A test.' })
  return subject
}
const aTemplate = async ({ world }: Stage): Promise<Subject> => ({
  jobId: await createJob(world, { recurring: true, schedule: { cron: '0 0 1 1 *' } }),
})
const aPausedTemplate = async (stage: Stage): Promise<Subject> => {
  const { jobId = '' } = await aTemplate(stage)
  await stage.world.admin.post('/admin/jobs/pause', { templateId: jobId, reason: 'A test.' })
  return { jobId }
}
const aLane =
  (action: 'pause' | 'resume') =>
  async ({ world }: Stage): Promise<Subject> => {
    await world.admin.post('/admin/lanes/state', { lane: 'oss-anchored', action, reason: 'A test.' })
    return { lane: 'oss-anchored' }
  }
const aSource =
  (action: 'pause' | 'resume') =>
  async ({ world }: Stage): Promise<Subject> => {
    await world.admin.post('/admin/sources/steer', { provider: 'wikipedia', action, note: 'A test.' })
    return { provider: 'wikipedia' }
  }
const aRejection = async ({ world }: Stage): Promise<Subject> => {
  const agent = await fundedAgent(world)
  return { sessionId: (await rejectedBy(world, agent)).sessionId }
}
const aDispute = async ({ world }: Stage): Promise<Subject> => {
  const agent = await fundedAgent(world)
  const session = await rejectedBy(world, agent)
  await openDispute(world, agent.account, session)
  await leaves(agent, session.sessionId, 'rejected')
  return { disputeId: disputeId(session.sessionId) }
}
const aReview = async ({ world, engine }: Stage): Promise<Subject> => ({
  sessionId: (await reviewedBy(world, engine, await fundedAgent(world))).sessionId,
})
/** Work whose verification has not begun. */
const aSubmission = async ({ world, engine }: Stage): Promise<Subject> => {
  const { agent, session } = await claimedBy(world)
  const { sessionId } = session
  await beforeVerification(engine, sessionId, () => agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK }))
  return { sessionId }
}
const aWallet = async ({ world }: Stage): Promise<Subject> => ({ wallet: (await world.agent()).account.address.toLowerCase() })
const aGrant = async (stage: Stage): Promise<Subject> => {
  const { wallet = '' } = await aWallet(stage)
  const { id } = await stage.world.admin.post('/admin/capability-grants', { subject: wallet, capabilities: ['ops:view'] }, 201)
  return { id, wallet }
}
const aToken = async (stage: Stage): Promise<Subject> => {
  const { wallet = '' } = await aWallet(stage)
  const { grant } = await stage.world.admin.post('/admin/service-tokens', { subject: wallet, capabilities: ['jobs:list'] }, 201)
  return { id: grant.id, wallet }
}

const TOKEN = 'Copy the token now.'
/** A wallet that no test signs in with. */
const PARTNER = privateKeyToAccount(`0x${'5a'.repeat(32)}`).address.toLowerCase()

/** By the names of the actions. */
export const KEY_ROWS: Readonly<Record<string, KeyRow>> = {
  'pause-job': { of: aJob, from: jobPage },
  'reopen-job': { of: aPausedJob, from: jobPage },
  'archive-job': { of: aJob, from: jobPage },
  // Only the job of a poster is delisted, and this stack lists its own.
  'delist-job': { of: aJob },
  'sweep-definitions': { of: none, from: () => '/jobs', shows: 'Definitions checked' },
  // A session that can be closed needs a chain that went on without the service.
  'close-session': { of: aRejection },
  'overturn-session': { of: aRejection, from: sessionPage },
  'run-verifier': { of: aSubmission, from: sessionPage, role: 'verifier' },
  'fire-template': { of: aTemplate, from: jobPage },
  'pause-template': { of: aTemplate, from: jobPage },
  'resume-template': { of: aPausedTemplate, from: jobPage },
  'pause-lane': { of: aLane('resume'), from: () => '/lanes' },
  'resume-lane': { of: aLane('pause'), from: () => '/lanes' },
  'pause-source': { of: aSource('resume'), from: () => '/sources' },
  'resume-source': { of: aSource('pause'), from: () => '/sources' },
  'trigger-source': { of: aSource('pause'), from: () => '/sources' },
  'change-source-runs': { of: aSource('pause'), from: () => '/sources' },
  'ask-source': { of: aSource('pause'), from: () => '/sources' },
  // What it lists is decided by its dry run.
  ingest: { of: async () => ({ provider: 'wikipedia', limit: '1' }) },
  'decide-dispute': {
    of: aDispute,
    from: ({ disputeId: id = '' }) => `/dispute?disputeId=${encode(id)}`,
    role: 'arbitrator',
    types: { verdict: 'dismissed' },
  },
  'decide-review': { of: aReview, from: () => '/reviews', role: 'verifier', types: { verdict: 'approve' } },
  // Requests of other chains are those that the documents show.
  'finalize-request': { of: async () => ({ requestId: `0x${'1'.repeat(64)}` }) },
  'observe-request': { of: async () => ({ requestId: `0x${'1'.repeat(64)}` }), types: { failureCode: '0x12' } },
  grant: {
    of: none,
    from: () => '/grants',
    types: { subject: PARTNER, capabilities: 'jobs:timeline', scope: 'Keys', expiresAt: '2099-01-31' },
  },
  'revoke-grant': { of: aGrant, from: grantsPage },
  'issue-token': { of: none, from: () => '/grants', types: { subject: PARTNER, capabilities: 'jobs:list', days: '1' }, shows: TOKEN },
  'rotate-token': { of: aToken, from: grantsPage, types: { days: '2' }, shows: TOKEN },
  'revoke-token': { of: aToken, from: grantsPage },
}
