import { expect, test } from '@jest/globals'
import type { ToolName } from '../../../api/tools/descriptors.ts'
import { hintsOf } from '../../../api/tools/hints.ts'

const sessionId = 'job:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const blocker = {
  details: { shortfallRaw: '7' },
  nextActions: [{ kind: 'http', method: 'POST', path: '/account/deposit/transactions', description: 'Deposit.' }],
}

/** Tool, its answer, what was sent, and the calls that follow, each with its arguments. */
const ROWS: [string, ToolName, Record<string, unknown>, Record<string, unknown>, [string, Record<string, unknown>][]][] = [
  [
    'work that would be paid',
    'validateJobSubmission',
    { jobId: 'job', valid: true, submitSafe: true },
    {},
    [['listSessions', { jobId: 'job', state: 'active' }]],
  ],
  [
    'work of the right shape that would be rejected',
    'validateJobSubmission',
    { jobId: 'job', valid: true, submitSafe: false },
    {},
    [['validateJobSubmission', { jobId: 'job' }]],
  ],
  ['a session without work', 'getVerificationResult', { sessionId, status: 'not_submitted' }, {}, [['resumeSession', { sessionId }]]],
  [
    'work that is judged',
    'getVerificationResult',
    { sessionId, status: 'verifying' },
    {},
    [['getVerificationResult', { sessionId, waitSeconds: 25 }]],
  ],
  ['an approval', 'getVerificationResult', { sessionId, status: 'decided', outcome: 'approved' }, {}, [['getAgentBadge', { sessionId }]]],
  ['a rejection', 'getVerificationResult', { sessionId, status: 'decided', outcome: 'rejected' }, {}, [['resumeSession', { sessionId }]]],
  [
    'jobs of which the wallet can claim the second',
    'listJobs',
    {
      jobs: [
        { format: 'full', id: 'a', claimable: true, currentWalletCanClaim: false },
        { format: 'full', id: 'b', claimable: true, currentWalletCanClaim: true },
      ],
      nextCursor: null,
    },
    {},
    [['preflightJob', { jobId: 'b' }]],
  ],
  [
    'short rows of which the second can be claimed',
    'listJobs',
    {
      jobs: [
        { id: 'a', claimable: false },
        { id: 'b', claimable: true },
      ],
      nextCursor: null,
    },
    {},
    [['preflightJob', { jobId: 'b' }]],
  ],
  [
    'a page of jobs',
    'listJobs',
    { jobs: [{ id: 'a', claimable: true }], limit: 3, nextCursor: 'c' },
    { state: 'claimable', limit: 100 },
    [
      ['preflightJob', { jobId: 'a' }],
      ['listJobs', { state: 'claimable', limit: 3, cursor: 'c' }],
    ],
  ],
  [
    'jobs that are all blocked',
    'recommendJobs',
    { recommendations: [{ jobId: 'a', eligible: false }], nextCursor: null },
    {},
    [['explainEligibility', { jobId: 'a' }]],
  ],
  ['a page of disputes', 'listDisputes', { disputes: [], limit: 5, nextCursor: 'c' }, {}, [['listDisputes', { limit: 5, cursor: 'c' }]]],
  [
    'a job that the wallet can claim',
    'preflightJob',
    { jobId: 'job', eligible: true },
    {},
    [
      ['getJobDefinition', { jobId: 'job' }],
      ['claimJob', { jobId: 'job' }],
    ],
  ],
  [
    'a job that needs money',
    'explainEligibility',
    { jobId: 'job', eligible: false, blockers: [blocker] },
    {},
    [['buildAccountDepositTransactions', { amount: '7' }]],
  ],
]

test.each(ROWS)('after %s', (_what, tool, body, sent, calls) => {
  expect(hintsOf(tool, body, sent).map(({ tool: next, arguments: given }) => [next, given])).toEqual(calls)
})
