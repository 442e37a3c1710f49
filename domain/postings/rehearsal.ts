import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'
import type { SchemaNode } from '../../schemas/catalogue/job-schemas/parts.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import type { PlaceholderKind, Rehearsal, RehearsalOutcome, RehearsalWarning, RehearsedSubmission } from '../../schemas/postings/terms.ts'
import type { VerdictOutcome } from '../../schemas/sessions/verdicts.ts'
import type { Unavailable, Verdict } from '../../schemas/verification/verdict.ts'
import { FILLERS, type PlaceholderText, placeholderOf } from '../catalogue/placeholder.ts'
import { type CheckedSubmission, checkSubmission } from '../claims/submission.ts'
import { expectedPullRequest } from '../pull-requests/expected.ts'

/** What a rehearsal says of one submission, without its place in the request. */
export type RehearsedFinding = Omit<RehearsedSubmission, 'index'>

/** Work that takes no effort. */
export interface Placeholder {
  kind: PlaceholderKind
  submission: unknown
}

/** Texts that every reader of the posting can copy. */
const postedTexts = ({ title, description, acceptanceCriteria = [], verifierConfig }: JobDefinition) => ({
  title,
  description,
  acceptance_criteria: acceptanceCriteria.join('\n'),
  keywords: verifierConfig.handler === 'benchmark' ? verifierConfig.requiredKeywords.join('\n') : '',
})

/** Placeholders for the schema of a job: fillers, and the texts of the posting in every text member. A text that is absent gives none. */
export const rehearsalPlaceholders = (definition: JobDefinition): Placeholder[] => {
  const schema: SchemaNode | undefined = jobSchemaByRef(definition.outputSchemaRef)
  const fill = (text: PlaceholderText): unknown => (schema === undefined ? text('work') : placeholderOf(schema, 'value', text))
  const pasted = Object.entries(postedTexts(definition)).filter(([, text]) => text.trim() !== '')
  const kinds = Object.entries<PlaceholderText>({ ...FILLERS, ...Object.fromEntries(pasted.map(([kind, text]) => [kind, () => text])) })
  return kinds.map(([kind, text]) => ({ kind: kind as PlaceholderKind, submission: fill(text) }))
}

/** Checks a submission as the submit of a claimed job does. */
export const checkRehearsed = (definition: JobDefinition, submission: unknown): CheckedSubmission => {
  const schema = jobSchemaByRef(definition.outputSchemaRef) ?? null
  return checkSubmission({ schemaRef: definition.outputSchemaRef, schema, pullRequest: expectedPullRequest(definition) }, submission)
}

/** Finding for a submission that the service does not take. */
export const refusedFinding = ({ code, message, errors: [first] }: Extract<CheckedSubmission, { valid: false }>): RehearsedFinding => ({
  schemaValid: false,
  outcome: 'refused',
  score: null,
  reasonCode: code,
  detail: first === undefined || first.message === message ? message : `${message} ${first.pointer}: ${first.message}.`,
  items: [],
})

/** A verdict that judges nothing becomes `unavailable`: the run of a claimed job would be repeated, or ended without blame. */
const OUTCOMES: Record<VerdictOutcome, RehearsalOutcome> = {
  approved: 'approved',
  rejected: 'rejected',
  disputed: 'disputed',
  inconclusive: 'unavailable',
  platform_fault: 'unavailable',
}

/** True for a verdict on a pull request that the code host did not show. */
const isBlind = (verdict: Verdict & { codehostLookup?: { status: string } }): boolean =>
  verdict.codehostLookup?.status === 'unavailable' || verdict.codehostLookup?.status === 'skipped'

/** What a rehearsal shows of the answer of a handler. */
export const judgedFinding = (found: Verdict | Unavailable): RehearsedFinding => {
  if ('unavailable' in found) {
    const { reasonCode, detail } = found.unavailable
    return { schemaValid: true, outcome: 'unavailable', score: null, reasonCode, detail, items: [] }
  }
  const { score, reasonCode, detail, items } = found
  const outcome = isBlind(found) ? 'unavailable' : OUTCOMES[found.outcome]
  return { schemaValid: true, outcome, score: outcome === 'unavailable' ? null : score, reasonCode, detail, items }
}

/** What a rehearsal found, before its warnings. */
export interface RehearsalFindings extends Pick<Rehearsal, 'submissions' | 'placeholders'> {
  /** Pinned inputs of the verdict that could not be read, each in words. */
  unreadable: readonly string[]
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Placeholders that the verifier approves, by kind. */
const paidKinds = ({ placeholders }: RehearsalFindings): PlaceholderKind[] =>
  placeholders.flatMap(({ kind, outcome }) => (outcome === 'approved' ? [kind] : []))

/** Reasons why an input could not be read, each once. */
const unreadableInputs = ({ submissions, unreadable }: RehearsalFindings): string[] => [
  ...new Set([...unreadable, ...submissions.flatMap(({ outcome, detail }) => (outcome === 'unavailable' ? [detail] : []))]),
]

/** Warnings of a rehearsal in the order of their weight. */
export const rehearsalWarnings = (definition: Pick<JobDefinition, 'verifierConfig'>, found: RehearsalFindings): Rehearsal['warnings'] => {
  const { submissions } = found
  const { verifierConfig: config } = definition
  const having = (...outcomes: RehearsalOutcome[]) => submissions.filter(({ outcome }) => outcomes.includes(outcome))
  const [approved, judged, refused] = [having('approved'), having('approved', 'rejected', 'disputed'), having('refused')]
  const peopleDecide = config.handler === 'human_fallback' && !config.autoApprove
  const approvedKinds = paidKinds(found)
  // The keywords of a job are its task and stand in it, so that a text of them is no fault of the terms.
  const paid = approvedKinds.filter((kind) => kind !== 'keywords')
  const unread = unreadableInputs(found)
  const messages: Record<RehearsalWarning, string | false> = {
    placeholder_would_be_paid:
      paid.length > 0 &&
      `The verifier approves work that takes no effort: ${paid.join(', ')}. Change its terms, or the reward can be taken for nothing.`,
    keywords_are_public:
      approvedKinds.includes('keywords') &&
      'The keywords are public, and the verifier approves every text that repeats enough of them. Where that is not enough, draft the job with verifierMode deterministic and an answer that only you know, or with human_fallback, where people decide.',
    input_unreadable: unread.length > 0 && `An input of the verdict cannot be read now: ${unread.join(' ')}`,
    submission_refused:
      refused.length > 0 && `The service does not take ${count(refused.length, 'submission')}, so no verifier would judge it.`,
    nothing_approved: !peopleDecide && judged.length > 0 && approved.length === 0 && 'The verifier approves none of these submissions.',
    everything_approved:
      approved.length > 1 &&
      approved.length === submissions.length &&
      'The verifier approves every one of these submissions. Rehearse one that must fail, too.',
    people_decide: peopleDecide && 'People decide on every submission of this job, so a rehearsal shows no verdict.',
  }
  return Object.entries(messages).flatMap(([code, message]) => (message === false ? [] : [{ code: code as RehearsalWarning, message }]))
}
