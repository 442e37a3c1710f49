import { describe, expect, test } from '@jest/globals'
import { toFunctionSelector } from 'viem/utils'
import {
  closedStatus,
  escrowHoldsMoney,
  isClaimedOnChain,
  isPaidUnrecorded,
  type ObservedJob,
  settlementActions,
} from '../../../domain/sessions/close.ts'
import { CHAIN_JOB_STATES, type ChainJobState } from '../../../schemas/chain/job-state.ts'
import type { ChainStateDivergence, SessionStatus } from '../../../schemas/sessions/record.ts'

const WALLET = `0x${'a'.repeat(40)}`
const OTHER = `0x${'b'.repeat(40)}`
const EXPIRES = Date.parse('2026-11-21T12:00:00Z')
const DAY = 86_400_000
const TTL = 3_600_000
const session = { wallet: WALLET, timestamps: { claimedAt: EXPIRES - TTL }, claimExpiresAt: EXPIRES }
const job = (state: ChainJobState, changes: Partial<ObservedJob> = {}): ObservedJob => ({
  state,
  worker: WALLET,
  claimExpiresAt: EXPIRES,
  rejectedAt: null,
  disputedAt: null,
  rewardRaw: 2_000_000n,
  releasedRaw: 0n,
  ...changes,
})
const at = { escrow: `0x${'e'.repeat(40)}`, chainJobId: `0x${'1'.repeat(64)}`, chainId: 420 }
const moveOf = (observed: ObservedJob, now: number): unknown => settlementActions(observed, at, now)[0]?.transaction?.function

describe('the escrow holds money for a session', () => {
  test('only while its worker has the job, in a state that is not over', () => {
    const holding = CHAIN_JOB_STATES.filter((state) => escrowHoldsMoney(session, job(state)))
    expect(holding).toEqual(['claimed', 'submitted', 'rejected', 'disputed'])
    expect(CHAIN_JOB_STATES.filter((state) => isClaimedOnChain(session, job(state)))).toEqual(['claimed'])
  })

  test.each<[string, Partial<ObservedJob>, boolean]>([
    ['with its worker and its deadline', {}, true],
    ['when a fork moved its claim to a later block', { claimExpiresAt: EXPIRES + 12_000 }, true],
    ['until the last moment before a later claim can end', { claimExpiresAt: EXPIRES + TTL - 1 }, true],
    ['when the claim has no deadline', { claimExpiresAt: null }, true],
    ['not by a later claim of the same worker', { claimExpiresAt: EXPIRES + TTL }, false],
    ['not by a claim of another wallet', { worker: OTHER }, false],
    ['not when no wallet holds the job', { worker: null, claimExpiresAt: null }, false],
  ])('by a claim that is its own: %s', (_name, changes, isOwn) => {
    expect(isClaimedOnChain(session, job('claimed', changes))).toBe(isOwn)
    for (const state of ['claimed', 'submitted'] as const) expect(escrowHoldsMoney(session, job(state, changes))).toBe(isOwn)
  })
})

describe('work is paid on chain and submitted by the records', () => {
  const paid = job('closed', { releasedRaw: 1n })
  const submitted = { ...session, status: 'submitted' as const }
  test.each<[string, boolean, { status: SessionStatus }, ObservedJob]>([
    ['when its worker got anything', true, submitted, paid],
    ['not when nothing was paid', false, submitted, job('closed')],
    ['not while the escrow is open for more', false, submitted, job('submitted', { releasedRaw: 1n })],
    ['not when another wallet was paid', false, submitted, { ...paid, worker: OTHER }],
    ['not when the same worker was paid for a later claim', false, submitted, { ...paid, claimExpiresAt: EXPIRES + TTL }],
    ['not when it was never submitted here', false, { status: 'claimed' }, paid],
    ['not when it diverged', false, { status: 'chain_state_diverged' }, paid],
    ['not when the end of its dispute says what was paid', false, { status: 'disputed' }, paid],
  ])('%s', (_name, expected, { status }, observed) => {
    expect(isPaidUnrecorded({ ...session, status }, observed)).toBe(expected)
  })
})

describe('what moves the money', () => {
  test('is the call that any wallet may send, from the second in which the chain takes it', () => {
    expect(moveOf(job('claimed'), EXPIRES + 999)).toBeUndefined()
    expect(moveOf(job('claimed'), EXPIRES + 1_000)).toBe('handleClaimTimeout(bytes32)')
    const rejected = job('rejected', { rejectedAt: EXPIRES })
    expect(moveOf(rejected, EXPIRES + 7 * DAY)).toBeUndefined()
    expect(moveOf(rejected, EXPIRES + 7 * DAY + 1_000)).toBe('finalizeRejectedJob(bytes32)')
    const disputed = job('disputed', { disputedAt: EXPIRES })
    expect(moveOf(disputed, EXPIRES + 14 * DAY - 1)).toBeUndefined()
    expect(moveOf(disputed, EXPIRES + 14 * DAY)).toBe('autoResolveOnTimeout(bytes32)')
  })

  const over = { claimExpiresAt: EXPIRES, rejectedAt: EXPIRES, disputedAt: EXPIRES }

  test.each([
    ['a job that is settled', job('closed', over)],
    ['a claim without a deadline', job('claimed', { ...over, claimExpiresAt: null })],
    ['a rejection of unknown time', job('rejected', { ...over, rejectedAt: null })],
    ['a dispute of unknown time', job('disputed', { ...over, disputedAt: null })],
  ])('is nothing that any wallet may send: %s', (_name, observed) => {
    expect(settlementActions(observed, at, EXPIRES + 90 * DAY)).toEqual([
      { kind: 'wait', description: expect.stringContaining(`escrow job is ${observed.state}`) },
    ])
  })

  test('is a verdict where the work was handed in: who gives it is named, and how', () => {
    const [action, ...others] = settlementActions(job('submitted', over), at, EXPIRES + 90 * DAY)
    expect([action?.kind, action?.transaction, others]).toEqual(['wait', undefined, []])
    const { description } = action ?? {}
    expect(description).toMatch(
      /^The escrow job is submitted: .*POST \/verifier\/run .* except for a session that has diverged\. For that session a verifier decides .* escrow 0xe{40}: resolveSinglePayout, .*resolveMilestone .*\. Approved, .* finalizeRejectedJob after the seven days of its dispute window\.$/,
    )
  })

  test.each([
    [job('claimed', over), 'handleClaimTimeout(bytes32)', /lapsed claim.*any account/],
    [job('rejected', over), 'finalizeRejectedJob(bytes32)', /undisputed rejection final.*any account/],
    [job('disputed', over), 'autoResolveOnTimeout(bytes32)', /overdue dispute.*any account/],
  ])('follows the state of the job alone, as a transaction that can be signed: $state', (observed, call, description) => {
    const data = `${toFunctionSelector(call)}${'1'.repeat(64)}`
    const transaction = { to: at.escrow, data, value: '0', chainId: 420, function: call, args: [at.chainJobId] }
    expect(settlementActions(observed, at, EXPIRES + 90 * DAY)).toEqual([
      { kind: 'transaction', description: expect.stringMatching(description), transaction },
    ])
  })
})

test('a diverged session stays where it is, every other goes where the operator says', () => {
  const session = (status: SessionStatus, chainStateDivergence: ChainStateDivergence | null = null) => ({ status, chainStateDivergence })
  expect(closedStatus(session('chain_state_diverged'), 'closed')).toBeNull()
  expect(
    closedStatus(session('closed', { expected: 'submitted', observed: 'claimed', at: '2026-01-01T00:00:00.000Z' }), 'timed_out'),
  ).toBeNull()
  expect(closedStatus(session('claimed'), 'timed_out')).toBe('timed_out')
  expect(closedStatus(session('disputed'), 'closed')).toBe('closed')
})
