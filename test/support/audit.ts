import { readFileSync } from 'node:fs'
import type { AuditDeps } from '../../activities/audit/context.ts'
import { runAudit } from '../../activities/audit/run.ts'
import { createScanClient } from '../../activities/chain/clients.ts'
import { loadSigningKey } from '../../activities/common/document-signing.ts'
import type { Database } from '../../activities/database/database.ts'
import { runRebuild } from '../../activities/rebuild/run.ts'
import { rebuildOutcome } from '../../domain/rebuild/report.ts'
import { stateFiles } from '../../local/files.ts'
import { readClockOffset } from '../../local/time/clock.ts'
import type { AuditResult } from '../../schemas/audit/record.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { followerAtHead } from './follower-head.ts'

/** Far enough behind the last act of a test that records and chain have settled. */
const LATER_MS = 400 * 24 * 3_600_000

/** A check of the audit, or the rebuild of the records, that does not pass. */
type Failed = Omit<AuditResult, 'check' | 'examples' | 'durationMs'> & { check: string; examples: unknown[] }

const failedRebuild = async (deps: AuditDeps): Promise<Failed[]> => {
  const report = await runRebuild(deps)
  const outcome = rebuildOutcome(report)
  const { differences, reason, sources } = report
  // The audit itself reports a source that fails.
  if (outcome === 'equal' || (differences.length === 0 && sources.some((source) => source.outcome === 'failed'))) return []
  return [
    { check: 'rebuild', outcome: outcome === 'unread' ? 'unread' : 'failed', findings: differences.length, examples: differences, reason },
  ]
}

type World = { dir: string; chain: ChainFile; database: Database } & Parameters<typeof followerAtHead>[0]

/** What an audit of a stack reads, once everything on its chain is recorded. */
const depsOf = async (world: World): Promise<AuditDeps> => {
  await followerAtHead(world)
  const readKey = () => loadSigningKey(readFileSync(stateFiles(world.dir).receiptKey, 'utf8'), 'badge')
  const { database, chain } = world
  const now = () => Date.now() + readClockOffset(stateFiles(world.dir).clockOffset) + LATER_MS
  return { database, chain, client: createScanClient(chain), readKey, now }
}

/** Checks of an audit of a stack that do not pass, and differences of its rebuilt records. */
export const auditStack = async (world: World): Promise<Failed[]> => {
  const deps = await depsOf(world)
  const { results } = await runAudit(deps)
  return [...results.filter(({ outcome }) => outcome !== 'passed'), ...(await failedRebuild(deps))]
}

/** Differences of the rebuilt records of a stack. */
export const rebuildStack = async (world: World): Promise<Failed[]> => failedRebuild(await depsOf(world))
