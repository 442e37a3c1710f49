import { z } from 'zod'
import type { LocalSource, LocalSourceAnswer } from './local-source.ts'
import { mix, pickSeeded } from './seeded.ts'

/** Packages with advisories, each with three vulnerable versions and one without fault: 10,002 vulnerable package versions. */
const PACKAGES = 3_334
const VULNERABLE = ['1.0.0', '1.1.0', '1.2.0'] as const
const SETTLED = '2.0.0'
/** Most queries of a batch. Source: OSV API, "Query a batch of packages". */
const MAX_QUERIES = 1_000

/** Name of a seeded package, from 0. */
export const seededPackage = (index: number): string => `seed-lib-${index % PACKAGES}`
/** Version of it that has an advisory. */
export const seededVersion = (index: number): string => pickSeeded(VULNERABLE, index, 1)

const LETTERS = '23456789cfghjmpqrvwx'
const lettersOf = (number: number): string => Array.from({ length: 4 }, (_, place) => LETTERS[mix(number, place) % LETTERS.length]).join('')
/** Two ids that follow from the number of a package; the first part carries it. */
const idOf = (index: number, nth: number): string => {
  const digits = [index % 20, Math.floor(index / 20) % 20, Math.floor(index / 400) % 20, nth]
  return `GHSA-${digits.map((digit) => LETTERS[digit]).join('')}-${lettersOf(index * 2 + nth)}-${lettersOf(index * 7 + nth)}`
}
const numberOf = (id: string): { index: number; nth: number } | null => {
  const [, word = ''] = /^GHSA-([a-z0-9]{4})-/.exec(id) ?? []
  const [a = -1, b = -1, c = -1, nth = -1] = [...word].map((letter) => LETTERS.indexOf(letter))
  const index = a + 20 * b + 400 * c
  return [a, b, c].includes(-1) || index >= PACKAGES || nth >= advisoriesOf(index) || idOf(index, nth) !== id ? null : { index, nth }
}

const advisoriesOf = (index: number): number => (index % 3 === 0 ? 2 : 1)

const SEVERITIES = [
  { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', word: 'CRITICAL' },
  { vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', word: 'HIGH' },
  { vector: 'CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:H/I:N/A:N', word: 'MODERATE' },
  { vector: 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', word: 'LOW' },
] as const
const WAYS = [
  'Prototype pollution by a crafted key',
  'Regular expression that takes quadratic time',
  'Path traversal in the names of archive entries',
  'Header injection by a line break in a value',
  'Unbounded memory for nested input',
] as const

const MODIFIED = Date.UTC(2026, 0, 1)
const timeOf = (index: number, nth: number): string => new Date(MODIFIED + (index * 2 + nth) * 3_600_000).toISOString()

/** An advisory in the form of the OSV schema 1.6. */
export type LocalAdvisory = { id: string; modified: string } & { [member: string]: z.core.util.JSONType }

const seededAdvisory = (index: number, nth: number): LocalAdvisory => {
  const { vector, word } = pickSeeded(SEVERITIES, index, 10 + nth)
  const name = seededPackage(index)
  const events = [{ introduced: nth === 0 ? '0' : '1.1.0' }, ...(index % 10 === 5 ? [] : [{ fixed: nth === 0 ? SETTLED : '1.2.1' }])]
  const way = pickSeeded(WAYS, index, 20 + nth)
  return {
    schema_version: '1.6.0',
    id: idOf(index, nth),
    ...(index % 2 === 0 && { aliases: [`CVE-2026-${10_000 + index * 2 + nth}`] }),
    published: timeOf(index, nth),
    modified: timeOf(index, nth),
    ...(index % 20 === 7 && { withdrawn: timeOf(index, nth) }),
    summary: `${way} in ${name}`,
    details: `${way}. ${'A caller that passes input of a stranger is concerned. '.repeat(index % 40 === 11 ? 200 : 4)}`,
    severity: [{ type: 'CVSS_V3', score: vector }],
    affected: [{ package: { ecosystem: 'npm', name, purl: `pkg:npm/${name}` }, ranges: [{ type: 'SEMVER', events }] }],
    references: [{ type: 'WEB', url: `https://advisories.example/${idOf(index, nth)}` }],
    database_specific: { severity: word, cwe_ids: ['CWE-400'] },
  }
}

const Query = z.object({
  package: z.object({ name: z.string(), ecosystem: z.string() }),
  version: z.string(),
  page_token: z.string().optional(),
})
const Batch = z.object({ queries: z.array(Query) })

const json = (status: number, value: unknown): LocalSourceAnswer => ({ status, type: 'application/json', body: JSON.stringify(value) })
const notFound = (): LocalSourceAnswer => json(404, { code: 5, message: 'Bug not found.' })

/** Whether a seeded advisory concerns a version. */
const concerns = (version: string, nth: number): boolean =>
  (VULNERABLE as readonly string[]).includes(version) && (nth === 0 || version !== '1.0.0')

/** The vulnerability database of the local stack: batches of package versions, one query, and advisories by id. */
export const createOsvSource = () => {
  const replaced = new Map<string, LocalAdvisory | null>()

  const findAdvisory = (id: string): LocalAdvisory | null => {
    const other = replaced.get(id)
    if (other !== undefined) return other
    const number = numberOf(id)
    return number === null ? null : seededAdvisory(number.index, number.nth)
  }

  const advisoriesFor = ({ package: { name, ecosystem }, version }: z.infer<typeof Query>): LocalAdvisory[] => {
    const [, digits] = /^seed-lib-(0|[1-9][0-9]*)$/.exec(name) ?? []
    const index = digits === undefined ? PACKAGES : Number(digits)
    if (ecosystem !== 'npm' || index >= PACKAGES) return []
    return Array.from({ length: advisoriesOf(index) }, (_, nth) => nth)
      .filter((nth) => concerns(version, nth))
      .map((nth) => seededAdvisory(index, nth))
  }

  /** One page of a query. Every fiftieth package with two advisories has a page for each. */
  const pageOf = (query: z.infer<typeof Query>): { found: LocalAdvisory[]; next: string | null } => {
    const found = advisoriesFor(query)
    const isPaged = found.length > 1 && Number(query.package.name.slice('seed-lib-'.length)) % 50 === 0
    if (!isPaged) return { found, next: null }
    return query.page_token === undefined ? { found: found.slice(0, 1), next: 'page-2' } : { found: found.slice(1), next: null }
  }

  const answerBatch = (body: string): LocalSourceAnswer => {
    const parsed = Batch.safeParse(JSON.parse(body))
    if (!parsed.success) return json(400, { code: 3, message: 'Invalid query.' })
    const { queries } = parsed.data
    if (queries.length > MAX_QUERIES) return json(400, { code: 3, message: 'Too many queries.' })
    const results = queries.map((query) => {
      const { found, next } = pageOf(query)
      if (found.length === 0) return {}
      return { vulns: found.map(({ id, modified }) => ({ id, modified })), ...(next !== null && { next_page_token: next }) }
    })
    return json(200, { results })
  }

  const answer: LocalSource['answer'] = ({ method, url, body }) => {
    if (method === 'POST' && url.pathname === '/v1/querybatch') return answerBatch(body)
    const [, id] = /^\/v1\/vulns\/([^/]+)$/.exec(decodeURIComponent(url.pathname)) ?? []
    if (method !== 'GET' || id === undefined) return json(404, { code: 5, message: 'Not Found' })
    const found = findAdvisory(id)
    return found === null ? notFound() : json(200, found)
  }

  return {
    name: 'osv',
    answer,
    /** Gives an id another advisory, or none. Batches keep naming it. */
    replace: (id: string, advisory: LocalAdvisory | null): void => {
      replaced.set(id, advisory)
    },
    /** Gives every id its own advisory again. */
    forget: (): void => replaced.clear(),
  } satisfies LocalSource & Record<string, unknown>
}
