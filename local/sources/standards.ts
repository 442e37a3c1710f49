import { createHash } from 'node:crypto'
import type { LocalAnswer, LocalRequest, LocalSource } from './local-source.ts'

const NAME = 'standards'
const FIRST_RFC = 1
const PAGE_SIZE = 20
const LONGEST_PAGE = 1_000
const SUBJECTS = ['Framing', 'Naming', 'Routing', 'Caching', 'Signing', 'Timing', 'Encoding', 'Transport']
const LEVELS = ['PROPOSED STANDARD', 'INTERNET STANDARD', 'INFORMATIONAL', 'BEST CURRENT PRACTICE']
const MONTHS = ['January', 'March', 'June', 'October']

export interface StandardsCatalogueSettings {
  /** Documents of the catalogue. */
  entries?: number
  /** Changes the title in the record of a standard, by its number. */
  changeTitle?: (title: string, number: number) => string
}

const titleOf = (number: number): string => `${SUBJECTS[number % SUBJECTS.length]} of Messages, Part ${number}`

/** A document of the catalogue. Its date is absent for one in thirty, as for old ones of the source. */
const documentOf = (number: number) => ({
  abstract: `Describes part ${number}.`,
  id: number,
  name: `rfc${number}`,
  pages: 4 + (number % 60),
  resource_uri: `/api/v1/doc/document/rfc${number}/`,
  rev: '',
  rfc_number: number,
  std_level: '/api/v1/name/stdlevelname/ps/',
  time: number % 30 === 7 ? null : `20${String(10 + (number % 15))}-06-01T00:00:00Z`,
  title: titleOf(number),
  type: '/api/v1/name/doctypename/rfc/',
})

const recordOf = (number: number) => ({
  draft: `draft-ietf-part-${number}-04`,
  doc_id: `RFC${String(number).padStart(4, '0')}`,
  title: titleOf(number),
  authors: ['A. Author'],
  format: ['HTML', 'TEXT'],
  page_count: String(4 + (number % 60)),
  pub_status: LEVELS[number % LEVELS.length],
  status: LEVELS[number % LEVELS.length],
  source: 'IETF',
  abstract: `Describes part ${number}.`,
  pub_date: number % 30 === 7 ? null : `${MONTHS[number % MONTHS.length]} 20${10 + (number % 15)}`,
  obsoletes: [],
  obsoleted_by: number % 9 === 2 ? [`RFC${number + 1}`] : [],
  doi: `10.17487/RFC${number}`,
})

const pageOf = (number: number): string =>
  [
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
    `<title>RFC ${number}: ${titleOf(number)}</title>`,
    ...(number % 3 === 0 ? [`<link rel="canonical" href="https://www.rfc-editor.org/rfc/rfc${number}.html">`] : []),
    `</head><body><h1>${titleOf(number)}</h1><p>A sender of part ${number} frames each message once.</p></body></html>\n`,
  ].join('\n')

const json = (value: unknown, status = 200): LocalAnswer => ({ status, type: 'application/json', body: JSON.stringify(value) })

/** An answer with its validators. */
const tagged = (answer: LocalAnswer): LocalAnswer => {
  const etag = `"${createHash('sha256').update(answer.body).digest('hex').slice(0, 16)}"`
  return { ...answer, headers: { etag, 'last-modified': 'Wed, 01 Jun 2022 00:00:00 GMT' } }
}

const wholeNumber = (text: string | null, otherwise: number): number | null => {
  if (text === null) return otherwise
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** A catalogue of standards with paging, and the records and pages of its standards. */
export const createStandardsCatalogue = ({
  entries = 10_000,
  changeTitle = (title) => title,
}: StandardsCatalogueSettings = {}): LocalSource => {
  const answerList = ({ url }: LocalRequest): LocalAnswer => {
    const offset = wholeNumber(url.searchParams.get('offset'), 0)
    const given = wholeNumber(url.searchParams.get('limit'), PAGE_SIZE)
    if (offset === null || given === null) return json({ error: 'Invalid limit or offset.' }, 400)
    const limit = Math.min(given === 0 ? LONGEST_PAGE : given, LONGEST_PAGE)
    const isOther = (url.searchParams.get('type') ?? 'rfc') !== 'rfc'
    const total = isOther ? 0 : entries
    const count = Math.max(0, Math.min(limit, total - offset))
    const address = (start: number): string => {
      const query = new URLSearchParams(url.searchParams)
      query.set('limit', String(limit))
      query.set('offset', String(start))
      return `/api/v1/doc/document/?${query}`
    }
    return json({
      meta: {
        limit,
        next: offset + limit < total ? address(offset + limit) : null,
        offset,
        previous: offset === 0 ? null : address(Math.max(0, offset - limit)),
        total_count: total,
      },
      objects: Array.from({ length: count }, (_, index) => documentOf(FIRST_RFC + offset + index)),
    })
  }

  const answerStandard = (path: string): LocalAnswer | null => {
    const [, digits, kind] = /^\/rfc\/rfc(\d{1,9})\.(json|html)$/.exec(path) ?? []
    const number = Number(digits)
    if (!(number >= FIRST_RFC && number < FIRST_RFC + entries)) return null
    // One in forty has no page; the records of some have none either.
    if (number % 40 === 39) return null
    const record = recordOf(number)
    return kind === 'json'
      ? json({ ...record, title: changeTitle(record.title, number) })
      : { status: 200, type: 'text/html; charset=utf-8', body: pageOf(number) }
  }

  return {
    name: NAME,
    answer: (request) => {
      if (request.method !== 'GET') return json({ message: 'Method Not Allowed' }, 405)
      if (request.url.pathname === '/api/v1/doc/document/') return answerList(request)
      const answer = answerStandard(request.url.pathname)
      return answer === null ? { status: 404, type: 'text/html', body: '<!DOCTYPE html><title>404 Not Found</title>' } : tagged(answer)
    },
  }
}
