import { expect, test } from '@jest/globals'
import { sweepAction } from '../../../domain/lanes/integrity.ts'
import { isReissuable, reissueIdOf } from '../../../domain/lanes/reissue.ts'

test.each([
  ['wiki-en-1', 2, 'wiki-en-1-r2'],
  ['wiki-en-1', 10, 'wiki-en-1-r10'],
  ['windows-2008-r2', 3, 'windows-2008-r2-r3'],
  ['a'.repeat(120), 2, `${'a'.repeat(117)}-r2`],
  [`${'a'.repeat(115)}-bcde`, 10, `${'a'.repeat(115)}-r10`],
])('the id of a reissue of %s, number %i, is %s', (first, number, id) => expect(reissueIdOf(first, number)).toBe(id))

test.each([
  [{ isStarter: true, hasSecretAnswer: false }, true],
  [{ isStarter: false, hasSecretAnswer: false }, false],
  [{ isStarter: true, hasSecretAnswer: true }, false],
])('an ended job with %j can be listed again: %s', (facts, is) => expect(isReissuable(facts)).toBe(is))

test.each([
  [{ total: 0, drifted: 0 }, 'none'],
  [{ total: 10, drifted: 0 }, 'none'],
  [{ total: 10, drifted: 1 }, 'paused'],
  [{ total: 10, drifted: 5 }, 'paused'],
  [{ total: 10, drifted: 6 }, 'stopped'],
  [{ total: 1, drifted: 1 }, 'stopped'],
] as const)('a sweep of definitions that counted %j: %s', (counts, action) => expect(sweepAction(counts)).toBe(action))
