import { z } from 'zod'
import { AssetAmount, IsoTime } from '../operations/values.ts'
import { SessionRowShape, TimelineEntryShape } from '../sessions/shapes.ts'
import { AuthTermsShape, WarningShape } from './shapes.ts'

const partMembers = { enabled: z.boolean(), running: z.boolean() }

/** A background workflow or loop. Null where this process cannot know the value. */
const BackgroundWorkflow = z
  .object({
    ...partMembers,
    dryRun: z.boolean(),
    mode: z.string(),
    intervalMs: z.int().nullable(),
    consecutiveFailures: z.int().nullable(),
    lastProgressAt: IsoTime.nullable(),
  })
  .meta({ id: 'BackgroundWorkflow', description: 'Whether a background workflow runs and when it last progressed.' })

/** Numbers of an operator. Source: http, "Sessions and other operator reads". */
export const AdminStatusShape = z
  .object({
    asOf: IsoTime,
    auth: AuthTermsShape,
    authPolicy: z.object({ version: z.string(), algorithm: z.enum(['ES256', 'HS256']) }),
    authTelemetry: z.object({ since: IsoTime, failures: z.array(z.object({ code: z.string(), count: z.int() })) }),
    anomalies: z.array(WarningShape),
    ops: z.object({
      recentSessions: z.array(SessionRowShape).max(10),
      recentEvents: z.array(TimelineEntryShape).max(10),
      activeSessions: z.int(),
      activeWallets: z.int(),
      totalCapitalAtWork: AssetAmount,
      resolvedRecently: z.int(),
      topJobs: z.array(z.object({ jobId: z.string(), sessionCount: z.int() })).max(10),
    }),
    maintenance: z.object({
      policy: z
        .object({
          enabled: z.boolean().describe('Whether the contracts accept transactions: they are readable and not paused.'),
          settlementReady: z.boolean(),
          risk: z.object({ defaultClaimStakeBps: z.int().nullable(), claimFeeBps: z.int().nullable() }),
        })
        .describe('Whether money moves now, and at which rates.'),
      release: z.string(),
    }),
    recurring: z.object(partMembers).describe('Recurring jobs, which this release does not run.'),
    jobLifecycle: z.object({ total: z.int(), open: z.int(), stale: z.int(), paused: z.int(), archived: z.int() }),
    jobSpecHashIntegrity: z.object({ checked: z.int(), drifted: z.int(), driftedJobs: z.array(z.string()) }),
    backgroundWorkflows: z.object({ chainFollower: BackgroundWorkflow, workflowWorker: BackgroundWorkflow }),
    hostDiagnostics: z.object({
      nodeVersion: z.string(),
      uptimeSeconds: z.int(),
      residentMemoryBytes: z.int(),
      databasePool: z.object({ max: z.int(), inUse: z.int(), idle: z.int(), waiting: z.int() }),
    }),
    providerOperations: z.object({ codehost: z.object({ enabled: z.boolean() }) }),
    catalogueLanes: z.array(
      z.object({
        lane: z.string(),
        dailyBudget: AssetAmount,
        usedToday: AssetAmount,
        backlog: z.int(),
        backlogLimit: z.int(),
      }),
    ),
    xcmSettlement: z.object({ ...partMembers, pendingCount: z.int() }),
    xcmObservation: z.object({ ...partMembers, lastError: z.string().nullable(), lastSyncedAt: IsoTime.nullable() }),
  })
  .meta({ id: 'AdminStatus', description: 'What an operator looks at first.' })
export type AdminStatus = z.input<typeof AdminStatusShape>
