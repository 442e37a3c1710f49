import { openapiRules } from '../../domain/ingestion/documents/openapi.ts'
import { standardsRules } from '../../domain/ingestion/documents/standards.ts'
import { githubRules } from '../../domain/ingestion/github.ts'
import { openDataRules } from '../../domain/ingestion/open-data.ts'
import { osvRules } from '../../domain/ingestion/osv.ts'
import type { ProviderRules } from '../../domain/ingestion/provider.ts'
import { decideByPolicy, type PolicyDecision } from '../../domain/ingestion/pull-request-job.ts'
import { wikipediaRules } from '../../domain/ingestion/wikipedia.ts'
import type { OpenapiInput, OpenapiItem } from '../../schemas/ingestion/documents/openapi.ts'
import type { StandardsInput, StandardsItem } from '../../schemas/ingestion/documents/standards.ts'
import type { GithubInput, GithubIssue } from '../../schemas/ingestion/github.ts'
import type { OpenDataInput, OpenDataItem } from '../../schemas/ingestion/open-data.ts'
import type { OsvInput, OsvPackage } from '../../schemas/ingestion/osv.ts'
import type { Provider } from '../../schemas/ingestion/providers.ts'
import type { WikipediaInput, WikipediaItem } from '../../schemas/ingestion/wikipedia.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { SourceRequests } from './http/requests.ts'
import type { Source } from './source.ts'
import { createGithubSource } from './sources/github.ts'
import { createOpenDataSource } from './sources/open-data.ts'
import { createOpenapiSource } from './sources/openapi.ts'
import { createOsvSource } from './sources/osv.ts'
import { createStandardsSource } from './sources/standards.ts'
import { createWikipediaSource } from './sources/wikipedia.ts'

/** What the client of a source is built from. */
interface SourceParts extends Omit<SourceRequests, 'used'> {
  settings: Settings
}

/** A source: its client, its rules, and who else has a say. */
export interface IngestProvider<Input, Item> {
  createSource(parts: SourceParts): Source<Input, Item>
  rules: ProviderRules<Item>
  /** Decides by what the maintainers of the candidate's repository say; null for a candidate without a repository. */
  decidePolicy?(item: Item): PolicyDecision | null
}
export type AnyProvider = IngestProvider<unknown, unknown>

const wikipedia: IngestProvider<WikipediaInput, WikipediaItem> = {
  createSource: ({ settings, http }) => createWikipediaSource({ http, apiUrl: settings.WIKIPEDIA_API_URL }),
  rules: wikipediaRules,
}

const openData: IngestProvider<OpenDataInput, OpenDataItem> = {
  createSource: ({ settings, http, callers }) => {
    const { OPEN_DATA_API_URL: apiUrl, OPEN_DATA_KIND: kind } = settings
    return createOpenDataSource({ http, resources: callers, apiUrl, kind, now: Date.now })
  },
  rules: openDataRules,
}

const github: IngestProvider<GithubInput, GithubIssue> = {
  createSource: ({ settings, http, readPolicy, repositories }) => {
    const { CODEHOST_API_URL: baseUrl, CODEHOST_WEB_HOST: webHost, INGEST_MINIMUM_STARS: minimumStars } = settings
    return createGithubSource({ http, baseUrl, webHost, readPolicy, repositories, minimumStars, now: Date.now })
  },
  rules: githubRules,
  decidePolicy: ({ policy }) => decideByPolicy(policy),
}

const osv: IngestProvider<OsvInput, OsvPackage> = {
  createSource: ({ settings, http, codehost, readPolicy }) => {
    const { OSV_API_URL: baseUrl, CODEHOST_API_URL: codehostUrl, CODEHOST_WEB_HOST: webHost } = settings
    return createOsvSource({ http, baseUrl, codehost, codehostUrl, webHost, readPolicy })
  },
  rules: osvRules,
  decidePolicy: ({ repository }) => (repository === null ? null : decideByPolicy(repository.policy)),
}

const openapi: IngestProvider<OpenapiInput, OpenapiItem> = {
  createSource: ({ settings, http, callers }) =>
    createOpenapiSource({ listUrl: settings.OPENAPI_LIST_URL, list: http, documents: callers }),
  rules: openapiRules,
}

const standards: IngestProvider<StandardsInput, StandardsItem> = {
  createSource: ({ settings, http, callers }) => {
    const { STANDARDS_API_URL: catalogueUrl, STANDARDS_PAGES_URL: pagesUrl } = settings
    return createStandardsSource({ catalogueUrl, pagesUrl, catalogue: http, documents: callers })
  },
  rules: standardsRules,
}

/** Every source that a run can read. */
export type Providers = Readonly<Partial<Record<Provider, AnyProvider>>>
export const PROVIDER_PARTS: Readonly<Record<Provider, AnyProvider>> = { github, wikipedia, osv, 'open-data': openData, openapi, standards }
