import { describe, expect, test } from '@jest/globals'
import { capabilitiesToGrant, grantableOf, grantEnd, tokenLifetime, withGranted } from '../../../domain/identity/grants.ts'
import {
  BASE_CAPABILITIES,
  CAPABILITIES,
  capabilitiesOf,
  GRANTABLE_CAPABILITIES,
  NEVER_GRANTED,
} from '../../../schemas/identity/authorisation.ts'

const ADMIN = capabilitiesOf(['admin'])

describe('capabilities to grant', () => {
  test.each([
    ['one', ['jobs:claim'], ['jobs:claim']],
    ['several, sorted', ['jobs:submit', 'jobs:claim', 'account:read'], ['account:read', 'jobs:claim', 'jobs:submit']],
    ['repeats, once', ['jobs:claim', 'jobs:claim'], ['jobs:claim']],
    ['one of a role that the issuer holds', ['ops:view'], ['ops:view']],
  ])('are %s', (_name, names, expected) => {
    expect(capabilitiesToGrant(names, ADMIN)).toEqual(expected)
  })

  test.each([
    ['no capability', ['jobs:claim', 'jobs:steal'], { kind: 'unknown', place: 1, capability: 'jobs:steal' }],
    ['no capability but for its case', ['Jobs:claim'], { kind: 'unknown', place: 0, capability: 'Jobs:claim' }],
    ['a member of every object', ['constructor'], { kind: 'unknown', place: 0, capability: 'constructor' }],
    ['one that the issuer lacks', ['jobs:claim', 'verifier:run', 'verifier:run'], { kind: 'not_owned', missing: ['verifier:run'] }],
    ['an unknown name before one that the issuer lacks', ['verifier:run', 'x'], { kind: 'unknown', place: 1, capability: 'x' }],
  ])('are refused for %s', (_name, names, fault) => {
    expect(capabilitiesToGrant(names, ADMIN)).toEqual(fault)
  })

  test.each(NEVER_GRANTED.map((name) => [name]))('are refused for %s, which no grant carries', (capability) => {
    expect(capabilitiesToGrant(['jobs:claim', capability], CAPABILITIES)).toEqual({ kind: 'not_grantable', place: 1, capability })
  })

  test('are at most those of the issuer', () => {
    expect(
      capabilitiesToGrant(
        BASE_CAPABILITIES.filter((name) => GRANTABLE_CAPABILITIES.includes(name)),
        [],
      ),
    ).toMatchObject({
      kind: 'not_owned',
    })
    expect(capabilitiesToGrant(GRANTABLE_CAPABILITIES, CAPABILITIES)).toEqual([...GRANTABLE_CAPABILITIES])
  })
})

test('every capability can be granted but those over grants and those of the wallet itself', () => {
  expect([...GRANTABLE_CAPABILITIES, ...NEVER_GRANTED].sort()).toEqual([...CAPABILITIES].sort())
  expect([...NEVER_GRANTED].sort()).toEqual(
    [
      ...['account:allocate', 'admin:capabilities:grant', 'admin:capabilities:read', 'admin:capabilities:revoke'],
      ...['agents:consent', 'posting:draft', 'posting:read', 'shares:create'],
    ].sort(),
  )
  expect(grantableOf(['shares:create', 'jobs:claim'])).toEqual(['jobs:claim'])
})

describe('the lifetime of a service token', () => {
  const now = Date.parse('2026-01-02T03:04:05.900Z')
  const DAY = 86_400
  test.each([
    ['is what was asked', 3_600, null, { seconds: 3_600, isCut: false }],
    ['is 30 days', 30 * DAY, null, { seconds: 30 * DAY, isCut: false }],
    ['is 30 days at most', 30 * DAY + 1, null, { seconds: 30 * DAY, isCut: true }],
    ['ends with the grant', 3_600, now + 60_000, { seconds: 60, isCut: true }],
    ['is not longer because the grant is', 60, now + 3_600_000, { seconds: 60, isCut: false }],
    ['is not cut by a grant that ends at the same time', 60, now + 60_000, { seconds: 60, isCut: false }],
    ['is the smaller of both bounds', 90 * DAY, now + 40 * DAY * 1000, { seconds: 30 * DAY, isCut: true }],
    ['is a second of a grant that ends within it', 60, now + 50, { seconds: 1, isCut: true }],
  ])('%s', (_name, asked, grantEndsAt, expected) => {
    expect(tokenLifetime(asked, { now, grantEndsAt })).toEqual(expected)
  })
})

describe('a grant', () => {
  test.each([
    ['without an end gives its capabilities', { revokedAt: null, expiresAt: null }, null],
    ['gives them until its last millisecond', { revokedAt: null, expiresAt: 1_001 }, null],
    ['gives nothing from its end on', { revokedAt: null, expiresAt: 1_000 }, 'capability_grant_expired'],
    ['gives nothing once revoked', { revokedAt: 1, expiresAt: null }, 'capability_grant_revoked'],
    ['that is revoked and has ended is revoked', { revokedAt: 1, expiresAt: 2 }, 'capability_grant_revoked'],
  ])('%s', (_name, grant, expected) => {
    expect(grantEnd(grant, 1_000)).toBe(expected)
  })

  test('adds what a caller lacks, once', () => {
    expect(withGranted(['jobs:claim'], ['ops:view', 'jobs:claim', 'ops:view'])).toEqual(['jobs:claim', 'ops:view'])
  })
})
