import { type Client, type OperationId, type Schemas, SOURCE_RUNS } from '../../client/src/index.ts'
import { type Html, html } from '../../pages/html.ts'
import { codeWords, factTable, rowTable } from '../../pages/parts.ts'
import { Refusal } from '../http/failures.ts'
import { reasonWords } from '../look/reasons.ts'
import { address, money, when } from '../look/values.ts'
import type { View } from '../view.ts'
import type { Action, Field, Sent } from './action.ts'

type Answer = Schemas.IngestAnswer

type Provider = keyof typeof SOURCE_RUNS

const isProvider = (text: string | undefined): text is Provider => text !== undefined && Object.hasOwn(SOURCE_RUNS, text)

const providerOf = ({ query }: View): Provider => {
  if (!isProvider(query.provider)) throw new Refusal(400, 'This console knows no source of this name.')
  return query.provider
}

const field = (name: string, label: string, more: Partial<Field> = {}): Field => ({ name, label, kind: 'text', ...more })
const PAGES = field('specs', 'Addresses, one a line', { kind: 'area', hint: 'Without any, those of the public list.' })

/** What each source can be asked for. */
const FIELDS: Readonly<Record<Provider, readonly Field[]>> = {
  github: [field('query', 'Search for issues, in the syntax of the code host', { isRequired: true })],
  wikipedia: [
    field('language', 'Edition, such as en'),
    field('categories', 'Categories, one a line', { kind: 'area', hint: 'Without any, those of English articles that need maintenance.' }),
  ],
  osv: [field('packages', 'Packages of npm, one a line as name@version', { kind: 'area' })],
  'open-data': [field('query', 'Words of the search', { isRequired: true }), field('organization', 'Short name of the publisher')],
  openapi: [PAGES],
  standards: [PAGES],
}
const COMMON = [field('limit', 'Most jobs', { kind: 'number', value: '5' }), field('minScore', 'Lowest score', { kind: 'number' })]

const linesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const packageOf = (line: string) => {
  const cut = line.lastIndexOf('@')
  if (cut < 1) throw new Refusal(400, `"${line}" is no package: it needs name@version.`)
  return { ecosystem: 'npm', name: line.slice(0, cut), version: line.slice(cut + 1) }
}

const numberOf = (text: string, label: string): number => {
  if (!/^\d{1,6}$/.test(text.trim())) throw new Refusal(400, `${label} must be a whole number.`)
  return Number(text)
}

/** The body of a run, from what a form sent or an address holds. */
export const ingestBody = (sent: Sent): Record<string, unknown> => {
  const lists: Readonly<Record<string, (line: string) => unknown>> = {
    categories: (line: string) => line,
    packages: packageOf,
    specs: (url: string) => ({ url }),
  }
  const listed = Object.entries(lists).flatMap(([name, show]) => {
    const lines = linesOf(sent[name])
    return lines.length === 0 ? [] : [[name, lines.map(show)] as const]
  })
  const texts = ['query', 'language', 'organization'].flatMap((name) => (sent[name] ? [[name, sent[name]] as const] : []))
  const numbers = ['limit', 'minScore'].flatMap((name) => (sent[name] ? [[name, numberOf(sent[name], name)] as const] : []))
  return Object.fromEntries([...texts, ...listed, ...numbers])
}

const call = (client: Client, provider: Provider, body: Record<string, unknown>, key?: string): Promise<Answer> =>
  client.call(SOURCE_RUNS[provider], body as never, key === undefined ? {} : { idempotencyKey: key }) as Promise<Answer>

/** What a run proposes, skips and fails at. */
const resultOf = ({ jobs, skipped, errors, counts, requestsUsed, stopped }: Answer, now: number): Html =>
  html`${factTable([
    ['Candidates', `${counts.proposed + counts.created} fit, ${counts.skipped} skipped, ${counts.parked} parked, ${counts.error} failed`],
    ['Requests of the source', requestsUsed],
    [
      'Stopped',
      stopped === null
        ? null
        : html`${reasonWords(stopped.reason)} ${stopped.detail}${stopped.resumeAt === null ? '' : html` Further ${when(stopped.resumeAt, now)}.`}`,
    ],
  ])}
<h2>Jobs</h2>${rowTable(
    'Jobs',
    ['Job', 'Lane', 'Reward', 'Score'],
    jobs.map(({ title, lane, reward, score, reasons }) => [
      title,
      lane,
      money(reward),
      `${score}: ${reasons.map(({ name, points }) => `${codeWords(name)} ${points}`).join(', ')}`,
    ]),
    'No candidate fits. Ask for something else, or lower the score.',
  )}
${skipped.length + errors.length === 0 ? '' : html`<h2>Not listed</h2>`}${rowTable(
  'Not listed',
  ['Candidate', 'Why'],
  [
    ...skipped.map(({ itemKey, reason, detail }) => [itemKey, `${reasonWords(reason)} ${detail}`]),
    ...errors.map(({ itemKey, code, message }) => [itemKey, `${reasonWords(code)} ${message}`]),
  ].slice(0, 50),
  '',
)}`

const [operation, ...reads] = Object.values(SOURCE_RUNS)

/** Asks what a source is to be asked for; its dry run follows. */
export const ingestInput: Action = {
  name: 'ask-source',
  hasNoReason: true,
  title: 'Ask for jobs',
  operation: operation as OperationId,
  reads: [...reads, 'listSources'],
  subject: ['provider'],
  preview: async (view) => {
    const provider = providerOf(view)
    return {
      lead: 'The source is asked what it has, and nothing is listed. The result offers to list it.',
      facts: factTable([['Source', provider]]),
      fields: [...FIELDS[provider], ...COMMON],
      button: 'Ask the source',
    }
  },
  run: async (view, sent) => {
    ingestBody(sent)
    return { to: address('/do/ingest', { provider: providerOf(view), ...sent }) }
  },
  done: 'This is the result of the dry run. Nothing is listed yet.',
}

/** Lists what the dry run proposes. */
const ingest: Action = {
  name: 'ingest',
  hasNoReason: true,
  title: 'List jobs of the source',
  operation: operation as OperationId,
  reads: [...reads, 'listSources'],
  subject: ['provider'],
  preview: async (view) => {
    const provider = providerOf(view)
    const answer = await call(view.client, provider, { ...ingestBody(view.query), dryRun: true })
    const count = answer.counts.proposed
    return {
      lead: `The source ${provider} is asked again with the same input, and what fits then is listed, with rewards from the budget of its lane.`,
      facts: resultOf(answer, view.now),
      fields: [],
      button: count === 1 ? 'List this job' : `List these ${count} jobs`,
    }
  },
  run: async (view, _sent, key) => {
    const provider = providerOf(view)
    await call(view.client, provider, { ...ingestBody(view.query), dryRun: false }, key)
    return { to: address('/source-items', { provider, outcome: 'created' }) }
  },
  done: 'The source has listed what fits.',
}

export const INGEST_ACTIONS: readonly Action[] = [ingestInput, ingest]
