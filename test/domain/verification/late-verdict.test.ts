import { describe, expect, test } from '@jest/globals'
import { HUMAN_REVIEW, isMachine, ON_CHAIN } from '../../../domain/sessions/deciders.ts'
import { isLateVerdict } from '../../../domain/verification/late-verdict.ts'
import { verificationRefusal } from '../../../domain/verification/refusal.ts'
import { CHAIN_JOB_STATES } from '../../../schemas/chain/job-state.ts'
import { SESSION_STATUSES, type SessionRecord } from '../../../schemas/sessions/record.ts'
import { VERDICT_OUTCOMES, type VerdictOutcome } from '../../../schemas/sessions/verdicts.ts'

type Present = Pick<SessionRecord, 'status' | 'chainState'>
const OPEN: Present = { status: 'submitted', chainState: 'submitted' }
const REVIEW: Present = { status: 'disputed', chainState: 'submitted' }
const ARBITRATION: Present = { status: 'disputed', chainState: 'disputed' }
const PAID: Present = { status: 'resolved', chainState: 'closed' }

describe('a verdict of a verifier', () => {
  const late = (session: Present, last: VerdictOutcome | null, roundDecided = false) =>
    isLateVerdict({ session, last: last === null ? null : { outcome: last }, roundDecided }, { handler: 'benchmark', outcome: 'approved' })

  test.each([OPEN, REVIEW, ARBITRATION, PAID])('is kept as the first one, however the session stands (%j)', (session) => {
    expect(late(session, null)).toBe(false)
    expect(late(session, null, true)).toBe(false)
  })

  test.each(VERDICT_OUTCOMES)('after one that was %s', (outcome) => {
    const decides = outcome === 'approved' || outcome === 'rejected'
    expect([late(OPEN, outcome), late(REVIEW, outcome)]).toEqual([decides, decides])
  })

  test('comes too late where the escrow waits for none, and where the dispute has a word already', () => {
    expect([late(ARBITRATION, 'disputed'), late(PAID, 'inconclusive')]).toEqual([true, true])
    expect([late(REVIEW, 'disputed', true), late(REVIEW, 'disputed', false)]).toEqual([true, false])
  })
})

test.each([OPEN, REVIEW, ARBITRATION, PAID])('a verdict that the chain shows is kept where it says another thing (%j)', (session) => {
  const late = (last: VerdictOutcome, outcome: VerdictOutcome) =>
    isLateVerdict({ session, last: { outcome: last }, roundDecided: true }, { handler: ON_CHAIN, outcome })
  expect([late('approved', 'approved'), late('rejected', 'rejected')]).toEqual([true, true])
  expect([late('approved', 'rejected'), late('rejected', 'approved'), late('disputed', 'approved')]).toEqual([false, false, false])
})

test('a verdict of a reviewer or of another holder of the role on chain is no machine’s', () => {
  expect([HUMAN_REVIEW, ON_CHAIN, 'benchmark', 'codehost_pr'].map((handler) => isMachine({ handler }))).toEqual([false, false, true, true])
  expect([HUMAN_REVIEW, ON_CHAIN]).toEqual(['human_review', 'chain'])
})

test.each(SESSION_STATUSES)('a verifier is asked about a session that is %s, or the reason against it is given', (status) => {
  const awaited = status === 'submitted' || status === 'disputed'
  const details = { sessionId: 's', currentStatus: status, nextStatus: 'resolved' }
  for (const chainState of CHAIN_JOB_STATES) {
    const refusal = verificationRefusal({ sessionId: 's', status, chainState })
    const info = awaited
      ? { detail: expect.stringMatching(/arbitrator/), details: { ...details, chainState, reason: 'not_submitted_on_chain' } }
      : { detail: expect.stringMatching(/submitted or disputed/), details: { ...details, reason: 'not_awaiting_verification' } }
    if (awaited && chainState === 'submitted') expect(refusal).toBeNull()
    else expect([refusal?.code, refusal?.info]).toEqual(['invalid_session_transition', info])
  }
})
