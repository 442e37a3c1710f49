import { expect, test } from '@jest/globals'
import { endOfRequest, type OutcomeFacts, parseObservation, replacesOutcome } from '../../../domain/cross-chain/outcome.ts'

const ZERO = `0x${'0'.repeat(64)}`
const RECORDED: OutcomeFacts = {
  status: 'succeeded',
  settledAssetsRaw: 5n,
  settledSharesRaw: 4n,
  remoteRef: ZERO,
  failureCode: ZERO,
  observedAt: 1_000,
}
const LATER = { ...RECORDED, observedAt: 2_000 }
const FAILED = { ...LATER, status: 'failed' as const, settledAssetsRaw: 0n, settledSharesRaw: 0n, failureCode: `0x${'1'.repeat(64)}` }

test.each([
  ['the first one', null, null, RECORDED, true],
  ['an equal later one', RECORDED, null, LATER, false],
  ['a later one with other assets', RECORDED, null, { ...LATER, settledAssetsRaw: 6n }, true],
  ['a later one with other shares', RECORDED, null, { ...LATER, settledSharesRaw: 5n }, true],
  ['a later one with another reference', RECORDED, null, { ...LATER, remoteRef: `0x${'2'.repeat(64)}` }, true],
  ['a later failure', RECORDED, null, FAILED, true],
  ['a failure of the same instant', RECORDED, null, { ...FAILED, observedAt: 1_000 }, false],
  ['an older failure', RECORDED, null, { ...FAILED, observedAt: 999 }, false],
  ['a later failure of a settled request', RECORDED, 1_500, FAILED, false],
])('an observation: %s', (_case, recorded, processedAt, observed, replaces) => {
  expect(replacesOutcome(recorded && { ...recorded, processedAt }, observed)).toBe(replaces)
})

const OBSERVATION = {
  status: 'succeeded',
  settledAssets: '5',
  settledShares: '4',
  remoteRef: ZERO,
  failureCode: ZERO,
  source: 'operator',
  observedAt: '1970-01-01T00:00:01.000Z',
}

test('a complete observation is read as its numbers', () => {
  expect(parseObservation(OBSERVATION)).toEqual({ ...RECORDED, source: 'operator' })
})

test.each([
  ['no member', Object.fromEntries(Object.keys(OBSERVATION).map((name) => [name, undefined]))],
  ['an unknown status', { status: 'pending' }],
  ['a number as amount', { settledAssets: 5 }],
  ['a negative amount', { settledShares: '-4' }],
  ['a short reference', { remoteRef: '0x00' }],
  ['a source that cannot be stored', { source: 'a\u0000' }],
  ['no instant', { observedAt: 'yesterday' }],
  ['a success without assets', { settledAssets: '0' }],
  ['a success without shares', { settledShares: '0' }],
  ['assets of a failure', { status: 'failed', failureCode: `0x${'1'.repeat(64)}` }],
  ['a failure without a code', { status: 'failed', settledAssets: '0', settledShares: '0' }],
])('an observation with %s is none', (_case, change) => {
  expect(parseObservation({ ...OBSERVATION, ...change })).toBeNull()
})

test.each([
  [0, null],
  [1, null],
  [2, 'succeeded'],
  [3, 'failed'],
  [4, 'cancelled'],
])('a request of the status %d has the end %s', (status, end) => {
  expect(endOfRequest(status)).toBe(end)
})
