import { z } from 'zod'
import { ReadinessShape } from '../catalogue/readiness.ts'
import { Address, AssetAmount, DigitString, IsoTime, literal, part, shape } from '../operations/values.ts'
import { QUEUE_KINDS } from '../processes.ts'

const counted = {
  asOf: IsoTime.nullable().describe('Instant of the count; null where it could not be read.'),
  source: z.string(),
  readable: z.boolean(),
}

export const AuthTermsShape = shape('AuthTerms', 'What sign-in messages bind.', {
  mode: z.enum(['strict', 'permissive']).describe('`permissive`, on a local stack only, asks for no token.'),
  domain: z.string(),
  chainId: z.int(),
})

export const WarningShape = z
  .object({ code: z.string(), severity: z.enum(['info', 'warn', 'error']), message: z.string() })
  .meta({ id: 'HealthWarning', description: 'A finding of the health report.' })

/** A part that can be switched off. Switched off it is `disabled`, which is no failure. */
const OptionalPart = z
  .object({ ok: z.boolean(), state: z.enum(['enabled', 'disabled']) })
  .meta({ id: 'OptionalPart', description: 'A part that can be switched off.' })

/** State of the service. Source: http, "GET /health". A value that could not be read is null beside `readable: false`. */
export const HealthShape = shape('Health', 'State of the service; a value that could not be read is null beside `readable: false`.', {
  status: z.enum(['ok', 'degraded']),
  now: IsoTime.describe('Time of the service.'),
  chainTime: IsoTime.nullable().describe('Time of the newest block; null where the chain is unreadable.'),
  version: z.string().describe('Version of the service, as in every document.'),
  auth: AuthTermsShape,
  serviceHealth: part('Whether the service can answer and makes progress.', {
    ok: z.boolean(),
    components: z.object({
      api: z.object({ ok: z.boolean(), mode: z.string() }),
      stateStore: z.object({ ok: z.boolean(), backend: z.string() }),
      auth: z.object({ ok: z.boolean(), mode: z.string(), domain: z.string(), chainId: z.int() }),
      workflowWorker: z.object({
        ok: z.boolean(),
        state: z.string().describe('`polling`, `unserved` where a task queue has no worker, `stale`, `no_worker` or `engine_unreachable`.'),
        unserved: z.array(z.enum(QUEUE_KINDS)).describe('Kinds of work whose task queue no worker has polled for that time.'),
        staleAfterMs: z.int().describe('Milliseconds without a poll after which the workers count as stopped.'),
        lastProgressAt: IsoTime.nullable().describe('Last change of a session.'),
        pendingTimeoutCount: z.int().nullable().describe('Claims that expired half an hour ago or longer and are still open.'),
        persistentSubmittedFailures: z.int().nullable().describe('Submissions that made no progress for half an hour.'),
      }),
    }),
  }),
  capabilityHealth: z.object({
    stateStore: z.enum(['available', 'unavailable']),
    blockchain: z.enum(['enabled', 'disabled', 'unhealthy']),
    treasuryMutations: z.enum(['available', 'unavailable', 'degraded', 'disabled']).describe('Whether the service can move money.'),
    xcmObserver: z.enum(['live', 'staged', 'unavailable', 'disabled']).describe('Observation of other chains.'),
    indexer: z.enum(['synced', 'lagging', 'behind', 'unavailable']).describe('Recording of contract events.'),
    gasSponsor: z.enum(['enabled', 'disabled']),
    externalPosting: z.enum(['enabled', 'staged', 'disabled']).describe('Posting of jobs by others.'),
    externalPostingWatcherLagSeconds: z.number().nullable().describe('Null without postings of others.'),
    lockedDeposits: z.enum(['enabled', 'disabled']),
    tierPerks: z.enum(['enabled', 'disabled']).describe('Perks of locked deposits.'),
    idleAllocation: z.enum(['enabled', 'disabled']),
  }),
  addresses: z.object({
    token: Address.describe('Contract of the settlement asset.'),
    agentAccountCore: Address,
    escrowCore: Address,
    xcmWrapper: Address.nullable().describe('Contract for other chains; null without one.'),
    strategyAdapters: z.array(Address).describe('Contracts of the registered strategies.'),
    depositPool: Address.nullable().describe('Null without one.'),
    creditPool: Address.nullable().describe('Null without one.'),
    settlementSigner: Address.nullable().describe('Address that sends the transactions of the service; null without a key.'),
    treasuryReserve: Address.nullable().describe('Null without one.'),
  }),
  rewardBank: part('Balance from which rewards are funded.', {
    liquid: AssetAmount.nullable().describe('Null where it was not read.'),
    asOf: IsoTime.nullable(),
    readable: z.boolean(),
    source: z.string(),
    stale: z.boolean().describe('True where the reading is too old to fund a job.'),
    refreshing: z.boolean().optional().describe('True while a new reading is under way.'),
  }),
  settlement: part('Numbers of sessions; `24h` counts those of the last 24 hours. Null where they could not be read.', {
    claimed24h: z.int().nullable(),
    submitted24h: z.int().nullable(),
    settled24h: z.int().nullable().describe('Sessions that were paid, or whose rejection became final.'),
    paidSettled24h: z.int().nullable().describe('Sessions that were paid.'),
    zeroPaySettled24h: z.int().nullable().describe('Sessions whose rejection became final.'),
    claimedNotSubmitted: z.int().nullable().describe('Sessions that are claimed now.'),
    submittedNotSettled: z.int().nullable().describe('Sessions that are submitted or disputed now.'),
    oldestSubmittedAt: IsoTime.nullable().describe('Submission of the oldest session that is submitted or disputed; null without one.'),
    stuck: z.int().nullable().describe('Submissions without progress for half an hour, but those of pull requests.'),
    failed24h: z.int().nullable().describe('Sessions that an operator closed, that timed out on chain or that diverged from the chain.'),
    ...counted,
  }),
  onboarding: part('Whether new wallets find jobs that need no stake and no fee.', {
    status: z.string(),
    reason: z.string().nullable().describe('Null where it is ready.'),
    waiverEligibleClaimableJobs: z
      .int()
      .nullable()
      .describe('Jobs with the waiver that can be claimed now; null where they could not be counted.'),
    minimumWaiverEligibleClaimableJobs: z.literal(2).describe('Below this number the status is degraded.'),
    ...counted,
    subsidy: part('Budget of the day for waived claims, of all wallets.', {
      scope: literal('tier-0-onboarding-subsidy'),
      day: z.string().describe('UTC day.'),
      clock: literal('UTC'),
      resetAt: IsoTime.describe('Start of the next budget.'),
      dailyBudget: AssetAmount,
      allocated: AssetAmount.nullable().describe('Part of the budget that claims used; null where it could not be read.'),
      headroom: AssetAmount.nullable().describe('Part of the budget that is left; null where it could not be read.'),
      source: z.string(),
    }),
  }),
  warnings: z.array(WarningShape),
  components: z.object({
    stateStore: z.object({ ok: z.boolean() }),
    blockchain: z.object({
      ok: z.boolean(),
      lastReadAt: IsoTime.nullable().describe('Last answer of the node to this process.'),
      batchSize: z.int().describe('Requests in one JSON-RPC batch at most; smaller than configured while the node refuses larger ones.'),
      configuredBatchSize: z.int(),
      lastBatchRefusal: z
        .object({ at: IsoTime, size: z.int().describe('Number of requests in it.') })
        .nullable()
        .describe('Last batch that the node refused; null without one.'),
      nodes: part('Nodes that this process may ask, without their addresses.', {
        count: z.int(),
        inUse: z.int().describe('Place of the node in use, in the order of preference from 1.'),
        changes: z.int().describe('Changes to another node since the start of the process.'),
        lagBlocks: z
          .array(z.int().nullable())
          .describe('Blocks that each node is behind the newest one seen; null where it is unknown or the node is not usable.'),
      }),
    }),
    gasSponsor: OptionalPart,
    indexer: part('Recording of contract events.', {
      ok: z.boolean(),
      lagSeconds: z.int().nullable().describe('Time since the records last had every confirmed event.'),
      block: DigitString.nullable().describe('Newest block whose events are recorded.'),
      headBlock: DigitString.nullable().describe('Newest block of the node.'),
      gapBlock: DigitString.nullable().describe('Lowest block whose recorded events are known to be incomplete; null without one.'),
      missedEvents: z.int().nullable().describe('Events that a first reading of the node missed and a later one added.'),
      gapFoundAt: IsoTime.nullable().describe('When events were last found missing; null if never.'),
    }),
    externalPostingWatcher: OptionalPart,
    workflowWorker: z.object({ ok: z.boolean() }),
    runner: part('Runners of profiles that run programs of others.', {
      ok: z.boolean().nullable().describe('Null where the engine does not answer.'),
      state: z.enum(['polling', 'no_runner', 'no_sandbox', 'unknown', 'disabled']),
      ready: z.int().nullable().describe('Number of runners that take work.'),
      reason: z.string().nullable().describe('Why a runner that is there cannot; null otherwise.'),
    }),
    settlement: part('Payments of runs of verification; absent where none are configured. Jobs do not need it.', {
      ok: z.boolean(),
      state: z
        .enum(['ready', 'no_answer', 'another_domain'])
        .describe('`another_domain`: the token states another signing domain than configured.'),
    }).optional(),
    verification: z.object({
      ok: z.boolean().nullable().describe('Null when the checks could not be read.'),
      needs: z
        .array(
          z.object({
            need: z.string().describe('Such as `handler:benchmark`, `verifier_key` or `source:<origin>`.'),
            ready: z.boolean(),
            reason: ReadinessShape.shape.reason,
            checkedAt: IsoTime,
          }),
        )
        .describe('Last check of each thing that verdicts need.'),
    }),
  }),
})
export type Health = z.input<typeof HealthShape>
