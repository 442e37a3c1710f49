// A good and a bad call of every tool.
import { disputeId } from '../../../../domain/common/ids.ts'
import { createRemoteSide } from '../../../../local/chain/remote-side.ts'
import type { OPERATIONS, OperationId } from '../../../../schemas/operations/registry.ts'
import { QUOTED_RUN } from '../../../domain/paid-verification/builders/requests.ts'
import { consentTo, lock, lockRequest } from '../../../support/records/locked-deposits.ts'
import { newDefinition, newDraft } from '../../../support/records/postings.ts'
import { buyRun, preparePayment } from '../../paid-verification/buying.ts'
import { openDispute, rejectedBy } from '../../support/disputes.ts'
import type { Agent, Reply } from '../../support/http.ts'
import { claim, createJob, fundedAgent, GOOD_WORK, leaves, lendingAgent } from '../../support/jobs.ts'
import type { World } from '../../support/world.ts'
import type { Arguments } from './clients.ts'

/** Names of all tools, by the registry. */
export type ToolName = {
  [Id in OperationId]: (typeof OPERATIONS)[Id] extends { tool: { name: infer Name extends string } } ? Name : never
}[OperationId]

/** What the calls act on. */
export interface Stage {
  world: World
  /** A funded wallet with an approved session and a rejected one. */
  agent: Agent
  openJob: string
  approved: Reply['body']
  rejected: Reply['body']
}

export const openStage = async (world: World): Promise<Stage> => {
  const agent = await fundedAgent(world)
  const rejected = await rejectedBy(world, agent)
  const { sessionId } = await claim(agent, await createJob(world))
  await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
  const approved = await leaves(agent, sessionId, 'submitted')
  await agent.post('/agents/consent', { publicProfileOptIn: true, currentActivityOptIn: false })
  return { world, agent, approved, rejected, openJob: await createJob(world) }
}

interface GoodCall {
  sent: Arguments
  /** Who calls, in place of the agent of the stage. */
  as?: Agent
  /** What the call says beside its arguments. */
  meta?: Arguments
}

export interface Row {
  good: (stage: Stage) => GoodCall | Promise<GoodCall>
  /** Members of the answer of a read that are new in each answer. */
  moving?: readonly string[]
  bad: {
    sent?: (stage: Stage) => Arguments | Promise<Arguments>
    code: string
    /** True to call without a token. */
    anonymous?: true
    /** True for an `invalid_request` that the input schema of the tool allows. */
    fitsSchema?: true
    /** Why the same fault cannot be sent over HTTP. */
    onlyTool?: string
  }
}

const withNothing = { good: () => ({ sent: {} }) }
/** A call of an operator. */
const asAdmin =
  (sent: (stage: Stage) => Arguments | Promise<Arguments>): Row['good'] =>
  async (stage) => ({ sent: await sent(stage), as: stage.world.admin })
/** Lists a recurring template that is due once a year. */
const newTemplate = async ({ world }: Stage): Promise<Arguments> => ({
  templateId: await createJob(world, { recurring: true, schedule: { cron: '0 0 1 1 *' } }),
})
const WITHOUT_TOKEN = { code: 'missing_token', anonymous: true } as const
const invalid = (sent: Arguments): Row['bad'] => ({ sent: () => sent, code: 'invalid_request' })
/** Refused by a rule that no schema states. */
const invalidBesideSchema = (sent: Arguments): Row['bad'] => ({ ...invalid(sent), fitsSchema: true })
/** For a tool that takes no arguments and needs no token. */
const UNKNOWN_ARGUMENT = { ...invalid({ verbose: true }), onlyTool: 'a query member that no operation knows is ignored' }
const UNKNOWN_JOB = { sent: () => ({ jobId: 'no-such-job' }), code: 'job_not_found' }
const unknownSession = ({ agent }: Stage): Arguments => ({ sessionId: `no-such-job:${agent.account.address}` })
const UNKNOWN_SESSION = { sent: unknownSession, code: 'session_not_found' }
const ofOpenJob = { good: ({ openJob }: Stage) => ({ sent: { jobId: openJob } }) }
const ofApproved = { good: ({ approved }: Stage) => ({ sent: { sessionId: approved.sessionId } }) }
const UNKNOWN_HASH = `0x${'1'.repeat(64)}`

const challenge = async ({ world, agent }: Stage) => {
  const { message } = await world.expectCall(200, '/auth/nonce', { body: { wallet: agent.account.address } })
  return { message, signature: await agent.account.signMessage({ message }) }
}

const signedTerms = async (agent: Agent) => consentTo(agent, await agent.post('/locked-deposits/quote', lockRequest('1000000')))

const sentByAdmin = (sent: Arguments) => ({ good: asAdmin(() => sent) })
const NOT_AN_ADMIN = { sent: () => ({}), code: 'missing_role' }
/** A run proposes what its source on the local stack has. */
const ofSource = (sent: Arguments): Row => ({
  ...sentByAdmin({ ...sent, limit: 1 }),
  moving: ['runId', 'inventory'],
  bad: { ...NOT_AN_ADMIN, sent: () => sent },
})

const INGESTION_ROWS = {
  ingestGithub: ofSource({ query: 'label:"good first issue"' }),
  ingestWikipedia: ofSource({ language: 'en' }),
  ingestOsv: ofSource({ packages: [{ ecosystem: 'npm', name: 'minimist', version: '0.0.8' }] }),
  ingestOpenData: ofSource({ query: 'air quality' }),
  ingestOpenapi: ofSource({}),
  ingestStandards: ofSource({}),
  listSources: { ...sentByAdmin({}), moving: ['sources'], bad: NOT_AN_ADMIN },
  listSourceItems: { ...sentByAdmin({ limit: 2 }), moving: ['items', 'nextCursor'], bad: NOT_AN_ADMIN },
  steerSource: {
    ...sentByAdmin({ provider: 'standards', action: 'pause' }),
    bad: { sent: () => ({ provider: 'standards', action: 'pause' }), code: 'missing_role' },
  },
} satisfies Partial<Record<ToolName, Row>>

/** One row per tool of the registry; a new one does not compile, and fails the test, until it has its own. */
export const ROWS: Record<ToolName, Row> = {
  fetchAuthNonce: { good: ({ agent }) => ({ sent: { wallet: agent.account.address } }), bad: invalid({ wallet: '0x12' }) },
  verifySiwe: {
    good: async (stage) => ({ sent: await challenge(stage) }),
    bad: invalidBesideSchema({ message: 'x'.repeat(60), signature: `0x${'0'.repeat(130)}` }),
  },
  refreshAuthToken: { good: async ({ world }) => ({ sent: {}, as: await world.agent() }), bad: WITHOUT_TOKEN },
  getPlatformCapabilities: { ...withNothing, bad: invalid({ detail: 'nothing' }) },
  getJobTierLadder: { ...withNothing, bad: UNKNOWN_ARGUMENT },
  listJobs: { good: () => ({ sent: { limit: 2, state: 'claimable' } }), bad: invalid({ limit: 0 }) },
  getJobDefinition: { ...ofOpenJob, bad: UNKNOWN_JOB },
  listJobSchemas: { ...withNothing, bad: UNKNOWN_ARGUMENT },
  getJobSchema: {
    good: async ({ world }) => {
      const [first] = (await world.expectCall(200, '/schemas/jobs')).schemas
      return { sent: { name: first.path.split('/').at(-1).replace('.json', '') } }
    },
    bad: { sent: () => ({ name: 'no-such-schema' }), code: 'schema_not_found' },
  },
  recommendJobs: { good: () => ({ sent: { limit: 3 } }), bad: WITHOUT_TOKEN },
  preflightJob: { ...ofOpenJob, bad: UNKNOWN_JOB },
  explainEligibility: { ...ofOpenJob, bad: UNKNOWN_JOB },
  estimateNetReward: { ...ofOpenJob, bad: UNKNOWN_JOB },
  claimJob: { good: async ({ world }) => ({ sent: { jobId: await createJob(world) } }), bad: UNKNOWN_JOB },
  validateJobSubmission: {
    good: ({ openJob }) => ({ sent: { jobId: openJob, submission: GOOD_WORK } }),
    bad: invalid({ jobId: 'any-job' }),
  },
  submitWork: {
    good: async ({ world, agent }) => {
      const { sessionId } = await claim(agent, await createJob(world))
      return { sent: { sessionId, submission: GOOD_WORK } }
    },
    bad: {
      sent: async ({ world, agent }) => {
        const { sessionId } = await claim(agent, await createJob(world))
        return { sessionId, submission: { output: { summary: 1 } } }
      },
      code: 'invalid_submission_shape',
    },
  },
  resumeSession: { ...ofApproved, bad: UNKNOWN_SESSION },
  listSessions: { good: () => ({ sent: { limit: 1, state: 'active' } }), bad: invalid({ state: 'asleep' }) },
  getSessionStateMachine: { ...withNothing, bad: UNKNOWN_ARGUMENT },
  getVerificationResult: { ...ofApproved, bad: UNKNOWN_SESSION },
  listVerifierHandlers: { ...withNothing, bad: UNKNOWN_ARGUMENT },
  getAgentBadge: {
    ...ofApproved,
    bad: { sent: ({ rejected }) => ({ sessionId: rejected.sessionId }), code: 'badge_not_ready' },
  },
  listBadges: { good: () => ({ sent: { limit: 1 } }), bad: invalidBesideSchema({ cursor: 'nonsense' }) },
  getReputation: { ...withNothing, bad: WITHOUT_TOKEN },
  listAgents: { good: () => ({ sent: { limit: 2 } }), bad: invalid({ limit: 1_000 }) },
  getAgentProfile: {
    good: ({ agent }) => ({ sent: { wallet: agent.account.address } }),
    moving: ['fetchedAt'],
    bad: { sent: () => ({ wallet: `0x${'5'.repeat(40)}` }), code: 'agent_not_found' },
  },
  listDisputes: { good: () => ({ sent: { status: 'resolved' } }), bad: invalid({ status: 'asleep' }) },
  getDispute: {
    good: async ({ world, agent, rejected }) => {
      await openDispute(world, agent.account, rejected)
      await leaves(agent, rejected.sessionId, 'rejected')
      return { sent: { id: disputeId(rejected.sessionId) } }
    },
    bad: { sent: () => ({ id: 'dispute-000000000000' }), code: 'dispute_not_found' },
  },
  getAccountSummary: { ...withNothing, bad: WITHOUT_TOKEN },
  getAccountPosition: { good: () => ({ sent: { asset: 'USDC' } }), bad: invalidBesideSchema({ asset: 'NOPE' }) },
  getBorrowCapacity: { good: () => ({ sent: { asset: 'USDC' } }), bad: WITHOUT_TOKEN },
  buildAccountDepositTransactions: {
    good: async ({ world, agent }) => {
      await world.view.fund(agent.account.address, 1_000n)
      return { sent: { amount: '1000' } }
    },
    bad: invalid({ amount: '0' }),
  },
  buildWithdrawTransactions: { good: () => ({ sent: { amount: '1000' } }), bad: invalidBesideSchema({ amount: '9'.repeat(30) }) },
  listStrategies: { ...withNothing, bad: UNKNOWN_ARGUMENT },
  listVerificationProfiles: { ...withNothing, bad: UNKNOWN_ARGUMENT },
  startVerificationRun: {
    good: async ({ world }) => ({ sent: QUOTED_RUN, meta: { 'x402/payment': (await preparePayment(world)).payment } }),
    bad: { sent: () => QUOTED_RUN, code: 'verification_payment_required' },
  },
  getVerificationRun: {
    good: async ({ world }) => ({ sent: { runId: (await buyRun(world)).body.runId } }),
    moving: ['status', 'billing', 'verdict', 'execution', 'nextActions'],
    bad: { sent: () => ({ runId: 'verify-00000000-0000-8000-8000-000000000000' }), code: 'verification_run_not_found' },
  },
  quoteVerificationRun: {
    good: () => ({ sent: QUOTED_RUN }),
    moving: ['expiresAt'],
    bad: { sent: () => ({ ...QUOTED_RUN, profileVersion: 9 }), code: 'verification_profile_not_found' },
  },
  getStrategyPositions: { ...withNothing, bad: invalid({ limit: 0 }) },
  buildRecallTransactions: {
    good: async ({ world }) => ({ sent: {}, as: await lendingAgent(world) }),
    bad: invalidBesideSchema({ strategyId: UNKNOWN_HASH }),
  },
  getDepositPoolInfo: { ...withNothing, bad: UNKNOWN_ARGUMENT },
  buildDepositPoolTransactions: {
    good: async ({ world, agent }) => {
      await world.view.fund(agent.account.address, 1_000_000n)
      return { sent: { direction: 'deposit', amount: '1000000' } }
    },
    bad: invalidBesideSchema({ direction: 'withdraw', assets: '1', shares: '1' }),
  },
  getCreditInfo: { ...withNothing, bad: WITHOUT_TOKEN },
  buildCreditTransactions: {
    good: async ({ world, agent }) => {
      await world.view.fund(agent.account.address, 1_000_000n)
      return { sent: { direction: 'deposit', amount: '1000000' } }
    },
    bad: invalidBesideSchema({ direction: 'borrow', amount: '1' }),
  },
  quoteLockedDeposit: { good: () => ({ sent: lockRequest('1000000') }), bad: invalid({ ...lockRequest('1'), tier: 'forever' }) },
  createLockedDeposit: {
    good: async ({ world }) => {
      const saver = await fundedAgent(world)
      return { sent: await signedTerms(saver), as: saver }
    },
    bad: {
      sent: async ({ agent }) => {
        const consent = await signedTerms(agent)
        return { ...consent, terms: { ...consent.terms, amountRaw: '2' } }
      },
      code: 'locked_tier_terms_hash_mismatch',
    },
  },
  requestLockedDepositExit: {
    good: async ({ world }) => {
      const saver = await fundedAgent(world)
      return { sent: { id: (await lock(saver)).id }, as: saver }
    },
    bad: { sent: () => ({ id: UNKNOWN_HASH }), code: 'locked_tier_not_found' },
  },
  draftJob: {
    good: () => ({ sent: { definition: newDefinition() } }),
    bad: { sent: () => ({ definition: { ...newDefinition(), rewardAmount: 0.5 } }), code: 'external_reward_below_floor' },
  },
  buildPostJobTransactions: {
    good: async ({ world }) => {
      const { agent, draft } = await newDraft(world)
      return { sent: { id: draft.draftId }, as: agent }
    },
    bad: { sent: () => ({ id: UNKNOWN_HASH }), code: 'external_draft_not_found' },
  },
  getPosterOnboarding: { ...withNothing, bad: UNKNOWN_ARGUMENT },
  listLanes: { good: asAdmin(() => ({})), bad: WITHOUT_TOKEN },
  setLaneState: {
    good: asAdmin(() => ({ lane: 'oss-anchored', action: 'resume', reason: 'A test.' })),
    bad: { sent: () => ({ lane: 'liveness', action: 'pause', reason: 'A test.' }), code: 'missing_role' },
  },
  fireTemplate: { good: asAdmin(newTemplate), bad: { sent: () => ({ templateId: 'no-such-job' }), code: 'missing_role' } },
  pauseTemplate: { good: asAdmin(newTemplate), bad: { sent: () => ({ templateId: 'no-such-job' }), code: 'missing_role' } },
  resumeTemplate: { good: asAdmin(newTemplate), bad: { sent: () => ({ templateId: 'no-such-job' }), code: 'missing_role' } },
  sweepDefinitions: { good: asAdmin(() => ({})), bad: WITHOUT_TOKEN },
  getXcmRequest: {
    good: async ({ world, agent }) => {
      const requestId = await createRemoteSide(world.chain, world.info.rpcUrl).deposit(agent.account.address, 1_000_000n)
      // The service watches one balance at a time: a request that stays open would hold up those of other suites.
      await world.admin.post('/admin/xcm/observe', { requestId, status: 'cancelled' })
      return { sent: { requestId } }
    },
    bad: { sent: () => ({ requestId: UNKNOWN_HASH }), code: 'xcm_request_not_found' },
  },
  ...INGESTION_ROWS,
}
