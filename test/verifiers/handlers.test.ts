import { describe, expect, test } from '@jest/globals'
import { BENCHMARK_FIXTURES } from '../../activities/verifiers/fixtures/benchmark.ts'
import { CODEHOST_PR_FIXTURES } from '../../activities/verifiers/fixtures/codehost-pr.ts'
import { DETERMINISTIC_FIXTURES } from '../../activities/verifiers/fixtures/deterministic.ts'
import { FIXTURE_CLAIMANT, type VerifierFixture, worldOf } from '../../activities/verifiers/fixtures/fixture.ts'
import { createVerifierHandlers, HANDLER_MODES, handlerListing, VERIFIER_FIXTURES } from '../../activities/verifiers/registry.ts'
import { schemaErrors } from '../../domain/json-schema.ts'
import { HANDLER_VERSIONS } from '../../domain/verification/contract.ts'
import type { PullRequestRef } from '../../schemas/codehost.ts'
import type { VerifierMode } from '../../schemas/job-definition.ts'
import { jobSchemaByRef } from '../../schemas/jobs/registry.ts'

const evaluate = (mode: VerifierMode, fixture: VerifierFixture, handlers = createVerifierHandlers(worldOf(fixture.world))) => {
  const { config, outputSchemaRef, submission, definition } = fixture
  const handler = handlers.get(mode)
  if (handler === undefined) throw new Error(`no handler ${mode}`)
  return handler.evaluate({
    jobId: 'job-1',
    ...FIXTURE_CLAIMANT,
    config,
    definition: { verifierMode: config.handler, ...definition },
    outputSchema: jobSchemaByRef(outputSchemaRef) ?? null,
    submission,
  })
}

const all = VERIFIER_FIXTURES

describe('verifier handlers', () => {
  test.each(all.map((fixture): [string, string, VerifierFixture] => [fixture.config.handler, fixture.name, fixture]))(
    '%s judges rightly: %s',
    async (_mode, _name, fixture) => {
      const verdict = await evaluate(fixture.config.handler, fixture)
      if ('unavailable' in verdict) {
        expect(fixture.outcome).toBeNull()
        expect(verdict.unavailable.reasonCode).toBe(fixture.reasonCode)
        return
      }
      expect(verdict).toMatchObject({
        jobId: 'job-1',
        sessionId: FIXTURE_CLAIMANT.sessionId,
        outcome: fixture.outcome,
        reasonCode: fixture.reasonCode,
      })
      const decider = fixture.reasonCode === 'HUMAN_REVIEW_REQUIRED' ? 'human_fallback' : fixture.config.handler
      expect([verdict.handler, verdict.handlerVersion]).toEqual([decider, HANDLER_VERSIONS[decider]])
      expect(verdict.detail).not.toBe('')
      expect(verdict.score).toBeGreaterThanOrEqual(0)
      expect(verdict.score).toBeLessThanOrEqual(100)
    },
  )

  test.each(all.map((fixture): [string, VerifierFixture] => [fixture.name, fixture]))(
    'the fixture "%s" is a submission its schema accepts',
    (_name, fixture) => {
      expect(schemaErrors(jobSchemaByRef(fixture.outputSchemaRef) ?? {}, fixture.submission)).toEqual([])
    },
  )

  test('only positive fixtures are approved', () => {
    for (const fixture of all) expect(fixture.outcome === 'approved').toBe(fixture.kind === 'positive')
  })

  test('every mode has fixtures of each kind', () => {
    for (const { fixtures } of handlerListing().details) for (const count of Object.values(fixtures)) expect(count).toBeGreaterThan(0)
  })

  test.each([...HANDLER_MODES])('a config of another handler than %s is the fault of the platform, never of the worker', async (mode) => {
    const other = [...BENCHMARK_FIXTURES, ...DETERMINISTIC_FIXTURES].find(({ config }) => config.handler !== mode)
    if (other === undefined) throw new Error('no fixture')
    expect(await evaluate(mode, other)).toMatchObject({ outcome: 'platform_fault', score: 0, reasonCode: 'VERIFIER_CONFIG_MISMATCH' })
  })

  test('no pull request is read for a job that names no repository: people decide', async () => {
    const approved = CODEHOST_PR_FIXTURES.find(({ kind }) => kind === 'positive')
    if (approved === undefined) throw new Error('no fixture')
    const read: string[] = []
    const world = worldOf(approved.world)
    const readPullRequest = (ref: PullRequestRef) => {
      read.push(ref.url)
      return world.readPullRequest(ref)
    }
    const { definition: _repository, ...nowhere } = approved
    const handlers = createVerifierHandlers({ ...world, readPullRequest })
    expect(await evaluate('codehost_pr', nowhere, handlers)).toMatchObject({
      outcome: 'disputed',
      reasonCode: 'HUMAN_REVIEW_REQUIRED',
      detail: 'codehost_job_names_no_repository',
    })
    expect(read).toEqual([])
    expect(await evaluate('codehost_pr', approved, handlers)).toMatchObject({ outcome: 'approved' })
    expect(read).toHaveLength(1)
  })

  test('the listing names what exists, with its version, its path and its fixtures', () => {
    const { handlers, details } = handlerListing()
    expect(handlers).toEqual(['benchmark', 'deterministic', 'human_fallback', 'codehost_pr'])
    expect(handlers).toEqual([...HANDLER_MODES])
    expect(details.map(({ fixtures: _fixtures, ...facts }) => facts)).toEqual([
      { handler: 'benchmark', handlerVersion: 2, settlementPath: 'automatic', humanReviewPossible: false },
      { handler: 'deterministic', handlerVersion: 1, settlementPath: 'automatic', humanReviewPossible: true },
      { handler: 'human_fallback', handlerVersion: 1, settlementPath: 'human_review', humanReviewPossible: true },
      { handler: 'codehost_pr', handlerVersion: 1, settlementPath: 'human_review', humanReviewPossible: true },
    ])
    const counted = details.reduce((sum, { fixtures }) => sum + fixtures.positive + fixtures.negative + fixtures.adversarial, 0)
    expect(counted).toBe(VERIFIER_FIXTURES.length)
  })
})
