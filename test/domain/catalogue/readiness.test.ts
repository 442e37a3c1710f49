import { describe, expect, test } from '@jest/globals'
import { forClaim, type NeedCheck, readinessOf, readinessView, unreadyReason, verdictNeeds } from '../../../domain/catalogue/readiness.ts'
import { known } from '../../../domain/common/fact.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { builtJob, jobBody, NOW, prBody } from '../builders/job.ts'

const anchor = { kind: 'wikipedia_revision_wikitext', language: 'de', revisionId: '1', normalization: 'whitespace' } as const
const people = jobBody({ verifierMode: 'human_fallback', verifierTerms: undefined })
const openData = (resourceUrl: string) =>
  jobBody({
    verifierMode: 'deterministic',
    verifierTerms: undefined,
    verification: { method: 'fetchable_open_data_evidence', signals: [] },
    source: { type: 'open_data_dataset', datasetUrl: 'https://data.example/set?id=1', resourceUrl },
  })

const SIGNALS = ['sha256', 'bytes']
const facts = (pinnedUrl: string) =>
  jobBody({
    verifierMode: 'deterministic',
    verifierTerms: undefined,
    verifierConfig: { expectedOutputs: [`sha256 ${'a3'.repeat(32)}`, 'bytes 12'] },
    verification: { method: 'committed_source_facts', signals: SIGNALS },
    source: { type: 'openapi_spec', pinnedUrl },
  })

describe('a verdict needs', () => {
  const BENCHMARK = ['handler:benchmark', 'verifier_key']
  const DETERMINISTIC = ['handler:deterministic', 'verifier_key']
  const [DATA, FILES] = ['source:https://data.example', 'source:https://files.example']
  const anchored = jobBody({ verifierConfig: { anchorEvidence: anchor } })
  const answered = jobBody({ verifierMode: 'deterministic', verifierTerms: ['42'] })
  test.each<[string, JobInputBody, string[]]>([
    ['handler and verifier key for keywords', jobBody(), BENCHMARK],
    ['the edition whose revision the job pins', anchored, [...BENCHMARK, 'encyclopedia:de']],
    ['handler and verifier key for expected outputs', answered, DETERMINISTIC],
    ['each server of two pinned addresses', openData('https://files.example/a.csv'), [...DETERMINISTIC, DATA, FILES]],
    ['one server once', openData('https://data.example/a.csv'), [...DETERMINISTIC, DATA]],
    ['the server whose bytes a job commits to', facts('https://data.example/a.json'), [...DETERMINISTIC, DATA]],
    ['the code host for a pull request', prBody(), ['handler:codehost_pr', 'verifier_key', 'code_host']],
    ['people where people decide', people, ['handler:human_fallback', 'reviewers']],
  ])('%s', (_what, body, needs) => {
    expect(verdictNeeds(builtJob(body).definition)).toEqual(needs)
  })

  test('no people where every valid submission is approved', () => {
    const { definition } = builtJob(people)
    const verifierConfig = { handler: 'human_fallback', version: 1, escalationMessage: '', autoApprove: true } as const
    expect(verdictNeeds({ ...definition, verifierConfig })).toEqual(['handler:human_fallback', 'verifier_key'])
  })
})

const check = (changes: Partial<NeedCheck> = {}): NeedCheck => ({
  reason: null,
  checkedAt: NOW,
  ageSeconds: 1,
  lastVerdictAt: null,
  ...changes,
})
const NEEDS = ['handler:benchmark', 'verifier_key']
const readyWith = (changes: Record<string, NeedCheck>) =>
  readinessOf(NEEDS, new Map(Object.entries({ 'handler:benchmark': check(), verifier_key: check(), ...changes })), NOW + 1_000)

describe('readiness', () => {
  test('is known by the oldest check when all needs are met, with the last verdict', () => {
    const facts = readyWith({ 'handler:benchmark': check({ lastVerdictAt: NOW - 9 }), verifier_key: check({ checkedAt: NOW - 5 }) })
    expect(facts).toEqual(known({ reason: null, checkedAt: NOW - 5, lastVerdictAt: NOW - 9 }))
    expect(readinessView(facts)).toMatchObject({ ready: true, reason: null, checkedAt: new Date(NOW - 5).toISOString() })
  })

  test('shows the instant of its check by the service clock, which may be ahead of that of the database', () => {
    const hours = 7_200_000
    const facts = readinessOf(['verifier_key'], new Map([['verifier_key', check({ checkedAt: NOW - 5 })]]), NOW + 1_400 + hours)
    expect(facts).toEqual(known({ reason: null, checkedAt: NOW - 5 + hours, lastVerdictAt: null }))
  })

  test('has the reason of the need that is not met', () => {
    const facts = readyWith({ verifier_key: check({ reason: 'verifier_gas_missing', checkedAt: NOW - 7 }) })
    expect(facts).toEqual(known({ reason: 'verifier_gas_missing', checkedAt: NOW - 7, lastVerdictAt: null }))
    expect([unreadyReason(facts), readinessView(facts).ready]).toEqual(['verifier_gas_missing', false])
  })

  test.each([
    [45, null],
    [45.1, 'check_overdue'],
  ])('with a check of %d seconds has the reason %s', (ageSeconds, reason) => {
    expect(unreadyReason(readyWith({ verifier_key: check({ ageSeconds }) }))).toBe(reason)
    const failing = readyWith({ verifier_key: check({ ageSeconds, reason: 'verifier_key_missing' }) })
    expect(unreadyReason(failing)).toBe(reason ?? 'verifier_key_missing')
  })

  test('is unknown before the first check, unless another need is not met', () => {
    const half = (one: NeedCheck) => readinessOf(NEEDS, new Map([['verifier_key', one]]), NOW)
    expect(half(check())).toBe('unknown')
    expect([unreadyReason(half(check())), unreadyReason('unreadable')]).toEqual([null, 'not_checked'])
    expect(unreadyReason(half(check({ reason: 'verifier_key_missing' })))).toBe('verifier_key_missing')
    // A list shows the job; a claim does not rely on what was never checked.
    expect([unreadyReason(forClaim(half(check()))), forClaim(readyWith({}))]).toEqual(['not_checked', readyWith({})])
    expect(readinessView('unknown')).toEqual({ ready: null, reason: 'not_checked', checkedAt: null, lastVerdictAt: null })
  })
})
