import type { CodehostContent } from './content.ts'
import type { LocalIssue } from './seed.ts'

/** Results of a query that can be paged through. Source: GitHub REST v3, "Search". */
const MAX_RESULTS = 1_000

type Test = (issue: LocalIssue) => boolean

const TERM = /(-?)(?:([a-z-]+):)?(?:"([^"]*)"|(\S+))/gi

const equals = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const timeTest = (value: string): Test | null => {
  const [from, to] = value.split('..')
  if (from !== undefined && to !== undefined) return ({ updatedAt }) => updatedAt >= Date.parse(from) && updatedAt <= Date.parse(to)
  const [, sign = '', instant = ''] = /^([<>]=?)?(.+)$/.exec(value) ?? []
  const time = Date.parse(instant)
  if (Number.isNaN(time)) return null
  const tests: Readonly<Record<string, Test>> = {
    '<': ({ updatedAt }) => updatedAt < time,
    '<=': ({ updatedAt }) => updatedAt <= time,
    '>': ({ updatedAt }) => updatedAt > time,
    '>=': ({ updatedAt }) => updatedAt >= time,
    '': ({ updatedAt }) => updatedAt === time,
  }
  return tests[sign] ?? null
}

const isTest = (value: string): Test | null => {
  // The index of the host lags behind: a pull request may still count as an issue.
  if (value === 'issue') return () => true
  if (value === 'open' || value === 'closed') return ({ state }) => state === value
  return value === 'locked' ? ({ isLocked }) => isLocked : null
}

const testOf = (qualifier: string | undefined, value: string, content: CodehostContent): Test | null => {
  switch (qualifier?.toLowerCase()) {
    case undefined:
      return ({ title, body }) => `${title} ${body ?? ''}`.toLowerCase().includes(value.toLowerCase())
    case 'is':
      return isTest(value)
    case 'state':
      return ({ state }) => state === value
    case 'label':
      return ({ labels }) => labels.some((label) => equals(label, value))
    case 'repo':
      return ({ repo }) => equals(repo, value)
    case 'org':
    case 'user':
      return ({ repo }) => equals(repo.split('/')[0] ?? '', value)
    case 'no':
      return value === 'assignee' ? ({ assignees }) => assignees.length === 0 : null
    case 'archived':
      return ({ repo }) => String(content.stateOf(repo).archived) === value
    case 'updated':
      return timeTest(value)
    case 'language':
    case 'in':
      return () => true
    default:
      return null
  }
}

/** Tests of a query; null where a term is none that the host knows. */
const testsOf = (query: string, content: CodehostContent): Test[] | null => {
  const tests = [...query.matchAll(TERM)].map(([, not, qualifier, quoted, plain = '']) => {
    const test = testOf(qualifier, quoted ?? plain, content)
    return test === null || not !== '-' ? test : (issue: LocalIssue) => !test(issue)
  })
  return tests.includes(null) || tests.length === 0 ? null : tests.filter((test) => test !== null)
}

/** A page of results, or the message of a refusal (422). */
export type SearchResult = { ok: true; total: number; issues: LocalIssue[] } | { ok: false; message: string }

/** Searches issues, last changed first. Source: GitHub REST v3, "Search issues and pull requests". */
export const searchIssues = (content: CodehostContent, query: URLSearchParams): SearchResult => {
  const size = Math.min(Math.max(Number(query.get('per_page') ?? 30), 1), 100)
  const start = (Number(query.get('page') ?? 1) - 1) * size
  const tests = testsOf(query.get('q') ?? '', content)
  if (tests === null) return { ok: false, message: 'Validation Failed' }
  if (start + size > MAX_RESULTS) return { ok: false, message: 'Only the first 1000 search results are available' }
  const found = [...content.allIssues()].filter((issue) => tests.every((test) => test(issue)))
  const sign = query.get('order') === 'asc' ? 1 : -1
  const byTime = (a: LocalIssue, b: LocalIssue) => sign * (a.updatedAt - b.updatedAt)
  return { ok: true, total: found.length, issues: found.sort(byTime).slice(start, start + size) }
}
