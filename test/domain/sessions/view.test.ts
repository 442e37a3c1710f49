import { describe, expect, test } from '@jest/globals'
import { pendingSessionView, sessionNextActions, sessionView } from '../../../domain/sessions/view.ts'
import { SESSION_STATUSES } from '../../../schemas/sessions/record.ts'
import { PendingSessionShape, SessionShape } from '../../../schemas/sessions/shapes.ts'
import { aSession, CLAIMED_AT, EXPIRES_AT, WORKER } from '../builders/session.ts'

const DAY = 86_400_000

describe('the served session', () => {
  test('carries identity, state, economics, pinned terms and the footer, with times as ISO strings', () => {
    const [claimedAt, claimExpiresAt] = ['2026-03-01T12:00:00.000Z', '2026-03-01T14:00:00.000Z']
    const view = sessionView(aSession(), CLAIMED_AT, { disclosureFooter: 'Prepared by an agent.' })
    expect(view).toMatchObject({
      sessionId: 'job-1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      wallet: WORKER,
      status: 'claimed',
      chainState: 'claimed',
      reason: 'job_claimed',
      since: claimedAt,
      deadline: claimExpiresAt,
      claimedAt,
      claimExpiresAt,
      claimStake: '0.2',
      claimStakeRaw: '200000',
      totalClaimLock: '0.25',
      claimStakeCustody: 'chain_escrow',
      claimEconomicsWaivedAtClaim: false,
      claimEconomicsWaiverScope: 'claim_time',
      workerExposure: { applies: true },
      disclosureFooter: 'Prepared by an agent.',
      statusHistory: [{ from: null, to: 'claimed', reason: 'job_claimed', at: claimedAt, metadata: { protocol: 'http' } }],
    })
  })

  test.each(SESSION_STATUSES)('a %s session has the published shape and plain JSON only', (status) => {
    const view = sessionView(aSession({ status, timestamps: { rejectedAt: CLAIMED_AT } }), CLAIMED_AT)
    expect(SessionShape.safeParse(view).error).toBeUndefined()
    expect(JSON.parse(JSON.stringify(view))).toEqual(view)
  })

  test('names nothing that is not published, however many of its later parts exist', () => {
    const missing = Object.entries(aSession()).filter(([, value]) => value === null)
    const later = Object.fromEntries(missing.map(([name]) => [name, name.endsWith('At') ? CLAIMED_AT : {}]))
    const view = sessionView({ ...aSession(), ...later }, CLAIMED_AT)
    expect(Object.keys(view).filter((name) => !(name in SessionShape.shape))).toEqual([])
    expect(view).toMatchObject({ submitFailedAt: '2026-03-01T12:00:00.000Z', operatorClose: {} })
  })

  test('parts that do not exist yet are absent', () => {
    const view = sessionView(aSession(), CLAIMED_AT)
    for (const name of ['submission', 'payoutTx', 'submittedAt']) expect(view).not.toHaveProperty(name)
  })

  test('a lapsed claim reads expired with its own reason, before any timer fired', () => {
    expect(sessionView(aSession(), EXPIRES_AT + 5000)).toMatchObject({
      status: 'expired',
      reason: 'claim_ttl_expired',
      since: new Date(EXPIRES_AT).toISOString(),
      expiredAt: new Date(EXPIRES_AT).toISOString(),
    })
  })

  test('a submission is shown with its hash', () => {
    const submission = { kind: 'structured' as const, structured: { output: 'x' }, evidenceText: '{"output":"x"}' }
    const view = sessionView(aSession({ status: 'submitted', submission, evidenceHash: `0x${'6'.repeat(64)}` }), CLAIMED_AT)
    expect(view).toMatchObject({ submission, evidenceHash: `0x${'6'.repeat(64)}` })
  })
})

describe('next actions', () => {
  test.each(SESSION_STATUSES)('every state tells its worker something to do: %s', (status) => {
    expect(sessionNextActions(aSession({ status }), CLAIMED_AT).length).toBeGreaterThan(0)
  })

  test('a rejected worker gets the exact dispute transaction while the window is open, and not after it', () => {
    const rejected = aSession({ status: 'rejected', timestamps: { rejectedAt: CLAIMED_AT } })
    const { chainJobId, jobSnapshot } = rejected
    expect(sessionNextActions(rejected, CLAIMED_AT + 7 * DAY)).toContainEqual(
      expect.objectContaining({
        kind: 'transaction',
        transaction: {
          to: jobSnapshot.escrowAddress,
          data: `0xf08ef6cb${chainJobId.slice(2)}`,
          value: '0',
          chainId: jobSnapshot.chainId,
          function: 'openDispute(bytes32)',
          args: [chainJobId],
        },
      }),
    )
    expect(sessionNextActions(rejected, CLAIMED_AT + 7 * DAY + 1000).map((action) => action.kind)).not.toContain('transaction')
  })

  test('an accepted submission that is not on chain yet is not asked for again', () => {
    const submission = { kind: 'text' as const, rawText: 'done', evidenceText: 'done' }
    expect(sessionNextActions(aSession({ submission }), CLAIMED_AT).map((action) => action.path)).not.toContain('/jobs/submit')
  })
})

test('a pending session says how far it is, when to look again and that the same call converges', () => {
  const stage = 'locking_bond' as const
  const pending = { sessionId: aSession().sessionId, jobId: 'job-1', wallet: WORKER, stage, txHash: `0x${'7'.repeat(64)}`, nonce: 12 }
  const view = pendingSessionView(pending, 5)
  expect(PendingSessionShape.safeParse(view).error).toBeUndefined()
  expect(view).toMatchObject({ ...pending, status: 'pending', retryAfterSeconds: 5 })
  expect(view.nextActions.map(({ method, path }) => [method, path])).toEqual([
    ['GET', '/session?sessionId=job-1%3A0x70997970C51812dc3A010C7d01b50e0d17dc79C8&waitSeconds=25'],
    ['POST', '/jobs/claim'],
  ])
  expect(pendingSessionView({ ...pending, stage: 'submitting' }, 5).nextActions.at(-1)?.path).toBe('/jobs/submit')
})
