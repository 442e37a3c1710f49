import type { LogFault } from '../../schemas/session-log/record.ts'
import { type Hex, sha256Of } from '../common/hashes.ts'
import { entryHash, type LogEntry } from '../sessions/log-entry.ts'

/** One contradiction in a log. */
export interface LogFinding {
  fault: LogFault
  /** What it concerns, as "entry 2 of <session>" or "the head of 2026-11-26". */
  subject: string
}

/** An entry as the list of a day publishes it. */
export interface PublishedEntry {
  hash: Hex
  previousHash: Hex | null
}

/** What the lists of all days publish, to look up. */
export interface PublishedLog {
  hashes: ReadonlySet<string>
  /** The entry that follows another one, by the hash of the earlier. */
  successors: ReadonlyMap<string, Hex>
}

export const publishedLog = (entries: readonly PublishedEntry[]): PublishedLog => ({
  hashes: new Set(entries.map(({ hash }) => hash)),
  successors: new Map(entries.flatMap(({ hash, previousHash }) => (previousHash === null ? [] : [[previousHash, hash] as const]))),
})

const isAscending = (seqs: readonly number[]): boolean => seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0))

/** Faults in the numbers of a history: its order, gaps and repeats. */
const numberFaults = (seqs: readonly number[]): [LogFault, number][] => {
  const unique = new Set(seqs)
  const faults: [LogFault, number][] = seqs.filter((seq, index) => seqs.indexOf(seq) !== index).map((seq) => ['entry_inserted', seq])
  if (faults.length === 0 && !isAscending(seqs)) faults.push(['entry_reordered', seqs.find((seq, index) => seq !== index + 1) ?? 1])
  for (let seq = 1; seq <= Math.max(0, ...seqs); seq += 1) if (!unique.has(seq)) faults.push(['entry_missing', seq])
  return faults
}

/**
 * Contradictions in the history of one session, as it is served: with the hashes of its entries and with what was published. An entry that no
 * list has is none unless it is older than `publishedUntil`: the next head publishes it.
 */
export const historyFindings = (
  sessionId: string,
  history: readonly LogEntry[],
  published: PublishedLog,
  publishedUntil: string | null = null,
): LogFinding[] => {
  const finding = (fault: LogFault, seq: number): LogFinding => ({ fault, subject: `entry ${seq} of ${sessionId}` })
  const findings = numberFaults(history.map(({ seq }) => seq)).map(([fault, seq]) => finding(fault, seq))
  const sound = findings.length === 0
  // The expiry of a claim is dated by its deadline alone, which can be long before its entry.
  const isDated = ({ to, recordedAt, previousHash }: LogEntry): boolean => to !== 'expired' || recordedAt !== null || previousHash === null
  const isOverdue = (entry: LogEntry): boolean =>
    publishedUntil !== null &&
    !published.hashes.has(entry.hash) &&
    isDated(entry) &&
    Date.parse(entry.recordedAt ?? entry.at) < Date.parse(publishedUntil)
  history.forEach((entry, index) => {
    const { previousHash } = entry
    const isLinked = previousHash === (history[index - 1]?.hash ?? null)
    const successor = previousHash === null ? undefined : published.successors.get(previousHash)
    if (entry.sessionId !== sessionId || entryHash(entry) !== entry.hash) findings.push(finding('entry_altered', entry.seq))
    else if (sound && !isLinked) findings.push(finding('entry_replaced', Math.max(entry.seq - 1, 1)))
    else if ((successor !== undefined && successor !== entry.hash) || isOverdue(entry)) findings.push(finding('entry_replaced', entry.seq))
  })
  const last = history.at(-1)
  if (sound && last !== undefined && published.successors.has(last.hash)) findings.push(finding('history_cut', last.seq + 1))
  return distinct(findings)
}

const distinct = (findings: readonly LogFinding[]): LogFinding[] => [
  ...new Map(findings.map((finding) => [`${finding.fault} ${finding.subject}`, finding])).values(),
]

/** A head of the log with the list that it signs. `signed`: whether its signature is one of ours. */
export interface CheckedHead {
  document: { day: string; previous: string | null; entriesHash: string }
  signed: boolean
  entries: readonly PublishedEntry[]
}

/** Hash of the list of a head: SHA-256 of its canonical JSON. */
export const listHash = (entries: readonly PublishedEntry[]): Hex =>
  sha256Of(entries.map(({ hash, previousHash }) => ({ hash, previousHash })))

/** Hash with which the next head names this one: SHA-256 of the canonical JSON of the whole document. */
export const headHash = (document: object): Hex => sha256Of(document)

/** Contradictions in a head, and between it and the head before; null before the first. */
export const headFindings = ({ document, signed, entries }: CheckedHead, before: Omit<CheckedHead, 'entries'> | null): LogFinding[] => {
  const subject = `the head of ${document.day}`
  const findings: LogFinding[] = []
  if (!signed) findings.push({ fault: 'head_altered', subject })
  if (listHash(entries) !== document.entriesHash) findings.push({ fault: 'list_altered', subject })
  // An altered head has another hash than the one that its successor names.
  const isFollowed = document.previous === (before === null ? null : headHash(before.document))
  if (!isFollowed && before?.signed !== false) findings.push({ fault: 'head_missing', subject: `a head before that of ${document.day}` })
  return findings
}
