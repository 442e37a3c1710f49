import { expect, test } from '@jest/globals'
import { settlementTerms } from '../../../domain/catalogue/settlement-terms.ts'

/** The review time of 48 hours, then the arbitrator's 14 days. */
const WORST = 16 * 86_400

test.each([
  ['benchmark', 'automatic', {}, /verifier/],
  ['deterministic', 'automatic', {}, /verifier/],
  ['human_fallback', 'human_review', { humanReviewWorstCaseSeconds: WORST }, /person/],
  ['codehost_pr', 'human_review', { humanReviewWorstCaseSeconds: WORST }, /48 hours/],
] as const)('a %s job is settled on the path %s, which says how long people may take', (mode, path, worstCase, word) => {
  expect(settlementTerms(mode)).toStrictEqual({ path, description: expect.stringMatching(word), ...worstCase })
})

test.each([
  'The claim clock stops when you submit, and your stake is safe while the verdict is pending. ',
  'The operator runs the verdict first; it runs again automatically when the pull request merges or its checks change. ',
  'A verdict is due within 48 hours by default; the live setting may differ. ',
  'A submission with status blocked is scored like any other. ',
  'Ask through GET /verifier/result.',
])('the terms of a pull request contain: %s', (sentence) => {
  expect(settlementTerms('codehost_pr').description).toContain(sentence)
})
