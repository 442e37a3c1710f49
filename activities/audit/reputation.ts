import { sql } from 'kysely'
import { ledgerKindOf } from '../../domain/audit/session-ending.ts'
import { REPUTATION_KINDS, reputationEvent } from '../../domain/reputation/scores.ts'
import type { Scores } from '../../domain/reputation/tiers.ts'
import { type AuditedSession, auditedSessions } from './claims.ts'
import { type AddFinding, type Audit, type Check, PAGE } from './context.ts'

export const NO_SCORES: Scores = { skill: 0, reliability: 0, economic: 0 }

const checkKinds = async ({ rows }: Audit, sessions: AuditedSession[], add: AddFinding): Promise<void> => {
  const ids = sessions.map(({ sessionId }) => sessionId)
  const entries = await rows.selectFrom('reputation_event').select(['sessionId', 'kind', 'wallet']).where('sessionId', 'in', ids).execute()
  const entriesOf = Map.groupBy(entries, ({ sessionId }) => sessionId)
  for (const { sessionId, wallet, chain, isSettled } of sessions) {
    if (!isSettled) continue
    const kind = ledgerKindOf(chain)
    const expected = kind === null ? 'no entry' : `${kind} of ${wallet}`
    const found = (entriesOf.get(sessionId) ?? []).map((entry) => `${entry.kind} of ${entry.wallet}`).join(', ') || 'no entry'
    if (found !== expected) add({ subject: `session ${sessionId}`, expected, found })
  }
}

/** Entry of the ledger with the reward of its session; null without a session. */
export interface LedgerEntry {
  seq: string
  wallet: string
  sessionId: string
  kind: string
  rewardRaw: string | null
  nominal: Scores
  applied: Scores
  reason: string
  scoringVersion: number
}

/** A page of the ledgers, by wallet in the order of their entries. */
export const listLedger = async ({ rows }: Pick<Audit, 'rows'>, after: { wallet: string; seq: string }): Promise<LedgerEntry[]> => {
  const scores = (prefix: string) =>
    sql.raw(`json_build_object('skill', ${prefix}_skill, 'reliability', ${prefix}_reliability, 'economic', ${prefix}_economic)`)
  const found = await sql<LedgerEntry>`
    select e.seq::text, e.wallet, e.session_id as "sessionId", e.kind, e.reason, e.scoring_version as "scoringVersion",
      s.reward_raw::text as "rewardRaw",
      ${scores('nominal')} as nominal, ${scores('applied')} as applied
    from reputation_event e left join session s using (session_id)
    where (e.wallet, e.seq) > (${after.wallet}, ${after.seq}::bigint) order by e.wallet, e.seq limit ${PAGE}`.execute(rows)
  return found.rows
}

const formatScores = ({ skill, reliability, economic }: Scores): string => `${skill}/${reliability}/${economic}`
export const addScores = (left: Scores, right: Scores): Scores => ({
  skill: left.skill + right.skill,
  reliability: left.reliability + right.reliability,
  economic: left.economic + right.economic,
})

const checkEntry = (entry: LedgerEntry, before: Scores, decimals: number, add: AddFinding): void => {
  const subject = `wallet ${entry.wallet}, entry ${entry.seq} of session ${entry.sessionId}`
  const kind = REPUTATION_KINDS.find((one) => one === entry.kind)
  if (kind === undefined || entry.rewardRaw === null) {
    add({ subject, expected: 'an entry of a session', found: entry.kind })
    return
  }
  const { nominal, applied } = reputationEvent(before, kind, { rewardRaw: BigInt(entry.rewardRaw), decimals })
  const expected = `${formatScores(nominal)}, applied ${formatScores(applied)}`
  const found = `${formatScores(entry.nominal)}, applied ${formatScores(entry.applied)}`
  if (found !== expected) add({ subject, expected, found })
}

/** Plays the ledger of every wallet again. */
const checkScores = async (audit: Audit, add: AddFinding): Promise<void> => {
  let after = { wallet: '', seq: '0' }
  let scores = NO_SCORES
  for (let page = await listLedger(audit, after); page.length > 0; page = await listLedger(audit, after))
    for (const entry of page) {
      const before = entry.wallet === after.wallet ? scores : NO_SCORES
      checkEntry(entry, before, audit.chain.asset.decimals, add)
      scores = addScores(before, entry.applied)
      after = { wallet: entry.wallet, seq: entry.seq }
    }
}

/** Compares the ledger with the endings on chain, and its scores with the rules. */
export const checkReputation: Check = async (audit, add) => {
  for await (const page of auditedSessions(audit)) await checkKinds(audit, page, add)
  await checkScores(audit, add)
}
