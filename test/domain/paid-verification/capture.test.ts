import { describe, expect, test } from '@jest/globals'
import { type CaptureDecision, type CaptureFacts, decideCapture } from '../../../domain/paid-verification/capture.ts'
import { canBecome, isFinal, showsVerdict, viewOf } from '../../../domain/paid-verification/run-states.ts'
import { RUN_STATES, type RunState } from '../../../schemas/paid-verification/record.ts'

const OWED = { amountRaw: '5000000', validBefore: 1_000 }
const facts = (changes: Partial<CaptureFacts>): CaptureFacts => ({
  blockTime: 100,
  finalTime: 88,
  use: null,
  balanceRaw: 5_000_000n,
  isSending: false,
  hasLeft: false,
  ...changes,
})
const use = (kind: 'paid' | 'used_elsewhere' | 'cancelled', confirmations = 2) => ({ kind, txHash: '0xaa', confirmations })

describe('a payment that is owed', () => {
  test.each<[string, Partial<CaptureFacts>, CaptureDecision]>([
    ['is sent while nothing is known of it', {}, { kind: 'send' }],
    ['is sent with 60 seconds left', { blockTime: 940 }, { kind: 'send' }],
    ['is not sent with 59, and may still be paid by another', { blockTime: 941 }, { kind: 'wait' }],
    ['has not expired while its end may be undone', { blockTime: 1_010, finalTime: 999 }, { kind: 'wait' }],
    ['has expired when its end is deep enough', { blockTime: 1_012, finalTime: 1_000 }, { kind: 'uncollectable', reason: 'expired' }],
    ['is captured by the log of its transfer', { use: use('paid') }, { kind: 'captured', txHash: '0xaa' }],
    ['is captured after its end, too', { use: use('paid'), blockTime: 2_000 }, { kind: 'captured', txHash: '0xaa' }],
    ['waits for the depth of that log', { use: use('paid', 1) }, { kind: 'wait' }],
    ['waits for the depth of a cancellation', { use: use('cancelled', 1) }, { kind: 'wait' }],
    ['is lost to a cancellation', { use: use('cancelled') }, { kind: 'uncollectable', reason: 'cancelled' }],
    ['is lost to another transfer', { use: use('used_elsewhere') }, { kind: 'uncollectable', reason: 'used_elsewhere' }],
    ['is lost without the balance', { balanceRaw: 4_999_999n }, { kind: 'uncollectable', reason: 'insufficient_funds' }],
    ['waits without the balance once its authorisation has left', { balanceRaw: 0n, hasLeft: true }, { kind: 'wait' }],
    ['is sent once more when the balance is back', { hasLeft: true }, { kind: 'send' }],
    [
      'is lost without the balance at its end',
      { balanceRaw: 0n, hasLeft: true, blockTime: 1_012, finalTime: 1_000 },
      { kind: 'uncollectable', reason: 'insufficient_funds' },
    ],
    ['is given up at no time while a transaction is open', { isSending: true, balanceRaw: 0n, blockTime: 2_000 }, { kind: 'wait' }],
  ])('%s', (_name, changes, expected) => {
    expect(decideCapture(OWED, facts(changes), 2)).toEqual(expected)
  })
})

describe('the states of a run', () => {
  const pairs = RUN_STATES.flatMap((from) => RUN_STATES.map((to): [RunState, RunState] => [from, to]))

  test('end in one of three, and none leads back', () => {
    expect(RUN_STATES.filter(isFinal)).toEqual(['captured', 'not_billed', 'uncollectable'])
    expect(pairs.filter(([from, to]) => canBecome(from, to)).every(([from, to]) => RUN_STATES.indexOf(from) < RUN_STATES.indexOf(to))).toBe(
      true,
    )
  })

  test('show a verdict only where it is paid or never billed', () => {
    expect(RUN_STATES.filter(showsVerdict)).toEqual(['captured', 'not_billed'])
  })

  test('call nothing unbilled whose transaction may be mined', () => {
    expect(RUN_STATES.filter((state) => viewOf(state).billing === 'not_billed')).toEqual(['not_billed'])
    expect(canBecome('capturing', 'not_billed')).toBe(false)
    expect(viewOf('capturing')).toEqual({ status: 'executed', billing: 'capture_pending' })
  })
})
