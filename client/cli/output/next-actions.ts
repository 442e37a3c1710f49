import type { NextAction } from '../../src/generated/operations.ts'
import { wholeUnits } from './amounts.ts'
import { oneLine, wrap } from './text.ts'

/** Facts that fill a command: of the problem document, or of the command that met it. */
export type Facts = Readonly<Record<string, unknown>>

/** A word as a shell takes it. */
const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const command = (name: string, ...words: (string | undefined)[]): string =>
  ['agent-work', name, ...words.map((word) => (word === undefined ? '' : shellWord(word)))].filter(Boolean).join(' ')

const textFact = (facts: Facts, name: string): string | undefined => {
  const value = facts[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Missing amount in whole units, from a preflight or from the base units of a refusal. */
const shortfallOf = (facts: Facts): string => {
  const { shortfallRaw, decimals } = facts
  const digits = typeof shortfallRaw === 'bigint' ? shortfallRaw.toString() : textFact(facts, 'shortfallRaw')
  if (digits !== undefined && /^[0-9]+$/.test(digits) && typeof decimals === 'number') return wholeUnits(BigInt(digits), decimals)
  return textFact(facts, 'shortfall') ?? 'AMOUNT'
}

type Route = (query: URLSearchParams, facts: Facts) => string | undefined

const session: Route = (query, facts) => query.get('sessionId') ?? textFact(facts, 'sessionId')
const job: Route = (query, facts) => query.get('jobId') ?? textFact(facts, 'jobId')

const listing: Route = (query) => {
  const filters = ['state', 'tier', 'category', 'source'].flatMap((name) => (query.has(name) ? [`--${name}`, query.get(name) ?? ''] : []))
  return query.get('state') === 'claimable' ? command('jobs', '--claimable', ...filters.slice(2)) : command('jobs', ...filters)
}

/** An id in the path of a route, else a fact; a path can name a member instead of an id. */
const idOf = (path: URLSearchParams, name: string, facts: Facts, fact: string): string | undefined => {
  const found = path.get(name)
  return found === null || found.startsWith('{') ? textFact(facts, fact) : found
}

/** Command of each route that has one. A route that lacks a fact has none. */
const COMMANDS_BY_ROUTE: Readonly<Record<string, Route>> = {
  'POST /auth/nonce': () => command('login'),
  'GET /auth/session': () => command('whoami'),
  'GET /jobs': listing,
  'GET /jobs/recommendations': () => command('jobs', '--claimable'),
  'GET /jobs/definition': (query, facts) => command('show', job(query, facts) ?? 'JOB'),
  'GET /jobs/preflight': (query, facts) => command('preflight', job(query, facts) ?? 'JOB'),
  'POST /jobs/claim': (query, facts) => command('claim', job(query, facts) ?? 'JOB'),
  'POST /jobs/validate-submission': (query, facts) => command('validate', job(query, facts) ?? 'JOB', 'FILE'),
  'POST /jobs/submit': (query, facts) => command('submit', session(query, facts) ?? 'SESSION', 'FILE'),
  'GET /session': (query, facts) => command('watch', session(query, facts) ?? 'SESSION'),
  'GET /verifier/result': (query, facts) => command('watch', session(query, facts) ?? 'SESSION'),
  'GET /account': () => command('account'),
  'GET /account/position': () => command('account'),
  'POST /jobs/draft': () => command('post', 'draft', 'FILE'),
  'GET /jobs/draft/:id': (path, facts) => command('post', 'watch', idOf(path, 'id', facts, 'draftId') ?? 'DRAFT'),
  'POST /jobs/draft/:id/transactions': (path, facts) => command('post', 'fund', idOf(path, 'id', facts, 'draftId') ?? 'DRAFT'),
  'GET /poster/jobs': () => command('post', 'list'),
  'POST /poster/jobs/:jobId/cancel/transactions': (path, facts) => command('post', 'cancel', idOf(path, 'jobId', facts, 'jobId') ?? 'JOB'),
  'POST /account/recall/transactions': () => command('recall'),
  'POST /account/withdraw/transactions': () => command('withdraw', 'AMOUNT'),
  'POST /account/deposit/transactions': (_, facts) => command('deposit', shortfallOf(facts)),
}

/** Routes that a command stands for. */
export const ROUTES_WITH_COMMAND: readonly string[] = Object.keys(COMMANDS_BY_ROUTE)

/** The route of a path, and the query with the parts of the path that the route names. */
const findRoute = (method: string, path: string): { route: Route; query: URLSearchParams } | undefined => {
  const [place = '', text = ''] = path.split('?')
  const parts = place.split('/')
  for (const [name, route] of Object.entries(COMMANDS_BY_ROUTE)) {
    const [verb, template = ''] = name.split(' ')
    const named = template.split('/')
    if (verb !== method || named.length !== parts.length) continue
    if (!named.every((part, index) => part.startsWith(':') || part === parts[index])) continue
    const query = new URLSearchParams(text)
    for (const [index, part] of named.entries()) if (part.startsWith(':')) query.set(part.slice(1), parts[index] ?? '')
    return { route, query }
  }
  return undefined
}

/** Command for a next action; undefined where there is none. */
export const commandFor = ({ kind, method, path, transaction }: NextAction, facts: Facts = {}): string | undefined => {
  if (kind === 'sign_in') return command('login')
  if (kind === 'transaction')
    return String(transaction?.function ?? '').startsWith('openDispute')
      ? command('dispute', textFact(facts, 'sessionId') ?? 'SESSION')
      : undefined
  if (kind !== 'http' || path === undefined) return undefined
  const found = findRoute(method ?? 'GET', path)
  return found?.route(found.query, facts)
}

/** Next actions as lines for people: the command below each where one exists, else the route beside it. */
export const describeActions = (actions: readonly NextAction[], facts: Facts = {}, indent = ''): string[] =>
  actions.flatMap((action) => {
    const { kind, description, method, path, availableAt } = action
    const found = commandFor(action, facts)
    const route = found === undefined && kind === 'http' && path !== undefined ? ` (${method ?? 'GET'} ${path})` : ''
    const time = availableAt === undefined ? '' : ` From ${availableAt} on.`
    const text = wrap(oneLine(`${description}${time}${route}`), { indent })
    return found === undefined ? text : [...text, `${indent}  ${oneLine(found)}`]
  })
