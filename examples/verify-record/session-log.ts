// Histories of sessions against the signed heads of the session log.
import {
  assert,
  assertPast,
  canonical,
  instantOf,
  isInOrder,
  type Members,
  Refused,
  sha256Of,
  textOf,
  toHex,
  Undecided,
  utf8,
} from './encoding/json.ts'
import { keccak256 } from './encoding/keccak.ts'
import { type Sentence, sentence } from './sentence.ts'
import * as is from './shape.ts'
import { checkSignature } from './signature.ts'
import { signature } from './verdict.ts'

/** A head with its list, as `GET /log/heads` and `GET /log/heads/:day/entries` answer. */
export interface SavedHead {
  head: Members
  entries: { hash: string; previousHash: string | null }[]
}

/** Faults of a history or of the heads, each as "name: what". */
export type Faults = string[]

const withoutHash = ({ hash: _hash, ...content }: Members): Members => content
const seqOf = (entry: Members): number => Number(entry.seq)

const OVER = ['timed_out', 'closed', 'chain_state_diverged']
/** Statuses that may follow one another, as `GET /session/state-machine` says. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  claimed: ['submitted', 'expired', ...OVER],
  submitted: ['resolved', 'rejected', 'disputed', ...OVER],
  disputed: ['resolved', 'rejected', 'closed'],
  rejected: ['disputed'],
  resolved: [],
  closed: [],
  expired: [],
  timed_out: [],
  chain_state_diverged: [],
}
const status = is.oneOf(...Object.keys(NEXT))

/** Shape of a history. */
export const logShape = is.list(
  is.closed({
    sessionId: is.text(/./),
    seq: is.integer(1),
    from: is.nullable(status),
    to: status,
    reason: is.anyText,
    at: is.instant,
    recordedAt: is.nullable(is.instant),
    metadata: is.object,
    previousHash: is.nullable(is.bytes32),
    hash: is.bytes32,
  }),
  1,
)

const head = is.closed({
  schemaVersion: is.oneOf('service.session-log-head.v1'),
  day: is.text(/^\d{4}-\d\d-\d\d$/),
  chainId: is.integer(1),
  entryCount: is.integer(0),
  entriesHash: is.bytes32,
  previous: is.nullable(is.bytes32),
  sealedAt: is.instant,
  signature,
})
const published = is.closed({ hash: is.bytes32, previousHash: is.nullable(is.bytes32) }, { position: is.integer(1) })
const headsShape = is.list(is.closed({ head, entries: is.list(published) }), 1)

const DAY_MS = 86_400_000
/** A transaction may end that long after the instant that it records. */
const RECORDING_MS = 600_000
/** Missing entries that are named beyond the length of a history, at most: an entry may claim any number. */
const MOST_NAMED = 100

/** Whether a head is what its service signs: after its day and that of the head before, on the same chain. */
const isSealedInOrder = (one: Members, before: Members | undefined): boolean => {
  const end = instantOf(`${one.day}T00:00:00.000Z`) + DAY_MS
  const [sealedAt, signedAt] = [textOf(one, 'sealedAt'), textOf(one.signature as Members, 'signedAt')].map(instantOf) as [number, number]
  const follows = before === undefined || (textOf(before, 'day') < textOf(one, 'day') && before.chainId === one.chainId)
  return follows && end <= sealedAt && sealedAt <= signedAt
}

const twice = (hashes: readonly (string | null)[]): string | undefined =>
  hashes.toSorted().find((hash, place, all) => hash !== null && hash === all[place + 1]) ?? undefined

/** Checks all heads, oldest first: signatures, lists, and that none is missing. `now`: epoch ms. */
export const checkHeads = async (saved: readonly SavedHead[], keySet: unknown, now: number): Promise<Faults> => {
  headsShape(saved, 'heads')
  const faults: Faults = []
  let previous: string | null = null
  for (const [place, { head: one, entries }] of saved.entries()) {
    assertPast(textOf(one, 'sealedAt'), now, `the head of ${one.day}`)
    const isSigned = await checkSignature(one, keySet, now).then(
      () => true,
      (error) => {
        if (error instanceof Undecided) throw error
        return false
      },
    )
    if (!isSigned || !isSealedInOrder(one, saved[place - 1]?.head)) faults.push(`head_altered: the head of ${one.day}`)
    const list = entries.map(({ hash, previousHash }) => ({ hash, previousHash }))
    const isNumbered = (entries as { position?: number }[]).every(({ position = 0 }, index) => position === 0 || position === index + 1)
    if (one.entriesHash !== (await sha256Of(list)) || one.entryCount !== list.length || !isNumbered)
      faults.push(`list_altered: the list of ${one.day}`)
    if (one.previous !== previous) faults.push(`head_missing: a head before that of ${one.day}`)
    previous = await sha256Of(one)
  }
  const all = saved.flatMap(({ entries }) => entries)
  const repeated = twice(all.map(({ hash }) => hash)) ?? twice(all.map(({ previousHash }) => previousHash))
  return repeated === undefined ? faults : [...faults, `list_altered: the lists have or follow the entry ${repeated} twice`]
}

const isAllowed = ({ from, to }: Members, before: Members | undefined): boolean =>
  from === (before?.to ?? null) && (from === null ? to === 'claimed' : NEXT[String(from)]?.includes(String(to)) === true)

/** Statuses that the chain dates, as it dates the claim. */
const AFTER_CLAIM: readonly unknown[] = ['submitted', 'expired']

/**
 * Whether an entry is dated after the claim and the submission. What the chain dates follows the claim; of the rest the service can learn late,
 * by a clock of its own.
 */
const isDatedAfter = ({ to, at }: Members, earlier: readonly Members[]): boolean =>
  earlier
    .filter((one) => one.to === 'claimed' || one.to === 'submitted')
    .every(
      (one) => isInOrder(one.at, at) && (!AFTER_CLAIM.includes(to) || instantOf(String(at)) >= instantOf(String(one.at)) - RECORDING_MS),
    )

/** Whether an entry was recorded after what it records, and after the entry before, which takes its place in the history. */
const isRecordedAfter = ({ to, at, recordedAt }: Members, before: Members | undefined): boolean =>
  (recordedAt === null || isInOrder(at, recordedAt)) &&
  (before === undefined || (to === 'expired' && recordedAt === null) || isInOrder(before.recordedAt ?? before.at, recordedAt ?? at))

/** When the service recorded an entry, epoch ms; null for an expiry, which is dated by its deadline alone. */
const recordingOf = ({ to, at, recordedAt }: Members): number | null =>
  to === 'expired' && recordedAt === null ? null : instantOf(String(recordedAt ?? at))

/** Checks a history entry by entry: its numbers, hashes and links, and what the lists say follows what. */
export const checkHistory = (log: readonly Members[], saved: readonly SavedHead[]): Faults => {
  const lists = saved.flatMap(({ entries }) => entries)
  const known = new Set(lists.map(({ hash }) => hash))
  const next = new Map(lists.flatMap(({ hash, previousHash }) => (previousHash === null ? [] : [[previousHash, hash] as const])))
  const newest = saved.at(-1)?.head
  const listedUntil = newest === undefined ? 0 : instantOf(textOf(newest, 'sealedAt')) - RECORDING_MS
  const numbers = log.map(seqOf)
  const faults = new Set<string>()
  for (const number of numbers) if (numbers.indexOf(number) !== numbers.lastIndexOf(number)) faults.add(`entry_inserted: entry ${number}`)
  for (let number = 1; number <= Math.min(Math.max(0, ...numbers), log.length + MOST_NAMED); number += 1)
    if (!numbers.includes(number)) faults.add(`entry_missing: entry ${number}`)
  if (faults.size === 0 && numbers.some((number, index) => number !== index + 1)) faults.add('entry_reordered: the entries')
  const isWhole = faults.size === 0
  for (const [index, entry] of log.entries()) {
    const [hash, before] = [textOf(entry, 'hash'), entry.previousHash]
    const name = `entry ${seqOf(entry)}`
    const isListed = known.has(hash) || (recordingOf(entry) ?? listedUntil) >= listedUntil
    if (toHex(keccak256(utf8(canonical(withoutHash(entry))))) !== hash || entry.sessionId !== log[0]?.sessionId)
      faults.add(`entry_altered: ${name}`)
    else if (isWhole && before !== (log[index - 1]?.hash ?? null)) faults.add(`entry_replaced: entry ${seqOf(entry) - 1}`)
    else if (isWhole && !isAllowed(entry, log[index - 1])) faults.add(`entry_altered: ${name}, which cannot follow the entry before`)
    else if (isWhole && !isDatedAfter(entry, log.slice(0, index)))
      faults.add(`entry_altered: ${name}, which is dated before the claim or the work`)
    else if (isWhole && !isRecordedAfter(entry, log[index - 1]))
      faults.add(`entry_altered: ${name}, which was recorded before what it follows`)
    else if (typeof before === 'string' && next.has(before) && next.get(before) !== hash) faults.add(`entry_replaced: ${name}`)
    else if (!isListed) faults.add(`entry_replaced: ${name}, which no head has`)
  }
  const last = log.at(-1)
  if (isWhole && last !== undefined && next.has(textOf(last, 'hash'))) faults.add(`history_cut: entry ${seqOf(last) + 1}`)
  return [...faults]
}

/** Day of the head that published each entry, by its hash. */
const publishedDays = (saved: readonly SavedHead[]): ReadonlyMap<unknown, unknown> =>
  new Map(saved.flatMap(({ head: { day }, entries }) => entries.map(({ hash }) => [hash, day])))

/** What the reader of a history asks. */
export interface HistoryEvidence {
  /** Signed heads of the session log with their lists, oldest first; empty without any. */
  heads: readonly SavedHead[]
  /** Epoch ms. */
  now: number
  /** Accepts a history of which no head has an entry. */
  unpublished: boolean
}

/** Refuses a history that is not sound, that has not come to pass, or of which nothing is published. */
export const assertSound = (log: readonly Members[], { heads, now, unpublished }: HistoryEvidence): void => {
  for (const { seq, at, recordedAt } of log)
    for (const date of [at, recordedAt]) if (date !== null) assertPast(String(date), now, `entry ${seq}`)
  const faults = checkHistory(log, heads)
  assert(faults.length === 0, `its history is not sound: ${faults.join('; ')}`)
  const days = publishedDays(heads)
  const isPublished = heads.length === 0 || log.some(({ hash }) => days.has(hash))
  if (!isPublished && !unpublished) throw new Undecided('nothing here is published: no head has an entry of this history', 'unpublished')
}

/** Number of entries of a history that the heads publish. */
export const countPublished = (log: readonly Members[], saved: readonly SavedHead[]): number => {
  const dayOf = publishedDays(saved)
  return log.filter(({ hash }) => dayOf.has(hash)).length
}

/** A sound history in one sentence. */
export const describeHistory = (log: readonly Members[], saved: readonly SavedHead[]): Sentence => {
  const [first, last, published] = [log[0], log.at(-1), countPublished(log, saved)]
  return sentence`The session ${{ id: String(first?.sessionId) }} went from ${String(first?.to)} on ${{ at: String(first?.at) }} to ${String(last?.to)} on ${{ at: String(last?.at) }}; signed heads publish ${String(published)} of its ${String(log.length)} entries.`
}

/** Sentences that history and heads prove together. */
export const readHistory = (log: readonly Members[], saved: readonly SavedHead[]): string[] => {
  const [first] = log
  if (first === undefined) throw new Refused('its history is empty')
  const dayOf = publishedDays(saved)
  const days = log.map(({ hash }) => dayOf.get(hash))
  return [
    `The session ${first.sessionId} has ${log.length} entries.`,
    ...(days.every((day) => day === undefined) ? ['Nothing here is published.'] : []),
    ...log.map(({ seq, to, at }, place) => {
      const day = days[place]
      return `Entry ${seq}: ${to} at ${at}; ${day === undefined ? 'in no head yet' : `published with the head of ${day}`}.`
    }),
  ]
}

export const HISTORY_CHECKED = [
  'Each entry has its hash and follows the entry before.',
  'Every head is signed and follows the head before.',
  'No head publishes another entry in the place of one of these.',
]
