import type { JobDefinition, JsonValue } from '../../schemas/catalogue/job-definition.ts'
import { JobInput, type JobInputBody } from '../../schemas/catalogue/job-input.ts'
import type { IngestOutcome, ScoreParts, SourceText } from '../../schemas/ingestion/record.ts'
import { type Hex, sha256Of } from '../common/hashes.ts'
import type { ProviderRules, Score, Unfit } from './provider.ts'
import { screenSourceTexts } from './screen-texts.ts'

/** What a run made of a candidate that is no job. */
export interface Refusal {
  outcome: Extract<IngestOutcome, 'skipped' | 'parked' | 'error'>
  /** Reason of a skip or code of an error. */
  reason: string
  detail: string
  /** Rules of the screen that the texts break. */
  rules?: string[]
  /** Epoch ms from which the same candidate may be listed; absent where waiting changes nothing. */
  resumeAt?: number
  /** True where it holds for every further job of the run. */
  stopsRun?: true
}

/** A candidate by the rules of its source. */
export interface Candidate {
  key: string
  contentHash: Hex | null
  score: number | null
  parts: ScoreParts
  /** Why it is no work: decided first. Null where it is. */
  refusal: Refusal | null
  /** The job by its author, or why it is none: decided after everything that the records say. Null for a refused candidate. */
  job: JobInput | Refusal | null
}

/** What a key does not hold, so that it is one word as an id is. */
const NO_KEY_SIGNS = /[^\p{L}\p{N}._~:/@#=+-]+/gu
/** Longest key of a candidate, and longest text of a source in a record. */
const KEY_LENGTH = 300
const DETAIL_LENGTH = 300

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed().replaceAll('\u0000', '')

const skip = (reason: string, detail: string): Refusal => ({ outcome: 'skipped', reason, detail: cut(detail, DETAIL_LENGTH) })
const error = (reason: string, detail: string): Refusal => ({ outcome: 'error', reason, detail: cut(detail, DETAIL_LENGTH) })

const UNREADABLE = 'item_unreadable'

const clampScore = ({ total, parts }: Score): Pick<Candidate, 'parts'> & { score: number } => {
  if (!Number.isFinite(total)) throw new TypeError('the score is no number')
  return { score: Math.round(Math.min(100, Math.max(0, total))), parts: [...parts] }
}

const parseJob = (given: JobInputBody): JobInput | Refusal => {
  const { data, error: failed } = JobInput.safeParse(given)
  if (data !== undefined) return data
  const [issue] = failed.issues
  return error('invalid_request', `/${issue?.path.join('/') ?? ''}: ${issue?.message ?? 'is no job'}`)
}

/** Key for a candidate that its source gives none: of its content. */
const fallbackKey = (item: unknown): string => {
  try {
    return `unreadable:${sha256Of(item).slice(2, 18)}`
  } catch {
    return 'unreadable'
  }
}

const cleanKey = (key: string): string => cut(key.replaceAll(NO_KEY_SIGNS, '_'), KEY_LENGTH)

const keyIn = <Item>(rules: ProviderRules<Item>, item: Item): string => {
  const key: unknown = rules.keyOf(item)
  if (typeof key !== 'string' || key.trim() === '') throw new TypeError('the item has no key')
  return cleanKey(key)
}

/** Runs a rule over what a source wrote. A rule that stumbles over its shape refuses that candidate alone. */
const attempt = <T>(rule: () => T): { value: T } | Refusal => {
  try {
    return { value: rule() }
  } catch (failure) {
    return error(UNREADABLE, failure instanceof Error ? failure.message : String(failure))
  }
}

export const isRefusal = (value: object): value is Refusal => 'outcome' in value

/** Hash of what a job follows from. Half a character of a source counts as an unreadable one. */
const hashContent = (content: unknown): Hex => {
  const text = JSON.stringify(content, (_name, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))
  return sha256Of(JSON.parse(text ?? 'null'))
}

const UNREAD = { contentHash: null, score: null, parts: [], job: null }

/** A candidate that its source could not give whole, and why. */
export const unreadCandidate = (key: string, { reason, detail }: Unfit): Candidate => ({
  ...UNREAD,
  key: cleanKey(key),
  refusal: skip(reason, detail),
})

/** Reads a candidate by the rules of its source and decides what needs no record: no work, too low a score. */
export function readCandidate<Item>(rules: ProviderRules<Item>, item: Item, minScore: number): Candidate {
  const named = attempt(() => keyIn(rules, item))
  if (isRefusal(named)) return { ...UNREAD, key: fallbackKey(item), refusal: named }
  const key = named.value
  const judged = attempt(() => {
    const contentHash = hashContent(rules.contentOf(item))
    const unfit = rules.unfitOf(item)
    if (unfit !== null) return { ...UNREAD, contentHash, refusal: skip(unfit.reason, unfit.detail) }
    const score = rules.scoreOf(item)
    const rated = { contentHash, ...clampScore(score) }
    if (rated.score < minScore)
      return { ...rated, job: null, refusal: skip('score_below_minimum', `Score ${rated.score}, ${minScore} needed.`) }
    const made = attempt(() => parseJob(rules.jobOf(item, score)))
    return { ...rated, refusal: null, job: isRefusal(made) ? made : made.value }
  })
  return isRefusal(judged) ? { ...UNREAD, key, refusal: judged } : { key, ...judged.value }
}

const parked = (rules: string[]): Refusal | null =>
  rules.length === 0
    ? null
    : { outcome: 'parked', reason: 'source_text_parked', detail: 'The screen of listings refuses a text of the source.', rules }

/** Why the texts of a candidate may not be shown; null where they may. */
export function screenCandidate<Item>(rules: ProviderRules<Item>, item: Item): Refusal | null {
  const screened = attempt(() => screenSourceTexts(rules.textsOf(item)))
  return isRefusal(screened) ? screened : parked(screened.value)
}

const stringsIn = (value: JsonValue | undefined, pointer: string): SourceText[] => {
  if (typeof value === 'string') return [{ pointer, value }]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => stringsIn(member, `${pointer}/${name}`))
}

type ShownTerms = Pick<JobDefinition, 'title' | 'description' | 'acceptanceCriteria' | 'agentInstructions' | 'source' | 'verifierConfig'>

/**
 * Why a built job may not be shown; null where it may. Names, addresses and paths of the source stand in it that are none of the texts of the
 * candidate.
 */
export function screenJob({
  title,
  description,
  acceptanceCriteria,
  agentInstructions,
  source,
  verifierConfig,
}: ShownTerms): Refusal | null {
  const terms = verifierConfig.handler === 'benchmark' ? verifierConfig.requiredKeywords : []
  const shown = {
    title,
    description,
    acceptanceCriteria: [...(acceptanceCriteria ?? [])],
    agentInstructions: [...(agentInstructions ?? [])],
    terms: [...terms],
  }
  return parked(screenSourceTexts([...stringsIn(shown, ''), ...stringsIn(source as JsonValue | undefined, '/source')]))
}
