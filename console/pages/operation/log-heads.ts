import type { Schemas } from '../../../client/src/index.ts'
import { html } from '../../../pages/html.ts'
import { identifier } from '../../../pages/parts.ts'
import { list } from '../../look/list.ts'
import { address, link, when } from '../../look/values.ts'

/** Signed heads of the session log, one a day. */
export const logHeads = list<Schemas.SessionLogHead>({
  path: '/log-heads',
  name: 'Log heads',
  lead: 'Each head signs the list of a day of UTC, and names the head before it: who keeps one notices a change of any day before.',
  group: 'Operation',
  operation: 'listLogHeads',
  read: async ({ client }, input) => {
    const { heads: rows, nextCursor } = await client.listLogHeads(input)
    return { rows, nextCursor }
  },
  columns: [
    { name: 'Day', cell: ({ day }) => html`<b>${day}</b>` },
    {
      name: 'Entries',
      cell: ({ day, entryCount }, { access }) =>
        access.may('listLogEntries') ? link(address('/raw/listLogEntries', { day }), entryCount) : entryCount,
      isAmount: true,
    },
    { name: 'Hash of the list', cell: ({ entriesHash }) => identifier(entriesHash) },
    { name: 'Head before', cell: ({ previous }) => (previous === null ? 'none: it is the first' : identifier(previous)) },
    { name: 'Closed', cell: ({ sealedAt }, { now }) => when(sealedAt, now) },
    { name: 'Signed by', cell: ({ signature }) => html`<code>${signature.kid}</code> ${signature.alg}` },
    { name: 'Signed', cell: ({ signature }, { now }) => when(signature.signedAt, now) },
  ],
  empty: 'No day is closed yet: the first head is signed after the first midnight of UTC.',
  live: 'none',
})
