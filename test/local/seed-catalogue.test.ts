import { describe, expect, test } from '@jest/globals'
import { createVerifierHandlers, HANDLER_MODES } from '../../activities/verification/registry.ts'
import type { BuiltJob } from '../../domain/catalogue/job-definition.ts'
import { placeholderOf } from '../../domain/catalogue/placeholder.ts'
import { SETTLEMENT_PATHS } from '../../domain/catalogue/verification-contract.ts'
import { checkSubmission } from '../../domain/claims/submission.ts'
import { expectedPullRequest } from '../../domain/pull-requests/expected.ts'
import { buildSeed, type CataloguedJob, missingJobs, seedJobs, USDC } from '../../local/catalogue/seed-jobs.ts'
import { solve } from '../../local/catalogue/solutions.ts'
import type { JobInput } from '../../schemas/catalogue/job-input.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import { createFixtureSources } from '../activities/verification/fixtures/fixture.ts'
import { makeJob } from '../bench/catalogue/made.ts'
import { AUTHOR } from '../domain/builders/job.ts'

const build = (input: JobInput): BuiltJob => buildSeed(input, USDC, AUTHOR)
const seeds = seedJobs().map((input): [string, BuiltJob] => [input.id, build(input)])
const served = seeds.filter(([, { definition }]) => HANDLER_MODES.has(definition.verifierMode))

/** Jobs that a machine decides by the submission alone. */
const byMachine = served.filter(([, { definition }]) => SETTLEMENT_PATHS[definition.verifierMode] === 'automatic')

const handlers = createVerifierHandlers(createFixtureSources())
const judge = async ({ definition, expectedOutputs }: BuiltJob, submission: unknown) => {
  const outputSchema = jobSchemaByRef(definition.outputSchemaRef) ?? null
  const handler = handlers.get(definition.verifierMode)
  const of = { sessionId: '', wallet: '', definition, config: definition.verifierConfig, expectedOutputs }
  return handler?.evaluate({ ...of, outputSchema, submission, knownRepository: null, attemptKey: null })
}

describe('the seed catalogue', () => {
  test('covers every mode, tier, lane and category, with enough jobs that can be claimed', () => {
    const values = (member: 'verifierMode' | 'tier' | 'lane' | 'category') => new Set(seeds.map(([, { definition }]) => definition[member]))
    expect(served.length).toBeGreaterThanOrEqual(24)
    expect(values('verifierMode')).toEqual(new Set(['benchmark', 'deterministic', 'human_fallback', 'codehost_pr']))
    expect(values('tier')).toEqual(new Set(['starter', 'pro', 'elite']))
    expect(values('lane')).toEqual(new Set(['liveness', 'oss-anchored', 'benchmark-showcase']))
    expect(values('category')).toEqual(new Set(['coding', 'governance', 'data', 'research', 'analysis', 'testing', 'docs']))
    expect(new Set(seeds.map(([, { rewardRaw }]) => rewardRaw))).toEqual(new Set([200_000n, 1_000_000n, 2_000_000n, 2_500_000n]))
    expect(served.filter(([, { definition }]) => definition.onboardingWaiverEligible).length).toBeGreaterThanOrEqual(6)
  })

  test('no id is used twice', () => {
    expect(new Set(seeds.map(([id]) => id)).size).toBe(seeds.length)
  })

  test.each(seeds)('%s tells a worker what is wanted and leaves time for it', (_id, { definition }) => {
    expect(definition.acceptanceCriteria.length).toBeGreaterThan(0)
    expect(definition.agentInstructions.length).toBeGreaterThan(0)
    expect(definition.claimTtlSeconds).toBeGreaterThanOrEqual(3600)
    expect(definition.claimTtlSeconds).toBeLessThanOrEqual(86_400)
    if (definition.verifierMode === 'codehost_pr') expect(definition.source?.type).toBe('codehost_issue')
  })

  test.each(served)('%s is not won by a placeholder, nor by repeating its title', async (_id, job) => {
    const schema = jobSchemaByRef(job.definition.outputSchemaRef)
    if (schema === undefined) throw new Error('no schema')
    for (const words of [(name: string) => `<${name}>`, () => job.definition.title]) {
      expect(await judge(job, placeholderOf(schema, 'value', words))).not.toMatchObject({ outcome: 'approved' })
    }
  })

  test.each(seeds)('the solution of %s is a submission that the service accepts', (_id, { definition }) => {
    const schema = jobSchemaByRef(definition.outputSchemaRef) ?? null
    expect(
      checkSubmission({ schemaRef: definition.outputSchemaRef, schema, pullRequest: expectedPullRequest(definition) }, solve(definition)),
    ).toMatchObject({ valid: true })
  })

  test.each(byMachine)('the solution of %s is approved', async (_id, job) => {
    expect(await judge(job, solve(job.definition))).toMatchObject({ outcome: 'approved' })
  })
})

describe('the answer to a seed', () => {
  const answersOf = (number: number) =>
    Object.fromEntries(
      seedJobs(USDC, number)
        .map(build)
        .filter(({ expectedOutputs }) => expectedOutputs.length > 0)
        .map(({ definition, expectedOutputs }) => [definition.id, expectedOutputs.map(({ value }) => value)]),
    )

  test('is what another program computes', () => {
    expect(answersOf(1)).toEqual({
      'starter-coding-canonical-json': ['{"attempt":2,"prUrl":"https://codehost.example/acme/tool/pull/7","tests":"12 passed"}'],
      'starter-coding-chain-job-id': ['0xeaa45a77acd93ed3661e1b88ba7a765d149569d4a624fd259c51f61aa47dff34'],
      'testing-selector-check': ['0x946ed59f'],
      'starter-data-table-sum': ['18.30'],
      'starter-analysis-defect-triage': ['late: 3', 'minutes: 616'],
      'testing-release-readiness': ['PAY-7e9b8194'],
    })
  })

  test('is another one at each reissue, and not in the definition', () => {
    const [first, second] = [answersOf(1), answersOf(2)]
    for (const [id, answers] of Object.entries(second)) expect(answers).not.toEqual(first[id])
    for (const job of seedJobs().map(build))
      for (const { value } of job.expectedOutputs) expect(JSON.stringify(job.definition)).not.toContain(value)
  })
})

describe('topping up', () => {
  const fill = (jobs: Map<string, CataloguedJob & { status: string }>): number => {
    const missing = missingJobs([...jobs.values()], USDC, AUTHOR)
    for (const { job, status } of missing) {
      const { id } = job.definition
      if (jobs.has(id)) throw new Error(`inserted twice: ${id}`)
      jobs.set(id, { id, claimable: status === 'open', status })
    }
    return missing.length
  }

  test('an empty catalogue gets every seed, those without a handler paused', () => {
    const jobs = new Map<string, CataloguedJob & { status: string }>()
    expect(fill(jobs)).toBe(seeds.length)
    expect([...jobs.values()].filter((job) => job.status === 'paused')).toHaveLength(seeds.length - served.length)
    expect(fill(jobs)).toBe(0)
  })

  test('used-up seeds come back under the next free id, again and again', () => {
    const jobs = new Map<string, CataloguedJob & { status: string }>()
    fill(jobs)
    for (const expected of ['starter-coding-retry-policy-r2', 'starter-coding-retry-policy-r3']) {
      for (const [id, job] of jobs) jobs.set(id, { ...job, claimable: false })
      expect(fill(jobs)).toBe(served.length)
      expect(jobs.get(expected)).toMatchObject({ claimable: true, status: 'open' })
    }
  })

  test('a seed with one claimable issue is left alone', () => {
    const jobs = [
      { id: 'starter-coding-retry-policy', claimable: false },
      { id: 'starter-coding-retry-policy-r2', claimable: true },
    ]
    expect(missingJobs(jobs, USDC, AUTHOR).some(({ job }) => job.definition.id.startsWith('starter-coding-retry-policy'))).toBe(false)
  })
})

const makeJobs = (count: number, seed: number): JobInput[] => Array.from({ length: count }, (_, index) => makeJob(index, seed).input)

describe('made jobs', () => {
  test('are the same for the same seed, other for another, and all of them can be listed', () => {
    const jobs = makeJobs(300, 7)
    expect(makeJobs(300, 7)).toEqual(jobs)
    expect(makeJobs(300, 8)).not.toEqual(jobs)
    expect(new Set(jobs.map((job) => build(job).specHash)).size).toBe(300)
  })

  test('their solutions are approved where a machine decides', async () => {
    const decided = makeJobs(50, 3).filter(({ verifierMode }) => SETTLEMENT_PATHS[verifierMode] === 'automatic')
    expect(decided.length).toBeGreaterThan(40)
    for (const input of decided) {
      const job = build(input)
      expect(await judge(job, solve(job.definition))).toMatchObject({ outcome: 'approved' })
    }
  })
})
