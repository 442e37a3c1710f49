import type { Schemas } from '../../../client/src/index.ts'
import { formatJson } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { type Cell, codeWords, factTable, rowTable, state, type Tone } from '../../../pages/parts.ts'
import { atPointer, recordOf, textOf } from '../../look/guards.ts'
import { reasonWords } from '../../look/reasons.ts'
import { address, when } from '../../look/values.ts'

/** Characters of one evidence, and of a submission, on a page. */
const EVIDENCE_CHARACTERS = 600
const SUBMISSION_CHARACTERS = 20_000

const RESULTS: Readonly<Record<string, Tone>> = { met: 'good', unmet: 'bad' }
const OUTCOMES: Readonly<Record<string, Tone>> = { approved: 'good', rejected: 'bad', disputed: 'warn', inconclusive: 'warn' }

const asText = (value: unknown): string => (typeof value === 'string' ? value : formatJson(value, 1))

/** What an item points to, as a quoted text; the pointer where the verdict does not hold it. */
const evidenceCell = (verdict: unknown, pointer: unknown): Cell => {
  if (typeof pointer !== 'string') return '–'
  const found = atPointer(verdict, pointer)
  if (found === undefined) return html`<code>${pointer}</code>`
  const text = asText(found)
  const cut = text.length > EVIDENCE_CHARACTERS ? `${text.slice(0, EVIDENCE_CHARACTERS)}…` : text
  return html`<code>${pointer}</code><div class="quote">${cut}</div>`
}

/** The items of a verdict with their evidence. */
const itemTable = (verdict: Readonly<Record<string, unknown>>): Html =>
  rowTable(
    'Items of the verdict',
    ['Criterion', 'Result', 'Evidence'],
    (Array.isArray(verdict.items) ? verdict.items : []).map(recordOf).map(({ criterion, result, evidence }): Cell[] => {
      const code = textOf(result) ?? 'unknown'
      return [codeWords(textOf(criterion) ?? 'unknown'), state(codeWords(code), RESULTS[code] ?? 'off'), evidenceCell(verdict, evidence)]
    }),
    'The verdict has no items.',
  )

/** A verdict: outcome, reason, who judged, and its items. */
export const verdictView = (verdict: Readonly<Record<string, unknown>>, now: number): Html => {
  const outcome = textOf(verdict.outcome)
  const version = verdict.handlerVersion
  return html`${factTable([
    ['Outcome', outcome === undefined ? null : state(codeWords(outcome), OUTCOMES[outcome] ?? 'off')],
    ['Why', textOf(verdict.reasonCode) === undefined ? null : reasonWords(textOf(verdict.reasonCode))],
    ['In detail', textOf(verdict.detail)],
    ['Score', typeof verdict.score === 'number' ? `${verdict.score} of 100` : null],
    [
      'Judged by',
      textOf(verdict.handler) === undefined
        ? null
        : `${codeWords(textOf(verdict.handler) ?? '')}${typeof version === 'number' ? `, version ${version}` : ''}`,
    ],
    ['Requested by', textOf(verdict.requestedBy)],
    ['Evaluated', textOf(verdict.evaluatedAt) === undefined ? null : when(textOf(verdict.evaluatedAt), now)],
  ])}
${itemTable(verdict)}`
}

/** What the worker submitted, as it is; of a long one the beginning. */
export const submissionView = (submission: Schemas.StoredSubmission, sessionId: string): Html => {
  const text =
    submission.kind === 'structured'
      ? formatJson(submission.structured, 2)
      : submission.kind === 'text'
        ? submission.rawText
        : formatJson(submission, 2)
  const isCut = text.length > SUBMISSION_CHARACTERS
  return html`<pre class="lines" tabindex="0">${isCut ? text.slice(0, SUBMISSION_CHARACTERS) : text}</pre>${
    isCut
      ? html`<p>These are the first ${SUBMISSION_CHARACTERS} of ${text.length} characters. <a href="${address('/raw/getSessionTimeline', { sessionId })}">The whole submission as JSON</a></p>`
      : ''
  }`
}
