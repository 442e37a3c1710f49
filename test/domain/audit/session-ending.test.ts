import { describe, expect, test } from '@jest/globals'
import { AUDIT_EXIT, outcomeOf, reportLines } from '../../../domain/audit/report.ts'
import {
  type ChainEnding,
  claimOnChain,
  type EscrowEvent,
  earnsBadge,
  ledgerKindOf,
  sessionContradiction,
} from '../../../domain/audit/session-ending.ts'
import { AUDIT_CHECK_NAMES, AUDIT_CHECKS } from '../../../schemas/audit/checks.ts'
import type { AuditResult } from '../../../schemas/audit/record.ts'

const at = (txHash: string, event: string, args: Record<string, unknown> = {}): EscrowEvent => ({ event, args, txHash, blockTime: 7 })
const CLAIM = at('0xclaim', 'JobClaimed')
const WORK = at('0xwork', 'WorkSubmitted')
const SPLIT = at('0xend', 'SettlementSplit', { workerAmount: '900' })
const CLOSED = at('0xend', 'JobClosed')

const REJECTED = at('0xno', 'Verified', { approved: false })
const paid = (event: string, workerPayout: string) => at('0xend', event, { workerPayout })

type Way = [kind: ChainEnding, events: EscrowEvent[], ledger: string | null, badge: boolean, agrees: [string, boolean][]]
const RELEASED: Way[4] = [...[['expired', false] as [string, boolean]], ['timed_out', false], ['closed', false]]
const WAYS: Way[] = [
  ['approved', [WORK, at('0xend', 'Verified', { approved: true }), SPLIT, CLOSED], 'approval_level_1', true, [['resolved', false]]],
  ['awarded', [WORK, REJECTED, paid('DisputeResolved', '900'), SPLIT, CLOSED], 'dispute_won', true, [['resolved', false]]],
  ['upheld', [WORK, paid('DisputeResolved', '0'), CLOSED], 'dispute_lost', false, [['rejected', true]]],
  ['timeout', [WORK, paid('AutoResolvedOnTimeout', '450'), SPLIT, CLOSED], null, false, [['closed', false]]],
  ['finalized', [WORK, REJECTED, at('0xno', 'JobRejected'), CLOSED], 'rejection_final', false, [['rejected', true]]],
  ['released', [at('0xend', 'JobReopened')], null, false, RELEASED],
]
const STATUSES = ['claimed', 'submitted', 'disputed', 'rejected', 'resolved', 'closed', 'expired', 'timed_out']
const STORED: [string, boolean][] = [...STATUSES.map((status): [string, boolean] => [status, false]), ['rejected', true]]

describe('the end of a claim on chain', () => {
  test.each(WAYS)('%s agrees with its own record only, whatever earlier and later claims did', (kind, events, ledger, badge, agrees) => {
    const earlier = [at('0xother', 'JobClaimed'), at('0xother2', 'JobReopened')]
    const chain = claimOnChain([...earlier, CLAIM, ...events, at('0xnext', 'JobClaimed'), at('0xnext2', 'JobClosed')], '0xclaim')
    expect(chain.ending).toMatchObject({ kind, txHash: '0xend', at: 7 })
    expect([ledgerKindOf(chain), earnsBadge(chain)]).toEqual([ledger, badge])
    const agreeing = STORED.filter(([status, isFinal]) => sessionContradiction(chain, { status, isFinal }) === null)
    expect(new Set(agreeing)).toEqual(new Set(agrees))
  })

  test.each<[string, EscrowEvent[], string[]]>([
    ['a claim without a submission', [CLAIM], ['resolved', 'closed', 'rejected, final', 'submitted']],
    ['a submission', [CLAIM, WORK], ['resolved', 'closed', 'rejected, final']],
  ])('that is not there contradicts a record of an end: %s', (_, events, contradicted) => {
    const chain = claimOnChain(events, '0xclaim')
    const found = STORED.flatMap(([status, isFinal]) => sessionContradiction(chain, { status, isFinal })?.found ?? [])
    expect(new Set(found)).toEqual(new Set(contradicted))
  })

  test('of a claim that is not recorded contradicts every session', () => {
    const chain = claimOnChain([WORK, CLOSED], '0xclaim')
    for (const [status, isFinal] of STORED)
      expect(sessionContradiction(chain, { status, isFinal })?.expected).toBe('a recorded claim on chain')
  })
})

describe('a report', () => {
  const passed: AuditResult = { check: 'journal', outcome: 'passed', findings: 0, examples: [], reason: null, durationMs: 1_234 }
  const example = { subject: 'wallet 0x1', expected: '1', found: '2' }
  const failed: AuditResult = { ...passed, check: 'pledges', outcome: 'failed', findings: 2, examples: [example] }
  const unread: AuditResult = { ...passed, check: 'badges', outcome: 'unread', reason: 'the node is away' }

  test.each<[string, AuditResult[], number]>([
    ['of passes', [passed], 0],
    ['with a finding', [passed, failed], 1],
    ['with something unread', [passed, unread], 2],
    ['with a finding and something unread', [failed, unread], 2],
    ['without a check', [], 2],
  ])('%s has its exit code', (_, results, code) => {
    expect(AUDIT_EXIT[outcomeOf({ results })]).toBe(code)
  })

  test('names check, subject, expected and found, and what to do', () => {
    expect(reportLines({ block: '9', results: [passed, failed, unread] })).toEqual([
      'State of block 9.',
      'journal: passed (1.2 s)',
      `pledges: 2 findings. ${AUDIT_CHECKS.pledges.meaning}`,
      '  wallet 0x1: expected 1, found 2',
      '  and 1 more',
      `  Do: ${AUDIT_CHECKS.pledges.remedy}`,
      'badges: could not be read: the node is away',
    ])
  })

  test('knows a meaning and a remedy of every check', () => {
    for (const name of AUDIT_CHECK_NAMES)
      expect([AUDIT_CHECKS[name].meaning, AUDIT_CHECKS[name].remedy].every((text) => text.length > 20)).toBe(true)
  })
})
