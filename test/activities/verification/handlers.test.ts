import { describe, expect, test } from '@jest/globals'
import { HANDLER_MODES, handlerListing } from '../../../activities/verification/registry.ts'
import { HANDLER_VERSIONS } from '../../../domain/catalogue/verification-contract.ts'
import { schemaErrors } from '../../../domain/common/json-schema.ts'
import { findItemConflict } from '../../../domain/sessions/verdict-items.ts'
import { jobSchemaByRef } from '../../../schemas/catalogue/job-schemas/registry.ts'
import { evaluate } from '../support/fixture-run.ts'
import { BENCHMARK_FIXTURES } from './fixtures/benchmark.ts'
import { CODEHOST_PR_FIXTURES } from './fixtures/codehost-pr.ts'
import { DETERMINISTIC_FIXTURES } from './fixtures/deterministic.ts'
import { countFixtures, type VerifierFixture } from './fixtures/fixture.ts'
import { HUMAN_FALLBACK_FIXTURES } from './fixtures/human-fallback.ts'
import { VERIFICATION_PROFILE_FIXTURES } from './fixtures/verification-profile.ts'

/** Fixtures of each mode. */
const FIXTURES = {
  benchmark: BENCHMARK_FIXTURES,
  deterministic: DETERMINISTIC_FIXTURES,
  human_fallback: HUMAN_FALLBACK_FIXTURES,
  codehost_pr: CODEHOST_PR_FIXTURES,
  verification_profile: VERIFICATION_PROFILE_FIXTURES,
}
const all = Object.values(FIXTURES).flat()
const CODING = 'schema://jobs/coding-output'

/** Evidence of a pull request, as the result of a programming task. */
const asCoding = (submission: unknown): object => {
  const { prUrl, summary, tests } = submission as Record<string, string>
  return { summary, output: `${prUrl}\n${tests}`, status: 'complete' }
}

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
      expect(verdict).toMatchObject({ outcome: fixture.outcome, reasonCode: fixture.reasonCode })
      const decider = fixture.reasonCode === 'HUMAN_REVIEW_REQUIRED' ? 'human_fallback' : fixture.config.handler
      expect([verdict.handler, verdict.handlerVersion]).toEqual([decider, HANDLER_VERSIONS[decider]])
      expect(findItemConflict(verdict.outcome, verdict.items)).toBeNull()
      expect(verdict.items).not.toEqual([])
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
    expect(await evaluate(mode, other)).toEqual({
      handler: mode,
      handlerVersion: HANDLER_VERSIONS[mode],
      outcome: 'platform_fault',
      score: 0,
      reasonCode: 'VERIFIER_CONFIG_MISMATCH',
      detail: expect.stringContaining(other.config.handler),
      items: [],
    })
  })

  test('a record that does not open the commitments is the fault of the platform, never of the worker', async () => {
    const fixture = DETERMINISTIC_FIXTURES[0] as VerifierFixture
    const others = DETERMINISTIC_FIXTURES[1]?.expectedOutputs ?? []
    for (const expectedOutputs of [[], others, [...(fixture.expectedOutputs ?? []), ...others]])
      expect(await evaluate('deterministic', { ...fixture, expectedOutputs })).toMatchObject({
        outcome: 'platform_fault',
        reasonCode: 'VERIFIER_CONFIG_MISMATCH',
        items: [{ criterion: 'terms_verify', result: 'unmet' }],
      })
  })

  describe('how far the work got is no reason', () => {
    const scored: VerifierFixture[] = [
      ...all.filter(({ outputSchemaRef }) => outputSchemaRef === CODING),
      ...CODEHOST_PR_FIXTURES.map((fixture) => ({ ...fixture, outputSchemaRef: CODING, submission: asCoding(fixture.submission) })),
    ]

    test('every handler takes work that says it, but that of a patch', () => {
      const modes = [...HANDLER_MODES].filter((mode) => mode !== 'verification_profile')
      expect(new Set<string>(scored.map(({ config }) => config.handler))).toEqual(new Set(modes))
    })

    test.each(scored.map((fixture): [string, string, VerifierFixture] => [fixture.config.handler, fixture.name, fixture]))(
      '%s scores blocked and partial work like complete work: %s',
      async (_mode, _name, fixture) => {
        const verdicts = ['complete', 'partial', 'blocked'].map((status) => {
          const submission = { ...(fixture.submission as object), status }
          expect(schemaErrors(jobSchemaByRef(CODING) ?? {}, submission)).toEqual([])
          return evaluate(fixture.config.handler, { ...fixture, submission })
        })
        const [complete, ...others] = await Promise.all(verdicts)
        expect(complete).toHaveProperty(fixture.outcome === null ? 'unavailable' : 'outcome')
        for (const other of others) expect(other).toEqual(complete)
      },
    )
  })

  test('the listing names what exists, with its version, its path and its fixtures', () => {
    const { handlers, details } = handlerListing()
    expect(handlers).toEqual(['benchmark', 'deterministic', 'human_fallback', 'codehost_pr', 'verification_profile'])
    expect(handlers).toEqual([...HANDLER_MODES])
    expect(details.map(({ fixtures: _fixtures, ...facts }) => facts)).toEqual([
      { handler: 'benchmark', handlerVersion: 2, settlementPath: 'automatic', humanReviewPossible: false },
      { handler: 'deterministic', handlerVersion: 1, settlementPath: 'automatic', humanReviewPossible: true },
      { handler: 'human_fallback', handlerVersion: 1, settlementPath: 'human_review', humanReviewPossible: true },
      { handler: 'codehost_pr', handlerVersion: 1, settlementPath: 'human_review', humanReviewPossible: true },
      { handler: 'verification_profile', handlerVersion: 1, settlementPath: 'automatic', humanReviewPossible: false },
    ])
    for (const { handler, fixtures } of details)
      expect({ handler, fixtures }).toEqual({ handler, fixtures: countFixtures(FIXTURES[handler]) })
  })
})
