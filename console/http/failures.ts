import { ConnectionError, isProblem, type NextAction, PendingError, type ServiceProblem, UnexpectedAnswer } from '../../client/src/index.ts'
import { type Html, html, prose } from '../../pages/html.ts'
import { codeWords, factTable, identifier, rowTable } from '../../pages/parts.ts'

/** An address that the console does not have, or not for this reader. */
export class NoPage extends Error {}

/** A request that the console itself refuses, with its status. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A failure in words for its reader. */
export interface Failure {
  status: number
  title: string
  lead: string
  body: Html
}

const RELOAD = html`<li><a href="">Load this page again</a>.</li>`

/** What the reader can do: the reads of the API are told as they are, since the console may have no page for them. */
const actionOf = (action: NextAction): Html => html`<li>${prose(action.description ?? '')}</li>`

const ofProblem = ({ problem }: ServiceProblem): Failure => ({
  status: problem.status,
  title: problem.title,
  lead: problem.detail,
  body: html`${rowTable(
    'What was refused',
    ['Member', 'Why'],
    (problem.errors ?? []).map(({ pointer, message }) => [html`<code>${pointer === '' ? 'body' : pointer}</code>`, message]),
    '',
  )}
${problem.nextActions.length === 0 ? '' : html`<h2>What to do</h2><ul>${problem.nextActions.map(actionOf)}${problem.retryable ? RELOAD : ''}</ul>`}
${factTable([
  ['Code', html`<code>${problem.code}</code>`],
  ['Reason', problem.reason === undefined ? null : codeWords(problem.reason)],
  ['Request', identifier(problem.requestId)],
])}`,
})

/** A failure in words. Nothing of an unknown error is shown but that it happened. */
export const describeFailure = (error: unknown): Failure => {
  if (error instanceof NoPage)
    return {
      status: 404,
      title: 'There is no such page',
      lead: 'The address is wrong, or it is no page for the roles of this sign-in.',
      body: html`<p><a class="go" href="/">Start page</a></p>`,
    }
  if (error instanceof Refusal) return { status: error.status, title: 'Refused', lead: error.message, body: html`` }
  if (isProblem(error)) return ofProblem(error)
  if (error instanceof PendingError)
    return {
      status: 503,
      title: 'The service still works on it',
      lead: 'It accepted the request and has no final answer yet. Send the form again to see what came of it: the same form never acts twice.',
      body: html`<ul>${RELOAD}</ul>`,
    }
  if (error instanceof ConnectionError)
    return {
      status: 502,
      title: 'The API does not answer',
      lead: 'The console shows only what the API answers, so there is nothing to show right now. Nothing is lost.',
      body: html`<ul>${RELOAD}</ul>`,
    }
  if (error instanceof UnexpectedAnswer)
    return {
      status: 502,
      title: 'The API answers in a form that this console does not know',
      lead: 'They are of different versions, or something between them answers in place of the API.',
      body: html`<ul>${RELOAD}</ul>${factTable([
        ['Operation', html`<code>${error.operation}</code>`],
        ['Status', error.status],
      ])}`,
    }
  return {
    status: 500,
    title: 'The console failed',
    lead: 'The failure is in its log. If you sent a form, it is unknown whether it acted: send the same form again, which never acts twice.',
    body: html`<ul>${RELOAD}</ul>`,
  }
}
