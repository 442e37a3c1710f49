import type { Difference } from '../../domain/rebuild/difference.ts'
import type { RebuildReport } from '../../domain/rebuild/report.ts'
import type { AuditCheckName } from '../../schemas/audit/checks.ts'
import type { Audit, AuditDeps } from '../audit/context.ts'
import { CHAIN_CHANGED, firstLine, isPinned, runCheck } from '../audit/run.ts'
import { readCursor } from '../chain/follower/cursor.ts'
import { assertChain } from '../chain/node/answers.ts'
import { listKeyRecords } from '../identity/key-records.ts'
import { compareEntries, noFaults, rebuildLedgers } from './ledger.ts'
import { rebuildSession } from './sessions.ts'
import { listLostSessions, type RebuiltSession, rebuiltSessions, reloadSession } from './sources.ts'

/** Checks of the audit that prove the sources: the recorded events are the node's, and the histories are those that were published. */
const SOURCES = ['chain_events', 'session_log'] as const satisfies AuditCheckName[]
/** Sessions whose transactions are read from the node at once. */
const READ_AT_ONCE = 20

const NOTHING = { sessions: 0, badges: 0, receipts: 0, ledgerEntries: 0, wallets: 0 }
const UNREAD: RebuildReport = { block: null, sources: [], rebuilt: NOTHING, withoutChain: 0, differences: [], reason: null }

type Keys = Awaited<ReturnType<typeof listKeyRecords>>

/** Rebuilds a session; one with differences twice, because it may have changed while its records were read. */
const rebuildStable = async (audit: Audit, one: RebuiltSession, keys: Keys) => {
  const result = await rebuildSession(audit, one, keys)
  const again = result.differences.length === 0 ? null : await reloadSession(audit, one.stored.sessionId)
  return again === null ? { one, result } : { one: again, result: await rebuildSession(audit, again, keys) }
}

/** Rebuilds every session of a page, some at once. */
const rebuildPage = async (audit: Audit, page: readonly RebuiltSession[], keys: Keys) => {
  const compared = []
  for (let first = 0; first < page.length; first += READ_AT_ONCE)
    compared.push(...(await Promise.all(page.slice(first, first + READ_AT_ONCE).map((one) => rebuildStable(audit, one, keys)))))
  return compared
}

const rebuildAll = async (audit: Audit): Promise<Pick<RebuildReport, 'rebuilt' | 'withoutChain' | 'differences'>> => {
  const keys = await listKeyRecords(audit.rows, 'receipt')
  const faults = noFaults()
  const rebuilt = { ...NOTHING }
  const differences: Difference[] = []
  let withoutChain = 0
  for await (const page of rebuiltSessions(audit)) {
    const compared = await rebuildPage(audit, page, keys)
    for (const { result } of compared) {
      rebuilt.sessions += 1
      if (result.ending !== null) rebuilt.receipts += 1
      if (result.ending?.badge != null) rebuilt.badges += 1
      if (!result.withChain) withoutChain += 1
      differences.push(...result.differences)
    }
    differences.push(...(await compareEntries(audit, compared, faults)))
  }
  for (const sessionId of await listLostSessions(audit))
    differences.push({ subject: `session ${sessionId}`, member: 'session', rebuilt: 'a record', stored: 'absent' })
  const ledgers = await rebuildLedgers(audit, faults)
  return { rebuilt: { ...rebuilt, ...ledgers.counted }, withoutChain, differences: [...differences, ...ledgers.differences] }
}

/**
 * Rebuilds the public records of all sessions, badges, receipts, ledgers and scores from the events of the chain, the session log and the
 * frozen inputs, and compares them with what is stored. Changes nothing. Without `blocks` all events are compared with the node first.
 */
export const runRebuild = async ({ blocks, ...deps }: AuditDeps): Promise<RebuildReport> => {
  const { database, chain, client } = deps
  const cursor = await readCursor(database.rows, chain.chainId)
  if (cursor === null) return { ...UNREAD, reason: 'no block of the chain is recorded' }
  const block = cursor.number.toString()
  if (cursor.gapBlock !== null) return { ...UNREAD, block, reason: `the records lack events of block ${cursor.gapBlock}` }
  const place = { number: cursor.number, hash: cursor.hash }
  const audit: Audit = { ...deps, blocks: blocks ?? Number(cursor.number) + 1, rows: database.rows, block: place }
  try {
    await assertChain(client, chain.chainId)
    const sources = []
    for (const check of SOURCES) sources.push(await runCheck(check, audit, null))
    const result = await rebuildAll(audit)
    const isStable = await isPinned(audit)
    return { block, sources, ...result, reason: isStable || result.differences.length === 0 ? null : CHAIN_CHANGED }
  } catch (error) {
    return { ...UNREAD, block, reason: firstLine(error) }
  }
}
