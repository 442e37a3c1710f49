import { expect, test } from '@jest/globals'
import * as constants from '../../../domain/common/constants.ts'

test('the clocks of the specification', () => {
  expect(constants.DISPUTE_WINDOW_SECONDS).toBe(604_800)
  expect(constants.ARBITRATOR_SLA_SECONDS).toBe(1_209_600)
  expect(constants.REVIEW_SLA_SECONDS).toBe(172_800)
  expect(constants.LISTING_STALE_SECONDS).toBe(1_209_600)
  expect(constants.PRIORITY_WINDOW_MAX_SECONDS).toBe(1800)
  expect(constants.WAIVER_CLAIMS_PER_WALLET).toBe(3)
})
