import { earnsBadge } from '../../../domain/audit/session-ending.ts'
import { iso } from '../../../domain/common/instants.ts'
import { BadgeShape } from '../../../schemas/reputation/shapes.ts'
import { findForgery, type KeyRecord, listKeyRecords } from '../../identity/signing-keys.ts'
import type { BadgeRow } from '../../reputation/badges.ts'
import { type AuditedSession, auditedSessions } from '../claims.ts'
import { type Check, describeParts } from '../context.ts'

/** What a badge must show, by session and chain. */
const expectedOf = ({ sessionId, jobId, wallet, chainJobId, evidenceHash, chain }: AuditedSession): string =>
  describeParts({
    sessionId,
    jobId,
    worker: wallet,
    chainJobId,
    evidenceHash: evidenceHash ?? '',
    completedAt: iso(chain.ending?.at ?? 0),
    reward: chain.ending?.workerRaw,
  })

const foundIn = (row: BadgeRow): { row: string; document: string } => {
  const { sessionId, jobId, worker, chainJobId, evidenceHash, issuedAt } = row
  const { data } = BadgeShape.safeParse(row.document)
  const service = data?.service
  const reward = service?.reward.amount
  return {
    row: describeParts({ sessionId, jobId, worker, chainJobId, evidenceHash, completedAt: iso(issuedAt), reward }),
    document: describeParts({
      sessionId: service?.sessionId,
      jobId: service?.jobId,
      worker: service?.worker,
      chainJobId: service?.chainJobId,
      evidenceHash: service?.evidenceHash,
      completedAt: service?.completedAt,
      reward,
    }),
  }
}

const checkBadge = async (session: AuditedSession, row: BadgeRow | undefined, keys: readonly KeyRecord[]) => {
  if (!earnsBadge(session.chain)) return row === undefined ? null : { expected: 'no badge', found: 'a badge' }
  const expected = expectedOf(session)
  if (row === undefined) return { expected: `a badge of ${expected}`, found: 'none' }
  const found = foundIn(row)
  if (found.row !== expected) return { expected, found: found.row }
  if (found.document !== expected) return { expected, found: `${found.document} in the document` }
  const { category, level } = BadgeShape.parse(row.document).service
  if (category !== row.category || level !== row.level)
    return { expected: `${category} ${level}, by the document`, found: `${row.category} ${row.level}` }
  const forgery = await findForgery(keys, row.document)
  return forgery === null ? null : { expected: 'our signature', found: forgery }
}

/** Compares the badges with the payments on chain and with their signatures. */
export const checkBadges: Check = async (audit, add) => {
  const keys = await listKeyRecords(audit.rows)
  for await (const page of auditedSessions(audit)) {
    const ids = page.map(({ sessionId }) => sessionId)
    const rows = await audit.rows.selectFrom('badge').selectAll().where('sessionId', 'in', ids).execute()
    const rowOf = new Map(rows.map((row) => [row.sessionId, row]))
    for (const session of page) {
      const contradiction = session.isSettled ? await checkBadge(session, rowOf.get(session.sessionId), keys) : null
      if (contradiction !== null) add({ subject: `badge of session ${session.sessionId}`, ...contradiction })
    }
  }
}
