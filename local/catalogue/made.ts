import { JobInput, type JobInputBody } from '../../schemas/job-input.ts'

const CATEGORIES = ['coding', 'governance', 'data', 'research', 'analysis', 'testing', 'docs'] as const
const TIERS = ['starter', 'starter', 'starter', 'pro', 'elite'] as const
const LANES = ['liveness', 'oss-anchored', 'benchmark-showcase'] as const
const REWARDS = [0.2, 1, 2, 2.5] as const
const TERMS = ['ledger', 'checkpoint', 'quorum', 'latency', 'snapshot', 'rollback', 'throughput', 'checksum'] as const

/** Small deterministic generator (mulberry32): the same seed gives the same catalogue on every machine. */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function madeJob(index: number, seed: number, next: () => number): JobInputBody {
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value => values[Math.floor(next() * values.length)] ?? values[0]
  const tier = pick(TIERS)
  const first = Math.floor(next() * TERMS.length)
  const terms = [0, 1, 2].map((offset) => `${TERMS[(first + offset) % TERMS.length]} ${index}`)
  const exact = next() < 0.3
  return {
    id: `made-${seed}-${index}`,
    title: `Made job ${index}: notes on ${terms.join(', ')}`,
    description: `Write notes on ${terms.join(', ')} for run ${seed}.`,
    category: pick(CATEGORIES),
    tier,
    rewardAmount: pick(REWARDS),
    lane: pick(LANES),
    verifierMode: exact ? 'deterministic' : 'benchmark',
    verifierTerms: exact ? [`answer ${seed}-${index}`] : terms,
    inputSchemaRef: 'schema://jobs/coding-input',
    outputSchemaRef: 'schema://jobs/coding-output',
    onboardingWaiverEligible: tier === 'starter' && next() < 0.5,
    acceptanceCriteria: ['The notes cover every term.'],
    agentInstructions: ['Hand in the object that the output schema describes.'],
  }
}

/** Any number of jobs for benchmarks and load; the same `count` and `seed` always give the same jobs. */
export function makeJobs(count: number, seed: number, rewardAsset = 'USDC'): JobInput[] {
  const next = random(seed)
  return Array.from({ length: count }, (_, index) => JobInput.parse({ ...madeJob(index, seed, next), rewardAsset }))
}
