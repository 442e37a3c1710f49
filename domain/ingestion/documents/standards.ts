import type { JobInput } from '../../../schemas/catalogue/job-input.ts'
import { DOCUMENT_FAULTS } from '../../../schemas/ingestion/documents/openapi.ts'
import type { StandardsItem } from '../../../schemas/ingestion/documents/standards.ts'
import type { ProviderRules, Score, Unfit } from '../provider.ts'
import { sumScore } from '../score.ts'
import { boundLine, quoteText } from '../source-text.ts'
import { documentTerms, factsJob, isFetchable } from './job-parts.ts'
import { documentId } from './texts.ts'

function unfitOf({ url, fault, status, facts }: StandardsItem): Unfit | null {
  if (!isFetchable(url))
    return { reason: 'address_not_pinnable', detail: 'The verifier fetches addresses with https alone, without a port.' }
  if (fault === 'not_ok') return { reason: 'document_not_ok', detail: `The address answered with status ${status}.` }
  if (fault !== null) return { reason: `document_${fault}`, detail: DOCUMENT_FAULTS[fault] }
  return facts === null ? { reason: 'document_not_a_document', detail: DOCUMENT_FAULTS.not_a_document } : null
}

function scoreOf(item: StandardsItem): Score {
  const { status } = item
  return sumScore([
    ['base', 25],
    item.hasProvider && ['provider', 5],
    item.title !== null && ['title', 10],
    item.url !== '' && ['address', 15],
    item.surface !== null && ['surface', 12],
    status === 200 && ['status 200', 20],
    status !== null && status !== 200 && ['another status', -20],
    item.hasCanonical && ['canonical address', 6],
    item.hasLastModified && ['last modified', 6],
    item.hasEtag && ['etag', 4],
    item.expectedStatus !== null && ['expected status', 4],
    item.version !== null && ['version', 4],
  ])
}

function jobOf(item: StandardsItem, score: Score): JobInput {
  const { provider, id, url, facts, version, expectedStatus, surface } = item
  if (facts === null) throw new Error('a page without facts has no job')
  const title = item.title ?? id
  const { source, ...judged } = factsJob(facts, url, 'source_surface')
  const expected = [
    ...(version === null ? [] : [`version ${quoteText(version, 60)}`]),
    ...(expectedStatus === null ? [] : [`standing ${quoteText(expectedStatus, 120)}`]),
  ]
  return {
    id: documentId('standards', provider, id),
    title: `Drift audit of the standard “${boundLine(title, 120)}”`,
    description: [
      `Fetch the page of the standard ${quoteText(title, 300)} of ${quoteText(provider, 120)} at the pinned address, state facts of its bytes, and report where it and what it describes disagree.`,
      ...(expected.length === 0 ? [] : [`The catalogue names ${expected.join(' and ')}.`]),
    ].join(' '),
    category: 'docs',
    ...documentTerms(score),
    ...judged,
    inputSchemaRef: 'schema://jobs/docs-input',
    outputSchemaRef: 'schema://jobs/docs-drift-audit-output',
    acceptanceCriteria: ['Every fact is stated, in the form of the instructions.', 'Each finding quotes both sides with their places.'],
    source: {
      type: 'standards_spec',
      ...source,
      provider: boundLine(provider, 120),
      specId: boundLine(id, 120),
      specTitle: boundLine(title, 300),
      specUrl: url,
      version: version === null ? null : boundLine(version, 60),
      expectedStatus: expectedStatus === null ? null : boundLine(expectedStatus, 120),
      ...(surface !== null && { surface: boundLine(surface, 2_000) }),
      score: score.total,
    },
  }
}

/** Rules of standards: an audit of a page, judged by committed facts of its bytes. Source: lifecycle, "Ingest". */
export const standardsRules: ProviderRules<StandardsItem> = {
  provider: 'standards',
  keyOf: ({ provider, id }) => `${provider}:${id}`,
  contentOf: ({ provider, id, title, url, version, expectedStatus, surface, facts }) => ({
    ...{ provider, id, title, url, version, expectedStatus, surface },
    facts: facts === null ? null : [...facts],
  }),
  scoreOf,
  unfitOf,
  textsOf: ({ provider, id, title, url, version, expectedStatus, surface }) =>
    Object.entries({ provider, id, title, url, version, expectedStatus, surface }).flatMap(([name, value]) =>
      value === null ? [] : [{ pointer: `/${name}`, value }],
    ),
  jobOf,
}
