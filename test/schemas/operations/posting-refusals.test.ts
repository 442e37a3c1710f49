import { describe, expect, test } from '@jest/globals'
import { ERRORS } from '../../../schemas/errors.ts'
import { buildPostJobTransactions, draftJob } from '../../../schemas/postings/operations.ts'

describe('an operation of posters', () => {
  test.each([
    ['external_open_drafts_cap_reached', [draftJob]],
    ['external_fee_quote_mismatch', [buildPostJobTransactions]],
    ['external_fee_quote_reward_mismatch', [draftJob, buildPostJobTransactions]],
    ['workflow_engine_unavailable', [draftJob, buildPostJobTransactions]],
  ] as const)('declares %s only where it is thrown', (code, throwing) => {
    const declaring = [draftJob, buildPostJobTransactions].filter(({ errors }) => (errors as readonly string[]).includes(code))
    expect(declaring.map(({ id }) => id)).toEqual(throwing.map(({ id }) => id))
  })
})

describe('the fee of an escrow that contradicts itself', () => {
  test('has one advice, whether it is beyond a bound or does not follow from its terms', () => {
    const { external_fee_quote_reward_mismatch: contradiction, external_fee_quote_invalid: bound } = ERRORS
    expect(contradiction.reaction).toBe(bound.reaction)
    expect(contradiction.nextActions.at(-1)).toEqual(bound.nextActions.at(-1))
    expect(contradiction.title).toBe('Fee does not follow from its terms')
  })
})
