import type { LocalSource, LocalSourceAnswer, LocalSourceRequest } from './local-source.ts'
import { type Article, articleOf, CATEGORIES, pageIdOf, placeOfPage, revisionIdOf, textOfRevision } from './wikipedia-articles.ts'

const ARTICLES = 10_000
const HIGHEST_LIMIT = 500
const DEFAULT_LIMIT = 10

/** An edit of an article after its seed. */
interface Edit {
  revisionId: number
  text: string
  /** ISO, in whole seconds as the action API writes it. */
  timestamp: string
}

/** What a stand-in for the encyclopedia holds besides its seed. */
export interface WikipediaOptions {
  /** Number of articles. */
  articles?: number
  /** Changes an article of the seed, such as its title. */
  change?: (article: Article) => Article
}

type Params = URLSearchParams

const json = (value: unknown, headers: Record<string, string> = {}): LocalSourceAnswer => ({
  status: 200,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
  headers,
})

/** The action API answers errors with status 200 and names them in a header. */
const errorAnswer = (code: string, info: string): LocalSourceAnswer => json({ error: { code, info } }, { 'mediawiki-api-error': code })

const partsOf = (params: Params, name: string): string[] => (params.get(name) ?? '').split('|').filter(Boolean)

const limitOf = (params: Params, name: string): number => {
  const given = params.get(name)
  if (given === 'max') return HIGHEST_LIMIT
  return Math.min(HIGHEST_LIMIT, Math.max(1, Number(given ?? DEFAULT_LIMIT) || DEFAULT_LIMIT))
}

/** A stand-in for the action API of an encyclopedia, which people can edit by `edit`. */
export const createLocalWikipedia = ({ articles: size = ARTICLES, change = (article) => article }: WikipediaOptions = {}) => {
  const edits = new Map<number, Edit[]>()
  const articleAt = (place: number): Article => change(articleOf(place))
  const editsOf = (pageId: number): readonly Edit[] => edits.get(pageId) ?? []

  /** Revisions of an article, the latest first. */
  const revisionsOf = (article: Article) => [
    ...editsOf(article.pageId).toReversed(),
    { revisionId: article.revisionId, text: textOfRevision(article), timestamp: article.timestamp },
  ]

  const revisionView = ({ revisionId, text, timestamp }: Edit, properties: readonly string[]) => ({
    ...(properties.includes('ids') && { revid: revisionId, parentid: revisionId - 1 }),
    ...(properties.includes('timestamp') && { timestamp }),
    ...(properties.includes('size') && { size: Buffer.byteLength(text) }),
    ...(properties.includes('content') && { slots: { main: { contentmodel: 'wikitext', contentformat: 'text/x-wiki', content: text } } }),
  })

  const pageView = (article: Article, params: Params, revisions: readonly Edit[], templates: readonly string[]) => {
    const { pageId, namespace, title, isMissing, isRedirect } = article
    if (isMissing) return { ns: namespace, title, missing: true }
    const properties = partsOf(params, 'prop')
    const [latest] = revisionsOf(article)
    return {
      pageid: pageId,
      ns: namespace,
      title,
      ...(properties.includes('info') && {
        contentmodel: 'wikitext',
        pagelanguage: 'en',
        touched: latest?.timestamp,
        lastrevid: latest?.revisionId,
        length: Buffer.byteLength(latest?.text ?? ''),
        ...(isRedirect && { redirect: true }),
      }),
      ...(properties.includes('revisions') && { revisions: revisions.map((edit) => revisionView(edit, partsOf(params, 'rvprop'))) }),
      ...(templates.length > 0 && { templates: templates.map((name) => ({ ns: 10, title: `Template:${name}` })) }),
    }
  }

  /** Members of a category from a place on. */
  const membersFrom = (category: number, start: number, most: number): Article[] => {
    const found: Article[] = []
    for (let place = start; place < size && found.length < most; place += 1) {
      const article = articleAt(place)
      if (article.category === category) found.push(article)
    }
    return found
  }

  const listCategory = (params: Params): LocalSourceAnswer => {
    const title = params.get('gcmtitle') ?? ''
    if (!/^Category:./.test(title)) return errorAnswer('invalidcategory', 'The category name you entered is not valid.')
    const category = CATEGORIES.indexOf(title.slice('Category:'.length).replaceAll('_', ' '))
    const start = Number(/\|(\d+)$/.exec(params.get('gcmcontinue') ?? '')?.[1] ?? 0)
    const limit = limitOf(params, 'gcmlimit')
    const found = category === -1 ? [] : membersFrom(category, start, limit + 1)
    const members = found.slice(0, limit)
    if (members.length === 0) return json({ batchcomplete: true })

    const wanted = partsOf(params, 'tltemplates').map((name) => name.replace(/^Template:/, ''))
    const rows = members.flatMap(({ pageId, templates }) =>
      templates.filter((name) => wanted.length === 0 || wanted.includes(name)).map((name) => ({ pageId, name })),
    )
    const rowStart = Number(/\|(\d+)$/.exec(params.get('tlcontinue') ?? '')?.[1] ?? 0)
    const rowLimit = limitOf(params, 'tllimit')
    const shown = partsOf(params, 'prop').includes('templates') ? rows.slice(rowStart, rowStart + rowLimit) : []
    const pages = members.map((article) => {
      const templates = shown.filter(({ pageId }) => pageId === article.pageId).map(({ name }) => name)
      return pageView(article, params, revisionsOf(article).slice(0, 1), templates)
    })
    const next = found[limit]
    const gcmcontinue = (place: number) => `page|${place.toString(16).padStart(8, '0')}|${place}`
    if (rowStart + shown.length < rows.length) {
      const tlcontinue = `10|${rowStart + shown.length}`
      return json({ continue: { tlcontinue, gcmcontinue: gcmcontinue(start), continue: '||info|revisions' }, query: { pages } })
    }
    const going = next === undefined ? {} : { continue: { gcmcontinue: gcmcontinue(placeOfPage(next.pageId)), continue: 'gcmcontinue||' } }
    return json({ batchcomplete: true, ...going, query: { pages } })
  }

  const articleOfPage = (pageId: number): Article | null => {
    const place = placeOfPage(pageId)
    return Number.isSafeInteger(place) && place >= 0 && place < size ? articleAt(place) : null
  }

  const readRevisions = (params: Params): LocalSourceAnswer => {
    const wanted = partsOf(params, 'revids')
    const found = wanted.map((id) => {
      const article = articleOfPage(pageIdOf(Number(id)))
      const revision = article === null ? undefined : revisionsOf(article).find(({ revisionId }) => String(revisionId) === id)
      return { id, article, revision }
    })
    const pages = found.flatMap(({ article, revision }) =>
      article === null || revision === undefined || article.isMissing ? [] : [pageView(article, params, [revision], [])],
    )
    const bad = found.filter(({ revision }) => revision === undefined).map(({ id }) => [id, { revid: Number(id), missing: true }])
    return json({
      batchcomplete: true,
      query: { ...(bad.length > 0 && { badrevids: Object.fromEntries(bad) }), ...(pages.length > 0 && { pages }) },
    })
  }

  const readPages = (params: Params): LocalSourceAnswer => {
    const most = limitOf(params, 'rvlimit')
    const count = params.has('rvlimit') ? most : 1
    const byId = partsOf(params, 'pageids').map((id) => ({ pageid: Number(id), article: articleOfPage(Number(id)) }))
    const byTitle = partsOf(params, 'titles').map((title) => {
      const place = Array.from({ length: size }, (_, index) => index).find((index) => articleAt(index).title === title.replaceAll('_', ' '))
      return { title, article: place === undefined ? null : articleAt(place) }
    })
    const pages = [...byId, ...byTitle].map(({ article, ...name }) =>
      article === null ? { ...name, ns: 0, missing: true } : pageView(article, params, revisionsOf(article).slice(0, count), []),
    )
    return json({ batchcomplete: true, query: { pages } })
  }

  const source: LocalSource = {
    name: 'wikipedia',
    answer({ url }: LocalSourceRequest): LocalSourceAnswer {
      if (!/^\/[a-z-]+\/w\/api\.php$/.test(url.pathname))
        return { status: 404, type: 'text/html', body: '<html><body>Not Found</body></html>' }
      const params = url.searchParams
      if (params.get('action') !== 'query') return errorAnswer('badvalue', 'Unrecognized value for parameter "action".')
      if (params.get('format') !== 'json' || params.get('formatversion') !== '2')
        return errorAnswer('badvalue', 'Only JSON in format version 2 is answered here.')
      if (params.get('generator') === 'categorymembers') return listCategory(params)
      return params.has('revids') ? readRevisions(params) : readPages(params)
    },
  }

  return {
    ...source,
    /** Edits an article as a person would. Returns the number of the new revision. */
    edit(pageId: number, edited: (text: string) => string, timestamp: string): number {
      const article = articleOfPage(pageId)
      const [latest] = article === null ? [] : revisionsOf(article)
      if (latest === undefined) throw new Error(`no article ${pageId}`)
      const revisionId = revisionIdOf(pageId, editsOf(pageId).length + 1)
      edits.set(pageId, [...editsOf(pageId), { revisionId, text: edited(latest.text), timestamp }])
      return revisionId
    },
  }
}
