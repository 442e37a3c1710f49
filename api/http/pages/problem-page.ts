import { type Html, html, prose } from '../../../pages/html.ts'
import { commands, duration, factTable, identifier, rowTable } from '../../../pages/parts.ts'
import type { Problem } from '../problem.ts'
import { page } from './page.ts'

/** Outages, in words for a person who opened a page. The usual words are for a program that repeats its request. */
const AWAY: Partial<Record<Problem['code'], string>> = {
  state_store_unavailable: 'The database of this service does not answer, so there is nothing to show here right now.',
  workflow_engine_unavailable: 'The part of this service that carries out the work does not answer right now.',
  blockchain_unavailable: 'The chain does not answer, so what stands on it cannot be shown here right now.',
  claim_economics_unavailable: 'The chain does not answer, so the price of a claim is unknown right now.',
  service_starting: 'The service is starting and waits for its chain. It has nothing to show until then.',
}

/** What a person reads in the place of words for a program. */
const FOR_PEOPLE: Partial<Record<Problem['code'], string>> = { ...AWAY, not_found: 'There is no page at this address.' }

/** What a person can do while a part is away. An empty address is that of the page itself. */
const waiting = (code: Problem['code'], seconds: number | undefined, isForm: boolean): Html => html`<li>Wait ${
  seconds === undefined ? 'a minute' : duration(seconds)
} and ${isForm ? 'send the form again' : html`<a href="">load this page again</a>`}.</li>
<li>If it stays like this, tell the operator the id of the request below.</li>
${code === 'service_starting' ? '' : html`<li>Meanwhile the <a href="/docs">documentation</a> opens, and you can <a href="/verify">check a record</a> that you have as a file.</li>`}`

type NextAction = Problem['nextActions'][number]

/** What a person can do next: a read is a link, everything else a request to send. */
const actionOf = (action: NextAction): Html =>
  'path' in action && action.path !== undefined && action.method === 'GET'
    ? html`<li><a href="${action.path}">${prose(action.description ?? action.path)}</a></li>`
    : html`<li>${prose(action.description ?? '')}${'path' in action ? html` ${commands(`${action.method} ${action.path}`)}` : ''}</li>`

/** Page of a refusal or a failure, of an address or of a form. */
export const problemPage = (
  { title, status, detail, code, type, requestId, retryAfterSeconds, nextActions, errors = [] }: Problem,
  { isForm = false } = {},
): string => {
  const away = AWAY[code]
  const actions = away === undefined ? nextActions.map(actionOf) : [waiting(code, retryAfterSeconds, isForm)]
  return page(
    { title, lead: FOR_PEOPLE[code] ?? detail },
    html`${rowTable(
      'What was refused',
      ['Member', 'Why'],
      errors.map(({ pointer, message }) => [html`<code>${pointer === '' ? 'body' : pointer}</code>`, message]),
      '',
    )}
${actions.length === 0 ? '' : html`<h2>What to do</h2><ul>${actions}</ul>`}
${isForm && errors.length > 0 ? html`<p>Go back one page to change the form.</p>` : ''}
<p><a class="go" href="/">What this service is</a> <a class="go" href="/jobs">Jobs</a></p>
${factTable([
  ['Status', status],
  ['Code', html`<a href="${new URL(type).pathname}${new URL(type).hash}"><code>${code}</code></a>`],
  ['Retry after', retryAfterSeconds === undefined ? null : `${retryAfterSeconds} s`],
  ['Request', identifier(requestId)],
])}`,
  )
}
