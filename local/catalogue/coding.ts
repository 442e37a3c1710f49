import { hashTask } from './answers.ts'
import { keywords, oneAnswer, paid, type Seed, shapes, starter } from './terms.ts'

const coding = { category: 'coding', ...shapes('coding-input', 'coding-output') } as const

const handIn = 'Hand in the object that the output schema describes; put the result itself into output.'

/** Programming questions with a result that can be handed in as text. */
export const CODING_JOBS: readonly Seed[] = [
  {
    ...coding,
    id: 'starter-coding-retry-policy',
    title: 'Retry policy for a flaky HTTP client',
    description:
      'A client of a payment API retries every failed call at once and made an outage worse. Design the retry policy: which failures are repeated, how long it waits, how duplicates are avoided and when it gives up.',
    ...starter(0.2),
    ...keywords('benchmark-showcase', 3, ['exponential backoff', 'jitter', 'idempotency key', 'retry-after', 'circuit breaker']),
    acceptanceCriteria: ['Says which failures are repeated and which are not.', 'Bounds the extra load that retries cause.'],
    agentInstructions: ['Write the policy as rules a reviewer can check.', handIn],
  },
  (number) => ({
    ...coding,
    id: 'starter-coding-canonical-json',
    title: 'Canonical form of a small JSON document',
    ...oneAnswer(
      `Give the RFC 8785 canonical form of this document, as one line: {"tests": "12 passed", "prUrl": "https://codehost.example/acme/tool/pull/7", "attempt": ${number + 1}.0}. The output must be exactly the canonical text.`,
    ),
    ...starter(0.2),
    acceptanceCriteria: ['output is the canonical text and nothing else.'],
    agentInstructions: ['Sort the members, print numbers as ECMAScript does, leave no white space.', handIn],
  }),
  (number) => ({
    ...coding,
    id: 'starter-coding-chain-job-id',
    title: 'On-chain id of a job from its name',
    ...oneAnswer(hashTask(`sample-report-${number}`)),
    ...starter(1),
    acceptanceCriteria: ['output is the hash and nothing else.'],
    agentInstructions: ['Compute it, do not guess.', handIn],
  }),
  {
    ...coding,
    id: 'coding-rate-limiter-choice',
    title: 'Rate limiter for a public API: which algorithm',
    description:
      'An API with short bursts and a hard hourly limit needs a rate limiter that works over several processes. Compare at least two algorithms, choose one and give its core as code.',
    ...paid('pro', 2),
    ...keywords('benchmark-showcase', 3, ['token bucket', 'sliding window', 'burst', 'atomic', 'clock skew']),
    acceptanceCriteria: ['Compares at least two algorithms.', 'Says how several processes share one limit.'],
    agentInstructions: ['Name the failure modes of the algorithm you choose.', handIn],
  },
  {
    ...coding,
    id: 'coding-deadlock-review',
    title: 'Deadlock between two transactions: cause and cure',
    description:
      'Two transactions move money between the same two accounts in opposite directions and one of them is aborted now and then. Explain why and give a cure that keeps both correct.',
    ...paid('pro', 2.5),
    ...keywords('benchmark-showcase', 3, ['lock order', 'deadlock', 'for update', 'serializable', 'retry']),
    acceptanceCriteria: ['Explains the cycle of waits.', 'The cure needs no global lock.'],
    agentInstructions: ['Show the order of the statements of both transactions.', handIn],
  },
  {
    ...coding,
    id: 'coding-elite-reorg-safety',
    title: 'Reorganisation-safe indexing of contract events',
    description:
      'An indexer writes events of a contract into a database and must stay right when the chain reorganises. Describe the tables, the cursor and what happens when a block disappears.',
    ...paid('elite', 2.5),
    ...keywords('oss-anchored', 4, ['block hash', 'confirmations', 'log index', 'rollback', 'cursor', 'parent hash']),
    claimTtlSeconds: 7200,
    acceptanceCriteria: ['No event is counted twice.', 'A removed event leaves no trace in derived tables.'],
    agentInstructions: ['Walk through one reorganisation of two blocks.', handIn],
  },
  (number) => ({
    ...coding,
    id: 'testing-selector-check',
    title: 'Function selector of a call',
    ...oneAnswer(
      `Give the four-byte selector of fileReport${number}(bytes32), as 0x and 8 lower-case hex digits, for a test of the call data builder.`,
    ),
    category: 'testing',
    ...starter(0.2),
    acceptanceCriteria: ['output is the selector and nothing else.'],
    agentInstructions: ['The selector is the first four bytes of the hash of the signature.', handIn],
  }),
  {
    ...coding,
    id: 'testing-property-tests-parser',
    title: 'Property tests for an amount parser',
    description:
      'A parser turns decimal text such as 12.50 into base units of an asset with six decimals. Hand in the properties worth testing, each with a generator and the law that must hold.',
    category: 'testing',
    ...paid('starter', 1),
    ...keywords('benchmark-showcase', 3, ['round trip', 'leading zero', 'too many decimals', 'negative', 'overflow', 'generator']),
    acceptanceCriteria: ['At least three properties, each with its law.', 'Invalid input is covered.'],
    agentInstructions: ['Say for each property which bug it would find.', handIn],
  },
  {
    id: 'testing-worker-loop-proof',
    title: 'Proof of one run through the worker loop',
    description:
      'Go through the whole loop of a worker against this service, from sign-in to submission, and hand in what each step answered. The proof must name the checks for sign-in, preflight, claim and submit.',
    category: 'testing',
    ...starter(0.2),
    ...keywords('liveness', 4, ['sign-in', 'preflight', 'claim', 'submit']),
    ...shapes('coding-input', 'product-proof-worker-loop'),
    acceptanceCriteria: ['One check per step, each with the status it answered.'],
    agentInstructions: ['Name the steps sign-in, preflight, claim and submit in the checks.'],
  },
]
