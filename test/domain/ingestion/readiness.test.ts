import { describe, expect, test } from '@jest/globals'
import type { NeedCheck } from '../../../domain/catalogue/readiness.ts'
import { unreadyRefusal } from '../../../domain/ingestion/readiness.ts'
import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import { READINESS_REASONS, type ReadinessReason } from '../../../schemas/catalogue/readiness.ts'

const NOW = Date.UTC(2026, 10, 30)
const ORIGIN = 'source:https://docs.example'
const JOB = {
  verifierMode: 'deterministic',
  verifierConfig: { handler: 'deterministic' },
  verification: { method: 'committed_source_facts' },
  source: { type: 'openapi_spec', pinnedUrl: 'https://docs.example/openapi.json' },
} as unknown as JobDefinition

const checked = (reason: ReadinessReason | null, ageSeconds = 1): NeedCheck => ({ reason, checkedAt: NOW, ageSeconds, lastVerdictAt: null })
const skipped = (reason: ReadinessReason) => ({ outcome: 'skipped', reason: 'verifier_not_ready', detail: READINESS_REASONS[reason] })

describe('a job of a source', () => {
  test.each<[string, Record<string, NeedCheck>, object | null]>([
    ['is listed before the first check', {}, null],
    [
      'is listed while all is there',
      { 'handler:deterministic': checked(null), verifier_key: checked(null), [ORIGIN]: checked(null) },
      null,
    ],
    ['is left out alone while its origin is away', { [ORIGIN]: checked('source_unavailable') }, skipped('source_unavailable')],
    [
      'ends the run while the verifier has no key',
      { verifier_key: checked('verifier_key_missing') },
      { ...skipped('verifier_key_missing'), stopsRun: true },
    ],
    [
      'ends the run while its checks are too old',
      { 'handler:deterministic': checked(null, 100_000) },
      { ...skipped('check_overdue'), stopsRun: true },
    ],
    [
      'ends the run for a need of all before that of its origin',
      { [ORIGIN]: checked('source_unavailable'), 'handler:deterministic': checked('handler_missing') },
      { ...skipped('handler_missing'), stopsRun: true },
    ],
  ])('%s', (_name, checks, expected) => {
    expect(unreadyRefusal(JOB, new Map(Object.entries(checks)), NOW)).toEqual(expected)
  })
})
