import type { Problem } from '../problem.ts'
import { type Html, html, prose } from './html.ts'
import { page } from './page.ts'
import { commands, factTable, identifier, rowTable } from './parts.ts'

type NextAction = Problem['nextActions'][number]

/** What a person can do next: a read is a link, everything else a request to send. */
const actionOf = (action: NextAction): Html =>
  'path' in action && action.path !== undefined && action.method === 'GET'
    ? html`<li><a href="${action.path}">${prose(action.description ?? action.path)}</a></li>`
    : html`<li>${prose(action.description ?? '')}${'path' in action ? html` ${commands(`${action.method} ${action.path}`)}` : ''}</li>`

/** Page of a refusal or a failure. */
export const problemPage = ({
  title,
  status,
  detail,
  code,
  type,
  requestId,
  retryAfterSeconds,
  nextActions,
  errors = [],
}: Problem): string =>
  page(
    { title, lead: detail },
    html`${rowTable(
      'What was refused',
      ['Member', 'Why'],
      errors.map(({ pointer, message }) => [html`<code>${pointer === '' ? 'body' : pointer}</code>`, message]),
      '',
    )}
${nextActions.length === 0 ? '' : html`<h2>What to do</h2><ul>${nextActions.map(actionOf)}</ul>`}
<p><a class="go" href="/">What this service is</a> <a class="go" href="/jobs">Jobs</a></p>
${factTable([
  ['Status', status],
  ['Code', html`<a href="${new URL(type).pathname}${new URL(type).hash}"><code>${code}</code></a>`],
  ['Retry after', retryAfterSeconds === undefined ? null : `${retryAfterSeconds} s`],
  ['Request', identifier(requestId)],
])}`,
  )
