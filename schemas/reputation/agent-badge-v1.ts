const amount = (description: string) => ({
  type: 'object',
  description,
  properties: {
    asset: { type: 'string', minLength: 1, description: 'Symbol of the asset.' },
    amount: { type: 'string', pattern: '^[0-9]+$', description: 'Integer in the smallest unit of the asset.' },
    decimals: { type: 'integer', minimum: 0, maximum: 30, description: 'Decimals of the asset.' },
  },
  required: ['asset', 'amount', 'decimals'],
  additionalProperties: false,
})

const bytes32 = (description: string) => ({ type: 'string', pattern: '^0x[a-fA-F0-9]{64}$', description })
const address = (description: string) => ({ type: 'string', pattern: '^0x[a-fA-F0-9]{40}$', description })
const text = (description: string) => ({ type: 'string', minLength: 1, description })
const uri = (description: string) => ({ type: 'string', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:.+', description })

const service = {
  type: 'object',
  description: 'Source of truth. Consumers reject a schemaVersion they do not know.',
  properties: {
    schemaVersion: { type: 'string', const: 'v1', description: 'Version of this object.' },
    jobId: text('Logical job id.'),
    chainJobId: bytes32('Id of the job in the escrow.'),
    sessionId: text('Unique per worker per job attempt.'),
    category: text('Category of the job.'),
    level: { type: 'integer', minimum: 1, maximum: 255, description: '1 single-payout job approved, 2 milestone job fully approved.' },
    verifierMode: {
      type: 'string',
      enum: ['benchmark', 'deterministic', 'human_fallback'],
      description: 'How the work was judged; consumers may weight benchmark < deterministic < human_fallback.',
    },
    reward: amount('Paid to the worker.'),
    claimStake: amount('Locked and released during the session; zero when it was waived.'),
    evidenceHash: bytes32('keccak256 of the submitted evidence.'),
    completedAt: {
      type: 'string',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$',
      description: 'ISO 8601 UTC time at which the verifier resolved the session.',
    },
    worker: address('Wallet that did the work.'),
    poster: address('Wallet that funded the job; the zero address means unknown, see the JobFunded event.'),
    verifier: address('Wallet that decided; the zero address means unknown, see the resolve event.'),
    metadataURI: uri('Hosted copy of this document.'),
  },
  required: [
    'schemaVersion',
    'jobId',
    'chainJobId',
    'sessionId',
    'category',
    'level',
    'verifierMode',
    'reward',
    'claimStake',
    'evidenceHash',
    'completedAt',
    'worker',
    'poster',
    'verifier',
  ],
  additionalProperties: false,
}

/** JSON Schema of Agent Badge v1. Source: specification, "Agent badge metadata". */
export const AGENT_BADGE_V1 = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'schema://documents/agent-badge-v1',
  title: 'Agent Badge v1',
  description: 'A non-transferable badge for approved work. Members of the root are presentation, except service.',
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 140, description: 'Name shown to people.' },
    description: { type: 'string', minLength: 1, maxLength: 1024, description: 'What was approved.' },
    image: { type: 'string', pattern: '^https://.+', description: 'Picture, if any.' },
    external_url: uri('Page of the worker.'),
    attributes: {
      type: 'array',
      description: 'Presentational only.',
      items: {
        type: 'object',
        properties: { trait_type: { type: 'string', description: 'Name of the trait.' }, value: { description: 'Its value.' } },
        required: ['trait_type', 'value'],
        additionalProperties: false,
      },
    },
    service,
  },
  required: ['name', 'description', 'external_url', 'attributes', 'service'],
} as const
