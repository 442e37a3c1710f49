import { describe, expect, test } from '@jest/globals'
import { pickCodes } from '../../../domain/shares/redaction.ts'

describe('a shared copy', () => {
  test.each([
    ['a stable word', 'claim_ttl_expired'],
    ['a session id', 'job-1:0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
    ['an instant', '2026-01-02T03:04:05.000Z'],
    ['an amount', { asset: 'USDC', raw: '1', decimals: 6, display: '0.000001' }],
    ['a group of amounts', { payout: { raw: '1' }, waived: false }],
    ['nothing', null],
  ])('keeps %s', (_what, value) => {
    expect(pickCodes({ value }, ['value'])).toEqual({ value })
  })

  test.each([
    ['a sentence', 'The work was read.'],
    ['an e-mail address', 'worker@private.example'],
    ['a token', 'eyJhbGciOiJub25lIn0.e30.x'],
    ['a list', ['a']],
    ['a group with a sentence', { reason: 'The work was read.' }],
    ['a deep group', { a: { b: { c: '1' } } }],
    ['a missing member', undefined],
  ])('leaves out %s', (_what, value) => {
    expect(pickCodes({ value }, ['value'])).toEqual({})
  })

  test('leaves out what is not named', () => {
    expect(pickCodes({ shown: 1, idempotencyKey: 'k' }, ['shown'])).toEqual({ shown: 1 })
  })
})
