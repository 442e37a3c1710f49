import { describe, expect, test } from '@jest/globals'
import { iso } from '../../../domain/common/instants.ts'
import { NO_WAITING_FACTS, type WaitingFacts, waitingView } from '../../../domain/sessions/waiting.ts'
import { isWithPeople } from '../../../domain/verification/late-verdict.ts'
import { VERDICT_OUTCOMES } from '../../../schemas/sessions/verdicts.ts'
import { aSession, CLAIMED_AT, EXPIRES_AT } from '../builders/session.ts'

const DAY = 86_400_000
const SUBMITTED = { submission: { kind: 'text', rawText: 'Done.', evidenceText: 'Done.' } } as const
const AT = CLAIMED_AT + 1_000

type Case = [string, Parameters<typeof aSession>[0], Partial<WaitingFacts>, object]

describe('what a session waits for', () => {
  const REVIEWED = { ...SUBMITTED, status: 'submitted', timestamps: { submittedAt: AT } } as const
  const IN_REVIEW = { ...SUBMITTED, status: 'disputed', chainState: 'submitted' } as const
  const ON_CHAIN = { ...SUBMITTED, status: 'disputed', chainState: 'disputed' } as const
  const pullRequest = { disposition: 'waiting_for_merge', heldBecause: 'Score 90 (80 needed).' } as const
  const verdictDue = { waitingFor: 'verifier', deadline: iso(AT + 2 * DAY), disposition: 'awaiting_verdict' }
  const mergeDue = { waitingFor: 'pull_request', deadline: iso(AT + 2 * DAY), ...pullRequest }
  const decisionDue = { waitingFor: 'chain', deadline: iso(AT + 14 * DAY) }
  const dispute = { waitingFor: 'chain', deadlineAt: AT + 14 * DAY } as const
  const over = { status: 'rejected', timestamps: { rejectedAt: AT, rejectionFinalizedAt: AT } } as const
  test.each<Case>([
    ['claimed', {}, {}, { waitingFor: 'worker', reason: 'job_claimed', deadline: iso(EXPIRES_AT) }],
    ['claimed, its work accepted', { ...SUBMITTED }, {}, { waitingFor: 'chain' }],
    ['submitted', { ...REVIEWED, verifierMode: 'benchmark' }, {}, verdictDue],
    ['submitted with a pull request', REVIEWED, { pullRequest }, mergeDue],
    ['disputed, its dispute unread', IN_REVIEW, { score: 40 }, { waitingFor: 'reviewer', score: 40, disposition: 'human_review' }],
    ['disputed on chain', ON_CHAIN, {}, { waitingFor: 'arbitrator' }],
    ['disputed, with its dispute', ON_CHAIN, { dispute }, decisionDue],
    ['rejected', { status: 'rejected', timestamps: { rejectedAt: AT } }, {}, { waitingFor: 'worker', deadline: iso(AT + 7 * DAY) }],
    ['finally rejected', over, {}, { waitingFor: null }],
    ['diverged', { status: 'chain_state_diverged' }, {}, { waitingFor: 'operator' }],
    ['resolved', { status: 'resolved' }, { score: 95 }, { waitingFor: null, score: 95 }],
  ])('%s is shown with reason and deadline', (_state, changes, facts, expected) => {
    const view = waitingView(aSession(changes), { ...NO_WAITING_FACTS, ...facts }, AT)
    expect(view).toMatchObject(expected)
    expect('deadline' in view).toBe('deadline' in expected)
  })
})

describe('people have to decide', () => {
  const final = ['approved', 'rejected']

  test.each(VERDICT_OUTCOMES)('after a verdict that is %s unless it is final or the session is over', (outcome) => {
    const people = (status: Parameters<typeof isWithPeople>[0]['status'], chainState: 'submitted' | 'rejected' | 'disputed' | 'closed') =>
      isWithPeople({ status, chainState }, { outcome })
    for (const status of ['submitted', 'disputed'] as const) expect(people(status, 'submitted')).toBe(!final.includes(outcome))
    expect([people('disputed', 'disputed'), people('disputed', 'rejected')]).toEqual([true, true])
    for (const status of ['resolved', 'rejected', 'closed'] as const) expect(people(status, 'closed')).toBe(false)
  })
})
