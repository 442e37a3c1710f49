// Answers that documents show. A recorded one would name what a source had on a day.

const COUNTS = { created: 0, proposed: 1, skipped: 1, parked: 0, error: 0 }
const JOB_ID = 'openapi-example-petstore'

const PROPOSED = {
  provider: 'openapi',
  runId: '01a22b0d-617e-7ca3-b7e9-132d7438a104',
  dryRun: true,
  minScore: 55,
  candidateCount: 2,
  jobs: [
    {
      id: JOB_ID,
      itemKey: 'example:petstore',
      title: 'Audit of the OpenAPI document "Petstore"',
      category: 'coding',
      tier: 'starter',
      lane: 'benchmark-showcase',
      verifierMode: 'deterministic',
      reward: { asset: 'USDC', raw: '100000', decimals: 6, display: '0.1' },
      claimTtlSeconds: 7200,
      score: 80,
      reasons: [{ name: 'base', points: 20 }],
    },
  ],
  created: [],
  skipped: [{ id: 'example:old', itemKey: 'example:old', reason: 'score_below_minimum', detail: 'Score 40, 55 needed.' }],
  errors: [],
  counts: COUNTS,
  requestsUsed: 3,
  stopped: null,
  inventory: { claimableJobs: 4, waiverEligibleJobs: 2, waiverEligibleClaimableJobs: 2, asOf: '2026-01-02T03:04:05.000Z' },
}

const LISTED = { ...PROPOSED, dryRun: false, created: [JOB_ID], counts: { ...COUNTS, created: 1, proposed: 0 } }
const REFUSED = { id: 'example:broken', itemKey: 'example:broken', code: 'item_unreadable', message: 'the item has no title' }

export const RUN_EXAMPLES = {
  200: PROPOSED,
  201: LISTED,
  202: { provider: 'openapi', status: 'running', workflowId: 'ingest/openapi/4a460ea718f7d4ff', dryRun: false, retryAfterSeconds: 5 },
  207: { ...LISTED, candidateCount: 3, errors: [REFUSED], counts: { ...LISTED.counts, error: 1 } },
}

export const SOURCE_EXAMPLE = {
  provider: 'openapi',
  schedule: {
    paused: true,
    dryRun: true,
    input: {},
    everySeconds: 3600,
    next: null,
    note: 'Off until an operator turns it on.',
    readAt: '2026-01-02T03:04:05.000Z',
  },
  lastRun: null,
  lastSuccessAt: null,
  nextAllowedAt: null,
  requestsUsed24h: 0,
  candidates: 0,
  created: 0,
  skipped: 0,
  parked: 0,
  errors: 0,
  openJobs: 0,
  claimedJobs: 0,
  paidJobs: 0,
  paidTotal: { asset: 'USDC', raw: '0', decimals: 6, display: '0' },
  costPerDeliveredJob: null,
}

export const ITEM_EXAMPLE = {
  provider: 'openapi',
  itemKey: 'example:petstore',
  outcome: 'parked',
  jobId: JOB_ID,
  score: 80,
  reason: 'source_text_parked',
  detail: 'The screen of listings refuses a text of the source.',
  rules: ['role_marker'],
  version: 1,
  changed: false,
  firstSeenAt: '2026-01-02T03:04:05.000Z',
  seenAt: '2026-01-02T03:04:05.000Z',
  listedAt: null,
}
