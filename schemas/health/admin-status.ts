import { z } from 'zod'
import { AssetAmount, IsoTime, part, shape } from '../operations/values.ts'
import { SessionRowShape, TimelineEntryShape } from '../sessions/shapes.ts'
import { AuthTermsShape, WarningShape } from './shapes.ts'

const partMembers = { enabled: z.boolean(), running: z.boolean().describe('Whether it makes progress.') }

/** A background workflow or loop. Null where this process cannot know the value. */
const BackgroundWorkflow = shape('BackgroundWorkflow', 'Whether a background workflow runs and when it last progressed.', {
  ...partMembers,
  dryRun: z.boolean().describe('True where it changes nothing.'),
  mode: z.string().describe('`workflow`: it does not run at intervals.'),
  intervalMs: z.int().nullable().describe('Null where it is not known.'),
  consecutiveFailures: z.int().nullable().describe('Null where it is not known.'),
  lastProgressAt: IsoTime.nullable(),
})

/** Numbers of an operator. Source: http, "Sessions and other operator reads". */
export const AdminStatusShape = shape('AdminStatus', 'What an operator looks at first.', {
  asOf: IsoTime,
  auth: AuthTermsShape,
  authPolicy: z
    .object({ version: z.string(), algorithm: z.enum(['ES256', 'HS256']) })
    .describe('Rules of authorisation, and the algorithm that signs tokens.'),
  authTelemetry: z
    .object({ since: IsoTime.describe('Start of this process.'), failures: z.array(z.object({ code: z.string(), count: z.int() })) })
    .describe('Refused sign-ins and tokens of this process, by code.'),
  anomalies: z.array(WarningShape),
  ops: z.object({
    recentSessions: z.array(SessionRowShape).max(10).describe('Sessions that changed last.'),
    recentEvents: z.array(TimelineEntryShape).max(10),
    activeSessions: z.int().describe('Number of sessions that are claimed, submitted or disputed.'),
    activeWallets: z.int().describe('Number of wallets with an active session.'),
    totalCapitalAtWork: AssetAmount.describe('Rewards of the active sessions.'),
    resolvedRecently: z.int().describe('Number of sessions that were paid in the last 24 hours.'),
    topJobs: z
      .array(z.object({ jobId: z.string(), sessionCount: z.int() }))
      .max(10)
      .describe('Jobs with the most sessions of the last seven days.'),
  }),
  maintenance: z.object({
    policy: part('Whether money moves now, and at which rates.', {
      enabled: z.boolean().describe('Whether the contracts accept transactions: they are readable and not paused.'),
      settlementReady: z.boolean().describe('Whether the service can move money now.'),
      risk: z
        .object({ defaultClaimStakeBps: z.int().nullable(), claimFeeBps: z.int().nullable() })
        .describe('Rates of the contracts in basis points of the reward; null while the chain was not read.'),
    }),
    release: z.string().describe('Name of the build; the version without one.'),
  }),
  recurring: z
    .object(partMembers)
    .describe('Recurring jobs: they progress while the workers do and no template waits for them longer than a minute.'),
  jobLifecycle: z.object({ total: z.int(), open: z.int(), stale: z.int(), paused: z.int(), archived: z.int() }),
  jobSpecHashIntegrity: part('Whether the newest 100 definitions still have their hash.', {
    checked: z.int(),
    drifted: z.int().describe('Number of definitions whose hash differs.'),
    driftedJobs: z.array(z.string()),
  }),
  backgroundWorkflows: z.object({ chainFollower: BackgroundWorkflow, workflowWorker: BackgroundWorkflow }),
  hostDiagnostics: z.object({
    nodeVersion: z.string(),
    uptimeSeconds: z.int(),
    residentMemoryBytes: z.int(),
    databasePool: z
      .object({ max: z.int(), inUse: z.int(), idle: z.int(), waiting: z.int().describe('Requests that wait for a connection.') })
      .describe('Connections of this process to the database.'),
  }),
  providerOperations: z.object({
    codehost: z.object({ enabled: z.boolean().describe('Whether the service has a token of the code host.') }),
  }),
  catalogueLanes: z
    .array(
      z.object({
        lane: z.string(),
        dailyBudget: AssetAmount,
        usedToday: AssetAmount,
        backlog: z.int().describe('Number of jobs that wait.'),
        backlogLimit: z.int(),
      }),
    )
    .describe('Daily budgets of rewards and the jobs that wait in each.'),
  xcmSettlement: z
    .object({ ...partMembers, pendingCount: z.int().describe('Observed requests that are not settled.') })
    .describe('Settlement of cross-chain requests.'),
  xcmObservation: z
    .object({ ...partMembers, lastError: z.string().nullable(), lastSyncedAt: IsoTime.nullable() })
    .describe('Observation of other chains.'),
})
export type AdminStatus = z.input<typeof AdminStatusShape>
