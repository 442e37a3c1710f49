import { describe, expect, test } from '@jest/globals'
import { iso } from '../../../domain/common/instants.ts'
import { amount } from '../../../domain/common/money.ts'
import { arbitrationEndsAt } from '../../../domain/disputes/stage.ts'
import { disputeRemedy, disputeView } from '../../../domain/disputes/view.ts'
import { findDisputeAction } from '../../../domain/sessions/view.ts'
import type { DisputeRecord, RoundDecision } from '../../../schemas/disputes/record.ts'
import { waitsFor } from '../../../workflows/disputes/dispute-run.ts'
import { OPENED_AT as AT, aDecision, aDispute, anObservedVerdict } from '../builders/dispute.ts'
import { aSession } from '../builders/session.ts'

const usdc = (raw: string) => amount({ raw: BigInt(raw), decimals: 6 })

const END = arbitrationEndsAt(AT)
const EARLY = END - 15 * 60_000
const DAY = 86_400_000

const HASH = `0x${'a'.repeat(64)}`
const transaction = { to: '0x1', data: '0x2', value: '0' as const, chainId: 1, function: 'resolveDispute', args: [] }
const decision = (changes: Partial<RoundDecision> = {}) =>
  aDecision({ payoutSource: 'operator_supplied', reasoningHash: HASH, decidedAt: AT + 1_000, ...changes })
const disputed = aSession({ status: 'disputed', chainState: 'disputed', timestamps: { rejectedAt: AT } })
const view = (record: DisputeRecord, given: RoundDecision | null = null, now = AT, session = disputed) =>
  disputeView(record, session, given, [], { now, baseUrl: 'https://work.example', rationale: 'It was read.', statement: null })

describe('a verdict', () => {
  test('that the chain carried out is shown with who gave it, when and why', () => {
    expect(view(aDispute({ status: 'resolved' }), decision({ observed: anObservedVerdict() }))).toMatchObject({
      verdict: 'dismissed',
      decidedBy: '0xd',
      decidedAt: iso(AT + 1_000),
      source: 'arbitrator',
      chainStatus: 'confirmed',
      rationale: 'It was read.',
      reasoningHash: HASH,
      metadataURI: `https://work.example/content/${HASH}`,
      workerPayout: usdc('1000000'),
    })
  })

  test.each([
    ['the arbitrator’s own transaction decided otherwise', { verdict: 'upheld', workerPayoutRaw: '0' }],
    ['it was never signed, and the contract timed the dispute out', { verdict: 'timeout', workerPayoutRaw: '500000' }],
    ['a fork took the dispute away, and a rejection stands', { verdict: 'rejected', workerPayoutRaw: '0', by: 'chain' }],
  ] as const)('is not shown as the decision of an overruled arbitrator: %s', (_what, shown) => {
    const shownDispute = view(aDispute({ status: 'resolved' }), decision({ observed: anObservedVerdict({ ...shown, mismatch: true }) }))
    expect(shownDispute).toMatchObject({
      verdict: shown.verdict,
      decidedBy: 'by' in shown ? shown.by : '0xe',
      decidedAt: iso(AT + 9_000),
      source: 'chain',
      workerPayout: usdc(shown.workerPayoutRaw),
      preparedPayout: usdc('1000000'),
      payoutMismatch: true,
    })
    for (const member of ['rationale', 'reasoningHash', 'metadataURI', 'payoutSource']) expect(shownDispute).not.toHaveProperty(member)
  })
})

describe('the deadline of an open dispute', () => {
  test.each([
    ['of the worker', { origin: 'participant' }, null, END],
    ['that the service splits at the time-out', { origin: 'operator' }, null, EARLY],
    ['of an operator, without the arbitrator’s key', { origin: 'operator', arbitrator: null }, null, END],
    ['with an unsigned verdict', { arbitrator: null }, { preparationId: 'p', preparedAt: '', transaction }, END],
  ] as const)('%s is the instant that counts, wherever it stands', (_what, changes, preparation, until) => {
    const given = preparation === null ? null : decision({ preparation: { ...preparation, transaction } })
    const shown = view(aDispute(changes), given, until - 1_500)
    expect(shown).toMatchObject({ deadline: iso(until), windowEndsAt: iso(END) })
    expect(shown.arbitration.sla).toMatchObject({ windowEndsAt: iso(END), expired: false, secondsRemaining: 2 })
    expect(shown.nextActions[0]?.description).toContain(iso(until))
    const after = view(aDispute(changes), given, until).arbitration.sla
    expect(after).toMatchObject({ windowEndsAt: iso(END), expired: true, secondsRemaining: 0 })
  })
})

describe('the text of what follows a deadline', () => {
  const { economics } = aSession()
  const waived = { ...economics, waived: true, claimStakeRaw: 0n, claimFeeRaw: 0n }
  test.each([
    [
      'of the worker',
      { origin: 'participant' },
      'the contract pays half of the reward and slashes the bond.',
      'the contract pays half of the reward.',
    ],
    [
      'of an operator',
      { origin: 'operator' },
      'the worker gets half of the reward and its bond back.',
      'the worker gets half of the reward.',
    ],
  ] as const)('of a dispute %s names its bond, and none where it was waived', (_whose, changes, bonded, unbonded) => {
    const textFor = (session: typeof disputed) =>
      view(aDispute(changes), null, AT, session).nextActions[0]?.description.split('otherwise ')[1]
    expect([textFor(disputed), textFor({ ...disputed, economics: waived })]).toEqual([bonded, unbonded])
  })

  test('of a rejection names its bond to the worker, and none where it was waived', () => {
    const rejected = aSession({ status: 'rejected', timestamps: { rejectedAt: AT } })
    const textFor = (session: typeof rejected) => findDisputeAction(session, AT, null)?.description.split('Without a dispute ')[1]
    expect([textFor(rejected), textFor({ ...rejected, economics: waived })]).toEqual([
      'the rejection becomes final and the bond is slashed.',
      'the rejection becomes final.',
    ])
  })

  test.each([
    ['finalize_rejection', 'the rejection becomes final and the bond is slashed', 'the rejection becomes final'],
    ['contract_timeout', 'the contract pays half of the reward and slashes the bond', 'the contract pays half of the reward'],
  ] as const)('in the workflow names no bond that was waived, either: %s', (outcome, bonded, unbonded) => {
    const textFor = (isBonded: boolean) => waitsFor({ stage: 'window', decision: 'none', timeoutOutcome: outcome, isBonded } as never)
    expect([textFor(true), textFor(false)]).toEqual([bonded, unbonded].map((text) => `a dispute on chain; otherwise ${text}`))
  })
})

test.each([
  ['in time', iso(AT + 9_000), { expired: false, secondsRemaining: (END - AT) / 1000 - 9 }],
  ['too late', iso(END + 9_000), { expired: true, secondsRemaining: 0 }],
])('the SLA of a dispute that ended %s is shown as it was then', (_how, at, sla) => {
  for (const now of [AT + 10_000, END + 99_000])
    expect(
      view(aDispute({ status: 'resolved' }), decision({ observed: { ...anObservedVerdict(), at } }), now).arbitration.sla,
    ).toMatchObject(sla)
})

describe('a verdict that was prepared for a signature', () => {
  const prepared = { preparation: { preparationId: 'p', preparedAt: '', transaction: { ...transaction, args: [] } } }
  test.each([
    ['without the key', null, {}, 'out_of_band_hardware', ['transaction']],
    ['where the key is held again', '0xa', {}, 'backend_signer', ['wait']],
    ['and is decided on chain', null, { observed: anObservedVerdict() }, 'out_of_band_hardware', ['wait']],
  ] as const)('%s is asked of the arbitrator only where the service cannot sign it', (_what, arbitrator, changes, mode, kinds) => {
    const shownDispute = view(aDispute({ arbitrator }), decision({ ...prepared, ...changes }))
    expect(shownDispute.arbitration.execution.mode).toBe(mode)
    expect(shownDispute.nextActions.map(({ kind }) => kind)).toEqual(kinds)
  })

  test('is asked of the arbitrator only once the dispute is open on chain, where the contract would revert it before', () => {
    const kindsIn = (chainState: typeof disputed.chainState) =>
      view(aDispute({ arbitrator: null }), decision(prepared), AT, { ...disputed, chainState }).nextActions.map(({ kind }) => kind)
    expect([kindsIn('submitted'), kindsIn('rejected'), kindsIn('disputed')]).toEqual([['wait'], ['wait'], ['transaction']])
  })
})

describe('the remedy of a rejection', () => {
  const rejected = (rejectionFinalizedAt: number | null = null) =>
    aSession({ status: 'rejected', timestamps: { rejectedAt: AT, rejectionFinalizedAt } })
  const end = AT + 7 * DAY

  test('is there up to the last second of the window, whether or not its end was recorded', () => {
    expect(disputeRemedy(rejected(), end + 999)).toMatchObject({ available: true, opensUntil: iso(end) })
    expect(disputeRemedy(rejected(), end + 1_000)).toMatchObject({ available: false, opensUntil: null })
  })

  test('is over once the rejection is final, and while it is disputed', () => {
    expect(disputeRemedy(rejected(end), AT)).toMatchObject({ available: false, opensUntil: null })
    expect(disputeRemedy(disputed, AT)).toMatchObject({ available: false, opensUntil: null })
  })
})
