// The six sources of work with texts that a test puts into them.

import { codehostSettings, type LocalCodehost, startCodehost } from '../../../../local/codehost/start.ts'
import { createLocalOpenData } from '../../../../local/sources/open-data.ts'
import { datasetOf } from '../../../../local/sources/open-data-sets.ts'
import { createOpenapiList } from '../../../../local/sources/openapi.ts'
import { createOsvSource, type LocalAdvisory, seededPackage } from '../../../../local/sources/osv.ts'
import { sourceSettings, startSources } from '../../../../local/sources/server.ts'
import { createStandardsCatalogue } from '../../../../local/sources/standards.ts'
import { createLocalWikipedia } from '../../../../local/sources/wikipedia.ts'
import { articleOf } from '../../../../local/sources/wikipedia-articles.ts'
import type { Provider } from '../../../../schemas/ingestion/providers.ts'
import { WikipediaInput } from '../../../../schemas/ingestion/wikipedia.ts'

/** Texts of one candidate. Sources that show one text only have it as their title. */
export interface CandidateTexts {
  provider: Provider
  title: string
  /** Body of an issue, or publisher of a data set; null for a plain one. */
  body: string | null
}

/** Candidates of one source: the input of a run that reads them, and their keys in the order of the texts. */
interface Filled {
  input: Record<string, unknown>
  keys: string[]
}
type Texts = readonly CandidateTexts[]

/** The first places at which the seed has a candidate that is work. */
const placesOf = (texts: Texts, isFit: (place: number) => boolean): number[] => {
  const places: number[] = []
  for (let place = 1; places.length < texts.length; place += 1) if (isFit(place)) places.push(place)
  return places
}
const byPlace = (texts: Texts, places: readonly number[]): Map<number, CandidateTexts> =>
  new Map(texts.flatMap((one, index) => [[places[index] ?? 0, one] as const]))

const REPO = 'example-works/texts'
const SECOND_MS = 1_000
const BODY = 'The list shows its last entry twice. It should show each entry once.'

const fillCodehost = ({ content, world }: LocalCodehost, texts: Texts): Filled => {
  for (const [index, { title, body }] of texts.entries())
    content.setIssue(REPO, index + 1, { title, body: body ?? BODY, updatedAt: content.newest - index * SECOND_MS })
  return { input: { query: `repo:${REPO}` }, keys: texts.map((_, index) => `${world.repoIdOf(REPO)}#${index + 1}`) }
}

const fillWikipedia = (texts: Texts) => {
  const places = placesOf(texts, (place) => {
    const { namespace, isMissing, isRedirect } = articleOf(place)
    return namespace === 0 && !isMissing && !isRedirect
  })
  const titles = byPlace(texts, places)
  const source = createLocalWikipedia({
    articles: (places.at(-1) ?? 0) + 1,
    change: (article) => ({
      ...article,
      title: titles.get(article.pageId - articleOf(0).pageId)?.title ?? article.title,
      templates: ['Citation needed'],
    }),
  })
  return {
    source,
    filled: { input: WikipediaInput.parse({}), keys: places.map((place) => `en:${articleOf(place).pageId}:citation_repair`) },
  }
}

const fillOpenData = (texts: Texts) => {
  const places = placesOf(texts, () => true)
  const given = byPlace(texts, places)
  const source = createLocalOpenData({
    datasets: (places.at(-1) ?? 0) + 1,
    change: (dataset) => {
      const { title = dataset.title, body = null } = given.get(dataset.place) ?? {}
      const organization = body === null ? dataset.organization : { ...dataset.organization, name: body }
      return { ...dataset, title, organization, accessLevel: 'public', hasResource: true, isRefused: false, description: 'survey-of-texts' }
    },
  })
  return { source, filled: { input: { query: 'survey-of-texts' }, keys: places.map((place) => `datagov:${datasetOf(place).slug}`) } }
}

const VERSION = '1.0.0'

/** The advisory that the database names for a package version. */
const advisoryOf = (source: ReturnType<typeof createOsvSource>, name: string): LocalAdvisory => {
  const read = (method: string, path: string, body = '') => {
    const { body: text } = source.answer({ method, url: new URL(path, 'http://osv.example'), headers: {}, body })
    return JSON.parse(String(text))
  }
  const { results } = read(
    'POST',
    '/v1/querybatch',
    JSON.stringify({ queries: [{ package: { ecosystem: 'npm', name }, version: VERSION }] }),
  )
  return read('GET', `/v1/vulns/${results[0].vulns[0].id}`)
}

const fillOsv = (texts: Texts) => {
  // Others have two advisories or a withdrawn one.
  const places = placesOf(texts, (place) => place % 3 !== 0 && place % 20 !== 7)
  const source = createOsvSource()
  for (const [index, { title }] of texts.entries()) {
    const advisory = advisoryOf(source, seededPackage(places[index] ?? 0))
    source.replace(advisory.id, { ...advisory, summary: title })
  }
  const packages = places.map((place) => ({ ecosystem: 'npm', name: seededPackage(place), version: VERSION }))
  const input = { packages, manifests: [], maxPackageTargets: packages.length }
  return { source, filled: { input, keys: packages.map(({ name, version }) => `npm:${name}@${version}`) } }
}

const fillOpenapi = (texts: Texts) => {
  // Others name no address, or one without a document.
  const places = placesOf(texts, (place) => place % 40 < 38 && place % 50 !== 49)
  const given = byPlace(texts, places)
  const source = createOpenapiList({
    entries: (places.at(-1) ?? 0) + 1,
    changeTitle: (title, index) => given.get(index)?.title ?? title,
  })
  const names = places.map((place) => `provider-${String(place).padStart(5, '0')}.example`)
  return { source, filled: { input: {}, keys: names.map((name) => `${name}:${name}`) } }
}

const fillStandards = (texts: Texts) => {
  // Others have no page.
  const places = placesOf(texts, (place) => place % 40 !== 39)
  const given = byPlace(texts, places)
  const source = createStandardsCatalogue({
    entries: places.at(-1) ?? 0,
    changeTitle: (title, number) => given.get(number)?.title ?? title,
  })
  return { source, filled: { input: {}, keys: places.map((place) => `ietf:rfc${place}`) } }
}

/** Starts the six sources with these candidates among seeded ones. */
export const startFilledSources = async (texts: Texts) => {
  const of = (provider: Provider): Texts => texts.filter((one) => one.provider === provider)
  const wikipedia = fillWikipedia(of('wikipedia'))
  const openData = fillOpenData(of('open-data'))
  const osv = fillOsv(of('osv'))
  const openapi = fillOpenapi(of('openapi'))
  const standards = fillStandards(of('standards'))
  const codehost = await startCodehost()
  const sources = await startSources({ sources: [wikipedia, openData, osv, openapi, standards].map(({ source }) => source) })
  const filled: Record<Provider, Filled> = {
    github: fillCodehost(codehost, of('github')),
    wikipedia: wikipedia.filled,
    'open-data': openData.filled,
    osv: osv.filled,
    openapi: openapi.filled,
    standards: standards.filled,
  }
  return {
    settings: { ...sourceSettings(sources.url), ...codehostSettings(codehost.url), LOCAL_CALLER_HOSTS: sources.host },
    inputOf: (provider: Provider) => filled[provider].input,
    /** Each candidate with the key that its source gives it. */
    keyed: <One extends CandidateTexts>(given: readonly One[], provider: Provider): [key: string, one: One][] =>
      given.filter((one) => one.provider === provider).map((one, index) => [filled[provider].keys[index] ?? '', one]),
    stop: async (): Promise<void> => {
      await sources.stop()
      await codehost.stop()
    },
  }
}
