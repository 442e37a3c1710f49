import { describe, expect, test } from '@jest/globals'
import { BENCHMARK_FIXTURES } from '../../activities/verifiers/fixtures/benchmark.ts'
import { DETERMINISTIC_FIXTURES } from '../../activities/verifiers/fixtures/deterministic.ts'
import type { VerifierFixture } from '../../activities/verifiers/fixtures/fixture.ts'
import type { VerifierHandler } from '../../activities/verifiers/handler.ts'
import { HANDLER_MODES, handlerListing, VERIFIER_HANDLERS } from '../../activities/verifiers/registry.ts'
import { schemaErrors } from '../../domain/json-schema.ts'
import type { VerifierMode } from '../../schemas/job-definition.ts'
import { jobSchemaByRef } from '../../schemas/jobs/registry.ts'

const handlerOf = (mode: VerifierMode): VerifierHandler => {
  const handler = VERIFIER_HANDLERS.get(mode)
  if (handler === undefined) throw new Error(`no handler ${mode}`)
  return handler
}

const evaluate = (handler: VerifierHandler, { config, outputSchemaRef, submission }: VerifierFixture) =>
  handler.evaluate({ jobId: 'job-1', sessionId: 'job-1:0x', config, outputSchema: jobSchemaByRef(outputSchemaRef) ?? null, submission })

const all = [...BENCHMARK_FIXTURES, ...DETERMINISTIC_FIXTURES]

describe('verifier handlers', () => {
  test.each(all.map((fixture): [string, string, VerifierFixture] => [fixture.config.handler, fixture.name, fixture]))(
    '%s judges rightly: %s',
    async (mode, _name, fixture) => {
      const handler = handlerOf(mode as VerifierMode)
      const verdict = await evaluate(handler, fixture)
      if ('unavailable' in verdict) {
        expect(fixture.outcome).toBeNull()
        expect(verdict.unavailable.reasonCode).toBe(fixture.reasonCode)
        return
      }
      expect(verdict).toMatchObject({
        jobId: 'job-1',
        sessionId: 'job-1:0x',
        handler: handler.handler,
        handlerVersion: handler.handlerVersion,
        outcome: fixture.outcome,
        reasonCode: fixture.reasonCode,
      })
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

  test('a config of another handler is the fault of the platform, never of the worker', async () => {
    const [fixture] = DETERMINISTIC_FIXTURES
    if (fixture === undefined) throw new Error('no fixture')
    expect(await evaluate(handlerOf('benchmark'), fixture)).toMatchObject({ outcome: 'platform_fault', score: 0 })
    const [other] = BENCHMARK_FIXTURES
    if (other === undefined) throw new Error('no fixture')
    expect(await evaluate(handlerOf('deterministic'), other)).toMatchObject({ outcome: 'platform_fault', score: 0 })
  })

  test('the listing names what exists, with its version, its path and its fixtures', () => {
    expect([...HANDLER_MODES]).toEqual(['benchmark', 'deterministic'])
    expect(handlerListing()).toEqual({
      handlers: ['benchmark', 'deterministic'],
      details: [
        {
          handler: 'benchmark',
          handlerVersion: 2,
          settlementPath: 'automatic',
          humanReviewPossible: false,
          fixtures: { positive: 3, negative: 2, adversarial: 6 },
        },
        {
          handler: 'deterministic',
          handlerVersion: 1,
          settlementPath: 'automatic',
          humanReviewPossible: false,
          fixtures: { positive: 5, negative: 3, adversarial: 5 },
        },
      ],
    })
  })
})
