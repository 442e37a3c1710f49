// Histories of sessions against the signed heads of the session log.
import { canonical, isObject, type Members, Refused, sha256Of, textOf, toHex, utf8 } from './json.ts'
import { keccak256 } from './keccak.ts'
import { checkSignature } from './signature.ts'

/** A head with its list, as `GET /log/heads` and `GET /log/heads/:day/entries` answer. */
export interface SavedHead {
  head: Members
  entries: { hash: string; previousHash: string | null }[]
}

/** Faults of a history or of the heads, each as "name: what". */
export type Faults = string[]

const withoutHash = ({ hash: _hash, ...content }: Members): Members => content
const seqOf = (entry: Members): number => Number(entry.seq)

/** Checks all heads, oldest first: signatures, lists, and that none is missing. */
export const checkHeads = async (saved: readonly SavedHead[], keySet: unknown): Promise<Faults> => {
  const faults: Faults = []
  let previous: string | null = null
  for (const { head, entries } of saved) {
    const day = textOf(head, 'day')
    const isSigned = await checkSignature(head, keySet).then(
      () => true,
      () => false,
    )
    if (!isSigned) faults.push(`head_altered: the head of ${day}`)
    const list = entries.map(({ hash, previousHash }) => ({ hash, previousHash }))
    if (head.entriesHash !== (await sha256Of(list))) faults.push(`list_altered: the list of ${day}`)
    if (head.previous !== previous) faults.push(`head_missing: a head before that of ${day}`)
    previous = await sha256Of(head)
  }
  return faults
}

/** Checks a history entry by entry: its numbers, hashes and links, and what the lists say follows what. */
export const checkHistory = (log: readonly Members[], saved: readonly SavedHead[]): Faults => {
  const published = saved.flatMap(({ entries }) => entries)
  const known = new Set(published.map(({ hash }) => hash))
  const next = new Map(published.flatMap(({ hash, previousHash }) => (previousHash === null ? [] : [[previousHash, hash] as const])))
  const newest = Date.parse(String(saved.at(-1)?.head.sealedAt ?? ''))
  const numbers = log.map(seqOf)
  const faults = new Set<string>()
  for (const number of numbers) if (numbers.indexOf(number) !== numbers.lastIndexOf(number)) faults.add(`entry_inserted: entry ${number}`)
  for (let number = 1; number <= Math.max(0, ...numbers); number += 1)
    if (!numbers.includes(number)) faults.add(`entry_missing: entry ${number}`)
  if (faults.size === 0 && numbers.some((number, index) => number !== index + 1)) faults.add('entry_reordered: the entries')
  const isWhole = faults.size === 0
  for (const [index, entry] of log.entries()) {
    const [hash, before] = [textOf(entry, 'hash'), entry.previousHash]
    const name = `entry ${seqOf(entry)}`
    const isOld = Date.parse(String(entry.recordedAt ?? entry.at)) < newest - 86_400_000
    if (toHex(keccak256(utf8(canonical(withoutHash(entry))))) !== hash || entry.sessionId !== log[0]?.sessionId)
      faults.add(`entry_altered: ${name}`)
    else if (isWhole && before !== (log[index - 1]?.hash ?? null)) faults.add(`entry_replaced: entry ${seqOf(entry) - 1}`)
    else if (typeof before === 'string' && next.has(before) && next.get(before) !== hash) faults.add(`entry_replaced: ${name}`)
    else if (isOld && !known.has(hash)) faults.add(`entry_replaced: ${name}, which no head has`)
  }
  const last = log.at(-1)
  if (isWhole && last !== undefined && next.has(textOf(last, 'hash'))) faults.add(`history_cut: entry ${seqOf(last) + 1}`)
  return [...faults]
}

export const isTimeline = (record: Members): boolean => Array.isArray(record.log) && record.log.every(isObject)

/** Sentences that history and heads prove together. */
export const readHistory = (log: readonly Members[], saved: readonly SavedHead[]): string[] => {
  const [first] = log
  if (first === undefined) throw new Refused('its history is empty')
  const dayOf = (hash: unknown): unknown => saved.find(({ entries }) => entries.some((entry) => entry.hash === hash))?.head.day
  return [
    `The session ${first.sessionId} has ${log.length} entries.`,
    ...log.map(({ seq, to, at, hash }) => {
      const day = dayOf(hash)
      return `Entry ${seq}: ${to} at ${at}; ${day === undefined ? 'in no head yet' : `published with the head of ${day}`}.`
    }),
  ]
}
