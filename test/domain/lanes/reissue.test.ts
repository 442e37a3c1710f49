import { describe, expect, test } from '@jest/globals'
import { sweepAction } from '../../../domain/lanes/integrity.ts'
import { isReissued, listingNumber, nextListingId } from '../../../domain/lanes/reissue.ts'

describe('the id of a reissue', () => {
  test.each([
    [[], 'wiki-en-1'],
    [['wiki-en-1'], 'wiki-en-1-r2'],
    [['wiki-en-1', 'wiki-en-1-r2', 'wiki-en-1-r3'], 'wiki-en-1-r4'],
    [['wiki-en-1', 'wiki-en-1-r9'], 'wiki-en-1-r10'],
    [['wiki-en-1-r2'], 'wiki-en-1-r3'],
    [['wiki-en-1', 'wiki-en-1-r2-extra', 'wiki-en-1-run', 'wiki-en-10', 'wiki-en-1-r02'], 'wiki-en-1-r2'],
  ])('after %j is %s', (used, id) => expect(nextListingId('wiki-en-1', used)).toBe(id))

  test.each([
    ['job', 1],
    ['job-r2', 2],
    ['job-r0', null],
    ['job-r1000000', null],
    ['job-r2-r3', null],
    ['other', null],
  ])('%s is listing %s', (id, number) => expect(listingNumber('job', id)).toBe(number))
})

const DUE = { claimableStarterJobs: 2, minimum: 3, isLive: false, hasSecretAnswer: false }
test.each([
  [{}, true],
  [{ claimableStarterJobs: 3 }, false],
  [{ minimum: 0 }, false],
  [{ isLive: true }, false],
  [{ hasSecretAnswer: true }, false],
])('an ended job with %j is listed again: %s', (change, is) => expect(isReissued({ ...DUE, ...change })).toBe(is))

test.each([
  [{ total: 0, drifted: 0 }, 'none'],
  [{ total: 10, drifted: 0 }, 'none'],
  [{ total: 10, drifted: 1 }, 'parked'],
  [{ total: 10, drifted: 5 }, 'parked'],
  [{ total: 10, drifted: 6 }, 'stopped'],
  [{ total: 1, drifted: 1 }, 'stopped'],
] as const)('a sweep of definitions that counted %j: %s', (counts, action) => expect(sweepAction(counts)).toBe(action))
