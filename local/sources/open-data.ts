import type { LocalSource, LocalSourceAnswer, LocalSourceRequest } from './local-source.ts'
import { datasetOf, fileOf, type PublicDataset } from './open-data-sets.ts'

const DATASETS = 10_000
const DEFAULT_PER_PAGE = 10
const HIGHEST_PER_PAGE = 1_000

/** What a stand-in for a data portal holds. */
export interface OpenDataOptions {
  /** Number of data sets. */
  datasets?: number
  /** Changes a data set of the seed, such as its title. */
  change?: (dataset: PublicDataset) => PublicDataset
}

const json = (value: unknown, status = 200): LocalSourceAnswer => ({ status, type: 'application/json', body: JSON.stringify(value) })
const notFound: LocalSourceAnswer = { status: 404, type: 'text/html', body: '<!DOCTYPE html><html><body>Page not found</body></html>' }

/** Whether a data set has every word, or the one phrase in quotation marks. */
const matcherOf = (query: string): ((dataset: PublicDataset) => boolean) => {
  const phrase = /^"([^"]*)"$/.exec(query.trim())?.[1]
  const wanted = (phrase === undefined ? query.split(/\s+/) : [phrase]).map((text) => text.trim().toLowerCase()).filter(Boolean)
  if (wanted.length === 0) return () => true
  return ({ title, description, keyword, slug, identifier }) => {
    const text = [title, description, slug, identifier, ...keyword].join('\n').toLowerCase()
    return wanted.every((word) => text.includes(word))
  }
}

const encodeAfter = (place: number): string => Buffer.from(JSON.stringify([1, 0, place])).toString('base64')
function decodeAfter(after: string | null): number | null {
  if (after === null) return 0
  try {
    const place: unknown = JSON.parse(Buffer.from(after, 'base64').toString('utf8'))[2]
    return typeof place === 'number' ? place : null
  } catch {
    return null
  }
}

/** A stand-in for a data portal: the search of data.gov, the actions of CKAN, and the files themselves under `/files`. */
export const createLocalOpenData = ({ datasets: size = DATASETS, change = (dataset) => dataset }: OpenDataOptions = {}): LocalSource => {
  const datasetAt = (place: number): PublicDataset => change(datasetOf(place))

  /** Places of the data sets that match, from one on; one more than asked tells whether others follow. */
  const find = (matches: (dataset: PublicDataset) => boolean, start: number, most: number): number[] => {
    const found: number[] = []
    for (let place = start; place < size && found.length <= most; place += 1) if (matches(datasetAt(place))) found.push(place)
    return found
  }

  const fileUrlOf = (origin: string, { place, format }: PublicDataset): string =>
    `${origin}/${source.name}/files/${place}.${format.toLowerCase()}`

  const distributionsOf = (dataset: PublicDataset, origin: string) =>
    dataset.hasResource
      ? [
          {
            '@type': 'dcat:Distribution',
            title: 'Description',
            accessURL: `${origin}/${source.name}/files/${dataset.place}.html`,
            format: 'HTML',
          },
          {
            '@type': 'dcat:Distribution',
            title: `${dataset.title}, ${dataset.format}`,
            downloadURL: fileUrlOf(origin, dataset),
            mediaType: dataset.mediaType,
          },
        ]
      : []

  const dcatView = (dataset: PublicDataset, origin: string) => ({
    '@type': 'dcat:Dataset',
    accessLevel: dataset.accessLevel,
    title: dataset.title,
    description: dataset.description,
    identifier: dataset.identifier,
    keyword: dataset.keyword,
    ...(dataset.license !== null && { license: dataset.license }),
    modified: dataset.modified,
    publisher: { '@type': 'org:Organization', name: dataset.organization.name },
    distribution: distributionsOf(dataset, origin),
  })

  const search = ({ searchParams }: URL, origin: string): LocalSourceAnswer => {
    const perPage = Number(searchParams.get('per_page') ?? DEFAULT_PER_PAGE)
    if (!Number.isInteger(perPage) || perPage < 1 || perPage > HIGHEST_PER_PAGE)
      return json({ message: 'Validation error', detail: { query: { per_page: ['Must be between 1 and 1000.'] } } }, 422)
    const start = decodeAfter(searchParams.get('after'))
    if (start === null) return json({ error: 'Search failed', message: 'after parameter is malformed' }, 400)
    const matches = matcherOf(searchParams.get('q') ?? '')
    const slug = searchParams.get('org_slug')
    const found = find((dataset) => (slug === null || dataset.organization.slug === slug) && matches(dataset), start, perPage)
    const results = found.slice(0, perPage).map((place) => {
      const dataset = datasetAt(place)
      const { title, description, identifier, keyword, organization } = dataset
      return {
        _score: 1,
        _sort: [1, 0, place],
        ...{ title, description, identifier, keyword, organization },
        slug: dataset.slug,
        publisher: organization.name,
        has_spatial: false,
        popularity: 0,
        last_harvested_date: '2026-10-01T12:00:00.123456',
        theme: [],
        dcat: dcatView(dataset, origin),
      }
    })
    const next = found[perPage]
    return json({ results, sort: searchParams.get('sort') ?? 'relevance', ...(next !== undefined && { after: encodeAfter(next) }) })
  }

  const packageView = (dataset: PublicDataset, origin: string) => ({
    id: dataset.identifier,
    name: dataset.slug,
    title: dataset.title,
    notes: dataset.description,
    private: false,
    license_id: dataset.license === null ? null : 'cc-zero',
    license_title: dataset.license,
    metadata_modified: dataset.modified,
    organization: { name: dataset.organization.slug, title: dataset.organization.name },
    resources: dataset.hasResource
      ? [
          {
            id: `${dataset.identifier}-0`,
            name: dataset.title,
            url: fileUrlOf(origin, dataset),
            format: dataset.format,
            mimetype: dataset.mediaType,
          },
        ]
      : [],
  })

  const packageSearch = ({ searchParams }: URL, origin: string): LocalSourceAnswer => {
    const rows = Math.min(HIGHEST_PER_PAGE, Math.max(0, Number(searchParams.get('rows') ?? DEFAULT_PER_PAGE) || 0))
    const start = Math.max(0, Number(searchParams.get('start') ?? 0) || 0)
    const organization = /^organization:(\S+)$/.exec(searchParams.get('fq') ?? '')?.[1]
    const matches = matcherOf(searchParams.get('q') ?? '')
    const found = find((dataset) => (organization === undefined || dataset.organization.slug === organization) && matches(dataset), 0, size)
    const results = found.slice(start, start + rows).map((place) => packageView(datasetAt(place), origin))
    return json({ help: `${origin}/api/3/action/help_show?name=package_search`, success: true, result: { count: found.length, results } })
  }

  const packageShow = ({ searchParams }: URL, origin: string): LocalSourceAnswer => {
    const id = searchParams.get('id')
    const [place] = find(({ slug, identifier }) => slug === id || identifier === id, 0, 0)
    if (place === undefined) return json({ success: false, error: { message: 'Not found', __type: 'Not Found Error' } }, 404)
    const dataset = datasetAt(place)
    if (dataset.accessLevel !== 'public') return json({ success: false, error: { __type: 'Authorization Error' } }, 403)
    return json({ success: true, result: packageView(dataset, origin) })
  }

  const file = (name: string): LocalSourceAnswer => {
    const [, digits] = /^(\d{1,9})\.[a-z]+$/.exec(name) ?? []
    const place = Number(digits ?? -1)
    if (place < 0 || place >= size || name.endsWith('.html')) return notFound
    const dataset = datasetAt(place)
    return {
      status: 200,
      type: dataset.isRefused ? 'text/html' : dataset.mediaType,
      body: fileOf(dataset),
      headers: { etag: `"${place}-1"` },
    }
  }

  const source: LocalSource = {
    name: 'open-data',
    answer({ url, headers }: LocalSourceRequest): LocalSourceAnswer {
      const origin = typeof headers.host === 'string' ? `http://${headers.host}` : url.origin
      if (url.pathname === '/search') return search(url, origin)
      if (url.pathname === '/api/3/action/package_search') return packageSearch(url, origin)
      if (url.pathname === '/api/3/action/package_show') return packageShow(url, origin)
      return url.pathname.startsWith('/files/') ? file(url.pathname.slice('/files/'.length)) : notFound
    },
  }
  return source
}
