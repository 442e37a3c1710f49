import { describe, expect, test } from '@jest/globals'
import { nextConsent } from '../../../domain/consents/listing.ts'
import { shownCounts } from '../../../domain/directory/aggregate.ts'
import { agentHandle } from '../../../domain/directory/handle.ts'
import { agentIdentity } from '../../../domain/directory/identity.ts'

const WALLET = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

describe('the counts of the directory', () => {
  const many = {
    participants: 60,
    activeLast30d: 20,
    completedSessions: 300,
    listed: 40,
    private: 20,
    privateActive: 9,
    privateCompleted: 90,
  }
  const ALL = ['participants', 'activeLast30d', 'completedSessions', 'private']

  test.each([
    ['many of everything', {}, []],
    ['no wallet active', { activeLast30d: 0 }, []],
    ['one wallet active', { activeLast30d: 1 }, ['activeLast30d']],
    ['four listed', { listed: 4 }, ['listed']],
    ['five listed', { listed: 5 }, []],
    ['one private: the difference of the others would point at it', { private: 1 }, ALL],
    ['none private', { private: 0 }, []],
    ['three private wallets active among many', { privateActive: 3 }, ['activeLast30d']],
    ['two sessions of private wallets', { privateCompleted: 2 }, ['completedSessions']],
  ])('%s', (_name, change, suppressed) => {
    const counts = { ...many, ...change }
    const shown = shownCounts(counts)
    expect(shown.suppressed).toEqual(suppressed)
    for (const name of ['participants', 'activeLast30d', 'completedSessions', 'listed', 'private'] as const)
      expect(shown[name]).toBe(suppressed.includes(name as never) ? null : counts[name])
    expect(Object.keys(shown)).toHaveLength(6)
  })
})

describe('a change of the consent', () => {
  const OFF = { publicProfile: false, currentActivity: false }
  const PROFILE = { publicProfile: true, currentActivity: false }
  const BOTH = { publicProfile: true, currentActivity: true }

  test.each([
    [OFF, { publicProfileOptIn: true }, PROFILE],
    [OFF, { publicProfileOptIn: true, currentActivityOptIn: true }, BOTH],
    [OFF, { currentActivityOptIn: false }, OFF],
    [PROFILE, { currentActivityOptIn: true }, BOTH],
    [BOTH, { publicProfileOptIn: true }, BOTH],
    [BOTH, { currentActivityOptIn: false }, PROFILE],
    [BOTH, { publicProfileOptIn: false }, OFF],
  ])('%j with %j is %j', (current, request, next) => {
    expect(nextConsent(current, request)).toEqual(next)
  })

  test.each([
    [OFF, { currentActivityOptIn: true }],
    [BOTH, { publicProfileOptIn: false, currentActivityOptIn: true }],
  ])('%j with %j is refused', (current, request) => {
    expect(() => nextConsent(current, request)).toThrow(expect.objectContaining({ code: 'profile_opt_in_required' }))
  })
})

test('a handle shows both ends of the address', () => {
  expect(agentHandle(WALLET)).toBe('agent-7099-79c8')
})

test.each([
  ['is known', { [WALLET]: { kind: 'canary', evidence: 'run by us' } }, true, 'operator-run', 'canary', 'run by us'],
  ['is not among the known', { '0x00': { kind: 'bot' } }, false, 'external', null, null],
  ['meets an empty list', {}, false, 'unknown', null, null],
] as const)('a wallet that %s', (_name, registry, synthetic, classification, kind, evidence) => {
  expect(agentIdentity(WALLET, registry)).toEqual({
    synthetic,
    identity: { classification, kind, authority: 'operator_identity_registry', evidence },
  })
})
