import { LISTING_STALE_SECONDS } from '../../../domain/common/constants.ts'
import { computeAnswers, hashTask } from '../../../local/catalogue/answers.ts'
import { JobInput, type JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import type { LifecycleStatus } from '../../../schemas/catalogue/job-terms.ts'

type Some<Value> = readonly [Value, ...Value[]]
type Category = (typeof CATEGORIES)[number]

const CATEGORIES = ['coding', 'governance', 'data', 'research', 'analysis', 'testing', 'docs'] as const
const TIERS = ['starter', 'starter', 'starter', 'pro', 'elite'] as const
const LANES = ['liveness', 'oss-anchored', 'benchmark-showcase'] as const
const REWARDS = [0.2, 1, 2, 2.5] as const
const TERMS = ['ledger', 'checkpoint', 'quorum', 'latency', 'snapshot', 'rollback', 'throughput', 'checksum'] as const
/** Sources of a job by category; null for a job without one. */
const SOURCES: Record<Category, Some<string | null>> = {
  coding: [null, 'openapi_spec'],
  governance: [null],
  data: ['open_data_dataset', null],
  research: ['wikipedia_article', null],
  analysis: ['osv_advisory', null],
  testing: [null],
  docs: ['standards_spec', 'wikipedia_article', null],
}

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

function drawOf(index: number, seed: number) {
  const next = random(Math.imul(seed, 0x9e3779b1) + index)
  const pick = <Value>(values: Some<Value>): Value => values[Math.floor(next() * values.length)] ?? values[0]
  return { index, seed, next, pick }
}
type Draw = ReturnType<typeof drawOf>

/** Draws the verifier of a job, mostly an automatic one, as in the seeds. */
function drawVerifier({ index, seed, next }: Draw, terms: string[]): Partial<JobInputBody> & Pick<JobInputBody, 'verifierMode'> {
  const share = next()
  const outputSchemaRef = 'schema://jobs/coding-output'
  if (share < 0.28) {
    const description = hashTask(`note-${seed}-${index}`)
    return { outputSchemaRef, description, verifierMode: 'deterministic', verifierTerms: [...computeAnswers(description)] }
  }
  if (share < 0.94) return { outputSchemaRef, verifierMode: 'benchmark', verifierTerms: terms }
  if (share < 0.97)
    return { outputSchemaRef, verifierMode: 'human_fallback', verifierConfig: { escalationMessage: 'A person reads the notes.' } }
  return {
    verifierMode: 'codehost_pr',
    outputSchemaRef: 'schema://jobs/codehost-pr-evidence-output',
    source: {
      type: 'codehost_issue',
      repo: 'acme/widgets',
      issueNumber: index + 1,
      labels: ['help wanted'],
      body: `Notes on ${terms[0]} are missing.`,
    },
  }
}

function drawSource({ index, pick }: Draw, category: Category): Partial<JobInputBody> {
  const type = pick(SOURCES[category])
  return type === null ? {} : { source: { type, title: `Public material ${index}`, url: `https://material.example/${type}/${index}` } }
}

function bodyOf(draw: Draw): JobInputBody {
  const { index, seed, next, pick } = draw
  const tier = pick(TIERS)
  const category = pick(CATEGORIES)
  const first = Math.floor(next() * TERMS.length)
  const terms = [0, 1, 2].map((offset) => `${TERMS[(first + offset) % TERMS.length]} ${index}`)
  return {
    id: `made-${seed}-${index}`,
    title: `Made job ${index}: notes on ${terms.join(', ')}`,
    description: `Write notes on ${terms.join(', ')} for run ${seed}.`,
    category,
    tier,
    rewardAmount: pick(REWARDS),
    lane: pick(LANES),
    inputSchemaRef: 'schema://jobs/coding-input',
    onboardingWaiverEligible: tier === 'starter' && next() < 0.5,
    acceptanceCriteria: ['The notes cover every term.'],
    agentInstructions: ['Hand in the object that the output schema describes.'],
    ...drawSource(draw, category),
    ...drawVerifier(draw, terms),
  }
}

/** Age range of listings: one in thirty is stale. */
const OLDEST_SECONDS = LISTING_STALE_SECONDS * (31 / 30)

/** Draws state and age of a listing: whole minutes, so that several jobs share an instant. Beyond the life of a listing the job is stale. */
function drawListing({ next }: Draw) {
  const share = next()
  const lifecycleStatus: LifecycleStatus = share < 0.95 ? 'open' : share < 0.98 ? 'paused' : 'archived'
  return { lifecycleStatus, listedSecondsAgo: Math.floor((next() * OLDEST_SECONDS) / 60) * 60 }
}

/** Job number `index` of the generated catalogue of a seed, with its state: deterministic, and independent of the jobs before it. */
export function makeJob(index: number, seed: number, rewardAsset = 'USDC') {
  const draw = drawOf(index, seed)
  return { input: JobInput.parse({ ...bodyOf(draw), rewardAsset }), ...drawListing(draw) }
}
