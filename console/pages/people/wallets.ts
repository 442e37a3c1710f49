import { isProblem, type Schemas } from '../../../client/src/index.ts'
import { type Html, html } from '../../../pages/html.ts'
import { factTable, identifier } from '../../../pages/parts.ts'
import { actionLinks } from '../../actions/action.ts'
import { grantCapabilities, issueToken } from '../../actions/grants.ts'
import { NoPage } from '../../http/failures.ts'
import { type Column, list, table } from '../../look/list.ts'
import { words } from '../../look/texts.ts'
import { address, deadline, link, money, sessionLink, status, walletLink, when } from '../../look/values.ts'
import type { Page, View } from '../../view.ts'
import { PAYMENT_COLUMNS } from '../money/payments.ts'
import { DELEGATE_COLUMNS, GRANT_COLUMNS } from './grants.ts'

type WalletRow = Schemas.WalletRow

const ROLES = ['worker', 'poster', 'admin', 'verifier', 'arbitrator']

/** Every wallet that has done anything. */
export const wallets = list({
  path: '/wallets',
  name: 'Wallets',
  group: 'People',
  lead: 'Wallets that have signed in, claimed, posted or been paid, last seen first.',
  operation: 'listAdminWallets',
  filters: [
    { name: 'wallet', label: 'Wallet' },
    { name: 'role', label: 'Role', options: ROLES },
  ],
  read: async ({ client }, input) => {
    const { wallets: rows, nextCursor } = await client.listAdminWallets(input)
    return { rows, nextCursor }
  },
  columns: [
    { name: 'Wallet', cell: ({ wallet }) => walletLink(wallet) },
    { name: 'Roles', cell: ({ roles }) => roles.join(', ') || '–' },
    { name: 'Open', cell: ({ sessions }) => sessions.open, isAmount: true },
    { name: 'Paid', cell: ({ sessions }) => sessions.paid, isAmount: true },
    { name: 'Rejected', cell: ({ sessions }) => sessions.rejected, isAmount: true },
    { name: 'Earned', cell: ({ paid }) => money(paid), isAmount: true },
    { name: 'Locked', cell: ({ locked }) => money(locked), isAmount: true },
    { name: 'Skill', cell: ({ skill }) => skill, isAmount: true },
    { name: 'Posts', cell: ({ posts }) => posts, isAmount: true },
    { name: 'Last seen', cell: ({ lastSeenAt }, { now }) => when(lastSeenAt, now) },
  ],
  empty: 'No wallet matches. Take a filter away.',
})

/** Rows of each part of a wallet's page; the list behind the link has all. */
const ROWS = 10

const rowFacts = (row: WalletRow, isPublic: boolean, now: number): Html =>
  factTable([
    ['Wallet', identifier(row.wallet)],
    ['Native account', row.nativeAccount === undefined ? null : identifier(row.nativeAccount.ss58)],
    ['Roles', row.roles.join(', ') || '–'],
    ['Sessions', `${row.sessions.open} open, ${row.sessions.paid} paid, ${row.sessions.rejected} rejected, ${row.sessions.total} in all`],
    ['Earned', money(row.paid)],
    ['Locked in bonds', money(row.locked)],
    ['Skill', row.skill],
    ['Posted jobs', row.posts],
    ['First seen', when(row.firstSeenAt, now)],
    ['Last seen', when(row.lastSeenAt, now)],
    ['Public profile', isPublic ? 'yes' : 'none'],
  ])

/** Whether everyone can read the profile of the wallet. */
const hasProfile = async ({ client }: View, wallet: string): Promise<boolean> => {
  try {
    await client.getAgentProfile({ wallet })
    return true
  } catch (error) {
    if (isProblem(error, 'agent_not_found')) return false
    throw error
  }
}

const SESSION_COLUMNS: readonly Column<Schemas.CompactSession>[] = [
  { name: 'Session', cell: ({ sessionId }) => sessionLink(sessionId) },
  { name: 'Job', cell: ({ jobTitle }) => jobTitle },
  { name: 'State', cell: ({ status: code }) => status(code) },
  { name: 'Waits for', cell: ({ waitingFor }) => (waitingFor === null ? '–' : words(waitingFor)) },
  { name: 'Reward', cell: ({ reward }) => money(reward), isAmount: true },
  { name: 'Bond', cell: ({ locked }) => money(locked), isAmount: true },
  { name: 'Deadline', cell: (row, { now }) => deadline(row.deadline, now) },
  { name: 'Changed', cell: ({ updatedAt }, { now }) => when(updatedAt, now) },
]

const part = <Row>(view: View, title: string, columns: readonly Column<Row>[], rows: readonly Row[], all: string, empty: string): Html =>
  html`<h2>${title}</h2>${table(title, columns, rows, view, empty)}${rows.length < ROWS ? '' : html`<p>${link(all, `All: ${title}`)}</p>`}`

const sessionsOf = async (view: View, wallet: string): Promise<Html | string> => {
  if (!view.access.may('listAdminSessions')) return ''
  const { sessions } = await view.client.listAdminSessions({ wallet, format: 'compact', limit: ROWS })
  const rows = sessions as Schemas.CompactSession[]
  return part(view, 'Sessions', SESSION_COLUMNS, rows, address('/sessions', { wallet }), 'This wallet has claimed nothing.')
}

const paymentsOf = async (view: View, wallet: string): Promise<Html | string> => {
  if (!view.access.may('listPayments')) return ''
  const { payments } = await view.client.listPayments({ wallet, limit: ROWS })
  const columns = PAYMENT_COLUMNS.filter(({ name }) => name !== 'Wallet')
  return part(view, 'Payments', columns, payments, address('/payments/day', { wallet }), 'This wallet was paid nothing.')
}

const grantsOf = async (view: View, wallet: string): Promise<Html | string> => {
  if (!view.access.may('listCapabilityGrants')) return ''
  const { items } = await view.client.listCapabilityGrants({ subject: wallet, limit: ROWS })
  const columns = GRANT_COLUMNS.filter(({ name }) => name !== 'Wallet')
  return part(view, 'Grants', columns, items, address('/grants', { subject: wallet }), 'No capability is granted to this wallet.')
}

const delegatesOf = async (view: View, wallet: string): Promise<Html | string> => {
  if (!view.access.may('listAdminDelegates')) return ''
  const { items } = await view.client.listAdminDelegates({ wallet, limit: ROWS })
  const columns = DELEGATE_COLUMNS.filter(({ name }) => name !== 'Wallet')
  return part(view, 'Delegates', columns, items, address('/delegates', { wallet }), 'This wallet has no delegate.')
}

/** One wallet: what it did, what it was paid, and who may act for it. */
export const wallet: Page = {
  path: '/wallet',
  name: 'Wallet',
  operations: ['listAdminWallets'],
  show: async (view) => {
    const named = view.query.wallet
    if (!named || !/^0x[0-9a-f]{40}$/i.test(named)) throw new NoPage()
    const [{ wallets: rows }, isPublic, ...parts] = await Promise.all([
      view.client.listAdminWallets({ wallet: named, limit: 1 }),
      hasProfile(view, named),
      sessionsOf(view, named),
      paymentsOf(view, named),
      grantsOf(view, named),
      delegatesOf(view, named),
    ])
    const [row] = rows
    return {
      title: `Wallet ${named}`,
      ...(row === undefined && { lead: 'This wallet has not signed in, claimed, posted or been paid.' }),
      body: html`${actionLinks(view, [
        [grantCapabilities, { wallet: named }],
        [issueToken, { wallet: named }],
      ])}${row === undefined ? '' : rowFacts(row, isPublic, view.now)}${parts}`,
      raw: { operation: 'listAdminWallets', input: { wallet: named } },
    }
  },
}
