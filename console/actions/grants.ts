import type { Answer } from '../../client/src/types.ts'
import { fieldValue, type Html, html } from '../../pages/html.ts'
import { factTable } from '../../pages/parts.ts'
import { Refusal } from '../http/failures.ts'
import { address, link, walletLink, when } from '../look/values.ts'
import type { View } from '../view.ts'
import { type Action, type Field, type Outcome, reasonField, type Sent } from './action.ts'
import { capabilityOptions } from './capabilities.ts'

const DAY_SECONDS = 86_400
const NOTE_HINT = 'For other operators, at most 500 characters.'

/** Grants of a wallet, after a change to one of them. */
const grantsOf = (wallet: string): string => address('/grants', { subject: wallet })

/** An instant that a reader typed; a day alone is its first instant in UTC. What it cannot read, the API refuses. */
export const instantOf = (typed: string): string => {
  const text = typed.trim()
  const [, day, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)Z?)?$/.exec(text) ?? []
  const at = Date.parse(`${day}T${time}Z`)
  return Number.isNaN(at) ? text : new Date(at).toISOString()
}

const listOf = (checks: string | undefined): string[] => (checks ? checks.split(',') : [])

/** Capabilities that this reader can grant: those that a grant carries, of those that the reader has. */
const grantable = async ({ client }: View) => {
  const { capabilityMatrix, capabilities } = await client.getAuthSession()
  return capabilityOptions(capabilityMatrix.grantable.filter((one) => capabilities.includes(one)))
}

interface Terms {
  capabilities?: string
  scope?: string | undefined
  expiresAt?: string | undefined
}

const termFields = async (view: View, { capabilities = '', scope = '', expiresAt = '' }: Terms = {}): Promise<Field[]> => [
  { name: 'capabilities', label: 'Capabilities', kind: 'checks', options: await grantable(view), value: capabilities, isRequired: true },
  { name: 'scope', label: 'What it is for', kind: 'text', value: scope, hint: 'In few words, at most 60 characters.' },
  {
    name: 'expiresAt',
    label: 'End, in UTC',
    kind: 'text',
    value: expiresAt,
    hint: 'A day such as 2027-01-31, or an instant such as 2027-01-31 18:00. Empty: until it is revoked.',
  },
]

const subjectField = ({ query }: View): Field => ({
  name: 'subject',
  label: 'Wallet',
  kind: 'text',
  value: query.wallet ?? '',
  isRequired: true,
  hint: '0x and 40 hex digits.',
})

const daysField: Field = {
  name: 'days',
  label: 'Lifetime of the token in days',
  kind: 'number',
  hint: 'At most 30. Empty: as long as a sign-in.',
}

const termsOf = ({ scope, expiresAt, reason }: Sent) => ({
  ...(scope && { scope }),
  ...(expiresAt && { expiresAt: instantOf(expiresAt) }),
  ...(reason && { note: reason }),
})

const lifetimeOf = ({ days = '' }: Sent): { tokenTtlSeconds?: number } => {
  if (days.trim() === '') return {}
  const count = Number(days)
  if (!(count > 0 && count <= 365)) throw new Refusal(400, 'The lifetime must be a number of days above zero.')
  return { tokenTtlSeconds: Math.max(1, Math.round(count * DAY_SECONDS)) }
}

type Issued = Answer<'issueServiceToken'>

/** The page that shows a new token, once: it is in no address, and a second look shows none. */
const issuedPage = ({ token, wallet, capabilities, expiresAt, ttlClampedTo, usage }: Issued, { now }: View): Outcome => ({
  title: 'Service token',
  body: html`${
    token === undefined
      ? html`<p class="note">The token was shown once and is not shown again. Rotate it where it got lost.</p>`
      : html`<p class="note">Copy the token now. It is not shown again.</p><label for="issued">Token</label><input id="issued" readonly value="${fieldValue(token)}" autocomplete="off" spellcheck="false">`
  }${factTable([
    ['Acts for', walletLink(wallet)],
    ['Capabilities', capabilities.join(', ')],
    ['Ends', when(expiresAt, now)],
    ['Shortened to', ttlClampedTo === undefined ? null : `${ttlClampedTo} seconds, the most that is possible`],
    ['Sent as', html`<code>${usage.header}</code>`],
  ])}<p>${link(grantsOf(wallet), 'Grants of this wallet')}</p>`,
})

/** Adds capabilities to a wallet. */
export const grantCapabilities: Action = {
  name: 'grant',
  title: 'Grant capabilities to a wallet',
  operation: 'createCapabilityGrant',
  reads: ['getAuthSession'],
  subject: [],
  preview: async (view) => ({
    lead: 'Every sign-in of the wallet may do more from its next request on. A grant gives no role.',
    facts: html``,
    fields: [subjectField(view), ...(await termFields(view)), { ...reasonField(NOTE_HINT), label: 'Note' }],
    button: 'Grant',
  }),
  run: async ({ client }, sent, key) => {
    const { subject = '' } = sent
    const capabilities = listOf(sent.capabilities)
    const grant = await client.createCapabilityGrant({ subject: subject.trim(), capabilities, ...termsOf(sent) } as never, {
      idempotencyKey: key,
    })
    return { to: grantsOf(grant.subject) }
  },
  done: 'The capabilities are granted.',
}

/** Issues a token for a service. */
export const issueToken: Action = {
  name: 'issue-token',
  title: 'Issue a service token',
  operation: 'issueServiceToken',
  reads: ['getAuthSession'],
  subject: [],
  preview: async (view) => ({
    lead: 'A service with the token acts for the wallet, with exactly these capabilities and no role. The token is shown once.',
    facts: html``,
    fields: [subjectField(view), ...(await termFields(view)), daysField, { ...reasonField(NOTE_HINT), label: 'Note' }],
    button: 'Issue the token',
  }),
  run: async (view, sent, key) => {
    const { subject = '' } = sent
    const capabilities = listOf(sent.capabilities)
    const input = { subject: subject.trim(), capabilities, ...termsOf(sent), ...lifetimeOf(sent) }
    return issuedPage(await view.client.issueServiceToken(input as never, { idempotencyKey: key }), view)
  },
  done: 'The token is issued.',
}

const tokenOf = async ({ client, query }: View) => {
  const { id, wallet } = query
  for await (const token of client.paginate('listServiceTokens', { subject: wallet ?? '', limit: 200 }))
    if (token.grant.id === id) return token
  throw new Refusal(404, 'This wallet has no such service token.')
}

const tokenFacts = async (view: View): Promise<{ facts: Html; terms: Terms }> => {
  const { grant, tokenExpiresAt } = await tokenOf(view)
  const { id, subject, status, capabilities, scope, expiresAt } = grant
  return {
    facts: factTable([
      ['Grant', id],
      ['Acts for', walletLink(subject)],
      ['State', status],
      ['Capabilities', capabilities.join(', ')],
      ['For', scope],
      ['Token ends', when(tokenExpiresAt, view.now)],
    ]),
    terms: { capabilities: capabilities.join(','), scope, expiresAt },
  }
}

/** Replaces the token of a service. */
export const rotateToken: Action = {
  name: 'rotate-token',
  title: 'Rotate',
  operation: 'rotateServiceToken',
  reads: ['listServiceTokens', 'getAuthSession'],
  subject: ['id', 'wallet'],
  isFinal: true,
  preview: async (view) => {
    const { facts, terms } = await tokenFacts(view)
    return {
      lead: 'A new token takes the place of the old one, which may do nothing from then on. The new token is shown once.',
      facts,
      fields: [...(await termFields(view, terms)), daysField, { ...reasonField(NOTE_HINT), label: 'Why the old token ends' }],
      button: 'Rotate the token',
    }
  },
  run: async (view, sent, key) => {
    const { reason = '', ...terms } = sent
    const input = {
      id: view.query.id ?? '',
      capabilities: listOf(sent.capabilities),
      ...termsOf(terms),
      ...lifetimeOf(sent),
      revokeNote: reason,
    }
    return issuedPage(await view.client.rotateServiceToken(input as never, { idempotencyKey: key }), view)
  },
  done: 'The token is replaced.',
}

/** Ends the token of a service. */
export const revokeToken: Action = {
  name: 'revoke-token',
  title: 'Revoke',
  operation: 'revokeServiceToken',
  reads: ['listServiceTokens'],
  subject: ['id', 'wallet'],
  isFinal: true,
  preview: async (view) => ({
    lead: 'The service may do nothing with the token from now on. The sign-in of the wallet stays as it is.',
    facts: (await tokenFacts(view)).facts,
    fields: [{ ...reasonField(NOTE_HINT), label: 'Why it ends' }],
    button: 'Revoke the token',
  }),
  run: async ({ client, query }, { reason = '' }, key) => {
    await client.revokeServiceToken({ id: query.id ?? '', note: reason }, { idempotencyKey: key })
    return { to: grantsOf(query.wallet ?? '') }
  },
  done: 'The token is revoked.',
}

const grantOf = async ({ client, query }: Pick<View, 'client' | 'query'>) => {
  const { id, wallet } = query
  for await (const grant of client.paginate('listCapabilityGrants', { subject: wallet ?? '', limit: 200 }))
    if (grant.id === id) return grant
  throw new Refusal(404, 'This wallet has no such grant.')
}

/** Takes a grant from a wallet. */
export const revokeGrant: Action = {
  name: 'revoke-grant',
  title: 'Revoke',
  operation: 'revokeCapabilityGrant',
  reads: ['listCapabilityGrants'],
  subject: ['id', 'wallet'],
  isFinal: true,
  preview: async ({ client, query }) => {
    const { id, subject, capabilities } = await grantOf({ client, query })
    return {
      lead: 'The wallet loses these capabilities with its next request, in every process.',
      facts: factTable([
        ['Grant', id],
        ['Wallet', walletLink(subject)],
        ['Capabilities', capabilities.join(', ')],
      ]),
      fields: [{ ...reasonField(NOTE_HINT), label: 'Why it ends' }],
      button: 'Revoke the grant',
    }
  },
  run: async ({ client, query }, { reason = '' }, key) => {
    const { subject } = await client.revokeCapabilityGrant({ id: query.id ?? '', note: reason }, { idempotencyKey: key })
    return { to: grantsOf(subject) }
  },
  done: 'The grant is revoked.',
}
