import { describe, expect, test } from '@jest/globals'
import { fundingReceiptRule, listingContradiction } from '../../../domain/audit/posting-records.ts'
import { FUNDING_REMOVED, POSTER_CANCELLED } from '../../../domain/catalogue/delisting.ts'
import { POSTING_STATUSES, type PostingStatus } from '../../../schemas/postings/terms.ts'

const LISTED = { delistedAt: null, delistReason: null }
const gone = (delistReason: string) => ({ delistedAt: 7, delistReason })
const JOBS = { none: null, listed: LISTED, cancelled: gone(POSTER_CANCELLED), forked: gone(FUNDING_REMOVED), removed: gone('spam') }
type JobName = keyof typeof JOBS

/** Jobs that a posting of each status may have in the catalogue. */
const MAY_HAVE: Record<PostingStatus, JobName[]> = {
  quoted: ['none', 'cancelled', 'forked', 'removed'],
  awaiting_funding: ['none', 'cancelled', 'forked', 'removed'],
  live: ['listed'],
  mismatch: ['none', 'cancelled', 'forked', 'removed'],
  expired: ['none', 'cancelled', 'forked', 'removed'],
  delisted: ['removed'],
  cancelled: ['none', 'cancelled', 'forked', 'removed'],
  settled: ['none', 'listed', 'forked', 'removed'],
}

describe('the job of a posting in the catalogue', () => {
  test.each(POSTING_STATUSES.map((status) => [status] as const))('agrees with a posting that is %s as its rules allow', (status) => {
    const names = Object.keys(JOBS) as JobName[]
    const agreeing = names.filter((name) => listingContradiction({ status, reason: null }, JOBS[name]) === null)
    expect(agreeing).toEqual(MAY_HAVE[status])
  })

  test('stays as it was where a fork removed the funding of a claimed posting', () => {
    const claimed = { status: 'live', reason: 'funding_removed_after_claim' } as const
    const shown = Object.values(JOBS).map((job) => listingContradiction(claimed, job)?.found ?? null)
    expect(shown).toEqual(['no job', null, null, null, null])
  })

  test('has a reason exactly while it is delisted', () => {
    const jobs = [
      { delistedAt: 7, delistReason: null },
      { delistedAt: null, delistReason: 'spam' },
    ]
    for (const job of jobs)
      expect(listingContradiction({ status: 'settled', reason: null }, job)?.expected).toContain('a reason exactly while it is delisted')
  })
})

describe('the receipt of a funding', () => {
  test.each([
    ['live', 'required', 'required'],
    ['delisted', 'required', 'allowed'],
    ['cancelled', 'required', 'allowed'],
    ['settled', 'required', 'allowed'],
    ['mismatch', 'forbidden', 'forbidden'],
    ['expired', 'forbidden', 'forbidden'],
    ['awaiting_funding', 'forbidden', 'forbidden'],
    ['quoted', 'forbidden', 'forbidden'],
  ] as const)('of a posting that is %s is %s, and after a fork %s', (status, rule, forked) => {
    const rules = [false, true].map((isForked) => fundingReceiptRule({ status }, { hasJob: true, isForked }))
    expect(rules).toEqual([rule, forked])
    expect(fundingReceiptRule({ status }, { hasJob: false, isForked: true })).toBe('forbidden')
  })
})
