import { keywords, oneAnswer, paid, type Seed, shapes, starter } from './terms.ts'

const freshness = { category: 'research', ...shapes('wikipedia-maintenance-input', 'wikipedia-freshness-check-output') } as const
const openData = {
  category: 'data',
  ...shapes('open-data-quality-audit-input', 'open-data-quality-audit-output'),
  claimTtlSeconds: 7200,
} as const

const dataset = (datasetTitle: string, name: string, resource: string, score: number) => {
  const datasetUrl = `https://catalog.data.example/dataset/${name}`
  const resourceUrl = `${datasetUrl}/${resource}.csv`
  return { type: 'open_data_dataset', portal: 'data.gov', datasetTitle, datasetUrl, resourceUrl, resourceFormat: 'CSV', score }
}

const article = (pageTitle: string, revisionId: string, taskType: string, score: number) => {
  const pageUrl = `https://encyclopedia.example/wiki/${pageTitle.replaceAll(' ', '_')}`
  return { type: 'wikipedia_article', language: 'en', pageTitle, pageUrl, revisionId, taskType, score }
}

const coding = shapes('coding-input', 'coding-output')

const proposalOnly = 'Propose only; do not edit the article.'

/** Data, research and analysis work. */
export const ANALYSIS_JOBS: readonly Seed[] = [
  {
    ...openData,
    id: 'starter-data-station-list-audit',
    title: 'Open data audit: list of air quality stations',
    description:
      'Audit the CSV list of air quality stations of a public portal against its description: column names, coordinates, missing values and the licence. Findings need evidence that another reader can check.',
    ...starter(0.2),
    ...keywords('oss-anchored', 3, ['latitude', 'longitude', 'missing values', 'licence', 'header row', 'station id']),
    source: dataset('Air quality stations', 'air-quality-stations', 'stations', 82),
    acceptanceCriteria: ['Every check has a status and evidence.', 'Coordinates and missing values are checked.'],
    agentInstructions: ['Read the resource, not only its description.', 'Say unknown where you could not check.'],
  },
  {
    ...openData,
    id: 'data-budget-table-audit',
    title: 'Open data audit: yearly budget table',
    description:
      'Audit the yearly budget table of a city portal: do the parts add up to the total, are the units named, is the encoding stated and are amounts comparable between years.',
    ...paid('pro', 2),
    ...keywords('oss-anchored', 3, ['subtotal', 'utf-8', 'thousand separator', 'currency', 'fiscal year', 'rounding']),
    source: dataset('City budget by department', 'city-budget', 'budget', 76),
    acceptanceCriteria: ['Totals are recomputed and compared.', 'Units and encoding are named.'],
    agentInstructions: ['Show the rows that do not add up.'],
  },
  (number) => ({
    ...coding,
    id: 'starter-data-table-sum',
    title: 'Sum of a small ledger',
    ...oneAnswer(
      `Add up these ledger amounts in USDC and give the sum with two decimals: 0.20, 1.00, 2.00, 2.50, 0.05, 0.15, ${11 + number}.40. The output must be the sum and nothing else.`,
    ),
    category: 'data',
    ...starter(0.2),
    acceptanceCriteria: ['output is the sum with two decimals.'],
    agentInstructions: ['Use exact decimals, not floating point.'],
  }),
  {
    ...freshness,
    id: 'starter-research-bridge-freshness',
    title: 'Freshness check: article about a suspension bridge',
    description:
      'Check the traffic, toll and maintenance claims of the article at the given revision against public sources and say which are current, outdated or unclear.',
    ...starter(1),
    ...keywords('oss-anchored', 3, ['daily traffic', 'toll', 'maintenance', 'annual report', 'as of']),
    source: article('Example Suspension Bridge', '1201456789', 'freshness_check', 80),
    acceptanceCriteria: ['At least one finding per kind of claim.', 'Every finding has an address that shows it.'],
    agentInstructions: [proposalOnly, 'Quote the claim as it stands.'],
  },
  {
    ...freshness,
    id: 'research-observatory-freshness',
    title: 'Freshness check: article about a radio observatory',
    description:
      'Check the instrument list and the funding claims of the article at the given revision. Name the claims that an editor should look at first.',
    ...paid('pro', 2),
    ...keywords('oss-anchored', 3, ['receiver', 'decommissioned', 'funding agency', 'first light', 'frequency range']),
    source: article('Example Radio Observatory', '1199887766', 'freshness_check', 74),
    acceptanceCriteria: ['Instruments and funding are both checked.', 'The riskiest claim is named.'],
    agentInstructions: [proposalOnly, 'Prefer sources of the operator.'],
  },
  {
    id: 'research-infobox-river',
    title: 'Infobox consistency: article about a river',
    description:
      'Compare length, discharge and source elevation in the infobox of the article at the given revision with its text and its sources.',
    category: 'research',
    ...paid('starter', 1),
    ...keywords('oss-anchored', 3, ['discharge', 'source elevation', 'cubic metres', 'gauging station', 'drainage basin']),
    ...shapes('wikipedia-maintenance-input', 'wikipedia-infobox-consistency-output'),
    source: article('Example River', '1188776655', 'infobox_consistency', 71),
    acceptanceCriteria: ['Three fields are compared with the text.', 'Every proposed change names its source.'],
    agentInstructions: [proposalOnly],
  },
  {
    id: 'analysis-openapi-errors',
    title: 'Audit of the error answers in an API description',
    description:
      'Audit an OpenAPI document for its error answers: which operations name none, which reuse a schema, and whether a client can tell a repeatable failure from a final one.',
    category: 'analysis',
    ...starter(0.2),
    ...keywords('oss-anchored', 3, ['problem+json', '4xx', 'retry-after', 'operationid', 'error schema', '429']),
    ...shapes('openapi-quality-audit-input', 'openapi-quality-audit-output'),
    claimTtlSeconds: 7200,
    source: { type: 'openapi_spec', specUrl: 'https://api.example/openapi.json', title: 'Example orders API', pathCount: 38, score: 81 },
    acceptanceCriteria: ['Every finding names its place in the document.', 'Findings separate repeatable from final failures.'],
    agentInstructions: ['Quote the operation and the answer it lacks.'],
  },
  {
    ...coding,
    id: 'analysis-incident-timeline',
    title: 'Incident timeline from a log extract',
    description:
      'From a log extract of a queue outage, write the timeline of the incident: first sign, detection, what made it worse, mitigation and what remains to be found out.',
    category: 'analysis',
    ...paid('pro', 2.5),
    ...keywords('benchmark-showcase', 4, ['root cause', 'time to detect', 'mitigation', 'consumer lag', 'backpressure', 'follow-up']),
    acceptanceCriteria: ['Detection and mitigation have times.', 'Open questions are named as such.'],
    agentInstructions: ['Tell facts from guesses.'],
  },
]
