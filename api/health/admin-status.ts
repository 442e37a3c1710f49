import { laneLimits, readLaneUse } from '../../activities/catalogue/lanes.ts'
import { countLifecycle, listAllJobs } from '../../activities/catalogue/lists.ts'
import { countUnsettled } from '../../activities/cross-chain/outcomes.ts'
import type { Rows } from '../../activities/database/database.ts'
import { eventEntry } from '../../activities/events/timeline.ts'
import { isWakeOverdue } from '../../activities/lanes/templates.ts'
import { listNewestEvents, summariseWork } from '../../activities/sessions/counts.ts'
import { listSessions } from '../../activities/sessions/records.ts'
import { specHashOf } from '../../domain/catalogue/spec-hash.ts'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { sessionRow } from '../../domain/sessions/view.ts'
import { LANES } from '../../schemas/catalogue/job-terms.ts'
import type { AdminStatus } from '../../schemas/health/admin-status.ts'
import { AUTH_POLICY_VERSION } from '../../schemas/identity/authorisation.ts'
import type { ServiceDeps } from '../deps.ts'
import { type Findings, serviceTime } from './findings.ts'
import type { HealthReader } from './reader.ts'
import { healthReport } from './report.ts'
import { awaitMembers } from './snapshot.ts'

const RECENT = 10
/** Newest jobs whose definitions are hashed for one answer; a claim checks its own. */
const HASHED_JOBS = 100

/** Time in which the workers tell the process of a recurring template of a change. */
const WAKE_MS = 60_000

const BACKGROUND = { enabled: true, dryRun: false, mode: 'workflow', intervalMs: null, consecutiveFailures: null }

const startedAt = Date.now()

const readFailures = async ({ metrics }: ServiceDeps) => {
  const { values } = await metrics.authFailures.get()
  return values.map(({ labels, value }) => ({ code: String(labels.code), count: value }))
}

const readIntegrity = async (rows: Rows): Promise<AdminStatus['jobSpecHashIntegrity']> => {
  const jobs = await listAllJobs(rows, undefined, { limit: HASHED_JOBS, after: null })
  const driftedJobs = jobs.filter(({ definition, specHash }) => specHashOf(definition) !== specHash).map(({ id }) => id)
  return { checked: jobs.length, drifted: driftedJobs.length, driftedJobs }
}

const readLanes = ({ database, settings, chain }: ServiceDeps, now: number): Promise<AdminStatus['catalogueLanes']> =>
  Promise.all(
    LANES.map(async (lane) => {
      const limits = laneLimits(settings, lane)
      const { postedRaw, backlog } = await readLaneUse(database.rows, lane, now)
      const [dailyBudget, usedToday] = [assetAmount(limits.dailyRaw, chain.asset), assetAmount(postedRaw, chain.asset)]
      return { lane, dailyBudget, usedToday, backlog, backlogLimit: limits.backlog }
    }),
  )

const readWork = async ({ database, chain }: ServiceDeps, now: number): Promise<AdminStatus['ops']> => {
  const { rows } = database
  const [{ atWorkRaw, ...work }, sessions, events] = await Promise.all([
    summariseWork(rows, now),
    listSessions(rows, { limit: RECENT, after: null }),
    listNewestEvents(rows, RECENT),
  ])
  return {
    ...work,
    totalCapitalAtWork: assetAmount(atWorkRaw, chain.asset),
    recentSessions: sessions.map((session) => sessionRow(session, now)),
    recentEvents: events.map(eventEntry),
  }
}

/** Members that the health report and its findings determine. */
const reportedParts = (deps: ServiceDeps, findings: Findings) => {
  const health = healthReport(deps, findings)
  const { workflowWorker } = health.serviceHealth.components
  const bank = findings.snapshot?.bank ?? null
  const { indexer } = health.components
  const recordedAt = indexer.lagSeconds === null ? null : findings.now - indexer.lagSeconds * 1000
  return {
    auth: health.auth,
    anomalies: health.warnings,
    maintenance: {
      policy: {
        enabled: findings.chain.ok && !findings.chain.value.paused,
        settlementReady: health.capabilityHealth.treasuryMutations === 'available',
        risk: { defaultClaimStakeBps: bank?.stakeBps ?? null, claimFeeBps: bank?.feeBps ?? null },
      },
      release: deps.settings.BUILD_ID ?? health.version,
    },
    backgroundWorkflows: {
      chainFollower: { ...BACKGROUND, running: indexer.ok, lastProgressAt: isoOrNull(recordedAt) },
      workflowWorker: { ...BACKGROUND, running: workflowWorker.ok, lastProgressAt: workflowWorker.lastProgressAt },
    },
  }
}

/** Observed cross-chain requests that are not settled; null on a chain without a wrapper. */
const countPending = async ({ database, chain }: ServiceDeps): Promise<number | null> => {
  const wrapper = chain.contracts.xcm?.wrapper.address.toLowerCase()
  return wrapper === undefined ? null : countUnsettled(database.rows, wrapper)
}

const hostOf = ({ database }: ServiceDeps): AdminStatus['hostDiagnostics'] => ({
  nodeVersion: process.version,
  uptimeSeconds: Math.floor(process.uptime()),
  residentMemoryBytes: process.memoryUsage.rss(),
  databasePool: database.pool(),
})

/** Reads the answer of `GET /admin/status`. Source: http, "Sessions and other operator reads". */
export const createAdminStatus = (deps: ServiceDeps, readHealth: HealthReader) => async (): Promise<AdminStatus> => {
  const { database, clock, settings, tokens } = deps
  const now = clock.now()
  const { findings, pendingCount, failures, isOverdue, ...records } = await awaitMembers({
    findings: readHealth(),
    pendingCount: countPending(deps),
    failures: readFailures(deps),
    isOverdue: isWakeOverdue(database.rows, now - WAKE_MS),
    ops: readWork(deps, now),
    jobLifecycle: countLifecycle(database.rows, now),
    jobSpecHashIntegrity: readIntegrity(database.rows),
    catalogueLanes: readLanes(deps, now),
  })
  const reported = reportedParts(deps, findings)
  const enabled = pendingCount !== null
  const isWorking = reported.backgroundWorkflows.workflowWorker.running
  const crossChain = { enabled, running: enabled && isWorking }
  return {
    asOf: iso(now),
    ...reported,
    xcmSettlement: { ...crossChain, pendingCount: pendingCount ?? 0 },
    xcmObservation: { ...crossChain, lastError: null, lastSyncedAt: null },
    authPolicy: { version: AUTH_POLICY_VERSION, algorithm: tokens.algorithm },
    authTelemetry: { since: serviceTime(findings, startedAt), failures },
    ...records,
    recurring: { enabled: true, running: isWorking && !isOverdue },
    hostDiagnostics: hostOf(deps),
    providerOperations: { codehost: { enabled: settings.CODEHOST_TOKEN !== undefined } },
  }
}
