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

interface Way {
  kind: ChainEnding
  events: EscrowEvent[]
  ledger: string | null
  badge: boolean
  agrees: [string, boolean][]
}

const WAYS: Way[] = [
  {
    kind: 'approved',
    events: [WORK, at('0xend', 'Verified', { approved: true }), SPLIT, CLOSED],
    ledger: 'approval_level_1',
    badge: true,
    agrees: [['resolved', false]],
  },
  {
    kind: 'awarded',
    events: [WORK, at('0xno', 'Verified', { approved: false }), at('0xend', 'DisputeResolved', { workerPayout: '900' }), SPLIT, CLOSED],
    ledger: 'dispute_won',
    badge: true,
    agrees: [['resolved', false]],
  },
  {
    kind: 'upheld',
    events: [WORK, at('0xend', 'DisputeResolved', { workerPayout: '0' }), CLOSED],
    ledger: 'dispute_lost',
    badge: false,
    agrees: [['rejected', true]],
  },
  {
    kind: 'timeout',
    events: [WORK, at('0xend', 'AutoResolvedOnTimeout', { workerPayout: '450' }), SPLIT, CLOSED],
    ledger: null,
    badge: false,
    agrees: [['closed', false]],
  },
  {
    kind: 'finalized',
    events: [WORK, at('0xno', 'Verified', { approved: false }), at('0xno', 'JobRejected'), CLOSED],
    ledger: 'rejection_final',
    badge: false,
    agrees: [['rejected', true]],
  },
  {
    kind: 'released',
    events: [at('0xend', 'JobReopened')],
    ledger: null,
    badge: false,
    agrees: [
      ['expired', false],
      ['timed_out', false],
      ['closed', false],
    ],
  },
]
const STORED: [string, boolean][] = [
  ...['claimed', 'submitted', 'disputed', 'rejected', 'resolved', 'closed', 'expired', 'timed_out'].map((status): [string, boolean] => [
    status,
    false,
  ]),
  ['rejected', true],
]

describe('the end of a claim on chain', () => {
  test.each(WAYS)(
    '$kind agrees with its own record only, whatever earlier and later claims did',
    ({ kind, events, ledger, badge, agrees }) => {
      const earlier = [at('0xother', 'JobClaimed'), at('0xother2', 'JobReopened')]
      const chain = claimOnChain([...earlier, CLAIM, ...events, at('0xnext', 'JobClaimed'), at('0xnext2', 'JobClosed')], '0xclaim')
      expect(chain.ending).toMatchObject({ kind, txHash: '0xend', at: 7 })
      expect([ledgerKindOf(chain), earnsBadge(chain)]).toEqual([ledger, badge])
      const agreeing = STORED.filter(([status, isFinal]) => sessionContradiction(chain, { status, isFinal }) === null)
      expect(new Set(agreeing)).toEqual(new Set(agrees))
    },
  )

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
