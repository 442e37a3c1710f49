import { STATUS_CODES } from 'node:http'
import { type Html, html, prose } from '../../../pages/html.ts'
import { choices, factTable, linkList } from '../../../pages/parts.ts'
import { ERRORS, type ErrorCode, type NextAction } from '../../../schemas/errors.ts'
import { errorsOf, type OperationSpec } from '../../../schemas/operations/operation.ts'
import { page } from '../../http/pages/page.ts'
import { errorPath } from '../../http/problem.ts'
import { operationLinks } from './docs-index.ts'

const statusText = (status: number): string => `${status} ${STATUS_CODES[status] ?? ''}`

/** Page of all error codes by status. */
export const errorsPage = (): string => {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).toSorted()
  const groups = [...Map.groupBy(codes, (code) => ERRORS[code].status)].toSorted(([left], [right]) => left - right)
  return page(
    {
      title: 'Error codes',
      lead: 'A refusal is a problem document with one of these codes. Its nextActions are the requests that resolve it.',
    },
    html`${choices(
      'Contents',
      groups.map(([status]) => [statusText(status), `#status-${status}`, false]),
    )}
${groups.map(([status, own]) => html`<h2 id="status-${status}">${statusText(status)}</h2>${linkList(own.map((code) => [errorPath(code), code, ERRORS[code].meaning]))}`)}`,
  )
}

const actionText = (action: NextAction): Html =>
  html`<li>${prose(action.description ?? '')}${action.path === undefined ? '' : html` <code>${action.method ?? 'GET'} ${action.path}</code>`}</li>`

/** Page of one error code: what it means, what to do, and which operations answer it. */
export const errorPage = (code: ErrorCode, operations: readonly OperationSpec[]): string => {
  const { status, title, meaning, reaction, retryable, nextActions } = ERRORS[code]
  const answering = operations.filter((spec) => errorsOf(spec).includes(code))
  const isEverywhere = answering.length === operations.length
  return page(
    { title, lead: meaning.replaceAll('`', '') },
    html`${choices('Contents', [
      ['What to do', '#reaction', false],
      ['Operations', '#operations', false],
      ['All error codes', '/docs/errors', false],
    ])}
${factTable([
  ['Code', html`<code>${code}</code>`],
  ['Status', statusText(status)],
  ['The same request again', retryable ? 'can succeed later' : 'is refused again, unless the refusal says when to retry'],
])}
<h2 id="reaction">What to do</h2>
<p>${prose(reaction)}</p>
${nextActions.length === 0 ? '' : html`<ul>${nextActions.map(actionText)}</ul>`}
<h2 id="operations">Operations that answer it</h2>
${isEverywhere ? html`<p>Every operation.</p>` : answering.length === 0 ? html`<p>No operation of its own: the service answers it before one is found.</p>` : operationLinks(answering)}`,
  )
}
