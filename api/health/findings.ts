import type { FollowerLag } from '../../activities/chain/follower/cursor.ts'
import { iso } from '../../domain/common/instants.ts'
import type { Health } from '../../schemas/health/shapes.ts'
import { QUEUE_KINDS, type QueueKind } from '../../schemas/processes.ts'
import type { ServiceDeps } from '../deps.ts'
import type { Probed } from '../http/probe.ts'
import type { Probes } from './probes.ts'
import type { ProductSnapshot } from './snapshot.ts'

/** The result of every probe. */
type ProbeResults = { [Name in Exclude<keyof Probes, 'evidence'>]: Probed<Awaited<ReturnType<Probes[Name]>>> }

/** Everything a health report is built from. */
export interface Findings extends ProbeResults {
  /** Service time, epoch ms. */
  now: number
  /** Wall clock, which the workflow engine uses. */
  wallNow: number
  /** What the node's answers to this process show. */
  evidence: ReturnType<Probes['evidence']>
  /** Null when it could not be read. */
  snapshot: ProductSnapshot | null
}

/** An instant of a wall clock by the service clock, with the same age. */
export const serviceTime = ({ now, wallNow }: Findings, wallAt: number): string => iso(wallAt - wallNow + now)

/** The same of an instant that may be missing. */
export const serviceTimeOrNull = (findings: Findings, wallAt: number | null | undefined): string | null =>
  typeof wallAt === 'number' ? serviceTime(findings, wallAt) : null

/** A worker poll lasts about a minute; after two missed polls no worker is running. */
export const WORKER_STALE_MS = 120_000

/** Whether workers take the work of every task queue. `unserved`: the kinds that none has polled for two minutes. */
export const workerState = ({
  temporal,
  wallNow,
}: Findings): { ok: boolean; state: 'engine_unreachable' | 'no_worker' | 'stale' | 'unserved' | 'polling'; unserved: QueueKind[] } => {
  if (!temporal.ok) return { ok: false, state: 'engine_unreachable', unserved: [] }
  const { polls } = temporal.value
  const isStale = (kind: QueueKind): boolean => wallNow - (polls[kind] ?? 0) > WORKER_STALE_MS
  const unserved = QUEUE_KINDS.filter(isStale)
  if (polls.claims === null) return { ok: false, state: 'no_worker', unserved }
  if (isStale('claims')) return { ok: false, state: 'stale', unserved }
  return unserved.length > 0 ? { ok: false, state: 'unserved', unserved } : { ok: true, state: 'polling', unserved }
}

/** Signers whose lowest open nonce blocks all later transactions. */
export const troublesOf = ({ nonces }: Findings) =>
  nonces.ok ? nonces.value.flatMap(({ signer, trouble }) => (trouble === null ? [] : [{ signer, trouble }])) : []

const lagOf = ({ follower }: Findings): FollowerLag | null => (follower.ok ? follower.value : null)

export const indexerState = ({ settings }: ServiceDeps, findings: Findings): Health['capabilityHealth']['indexer'] => {
  const lag = lagOf(findings)
  if (lag === null) return 'unavailable'
  if (lag.gapBlock !== null) return 'behind'
  return lag.lagSeconds > settings.CHAIN_LAG_SECONDS ? 'lagging' : 'synced'
}

export const indexerOf = (deps: ServiceDeps, findings: Findings): Health['components']['indexer'] => {
  const lag = lagOf(findings)
  return {
    ok: indexerState(deps, findings) === 'synced',
    lagSeconds: lag === null ? null : Math.floor(lag.lagSeconds),
    block: lag?.cursor.toString() ?? null,
    headBlock: lag?.head.toString() ?? null,
    gapBlock: lag?.gapBlock?.toString() ?? null,
    missedEvents: lag?.missedEvents ?? null,
    gapFoundAt: serviceTimeOrNull(findings, lag?.gapFoundAt),
  }
}

export const blockchainOf = (findings: Findings): Health['components']['blockchain'] => {
  const { batchSize, configuredSize, lastRefusal, lastReadAt, nodes } = findings.evidence
  return {
    ok: findings.chain.ok,
    lastReadAt: serviceTimeOrNull(findings, lastReadAt),
    batchSize,
    configuredBatchSize: configuredSize,
    lastBatchRefusal: lastRefusal === null ? null : { at: serviceTime(findings, lastRefusal.at), size: lastRefusal.size },
    nodes: { count: nodes.count, inUse: nodes.inUse, changes: nodes.changes, lagBlocks: nodes.lags },
  }
}

/** Whether a runner takes the work of profiles that run programs. Without payments and postings nothing needs one. */
export const runnerOf = ({ settings }: ServiceDeps, { runners }: Findings): Health['components']['runner'] => {
  const isNeeded = settings.VERIFICATION_PAY_TO !== undefined || settings.EXTERNAL_POSTING_MODE !== 'closed'
  if (!isNeeded) return { ok: true, state: 'disabled', ready: null, reason: null }
  if (!runners.ok) return { ok: null, state: 'unknown', ready: null, reason: null }
  const { ready, unable } = runners.value
  if (ready > 0) return { ok: true, state: 'polling', ready, reason: null }
  return { ok: false, state: unable.length > 0 ? 'no_sandbox' : 'no_runner', ready, reason: unable[0] ?? null }
}
