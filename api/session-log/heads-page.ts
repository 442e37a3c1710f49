import { html } from '../../pages/html.ts'
import { identifier, instant, nextPage, rowTable } from '../../pages/parts.ts'
import type { Answer } from '../../schemas/operations/operation.ts'
import type { listLogHeads } from '../../schemas/session-log/operations.ts'
import { page } from '../http/pages/page.ts'

type ListBody = Answer<typeof listLogHeads>['body']

/** Page of the heads of the session log. */
export const headsPage = ({ heads, limit, nextCursor }: ListBody): string =>
  page(
    {
      title: 'Session log',
      lead: 'At midnight UTC the service signs one hash over all entries of the day and the head before. With saved heads you can detect a change.',
      answer: '/log/heads',
    },
    html`${rowTable(
      'Heads',
      ['Day', 'Entries', 'Hash of the entries', 'Head before', 'Signed', 'Key'],
      heads.map(({ day, entryCount, entriesHash, previous, signature }) => [
        html`<a href="/log/heads/${day}/entries">${day}</a>`,
        entryCount,
        identifier(entriesHash),
        previous === null ? 'None: the first head' : identifier(previous),
        instant(signature.signedAt),
        identifier(signature.kid),
      ]),
      'No day is closed yet. The first head comes after midnight UTC.',
    )}
${nextPage('Earlier days', '/log/heads', { limit }, nextCursor)}
<p><a href="/verify">Verify a history of a session</a>: drop it there, and the page compares it with these heads.</p>
<p>Check an entry yourself: hash the list of a day as canonical JSON with SHA-256 and compare it with the signed head. The keys are at <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>.</p>`,
  )
