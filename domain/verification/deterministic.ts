import type { DeterministicConfig, ExpectedOutput } from '../../schemas/catalogue/job-definition.ts'
import type { VerdictItem } from '../../schemas/sessions/verdicts.ts'
import type { Finding } from '../../schemas/verification/verdict.ts'
import type { PinnedAddresses } from '../catalogue/open-data.ts'
import { normaliseText } from '../common/text.ts'
import { verdictItem } from '../sessions/verdict-items.ts'
import { normaliseEvidence } from './normalise-text.ts'

/**
 * Answers that count for an exact match: the member `output`, otherwise every text member of the top level. Lists and deeper members do not
 * count, so that a worker cannot pass by enumerating candidates.
 */
function answers(submission: unknown): string[] {
  if (submission === null || typeof submission !== 'object') return [normaliseText(String(submission))]
  const members = submission as Record<string, unknown>
  const counted = typeof members.output === 'string' ? [members.output] : Object.values(members)
  return counted.filter((member) => typeof member === 'string').map(normaliseText)
}

type MatchMode = DeterministicConfig['matchMode']

/** Which checks are met: one for each expected output of `contains_all`, in their order, and one for `exact`. */
function matches(matchMode: MatchMode, outputs: readonly ExpectedOutput[], submission: unknown): boolean[] {
  const expected = outputs.map(({ value }) => normaliseText(value))
  if (!expected.some(Boolean)) return [false]
  if (matchMode === 'contains_all') {
    const whole = normaliseEvidence(submission)
    return expected.map((output) => whole.includes(output))
  }
  const submitted = new Set(answers(submission))
  return [expected.some((output) => output !== '' && submitted.has(output))]
}

/** Comparison rule, case-insensitive. `exact`: an answer equals an expected output. Source: lifecycle, "deterministic". */
export function judgeDeterministic(matchMode: MatchMode, outputs: readonly ExpectedOutput[], submission: unknown): Finding {
  const met = matches(matchMode, outputs, submission)
  const items: VerdictItem[] = met.map((isMet) => verdictItem('answer_expected', isMet, '/verificationInput'))
  return met.every(Boolean)
    ? { outcome: 'approved', score: 100, reasonCode: 'DETERMINISTIC_MATCH', detail: 'The answer is the expected one.', items }
    : { outcome: 'rejected', score: 0, reasonCode: 'DETERMINISTIC_MISMATCH', detail: 'The answer is not the expected one.', items }
}

/** Verdict for a record that does not open the commitments. The platform is at fault, so it never counts against the worker. */
export const UNOPENED: Finding = {
  outcome: 'platform_fault',
  score: 0,
  reasonCode: 'VERIFIER_CONFIG_MISMATCH',
  detail: 'The record does not have the expected outputs that the job committed to.',
  items: [verdictItem('terms_verify', false, '/verifierConfigSnapshot')],
}

/** Pinned https addresses of a job, and whether each answered. */
export interface OpenDataEvidence extends PinnedAddresses {
  datasetReachable: boolean
  resourceReachable: boolean
}

/** Results of the checks; `answer` is null where they were not asked. */
const openDataItems = (submitted: boolean, answer: boolean | null) => [
  verdictItem('pinned_addresses_submitted', submitted, '/verificationInput'),
  verdictItem('pinned_addresses_answer', answer, '/verificationInput'),
]

/** Open-data rule: the submitted addresses equal the pinned ones and both answer. An unreachable address is inconclusive. */
export function judgeOpenData(submission: unknown, evidence: OpenDataEvidence): Finding {
  const submitted = submission as { dataset_url?: unknown; resource_url?: unknown } | null
  const pinned = evidence.datasetUrl !== '' && evidence.resourceUrl !== ''
  if (!pinned || submitted?.dataset_url !== evidence.datasetUrl || submitted.resource_url !== evidence.resourceUrl) {
    return {
      outcome: 'rejected',
      score: 0,
      reasonCode: 'DETERMINISTIC_FETCH_EVIDENCE_MISMATCH',
      detail: 'The submitted addresses are not those of the job.',
      items: openDataItems(false, null),
    }
  }
  if (!evidence.datasetReachable || !evidence.resourceReachable) {
    return {
      outcome: 'inconclusive',
      score: 0,
      reasonCode: 'DETERMINISTIC_FETCH_EVIDENCE_UNREACHABLE',
      detail: 'A pinned address did not answer; the work was not judged.',
      items: openDataItems(true, false),
    }
  }
  return {
    outcome: 'approved',
    score: 100,
    reasonCode: 'DETERMINISTIC_FETCH_EVIDENCE_VERIFIED',
    detail: 'Both pinned addresses were submitted and answer.',
    items: openDataItems(true, true),
  }
}
