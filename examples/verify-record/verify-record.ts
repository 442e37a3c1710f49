// Checks a record of the service without asking the service. See README.md.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { BADGE_DOES_NOT_PROVE, isBadge, readBadge } from './badge.ts'
import { isObject, type Members, parseStrict, Refused } from './json.ts'
import { checkHeads, checkHistory, isTimeline, readHistory, type SavedHead } from './session-log.ts'
import { checkSignature } from './signature.ts'

const USAGE = `usage: npm run verify-record -- <file or URL> [options]

Checks a badge, or the answer of GET /session/timeline.

  --jwks FILE|URL    key set of the service (default: /.well-known/jwks.json of the record's own address)
  --heads FILE|URL   heads of the session log: a file written by --save-heads, or the address of the service
  --save-heads URL   writes all heads with their lists to standard output, to keep them

Exit code: 0 the record is sound, 1 it is refused, 2 something could not be read.`

const load = async (place: string): Promise<unknown> => {
  if (!/^https?:/.test(place)) return parseStrict(readFileSync(place, 'utf8'))
  const response = await fetch(place)
  if (!response.ok) throw new Error(`${place} answers ${response.status}`)
  return parseStrict(await response.text())
}

const pages = async (url: URL, member: string): Promise<Members[]> => {
  const found: Members[] = []
  for (let cursor: unknown = ''; ; ) {
    if (cursor !== '') url.searchParams.set('cursor', String(cursor))
    const page = await load(url.href)
    if (!isObject(page) || !Array.isArray(page[member])) throw new Error(`${url.href} answers no ${member}`)
    found.push(...page[member].filter(isObject))
    cursor = page.nextCursor
    if (cursor == null) return found
  }
}

/** Every head of a service with its list, oldest first. */
const fetchHeads = async (base: string): Promise<SavedHead[]> => {
  const saved: SavedHead[] = []
  for (const head of (await pages(new URL('/log/heads?limit=400', base), 'heads')).toReversed())
    saved.push({ head, entries: (await pages(new URL(`/log/heads/${head.day}/entries?limit=5000`, base), 'entries')) as never })
  return saved
}

const loadHeads = async (place: string | undefined): Promise<SavedHead[]> => {
  if (place === undefined) throw new Error('a history needs --heads')
  return /^https?:/.test(place) ? fetchHeads(place) : ((await load(place)) as SavedHead[])
}

const say = (lines: readonly string[]): void => {
  for (const line of lines) console.log(line)
}

const checkBadge = async (badge: Members, keySet: unknown): Promise<void> => {
  const { kid, signedAt } = await checkSignature(badge, keySet)
  const stated = readBadge(badge, signedAt)
  say([`Badge, signed with the key ${kid} at ${signedAt}. The service states:`, ...stated.map((line) => `  ${line}`)])
  say(['It does not prove:', ...BADGE_DOES_NOT_PROVE.map((line) => `  ${line}`)])
}

const checkTimeline = async ({ log }: Members, keySet: unknown, heads: SavedHead[]): Promise<void> => {
  const history = log as Members[]
  const faults = [...(await checkHeads(heads, keySet)), ...checkHistory(history, heads)]
  if (faults.length > 0) throw new Refused(faults.join('; '))
  say([`History, checked with ${heads.length} signed heads:`, ...readHistory(history, heads).map((line) => `  ${line}`)])
  say(['It does not prove that an entry was true when it was made, nor an entry that no head has yet.'])
}

const main = async (): Promise<void> => {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    options: { jwks: text, heads: text, 'save-heads': text, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  if (values.help) {
    console.log(USAGE)
    return
  }
  if (values['save-heads'] !== undefined) {
    console.log(JSON.stringify(await fetchHeads(values['save-heads'])))
    return
  }
  const [place, ...more] = positionals
  if (place === undefined || more.length > 0) throw new Error(USAGE)
  const record = await load(place)
  if (!isObject(record)) throw new Refused('it is no object')
  const keys = values.jwks ?? (/^https?:/.test(place) ? new URL('/.well-known/jwks.json', place).href : undefined)
  if (keys === undefined) throw new Error('a file needs --jwks')
  if (isBadge(record)) return checkBadge(record, await load(keys))
  if (isTimeline(record)) return checkTimeline(record, await load(keys), await loadHeads(values.heads))
  throw new Refused('it is neither a badge nor a timeline')
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Refused ? `Refused: ${error.message}.` : error instanceof Error ? error.message : error)
  process.exitCode = error instanceof Refused ? 1 : 2
}
