import { openDataRules } from '../../domain/ingestion/open-data.ts'
import type { ProviderRules } from '../../domain/ingestion/provider.ts'
import { wikipediaRules } from '../../domain/ingestion/wikipedia.ts'
import type { JsonValue } from '../../schemas/catalogue/job-definition.ts'
import type { OpenDataInput, OpenDataItem } from '../../schemas/ingestion/open-data.ts'
import type { Provider } from '../../schemas/ingestion/providers.ts'
import type { WikipediaInput, WikipediaItem } from '../../schemas/ingestion/wikipedia.ts'
import type { Settings } from '../../schemas/settings.ts'
import type { Source, SourceHttp } from './source.ts'
import { createOpenDataSource } from './sources/open-data.ts'
import { createWikipediaSource } from './sources/wikipedia.ts'

/** What the client of a source is built from. Both clients share the budget of the run. */
export interface SourceParts {
  settings: Settings
  /** Reaches the address of the source, which may be private. */
  http: SourceHttp
  /** Reaches addresses that content or a caller names. */
  callers: SourceHttp
}

/** What the maintainers of a candidate's repository say of it. */
export interface PolicyDecision {
  /** Reason and detail of the refusal; null where the job may be listed. */
  refusal: { reason: string; detail: string } | null
  /** Member `maintainerPolicy` of the job's source; absent without one. */
  maintainerPolicy?: { [key: string]: JsonValue }
}

/** A source: its client, its rules, and who else has a say. */
export interface IngestProvider<Input, Item> {
  createSource(parts: SourceParts): Source<Input, Item>
  rules: ProviderRules<Item>
  /** Reads what others say of a candidate before its job is built. Throws `SourceFailure`. */
  readPolicy?(parts: SourceParts, item: Item): Promise<PolicyDecision>
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

/** Every source that a run can read. */
export type Providers = Readonly<Partial<Record<Provider, AnyProvider>>>
export const PROVIDER_PARTS: Providers = { wikipedia, 'open-data': openData }
