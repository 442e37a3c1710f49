import { BaseError, type Hex } from 'viem'
import { claimOnChain, earnsReceipt } from '../../domain/audit/session-ending.ts'
import { type Difference, listDifferences } from '../../domain/rebuild/difference.ts'
import { columnsOfChain, columnsOfLog, followedTimes, type LogColumns } from '../../domain/rebuild/session-columns.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { type Audit, SETTLING_MS } from '../audit/context.ts'
import { firstLine } from '../audit/run.ts'
import type { KeyRecord } from '../identity/key-records.ts'
import { findForgery } from '../identity/signing-keys.ts'
import { parseSessionRow } from '../sessions/records.ts'
import { summaryOf } from '../verification/records.ts'
import { type RebuiltEnding, rebuildEnding } from './ending.ts'
import type { RebuiltSession } from './sources.ts'

/** A session that was rebuilt. */
export interface SessionResult {
  differences: Difference[]
  /** Whether its members of the chain were compared. */
  withChain: boolean
  /** What its ending wrote; null if it has not ended, or was not compared. */
  ending: RebuiltEnding | null
}

/** Records and chain may differ: the record departs from the chain and states so, or its last step is recent. */
const departsFromChain = ({ now, block }: Audit, { stored, claim, history }: RebuiltSession, log: LogColumns): boolean => {
  const lastChange = Math.max(stored.updatedAt, claim.at(-1)?.blockTime ?? 0, history.at(-1)?.recordedAt ?? 0)
  const isStated = log.chainStateDivergence !== null || log.operatorClose !== null || stored.operatorClose !== null
  return stored.claimTxHash === null || (stored.claimBlock ?? 0n) > block.number || isStated || lastChange >= now() - SETTLING_MS
}

/** The session before its ending: without what the ending writes. A final rejection has no entry of its end. */
const beforeEnding = ({ stored, history }: RebuiltSession, columns: Partial<RebuiltSession['stored']>, kind: string): SessionRecord => {
  const entries = kind === 'finalized' ? history : history.slice(0, -1)
  const statusHistory = entries.map(({ fromStatus: from, toStatus: to, reason, at, recordedAt, metadata }) => ({
    from,
    to,
    reason,
    at,
    recordedAt,
    metadata,
  }))
  const open = { rejectionFinalizedAt: null, resolvedAt: null, payoutTx: null, disputeResolution: null, workReceiptId: null }
  return parseSessionRow({ ...stored, ...columns, ...open, status: entries.at(-1)?.toStatus ?? stored.status }, statusHistory)
}

const plainReceipt = ({ document, ...columns }: RebuiltEnding['receipt']) => ({ ...columns, document: JSON.parse(document) as unknown })

/** Differences of a document by member; of its bytes if all members are equal. */
const compareReceipt = (
  subject: string,
  rebuilt: RebuiltEnding['receipt'] | undefined,
  stored: RebuiltSession['receipt'],
): Difference[] => {
  const place = { subject, member: 'receipt' }
  if (rebuilt === undefined || stored === undefined) return listDifferences(place, rebuilt?.receiptId, stored?.receiptId)
  const found = listDifferences(place, plainReceipt(rebuilt), plainReceipt(stored))
  return found.length > 0 ? found : listDifferences({ subject, member: 'receipt.bytes' }, rebuilt.document, stored.document)
}

const compareBadge = (subject: string, rebuilt: RebuiltEnding['badge'] | undefined, stored: RebuiltSession['badge']): Difference[] => {
  const place = { subject, member: 'badge' }
  const isBoth = rebuilt != null && stored !== undefined
  return isBoth ? listDifferences(place, rebuilt, stored) : listDifferences(place, rebuilt?.sessionId, stored?.sessionId)
}

const compareSignatures = async (
  subject: string,
  { badge, receipt }: RebuiltSession,
  keys: readonly KeyRecord[],
): Promise<Difference[]> => {
  const documents = { badge: badge?.document, receipt: receipt === undefined ? undefined : JSON.parse(receipt.document) }
  const found: Difference[] = []
  for (const [name, document] of Object.entries(documents)) {
    const forgery = document === undefined ? null : await findForgery(keys, document)
    if (forgery !== null) found.push({ subject, member: `${name}.signature`, rebuilt: 'our signature', stored: forgery })
  }
  return found
}

const compareEnding = (subject: string, one: RebuiltSession, ending: RebuiltEnding | null, ended: boolean): Difference[] => {
  const { stored, badge, receipt } = one
  if (ended && ending === null) return [{ subject, member: 'receipt', rebuilt: 'a receipt of its end', stored: 'absent' }]
  const { payoutTx, disputeResolution, workReceiptId } = stored
  const none = { payoutTx: null, disputeResolution: null, workReceiptId: null }
  return [
    ...listDifferences({ subject, member: 'session' }, ending?.columns ?? none, { payoutTx, disputeResolution, workReceiptId }),
    ...compareReceipt(subject, ending?.receipt, receipt),
    ...compareBadge(subject, ending?.badge, badge),
  ]
}

/** The stored columns that were rebuilt. */
const pick = <Columns extends object>(stored: RebuiltSession['stored'], columns: Columns) =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, stored[name as keyof typeof stored]]))

const rebuild = async (audit: Audit, one: RebuiltSession, subject: string, keys: readonly KeyRecord[]): Promise<SessionResult> => {
  const { stored, history, verdicts, claim } = one
  const place = { subject, member: 'session' }
  const shown = verdicts.map((verdict) => ({ ...verdict, summary: summaryOf(verdict) }))
  const logged = columnsOfLog(stored, history, shown)
  const log = { ...logged, ...followedTimes(stored, claim, logged) }
  const signatures = await compareSignatures(subject, one, keys)
  if (departsFromChain(audit, one, log)) {
    const { rejectedAt: _rejected, disputedAt: _disputed, rejectionFinalizedAt: _final, ...columns } = log
    return { differences: [...listDifferences(place, columns, pick(stored, columns)), ...signatures], withChain: false, ending: null }
  }
  const columns = { ...log, ...columnsOfChain(stored, one, history, log) }
  const onChain = claimOnChain(claim, stored.claimTxHash ?? '')
  const end = earnsReceipt(onChain) ? onChain.ending : null
  const ending = end === null ? null : await rebuildEnding(audit, one, beforeEnding(one, columns, end.kind), end.txHash as Hex)
  const differences = [
    ...listDifferences(place, columns, pick(stored, columns)),
    ...compareEnding(subject, one, ending, end !== null),
    ...signatures,
  ]
  return { differences, withChain: true, ending }
}

/** Rebuilds the records of a session. Sources from which no record follows are a difference too. Throws if the node does not answer. */
export const rebuildSession = async (audit: Audit, one: RebuiltSession, keys: readonly KeyRecord[]): Promise<SessionResult> => {
  const subject = `session ${one.stored.sessionId}`
  try {
    return await rebuild(audit, one, subject, keys)
  } catch (error) {
    if (error instanceof BaseError) throw error
    const difference = { subject, member: 'session', rebuilt: `not possible: ${firstLine(error)}`, stored: one.stored.status }
    return { differences: [difference], withChain: false, ending: null }
  }
}
