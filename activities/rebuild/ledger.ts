import { iso } from '../../domain/common/instants.ts'
import { type Difference, listDifferences } from '../../domain/rebuild/difference.ts'
import { type ReputationKind, reputationEvent } from '../../domain/reputation/scores.ts'
import { type Scores, tierOf } from '../../domain/reputation/tiers.ts'
import type { Audit } from '../audit/context.ts'
import { addScores, entryByRules, type LedgerEntry, ledgerEntries, NO_SCORES } from '../audit/reputation.ts'
import type { SessionResult } from './sessions.ts'
import type { RebuiltSession } from './sources.ts'

/** An entry that an ending writes. */
interface Expected {
  sessionId: string
  kind: ReputationKind
  rewardRaw: bigint
}

/** What the ledgers lack and have too much, by the endings of the sessions. */
export interface LedgerFaults {
  /** By wallet. */
  missing: Map<string, Expected[]>
  /** Sequence numbers. */
  surplus: Set<string>
}

export const noFaults = (): LedgerFaults => ({ missing: new Map(), surplus: new Set() })

interface Compared {
  one: RebuiltSession
  result: SessionResult
}

/** Compares the entries of some sessions with their endings, and collects the faults. */
export const compareEntries = async ({ rows }: Audit, compared: readonly Compared[], faults: LedgerFaults): Promise<Difference[]> => {
  const ids = compared.map(({ one }) => one.stored.sessionId)
  const found = await rows.selectFrom('reputation_event').selectAll().where('sessionId', 'in', ids).orderBy('seq').execute()
  const entriesOf = Map.groupBy(found, ({ sessionId }) => sessionId)
  return compared
    .filter(({ result }) => result.withChain)
    .flatMap(({ one: { stored }, result: { ending } }) => {
      const { sessionId, wallet, rewardRaw } = stored
      const entries = entriesOf.get(sessionId) ?? []
      const kind = ending?.kind ?? null
      const rebuilt = ending === null || kind === null ? [] : [{ kind, wallet, at: iso(ending.at) }]
      const shown = entries.map((entry) => ({ kind: entry.kind, wallet: entry.wallet, at: iso(entry.at) }))
      const subject = `session ${sessionId}`
      const isSame = kind !== null && entries.some((entry) => entry.kind === kind && entry.wallet === wallet)
      for (const entry of entries) if (entry.kind !== kind || entry.wallet !== wallet) faults.surplus.add(entry.seq.toString())
      if (kind !== null && !isSame) faults.missing.set(wallet, [...(faults.missing.get(wallet) ?? []), { sessionId, kind, rewardRaw }])
      return rebuilt.length === 1 && shown.length === 1
        ? listDifferences({ subject, member: 'reputation' }, rebuilt[0], shown[0])
        : listDifferences({ subject, member: 'reputation' }, rebuilt, shown)
    })
}

const scoresView = (scores: Scores) => ({ ...scores, tier: tierOf(scores.skill) })

/** Plays the ledger of every wallet again: each entry by the rules, and its scores and tier. */
export const rebuildLedgers = async (audit: Audit, faults: LedgerFaults) => {
  const { decimals } = audit.chain.asset
  const differences: Difference[] = []
  let counted = { ledgerEntries: 0, wallets: 0 }

  const endWallet = (wallet: string, played: Scores, stored: Scores): void => {
    let scores = played
    for (const { kind, rewardRaw } of faults.missing.get(wallet) ?? [])
      scores = addScores(scores, reputationEvent(scores, kind, { rewardRaw, decimals }).applied)
    faults.missing.delete(wallet)
    counted = { ...counted, wallets: counted.wallets + 1 }
    differences.push(...listDifferences({ subject: `wallet ${wallet}`, member: 'scores' }, scoresView(scores), scoresView(stored)))
  }

  const play = (entry: LedgerEntry, before: Scores): Scores => {
    const byRules = faults.surplus.has(entry.seq) ? null : entryByRules(entry, before, decimals)
    if (byRules === null) return before
    const { kind: _kind, ...rebuilt } = byRules
    const { nominal, applied, reason, scoringVersion } = entry
    const place = { subject: `session ${entry.sessionId}`, member: 'reputation' }
    differences.push(...listDifferences(place, rebuilt, { nominal, applied, reason, scoringVersion }))
    counted = { ...counted, ledgerEntries: counted.ledgerEntries + 1 }
    return addScores(before, rebuilt.applied)
  }

  let wallet = ''
  let [scores, stored] = [NO_SCORES, NO_SCORES]
  for await (const entry of ledgerEntries(audit)) {
    if (entry.wallet !== wallet) {
      if (wallet !== '') endWallet(wallet, scores, stored)
      wallet = entry.wallet
      scores = NO_SCORES
      stored = NO_SCORES
    }
    scores = play(entry, scores)
    stored = addScores(stored, entry.applied)
  }
  if (wallet !== '') endWallet(wallet, scores, stored)
  for (const lost of [...faults.missing.keys()]) endWallet(lost, NO_SCORES, NO_SCORES)
  return { differences, counted }
}
