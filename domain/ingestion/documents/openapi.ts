import type { JobInput } from '../../../schemas/catalogue/job-input.ts'
import { DOCUMENT_FAULTS, type OpenapiCounts, type OpenapiItem } from '../../../schemas/ingestion/documents/openapi.ts'
import type { ProviderRules, Score, Unfit } from '../provider.ts'
import { sumScore } from '../score.ts'
import { boundLine, quoteText } from '../source-text.ts'
import { documentTerms, factsJob, isFetchable } from './job-parts.ts'
import { documentId } from './texts.ts'

const SCHEMA = 'schema://jobs/openapi-quality-audit'

/** Facts of a document that the counts give, as `name value`. */
export const countFacts = (counts: OpenapiCounts): string[] => [
  `paths ${counts.paths}`,
  `operations ${counts.operations}`,
  `schemas ${counts.schemas}`,
  `operations-without-description ${counts.withoutDescription}`,
  `operations-without-operation-id ${counts.withoutOperationId}`,
  `operations-without-example ${counts.withoutExample}`,
]

/** Whether nothing that the counts show is missing. */
const isWhole = ({ withoutDescription, withoutOperationId, withoutExample }: OpenapiCounts): boolean =>
  withoutDescription + withoutOperationId + withoutExample === 0

function unfitOf({ url, fault, status, counts, facts }: OpenapiItem): Unfit | null {
  if (url === null || fault === 'address_missing') return { reason: 'address_missing', detail: DOCUMENT_FAULTS.address_missing }
  if (!isFetchable(url))
    return { reason: 'address_not_pinnable', detail: 'The verifier fetches addresses with https alone, without a port.' }
  if (fault === 'not_ok') return { reason: 'document_not_ok', detail: `The address answered with status ${status}.` }
  if (fault !== null) return { reason: `document_${fault}`, detail: DOCUMENT_FAULTS[fault] }
  if (counts === null || facts === null) return { reason: 'document_not_a_document', detail: DOCUMENT_FAULTS.not_a_document }
  if (counts.operations === 0) return { reason: 'nothing_to_find', detail: 'The document has no operations.' }
  return isWhole(counts) ? { reason: 'nothing_to_find', detail: 'No operation lacks description, id or example.' } : null
}

function scoreOf({ hasProvider, title, url, localSurface, status, version, counts }: OpenapiItem): Score {
  const isRead = status === 200
  return sumScore([
    ['base', 20],
    hasProvider && ['provider', 5],
    title !== null && ['title', 10],
    url !== null && ['address', 15],
    localSurface !== null && ['local surface', 8],
    isRead && ['status 200', 18],
    status !== null && !isRead && ['another status', -20],
    version !== null && ['version', 12],
    (counts?.paths ?? 0) > 0 && ['paths', 10],
    (counts?.operations ?? 0) > 0 && ['operations', 8],
    (counts?.schemas ?? 0) > 0 && ['schemas', 5],
    (counts?.withoutDescription ?? 0) > 0 && ['missing descriptions', 4],
    (counts?.withoutOperationId ?? 0) > 0 && ['missing ids', 3],
    // Not one example: an operation without its own is a finding, a document without any is a reason to read it.
    counts !== null && counts.operations > 0 && counts.withoutExample === counts.operations && ['no examples', 3],
  ])
}

function jobOf(item: OpenapiItem, score: Score): JobInput {
  const { provider, id, url, facts, localSurface, repo, version } = item
  if (url === null || facts === null) throw new Error('a document without facts has no job')
  const title = item.title ?? id
  const { source, ...judged } = factsJob(facts, url, 'the evidence of checks')
  return {
    id: documentId('openapi', provider, id),
    title: `Audit of the OpenAPI document “${boundLine(title, 120)}”`,
    description: `Fetch the OpenAPI document ${quoteText(title, 300)} of ${quoteText(provider, 120)} at the pinned address, state facts of its bytes, and report what its operations lack: descriptions, operation ids and examples.`,
    category: 'docs',
    ...documentTerms(score),
    ...judged,
    inputSchemaRef: `${SCHEMA}-input`,
    outputSchemaRef: `${SCHEMA}-output`,
    acceptanceCriteria: ['Every fact is stated, in the form of the instructions.', 'Each finding names its place in the document.'],
    source: {
      type: 'openapi_spec',
      ...source,
      provider: boundLine(provider, 120),
      specId: boundLine(id, 120),
      apiTitle: boundLine(title, 300),
      specUrl: url,
      openapiVersion: version,
      ...(localSurface !== null && { localSurface: boundLine(localSurface, 2_000) }),
      ...(repo !== null && { documentRepo: boundLine(repo, 200) }),
      score: score.total,
    },
  }
}

/** Rules of interface documents: an audit, judged by committed facts of the document's bytes. Source: lifecycle, "Ingest". */
export const openapiRules: ProviderRules<OpenapiItem> = {
  provider: 'openapi',
  keyOf: ({ provider, id }) => `${provider}:${id}`,
  contentOf: ({ provider, id, title, url, localSurface, repo, version, facts }) => ({
    ...{ provider, id, title, url, localSurface, repo, version },
    facts: facts === null ? null : [...facts],
  }),
  scoreOf,
  unfitOf,
  textsOf: ({ provider, id, title, url, localSurface, repo, version }) =>
    Object.entries({ provider, id, title, url, localSurface, repo, version }).flatMap(([name, value]) =>
      value === null ? [] : [{ pointer: `/${name}`, value }],
    ),
  jobOf,
}
