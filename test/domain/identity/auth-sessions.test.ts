import { describe, expect, test } from '@jest/globals'
import { refreshableUntil, refreshStep } from '../../../domain/identity/auth-sessions.ts'

const session = { lastJti: 'new', previousJti: 'old', issuedAt: 1_000_000 }

describe('a refresh', () => {
  test.each([
    ['with the token that counts exchanges it', 'new', 1_000_000, 30, 'exchange'],
    ['with the token that counts exchanges it at any time', 'new', 9_000_000, 30, 'exchange'],
    ['with the token before it repeats the answer', 'old', 1_000_000, 30, 'repeat'],
    ['with the token before it repeats the answer to the end of the grace', 'old', 1_030_000, 30, 'repeat'],
    ['with the token before it is a reuse after the grace', 'old', 1_030_001, 30, 'reuse'],
    ['with the token before it repeats the answer for a clock that is behind', 'old', 999_000, 30, 'repeat'],
    ['with the token before it is a reuse without a grace', 'old', 1_000_001, 0, 'reuse'],
    ['with an older token is a reuse', 'older', 1_000_000, 30, 'reuse'],
  ])('%s', (_name, jti, now, grace, expected) => {
    expect(refreshStep(session, jti, now, grace)).toBe(expected)
  })

  test('with an unknown token before the first exchange is a reuse', () => {
    expect(refreshStep({ ...session, previousJti: null }, 'old', 1_000_000, 30)).toBe('reuse')
  })

  test('is possible for whole days after the signature', () => {
    expect(refreshableUntil(1_000, 30)).toBe(1_000 + 30 * 86_400_000)
  })
})
