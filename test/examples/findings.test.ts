// The verifier knows what the handlers of the service can find, without importing them.
import { expect, test } from '@jest/globals'
import { HANDLER_VERSIONS } from '../../domain/catalogue/verification-contract.ts'
import { decisionItems } from '../../domain/sessions/verdict-items.ts'
import { verdictCode } from '../../domain/settlement/award.ts'
import { judgeBenchmark, judgeRevisionAnchors } from '../../domain/verification/benchmark.ts'
import { judgeDeterministic, judgeOpenData, UNOPENED } from '../../domain/verification/deterministic.ts'
import { judgeHumanFallback } from '../../domain/verification/human-fallback.ts'
import { judgeFacts } from '../../domain/verification/source-facts/judge.ts'
import { foreseePatch, judgeProfileRun } from '../../domain/verification/source-facts/profile.ts'
import { CRITERIA, hasVersion, isDecision, isFinding, reasonOf } from '../../examples/verify-record/verdict.ts'
import { ARBITRATION_VERDICTS, CRITERIA as PUBLISHED } from '../../schemas/sessions/verdicts.ts'
import type { Finding } from '../../schemas/verification/verdict.ts'
import { profileConfig } from '../domain/postings/builders/proof-gate.ts'

const BENCHMARK = { handler: 'benchmark', version: 1, requiredKeywords: ['jitter', 'backoff'], minimumMatches: 2 } as const
const QUOTE = 'The bridge opened in 1931.'
const WORK = { summary: 'Backoff with jitter.', citation_findings: [{ source_quote: QUOTE, evidence_url: 'https://a.example' }] }
const config = { ...BENCHMARK, requiredKeywords: [...BENCHMARK.requiredKeywords] }
const found = judgeBenchmark(config, null, WORK)
const OUTPUTS = ['42', 'backoff'].map((value) => ({ value, salt: `0x${'1'.repeat(64)}` as const }))
const pinned = { datasetUrl: 'https://a.example/d', resourceUrl: 'https://a.example/r' }
const open = (isSubmitted: boolean, isReachable: boolean) =>
  judgeOpenData(isSubmitted ? { dataset_url: pinned.datasetUrl, resource_url: pinned.resourceUrl } : {}, {
    ...pinned,
    datasetReachable: isReachable,
    resourceReachable: true,
  })
const FACTS = ['bytes 12', 'paths 3'].map((value) => ({ value, salt: `0x${'1'.repeat(64)}` as const }))
const review = (autoApprove: boolean) =>
  judgeHumanFallback({ handler: 'human_fallback', version: 1, escalationMessage: 'A person decides.', autoApprove })

/** The verdict of a profile whose run ended so. */
const profiled = (verdict: 'approved' | 'rejected', outcome: string): Finding => {
  const artefacts = { checks: [], artefacts: [] }
  const run = { verdict, reason: null, ...artefacts, evidence: { outcome, contractDigest: profileConfig().contract.contractDigest } }
  const judged = judgeProfileRun(profileConfig(), run)
  if ('unavailable' in judged) throw new Error('no verdict')
  return judged
}
const foreseen = foreseePatch(profileConfig(), { patch: {}, baseCommit: 'another' }) as Finding

test.each<[string, string, Finding]>([
  ['a profile that passes', 'verification_profile', profiled('approved', 'PASS')],
  ['a profile that fails', 'verification_profile', profiled('rejected', 'FAIL')],
  ['a broken rule of a profile', 'verification_profile', profiled('rejected', 'POLICY_VIOLATION')],
  ['a patch for another commit', 'verification_profile', foreseen],
  ['terms that are met', 'benchmark', found],
  ['terms that are missed', 'benchmark', judgeBenchmark(config, null, {})],
  ['terms that distinguish nothing', 'benchmark', judgeBenchmark({ ...config, minimumMatches: 3 }, null, WORK)],
  ['quotes of the revision', 'benchmark', judgeRevisionAnchors(found, WORK, `${QUOTE} https://a.example`)],
  ['quotes of no revision', 'benchmark', judgeRevisionAnchors(found, WORK, 'Another.')],
  ['the answer', 'deterministic', judgeDeterministic('exact', OUTPUTS, { output: '42' })],
  ['another answer', 'deterministic', judgeDeterministic('exact', OUTPUTS, { output: '41' })],
  ['all answers', 'deterministic', judgeDeterministic('contains_all', OUTPUTS, { output: '42 backoff' })],
  ['one of the answers', 'deterministic', judgeDeterministic('contains_all', OUTPUTS, { output: '42' })],
  ['a record that opens no commitment', 'deterministic', UNOPENED],
  ['every fact of a source', 'deterministic', judgeFacts(FACTS, 'bytes 12 paths 3', 'unreachable')],
  ['a fact that is missing', 'deterministic', judgeFacts(FACTS, 'bytes 12', 'unchanged')],
  ['a fact of a source that changed', 'deterministic', judgeFacts(FACTS, 'bytes 12', 'changed')],
  ['a fact of a source that is away', 'deterministic', judgeFacts(FACTS, 'bytes 12', 'unreachable')],
  ['pinned addresses', 'deterministic', open(true, true)],
  ['other addresses', 'deterministic', open(false, true)],
  ['addresses that do not answer', 'deterministic', open(true, false)],
  ['work that is accepted', 'human_fallback', review(true)],
  ['work that a person judges', 'human_fallback', review(false)],
])('%s: the verdict of the %s is one that the verifier knows, and no other handler gives it', (_what, handler, finding) => {
  expect(isFinding({ ...finding, handler })).toBe(true)
  const others = [...Object.keys(HANDLER_VERSIONS), 'human_review', 'chain'].filter((other) => other !== handler)
  expect(others.filter((other) => isFinding({ ...finding, handler: other }))).toEqual([])
})

test('versions, checks and decisions are those of the service', () => {
  for (const [handler, version] of Object.entries(HANDLER_VERSIONS))
    expect([0, 1, version, version + 1].map((one) => hasVersion(handler, one))).toEqual([false, true, true, false])
  expect(CRITERIA).toEqual([...PUBLISHED])
  for (const verdict of ARBITRATION_VERDICTS) {
    const kind = verdict === 'timeout' ? 'timeout' : 'arbitration'
    expect(reasonOf(verdict)).toBe(verdictCode(verdict))
    expect(isDecision({ kind, verdict }, verdict === 'upheld' ? 'rejected' : 'approved', decisionItems({ kind, verdict }), [])).toBe(true)
  }
})
