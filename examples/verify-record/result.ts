// What a reader is shown of a record: the result in words first, then what was checked, then the rest.
import { checkRecord, type Evidence, type Kind, kindOf, type Report } from './check.ts'
import {
  type Choice,
  isObject,
  type Members,
  parseStrict,
  printable,
  Refused,
  toHex,
  Undecided,
  UnknownRecord,
  utf8,
} from './encoding/json.ts'
import { addressOf, type Gathered, gatherEvidence, type Input, type Kept, type OwnService } from './evidence.ts'
import { type Sentence, sentence } from './sentence.ts'

export type State = 'Sound' | 'Not sound' | 'Cannot be decided' | 'Not a record'

export interface Result {
  state: State
  /** What came of the check, and who did what for which payment. */
  words: Sentence
  /** Whose keys and heads it was checked with, and how far that goes. */
  trust: Sentence | null
  checked: readonly string[]
  doesNotProve: readonly string[]
  /** What the record states, line by line. */
  states: readonly string[]
  /** A page of the own service about it, with what it shows; null where it has none. */
  page: { name: string; path: string } | null
  /** Heads that were fetched for the check, to keep them. */
  fetchedHeads: Gathered['heads']
}

/** What the reader chose. */
export type Choices = Pick<Evidence, 'chainId' | 'now' | 'unpublished'>

/** Most characters of a name or reason in a sentence. */
const MOST_SHOWN = 300

/** A text of a stranger that stands in a sentence: without characters that turn the line, and not longer than it takes. */
export const shortened = (text: string): string => {
  const shown = printable(text)
  return shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown
}

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const EMPTY = { trust: null, checked: [], doesNotProve: [], states: [], page: null, fetchedHeads: [] }

/** Where the reader chooses to have a refused record read in another way. */
const HINTS: Readonly<Record<Choice, string>> = {
  now: '; the choices below take another time for now',
  unpublished: '; heads are signed at midnight UTC, and the choices below accept a history before that',
}

const UNSIGNED = 'Its parts fit each other, but nothing in it is signed: compare it with the page of the job before you rely on it. '

/** What an error of a check says of the record. */
export const stateOf = (error: unknown): Exclude<State, 'Sound'> => {
  if (error instanceof UnknownRecord) return 'Not a record'
  return error instanceof Undecided || !(error instanceof Refused) ? 'Cannot be decided' : 'Not sound'
}

/** The result of a record that is not sound. */
const resultOf = (name: string, kind: Kind | null, error: unknown): Result => {
  const reason = shortened(error instanceof Error ? error.message : String(error))
  const hint = error instanceof Refused && error.choice !== null ? HINTS[error.choice] : ''
  const what = kind === null ? name : `this ${kind}`
  const words = {
    'Not a record': `${capitalised(name)} is no record that can be checked here: ${reason}.`,
    'Cannot be decided': `Whether ${what} is sound cannot be decided: ${reason}${hint}.`,
    'Not sound': `${capitalised(what)} is not sound: ${reason}${hint}. Do not rely on it.`,
  }
  const state = stateOf(error)
  return { ...EMPTY, state, words: [words[state]] }
}

/** Whose keys vouch for a sound record, and what the reader has only the word of the service for. */
const trustOf = ({ key }: Report, kind: Kind, { isKeySetKept, areHeadsKept, heads }: Gathered): Sentence | null => {
  if (kind === 'job definition') return null
  const signed = key === null ? [] : sentence`The key ${{ id: key.kid }} signed it on ${{ at: key.signedAt }}. `
  const keys = isKeySetKept
    ? 'The key set is one that you kept.'
    : 'The key set is what this service says today: keep it, and a later check shows whether the service changed it.'
  if (heads.length === 0) return [...signed, keys]
  const log = areHeadsKept
    ? ' The heads of the session log are those that you kept.'
    : ' The heads of the session log are what this service says today: keep them, too.'
  return [...signed, keys, log]
}

const pageOf = (record: Members, kind: Kind, own: OwnService): Result['page'] => {
  const address = addressOf(record, kind)
  if (address !== null)
    return address.service === own.address
      ? { name: kind === 'badge' ? 'Page of this badge' : 'Page of this receipt', path: address.path }
      : null
  const jobId = kind === 'job definition' ? record.id : isObject(record.session) ? record.session.jobId : null
  return typeof jobId === 'string' ? { name: 'Page of its job', path: `/jobs/definition?${new URLSearchParams({ jobId })}` } : null
}

/** Checks a record as text with what the reader kept, and with what the own service answers where the record names it. */
export const checkText = async ({ name, text }: Input, kept: Kept, choices: Choices, own: OwnService): Promise<Result> => {
  const shown = shortened(name)
  let kind: Kind | null = null
  try {
    const record = parseStrict(text) as Members
    kind = kindOf(record)
    const gathered = await gatherEvidence(record, kind, kept, own)
    const { keySet, isKeySetComplete, heads, areHeadsKept } = gathered
    // A file that ended today is in no head yet; its signature vouches for it.
    const unpublished = choices.unpublished || (kind === 'dispute file' && !areHeadsKept)
    const report = await checkRecord(record, { ...choices, keySet, isKeySetComplete, heads, unpublished })
    // What no key signed can be made by anyone, however well its parts fit.
    const isSigned = kind !== 'job definition'
    return {
      state: isSigned ? 'Sound' : 'Cannot be decided',
      words: isSigned ? [`This ${kind} is sound. `, ...report.about] : [UNSIGNED, ...report.about],
      trust: trustOf(report, kind, gathered),
      checked: report.checked,
      doesNotProve: report.doesNotProve,
      states: report.proves.map(printable),
      page: pageOf(record, kind, own),
      fetchedHeads: areHeadsKept ? [] : heads,
    }
  } catch (error) {
    return resultOf(shown, kind, error)
  }
}

/** SHA-256 of a text. */
export const hashOfText = async (text: string): Promise<string> => toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))))

/** Most characters of a raw record that are shown. */
const MOST_RAW = 20_000

/** A record as it was read, without characters that turn a line, as far as it is shown. */
export const rawText = (text: string): string => {
  const shown = text
    .slice(0, MOST_RAW)
    .split('\n')
    .map((line) => printable(line.replaceAll('\t', '  ')))
    .join('\n')
  return text.length > MOST_RAW ? `${shown}\n… and ${text.length - MOST_RAW} more characters` : shown
}
