import { sql } from 'kysely'
import { ledgerKindOf } from '../../domain/audit/session-ending.ts'
import { REPUTATION_KINDS, reputationEvent } from '../../domain/reputation/scores.ts'
import type { Scores } from '../../domain/reputation/tiers.ts'
import { settledSessions } from './claims.ts'
import { type AddFinding, type Audit, type Check, PAGE, readPages } from './context.ts'

export const NO_SCORES: Scores = { skill: 0, reliability: 0, economic: 0 }

/** Compares the entries of every session with its end on chain. */
const checkKinds = async (audit: Audit, add: AddFinding): Promise<void> => {
  const entries = audit.rows.selectFrom('reputation_event').select(['sessionId', 'kind', 'wallet'])
  for await (const { session, stored } of settledSessions(audit, (ids) => entries.where('sessionId', 'in', ids).execute())) {
    const kind = ledgerKindOf(session.chain)
    const expected = kind === null ? 'no entry' : `${kind} of ${session.wallet}`
    const found = stored.map((entry) => `${entry.kind} of ${entry.wallet}`).join(', ') || 'no entry'
    if (found !== expected) add({ subject: `session ${session.sessionId}`, expected, found })
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

const listEntries = async ({ rows }: Audit, { wallet, seq }: Pick<LedgerEntry, 'wallet' | 'seq'>): Promise<LedgerEntry[]> => {
  const scores = (prefix: string) =>
    sql.raw(`json_build_object('skill', ${prefix}_skill, 'reliability', ${prefix}_reliability, 'economic', ${prefix}_economic)`)
  const found = await sql<LedgerEntry>`
    select e.seq::text, e.wallet, e.session_id as "sessionId", e.kind, e.reason, e.scoring_version as "scoringVersion",
      s.reward_raw::text as "rewardRaw",
      ${scores('nominal')} as nominal, ${scores('applied')} as applied
    from reputation_event e left join session s using (session_id)
    where (e.wallet, e.seq) > (${wallet}, ${seq}::bigint) order by e.wallet, e.seq limit ${PAGE}`.execute(rows)
  return found.rows
}

/** Every entry of the ledgers, by wallet in the order of its entries. */
export async function* ledgerEntries(audit: Audit): AsyncGenerator<LedgerEntry> {
  for await (const page of readPages<LedgerEntry>((last) => listEntries(audit, last ?? { wallet: '', seq: '0' }))) yield* page
}

/** What the rules write for an entry after the scores before it; null for one that is of no session. */
export const entryByRules = ({ kind: stored, rewardRaw }: LedgerEntry, before: Scores, decimals: number) => {
  const kind = REPUTATION_KINDS.find((one) => one === stored)
  return kind === undefined || rewardRaw === null ? null : reputationEvent(before, kind, { rewardRaw: BigInt(rewardRaw), decimals })
}

const formatScores = ({ skill, reliability, economic }: Scores): string => `${skill}/${reliability}/${economic}`
const formatEntry = ({ nominal, applied }: Pick<LedgerEntry, 'nominal' | 'applied'>): string =>
  `${formatScores(nominal)}, applied ${formatScores(applied)}`

export const addScores = (left: Scores, right: Scores): Scores => ({
  skill: left.skill + right.skill,
  reliability: left.reliability + right.reliability,
  economic: left.economic + right.economic,
})

/** Plays the ledger of every wallet again. */
const checkScores = async (audit: Audit, add: AddFinding): Promise<void> => {
  let [wallet, before] = ['', NO_SCORES]
  for await (const entry of ledgerEntries(audit)) {
    if (entry.wallet !== wallet) before = NO_SCORES
    wallet = entry.wallet
    const subject = `wallet ${wallet}, entry ${entry.seq} of session ${entry.sessionId}`
    const rebuilt = entryByRules(entry, before, audit.chain.asset.decimals)
    before = addScores(before, entry.applied)
    if (rebuilt === null) add({ subject, expected: 'an entry of a session', found: entry.kind })
    else if (formatEntry(rebuilt) !== formatEntry(entry)) add({ subject, expected: formatEntry(rebuilt), found: formatEntry(entry) })
  }
}

/** Compares the ledger with the endings on chain, and its scores with the rules. */
export const checkReputation: Check = async (audit, add) => {
  await checkKinds(audit, add)
  await checkScores(audit, add)
}
