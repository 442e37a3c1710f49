import type { Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { actionLinks } from '../../actions/action.ts'
import { grantCapabilities, issueToken, revokeGrant, revokeToken, rotateToken } from '../../actions/grants.ts'
import { type Column, list, table } from '../../look/list.ts'
import { address, link, money, status, walletLink, when } from '../../look/values.ts'
import type { View } from '../../view.ts'

type Grant = Schemas.CapabilityGrant

/** State of a grant: one whose end has passed gives nothing, though the API still calls it active. */
const grantState = ({ status: code, expiresAt }: Grant, { now }: View): Html =>
  status(code === 'active' && expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'expired' : code)

const ends = ({ expiresAt }: Grant, { now }: View): Html | string => (expiresAt === undefined ? 'when revoked' : when(expiresAt, now))

const notes = ({ scope, note, revokeNote }: Grant): Html =>
  html`${[scope, note, revokeNote === undefined ? undefined : `Revoked: ${revokeNote}`].filter((text) => text !== undefined).map((text) => html`${text}<br>`)}`

const columnsOf = <Row>(grantOf: (row: Row) => Grant): Column<Row>[] => [
  { name: 'Grant', cell: (row) => html`<code>${grantOf(row).id}</code>` },
  { name: 'Wallet', cell: (row) => walletLink(grantOf(row).subject) },
  { name: 'State', cell: (row, view) => grantState(grantOf(row), view) },
  { name: 'Capabilities', cell: (row) => grantOf(row).capabilities.join(', ') },
  { name: 'For', cell: (row) => notes(grantOf(row)) },
  { name: 'Given', cell: (row, { now }) => html`${when(grantOf(row).issuedAt, now)} by ${walletLink(grantOf(row).issuedBy)}` },
  { name: 'Ends', cell: (row, view) => ends(grantOf(row), view) },
]

/** Columns of grants to wallets. */
export const GRANT_COLUMNS: readonly Column<Grant>[] = [
  ...columnsOf<Grant>((grant) => grant),
  {
    name: 'Action',
    cell: ({ id, status: code, subject }, view) => (code === 'active' ? actionLinks(view, [[revokeGrant, { id, wallet: subject }]]) : ''),
  },
]

const TOKEN_COLUMNS: readonly Column<Schemas.ServiceToken>[] = [
  ...columnsOf<Schemas.ServiceToken>(({ grant }) => grant),
  { name: 'Token ends', cell: ({ tokenExpiresAt }, { now }) => when(tokenExpiresAt, now) },
  {
    name: 'Action',
    cell: ({ grant: { id, subject, status: code } }, view) =>
      code === 'active'
        ? actionLinks(view, [
            [rotateToken, { id, wallet: subject }],
            [revokeToken, { id, wallet: subject }],
          ])
        : '',
  },
]

const FILTERS = [
  { name: 'status', label: 'State', options: ['active', 'revoked'] },
  { name: 'subject', label: 'Wallet' },
]
const VIEWS = [{ name: 'Active', query: { status: 'active' } }]

/** Rows of service tokens above the grants; their own page has all. */
const TOKEN_ROWS = 10
const NO_TOKEN = 'No service token matches. Issue one for a service that acts for a wallet.'

const newestTokens = async (view: View): Promise<Html> => {
  if (!view.access.may('listServiceTokens')) return html``
  const { status: code, subject } = view.query
  const filters = { ...(code && { status: code as 'active' | 'revoked' }), ...(subject && { subject }) }
  const { items, nextCursor } = await view.client.listServiceTokens({ ...filters, limit: TOKEN_ROWS })
  return html`<h2>Service tokens</h2>${table('Service tokens', TOKEN_COLUMNS, items, view, NO_TOKEN)}${
    nextCursor === null ? '' : html`<p>${link(address('/grants/tokens', filters), 'All service tokens')}</p>`
  }<h2>Grants to wallets</h2>`
}

/** What operators granted to wallets and services. */
export const grants = list({
  path: '/grants',
  name: 'Grants',
  group: 'People',
  lead: 'Capabilities beyond those of every wallet: of service tokens, and of wallets themselves.',
  operation: 'listCapabilityGrants',
  filters: FILTERS,
  views: VIEWS,
  acts: (view) =>
    actionLinks(view, [
      [issueToken, {}],
      [grantCapabilities, {}],
    ]),
  above: newestTokens,
  read: async ({ client }, input) => {
    const { items: rows, nextCursor } = await client.listCapabilityGrants(input)
    return { rows, nextCursor }
  },
  columns: GRANT_COLUMNS,
  empty: 'No grant to a wallet matches. Grant a capability to a wallet that needs more than every wallet may do.',
})

/** Every service token; never the tokens themselves. */
export const serviceTokens = list({
  path: '/grants/tokens',
  name: 'Service tokens',
  operation: 'listServiceTokens',
  filters: FILTERS,
  views: VIEWS,
  acts: (view) => actionLinks(view, [[issueToken, {}]]),
  read: async ({ client }, input) => {
    const { items: rows, nextCursor } = await client.listServiceTokens(input)
    return { rows, nextCursor }
  },
  columns: TOKEN_COLUMNS,
  empty: NO_TOKEN,
})

/** Columns of delegates. */
export const DELEGATE_COLUMNS: readonly Column<Schemas.DelegateOverview>[] = [
  { name: 'Delegate', cell: ({ client }) => html`${client.name}${client.host === null ? '' : html`<br>${client.host}`}` },
  { name: 'Wallet', cell: ({ wallet }) => walletLink(wallet) },
  { name: 'State', cell: ({ status: code, revokedBy }) => html`${status(code)}${revokedBy === null ? '' : ` by the ${revokedBy}`}` },
  { name: 'May', cell: ({ scopes, tiers }) => `${scopes.join(', ')}${tiers.length === 0 ? '' : ` in ${tiers.join(', ')}`}` },
  { name: 'Bonds in 24 hours', cell: ({ used, budget }) => `${used.bonds.display} of ${money(budget.bondPerDay)}`, isAmount: true },
  { name: 'Claims in 24 hours', cell: ({ used, budget }) => `${used.jobs} of ${budget.jobsPerDay}`, isAmount: true },
  { name: 'Granted', cell: ({ issuedAt }, { now }) => when(issuedAt, now) },
  { name: 'Ends', cell: ({ expiresAt }, { now }) => when(expiresAt, now) },
]

/** Delegates of every wallet. Only the wallet itself, or the delegate, ends one. */
export const delegates = list({
  path: '/delegates',
  name: 'Delegates',
  group: 'People',
  lead: 'Tools that wallets let act for them, with what they have used. Only a wallet ends its delegate.',
  operation: 'listAdminDelegates',
  filters: [
    { name: 'status', label: 'State', options: ['active', 'expired', 'revoked'] },
    { name: 'wallet', label: 'Wallet' },
  ],
  views: VIEWS,
  read: async ({ client }, input) => {
    const { items: rows, nextCursor } = await client.listAdminDelegates(input)
    return { rows, nextCursor }
  },
  columns: DELEGATE_COLUMNS,
  empty: 'No delegate matches. A wallet grants one when it connects a tool.',
})
