import { expect, test } from '@jest/globals'
import { isDecided, isSubmissionLost } from '../../../domain/chain/escrow-state.ts'
import { CHAIN_JOB_STATES } from '../../../schemas/chain/job-state.ts'

const EXPIRES = Date.parse('2026-11-21T12:00:00Z')
const SECOND = 1_000

test('only a verdict brings a job to the states after it', () => {
  expect(CHAIN_JOB_STATES.filter(isDecided)).toEqual(['rejected', 'disputed', 'closed'])
})

test.each([
  ['in the last second of its claim', EXPIRES, []],
  ['one second later', EXPIRES + SECOND, ['none', 'open', 'claimed', 'cancelled']],
] as const)(
  'a submission that the chain does not show is lost for good only once it cannot be sent again: %s',
  (_when, blockTime, lost) => {
    expect(
      CHAIN_JOB_STATES.filter((state) => isSubmissionLost({ claimExpiresAt: EXPIRES }, { state, claimExpiresAt: EXPIRES }, blockTime)),
    ).toEqual(lost)
  },
)

test('a fork that has the claim in a later block gives it as much longer', () => {
  const later = { state: 'claimed', claimExpiresAt: EXPIRES + 10 * SECOND } as const
  const lostAt = (blockTime: number) => isSubmissionLost({ claimExpiresAt: EXPIRES }, later, blockTime)
  expect([lostAt(EXPIRES + 10 * SECOND), lostAt(EXPIRES + 11 * SECOND)]).toEqual([false, true])
  for (const claimExpiresAt of [null, EXPIRES + 10 * SECOND])
    expect(isSubmissionLost({ claimExpiresAt: EXPIRES }, { state: 'open', claimExpiresAt }, EXPIRES + SECOND)).toBe(true)
})
