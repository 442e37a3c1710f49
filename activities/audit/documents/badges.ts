import { earnsBadge } from '../../../domain/audit/session-ending.ts'
import { iso } from '../../../domain/common/instants.ts'
import { BadgeShape } from '../../../schemas/reputation/shapes.ts'
import { type KeyRecord, listKeyRecords } from '../../identity/key-records.ts'
import { findForgery } from '../../identity/signing-keys.ts'
import { type BadgeRow, badgeRow } from '../../reputation/badges.ts'
import { type AuditedSession, settledSessions } from '../claims.ts'
import { type Check, compareMembers, describeParts } from '../context.ts'

/** What a badge must show, by session and chain. */
const expectedOf = ({ sessionId, jobId, wallet, chainJobId, evidenceHash, chain }: AuditedSession) => ({
  sessionId,
  jobId,
  worker: wallet,
  chainJobId,
  evidenceHash: evidenceHash ?? '',
  completedAt: iso(chain.ending?.at ?? 0),
  reward: chain.ending?.workerRaw,
})

const checkBadge = async (session: AuditedSession, row: BadgeRow | undefined, keys: readonly KeyRecord[]) => {
  if (!earnsBadge(session.chain)) return row === undefined ? null : { expected: 'no badge', found: 'a badge' }
  const expected = expectedOf(session)
  if (row === undefined) return { expected: `a badge of ${describeParts(expected)}`, found: 'none' }
  const { data: badge, error } = BadgeShape.safeParse(row.document)
  if (error !== undefined) return { expected: 'a badge of the published schema', found: error.issues[0]?.message ?? 'another document' }
  const { document: _document, ...columns } = badgeRow(row.document)
  const shown = { ...badge.service, reward: badge.service.reward.amount }
  const different = compareMembers(expected, shown) ?? compareMembers(columns, { ...row })
  if (different !== null) return different
  const forgery = await findForgery(keys, row.document)
  return forgery === null ? null : { expected: 'our signature', found: forgery }
}

/** Compares the badges with the payments on chain and with their signatures. */
export const checkBadges: Check = async (audit, add) => {
  const keys = await listKeyRecords(audit.rows, 'receipt')
  const list = (ids: string[]) => audit.rows.selectFrom('badge').selectAll().where('sessionId', 'in', ids).execute()
  for await (const { session, stored } of settledSessions(audit, list)) {
    const contradiction = await checkBadge(session, stored[0], keys)
    if (contradiction !== null) add({ subject: `badge of session ${session.sessionId}`, ...contradiction })
  }
}
