import { describe, expect, test } from '@jest/globals'
import { canonicalJson } from '../../../domain/common/canonical-json.ts'
import { requestHash } from '../../../domain/paid-verification/request-hash.ts'

const REQUEST = {
  profile: 'structured-output-evidence-v1',
  profileVersion: 1,
  target: {},
  inputs: { output: { sha256: 'aa', bytes: 2, locator: { kind: 'https', url: 'https://a.example/o.json' } } },
}
const HASH = '0xa0f25d64ebaba175b2bd9b646e860475f2cc035692bcaf5630a26161015ac169'

describe('the request hash', () => {
  test('the hash of a request is the one of the specification', () => {
    expect(canonicalJson(REQUEST)).toBe(
      '{"inputs":{"output":{"bytes":2,"locator":{"kind":"https","url":"https://a.example/o.json"},"sha256":"aa"}},"profile":"structured-output-evidence-v1","profileVersion":1,"target":{}}',
    )
    expect(requestHash(REQUEST)).toBe(HASH)
  })

  test('the hash ignores the order of members and every member that is no part of the request', () => {
    const reordered = { ...Object.fromEntries(Object.entries(REQUEST).reverse()), idempotencyKey: 'k' } as unknown as typeof REQUEST
    expect(requestHash(reordered)).toBe(HASH)
  })

  test.each([
    ['profile', { profile: 'git-patch-tests-v1' }],
    ['profileVersion', { profileVersion: 2 }],
    ['target', { target: { a: 1 } }],
    ['inputs', { inputs: {} }],
  ])('the hash changes with the member %s', (_member, change) => {
    expect(requestHash({ ...REQUEST, ...change })).not.toBe(HASH)
  })
})
