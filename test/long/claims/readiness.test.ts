// Claims during outages of what verdicts need: the API's evaluation and the worker's admission on a real database.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { verdictNeeds } from '../../../domain/catalogue/readiness.ts'
import { assertClaimable, certainRefusal, refusalOf } from '../../../domain/eligibility/evaluate.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import type { ReadinessReason } from '../../../schemas/catalogue/readiness.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { type Records, startRecords, walletAt } from '../../activities/support/service.ts'
import { builtJob, jobBody, prBody } from '../../domain/builders/job.ts'
import { walletChainFacts } from '../../support/chain-facts.ts'
import { storeCheckAged } from '../../support/records/verdict-needs.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'

const RUNS = 1_000
const SEED = 25
const WALLET = walletAt(1)

const anchorEvidence = { kind: 'wikipedia_revision_wikitext', language: 'de', revisionId: '1', normalization: 'whitespace' } as const
const withoutTerms = { verifierTerms: undefined }
/** One job of each kind of verdict. */
const JOBS: JobInputBody[] = [
  jobBody({ id: 'keywords' }),
  jobBody({ id: 'anchored', verifierConfig: { anchorEvidence } }),
  jobBody({ id: 'outputs', verifierMode: 'deterministic' }),
  jobBody({
    id: 'open-data',
    verifierMode: 'deterministic',
    ...withoutTerms,
    verification: { method: 'fetchable_open_data_evidence', signals: [] },
    source: { type: 'open_data_dataset', datasetUrl: 'https://data.example/set', resourceUrl: 'https://files.example/a.csv' },
  }),
  prBody({ id: 'pull-request' }),
  jobBody({ id: 'people', verifierMode: 'human_fallback', ...withoutTerms }),
]
const NEEDS_OF = new Map(JOBS.map((body) => [body.id, verdictNeeds(builtJob(body).definition)]))
const NEEDS = [...new Set([...NEEDS_OF.values()].flat())]

/** What the last check of a need says; `absent` was never checked. */
type State = 'met' | 'absent' | { reason: ReadinessReason | null; ageSeconds: number }

let records: Records
beforeAll(async () => {
  records = await startRecords({
    WORKER_OPEN_EXPOSURE_CAP_RAW: '1000000000000',
    WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: '1000000000000',
    WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: '1000000000000',
  })
  for (const body of JOBS) await records.addJob(body.id, { ...withoutTerms, ...body })
})
afterAll(() => records.stop())

const states = new Map<string, State>()
const turn = async (need: string, state: State): Promise<void> => {
  states.set(need, state)
  if (state === 'absent') await records.rows.deleteFrom('verdict_need').where('need', '=', need).execute()
  else if (state === 'met') await storeCheckAged(records.rows, need, null, -3_600)
  else await storeCheckAged(records.rows, need, state.reason, state.ageSeconds)
}
const isReady = (jobId: string): boolean => NEEDS_OF.get(jobId)?.every((need) => states.get(need) === 'met') ?? false

/** One of the needs of a job. */
const ownNeed = (jobId: string, pick: number): string => {
  const needs = NEEDS_OF.get(jobId) ?? []
  return needs[pick % needs.length] ?? ''
}

const anyState: fc.Arbitrary<State> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<State>('met') },
  { weight: 1, arbitrary: fc.constant<State>('absent') },
  { weight: 1, arbitrary: fc.constant<State>({ reason: null, ageSeconds: 50 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<State>({ reason: 'source_unavailable', ageSeconds: 1 }, { reason: 'check_overdue', ageSeconds: 99 }),
  },
)
const changes = fc.tuple(fc.constantFrom(...NEEDS), anyState)
const anyRun = fc.record({
  jobId: fc.constantFrom(...JOBS.map(({ id }) => id)),
  before: fc.array(changes, { maxLength: 4 }),
  /** Change of one of the job's own needs between evaluation and admission. */
  between: fc.option(fc.tuple(fc.nat(), anyState), { freq: 4 }),
})

const codeOf = async (work: () => Promise<unknown>): Promise<string | null> => {
  try {
    await work()
    return null
  } catch (error) {
    if (isServiceError(error)) return error.code
    throw error
  }
}

test(`no claim of ${RUNS} during outages is admitted on a job that was not ready, and none on a ready job is refused`, async () => {
  const facts = walletChainFacts()
  const { admission } = records
  const evaluations = createEvaluations({ ...records, reads: { claimFacts: async () => facts, walletFacts: async () => facts } })
  /** The API's checks of a claim, in their order. */
  const evaluate = async (jobId: string): Promise<void> => {
    const recorded = await evaluations.evaluateRecords(jobId, { wallet: WALLET, grantId: null, responsiblePerson: null })
    const refused = certainRefusal(recorded)
    if (refused !== null) throw refusalOf(refused)
    assertClaimable(await evaluations.addChainFacts(recorded, { wallet: WALLET, grantId: null, responsiblePerson: null }))
  }
  const counts = { refusedByEvaluation: 0, refusedByAdmission: 0, admitted: 0 }
  for (const need of NEEDS) await turn(need, 'met')
  for (const [index, { jobId, before, between }] of fc.sample(anyRun, { numRuns: RUNS, seed: SEED }).entries()) {
    for (const change of before) await turn(...change)
    const evaluated = await codeOf(() => evaluate(jobId))
    expect([jobId, evaluated]).toEqual([jobId, isReady(jobId) ? null : 'verifier_not_ready'])
    if (evaluated !== null) {
      counts.refusedByEvaluation += 1
      continue
    }
    if (between !== null) await turn(ownNeed(jobId, between[0]), between[1])
    const runId = `run-${index}`
    const claim = { ...claimInput(jobId, { wallet: WALLET, idempotencyKey: runId }), runId }
    const admitted = await codeOf(() => admission.admitClaim(claim))
    expect([jobId, admitted]).toEqual([jobId, isReady(jobId) ? null : 'verifier_not_ready'])
    const intents = await records.rows.selectFrom('claim_intent').select('runId').where('status', '=', 'open').execute()
    expect(intents).toEqual(isReady(jobId) ? [{ runId }] : [])
    counts[admitted === null ? 'admitted' : 'refusedByAdmission'] += 1
    if (admitted === null) await admission.releaseClaim({ runId, code: 'blockchain_revert' })
  }
  // Each way is taken often enough to mean something.
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(20)
})
