import { MAINTENANCE_CATEGORIES } from '../../schemas/ingestion/wikipedia.ts'

/** Categories whose members the stand-in lists. */
export const CATEGORIES = MAINTENANCE_CATEGORIES

const FIRST_PAGE = 1_001
/** Revisions that an article may get: the numbers of one do not reach those of the next. */
const REVISIONS_OF_PAGE = 1_000
const FIRST_REVISION = 1_200_000_000

/** An article of the seed. */
export interface Article {
  pageId: number
  /** Index in `CATEGORIES`. */
  category: number
  namespace: number
  title: string
  revisionId: number
  /** ISO, in whole seconds. */
  timestamp: string
  templates: string[]
  isMissing: boolean
  isRedirect: boolean
}

export const placeOfPage = (pageId: number): number => pageId - FIRST_PAGE
/** Number of an article's revision: 0 for that of the seed, then one more for each edit. */
export const revisionIdOf = (pageId: number, edit: number): number => FIRST_REVISION + placeOfPage(pageId) * REVISIONS_OF_PAGE + edit
export const pageIdOf = (revisionId: number): number => FIRST_PAGE + Math.floor((revisionId - FIRST_REVISION) / REVISIONS_OF_PAGE)

const KINDS = ['suspension bridge', 'observatory', 'river', 'railway line', 'lighthouse', 'botanical garden', 'canal', 'mountain pass']
const PLACES = ['Northern', 'Upper', 'Eastern', 'Old', 'Lower', 'Great', 'Western', 'Inner', 'Southern', 'Grand']
const FIRST_DAY = Date.UTC(2025, 0, 1)
const DAY_MS = 86_400_000
const DAYS = 600

const TEMPLATES_OF_CATEGORY: readonly (readonly string[])[] = [
  ['Dead link', 'Cite web'],
  ['Citation needed', 'Cite web'],
  ['Update', 'Citation needed', 'Update inline'],
  ['Infobox bridge', 'Cleanup infobox'],
]

const every = (place: number, number: number): boolean => place % number === number - 1

function titleOf(place: number): string {
  const name = `${PLACES[place % PLACES.length]} ${KINDS[Math.floor(place / PLACES.length) % KINDS.length]} ${place + 1}`
  if (every(place, 53)) return `List of parts of ${name}`
  if (every(place, 89)) return `Timeline of ${name}`
  return every(place, 31) ? `${name} (Ærø & "Söner")` : name
}

/** The article at a place of the seed, from 0. Some are redirects, deleted, talk pages or without a known template. */
export function articleOf(place: number): Article {
  const pageId = FIRST_PAGE + place
  const category = place % CATEGORIES.length
  return {
    pageId,
    category,
    namespace: every(place, 211) ? 1 : 0,
    title: titleOf(place),
    revisionId: revisionIdOf(pageId, 0),
    timestamp: `${new Date(FIRST_DAY + (place % DAYS) * DAY_MS).toISOString().slice(0, 19)}Z`,
    templates: every(place, 17) ? ['Short description'] : [...(TEMPLATES_OF_CATEGORY[category] ?? [])],
    isMissing: every(place, 101),
    isRedirect: every(place, 97),
  }
}

/** Wikitext of an article of the seed. */
export function textOfRevision({ title, templates, pageId, isRedirect }: Article): string {
  if (isRedirect) return '#REDIRECT [[Main Page]]'
  const year = 1850 + (pageId % 150)
  return [
    `{{Infobox structure | name = ${title} | opened = ${year} | length = ${pageId} m }}`,
    ...templates.map((name) => `{{${name}|date=March 2026}}`),
    `'''${title}''' opened in ${year}.<ref>{{Cite web |url=https://records.example/opened/${pageId} |title=Opening}}</ref>`,
    `It is used by about ${pageId * 3} people a day.<ref>https://statistics.example/report/${pageId}</ref>`,
    `The last repair was finished in ${year + 100}.{{Citation needed|date=March 2026}}`,
    '',
    '== References ==',
    '{{Reflist}}',
  ].join('\n')
}
