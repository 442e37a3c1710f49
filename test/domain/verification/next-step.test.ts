import { expect, test } from '@jest/globals'
import { describeNextStep } from '../../../domain/verification/next-step.ts'

const AT = '2026-01-03T00:00:00.000Z'

test.each([
  ['the record of the submission', { slaDeadline: null }],
  [`a verdict of the handler; people at ${AT}`, {}],
  ['a verdict of the handler; people have it', { underReview: true }],
  [`a change of the pull request or an operator; people at ${AT}`, { watches: true }],
  ['a change of the pull request or an operator; people have it', { watches: true, underReview: true }],
  ['nothing: decided', { ended: 'decided' }],
  ['nothing: resolved', { ended: 'resolved', slaDeadline: null, watches: true, underReview: true }],
])('a verification waits for %s', (next, standing) => {
  expect(describeNextStep({ ended: null, watches: false, underReview: false, slaDeadline: AT, ...standing })).toBe(next)
})
