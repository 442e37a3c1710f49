import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { createDisputeOpenings } from '../../../activities/disputes/openings.ts'
import { appendReputation, readScores } from '../../../activities/reputation/ledger.ts'
import { findSession, getSession, moveSession } from '../../../activities/sessions/records.ts'
import { findVerdict } from '../../../activities/verification/records.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { iso } from '../../../domain/common/instants.ts'
import { logEntry } from '../../../domain/sessions/log-entry.ts'
import type { AdmittedClaim, ClaimInput } from '../../../schemas/claims/process.ts'
import type { VerdictRecord } from '../../../schemas/verification/shapes.ts'
import { receiptRowOf } from '../../support/records/receipt-rows.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { bondAt, type Records, startRecords, UNLIMITED, walletAt } from '../support/service.ts'
import { codeOf, GOOD } from '../support/settlements.ts'

let records: Records
beforeAll(async () => {
  records = await startRecords(UNLIMITED)
})
afterAll(() => records.stop())

const OTHER = { ...GOOD, summary: 'Exponential backoff, jitter.' }

const UNMET = { criterion: 'answer_expected', result: 'unmet', evidence: '/verificationInput' }

let count = 0
const admit = async (changes: Partial<ClaimInput> = {}) => {
  count += 1
  const number = count
  const wallet = changes.wallet ?? walletAt(number)
  const jobId = changes.jobId ?? (await records.addJob(`job-${number}`))
  const claim = { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}`, ...changes }), runId: `run-${number}` }
  return { claim, admitted: await records.admission.admitClaim(claim) }
}

const record = async ({ claim, admitted }: { claim: ClaimInput; admitted: AdmittedClaim }) => {
  const bond = bondAt(records.clock.now())
  await records.claims.recordClaim({ claim, admitted, bond })
  return { ...admitted, bond }
}
const claimed = async () => record(await admit())

const submit = (claim: AdmittedClaim, submission: unknown = GOOD) =>
  records.claims.admitSubmission({ ...claim, submission, requestId: 'request-2', protocol: 'http' })
const recordSubmission = (claim: AdmittedClaim, { claims }: Pick<Records, 'claims'> = records) =>
  claims.recordSubmission({
    ...claim,
    txHash: `0x${'d'.repeat(64)}`,
    submittedAt: new Date(records.clock.now()).toISOString(),
    protocol: 'mcp',
  })

const EXPIRED = { result: 'expired', observedState: 'open', observedWorker: null, blockNumber: '9', txHash: null } as const
const expire = ({ runId, sessionId }: AdmittedClaim, result: 'expired' | 'chain_closed' | 'diverged' = 'expired') =>
  records.claims.recordExpiry({ runId, sessionId, expiry: { ...EXPIRED, result } })
const sessionOf = ({ sessionId }: AdmittedClaim) => getSession(records.rows, sessionId)
const submitted = async () => {
  const claim = await claimed()
  await submit(claim)
  await recordSubmission(claim)
  return claim
}

const openings = () => createDisputeOpenings({ database: records.database, arbitrator: null, clock: records.clock })
const sendToReview = async ({ sessionId }: AdmittedClaim, verdictId: string) => {
  const verdict = await findVerdict(records.rows, verdictId)
  if (verdict === null) throw new Error(`no verdict ${verdictId}`)
  await openings().openReview(await getSession(records.rows, sessionId), verdict, records.clock.now(), 2_000_000n)
}

const historyOf = (sessionId: string) =>
  records.rows.selectFrom('session_event').selectAll().where('sessionId', '=', sessionId).orderBy('seq').execute()
const topicsOf = async (sessionId: string): Promise<string[]> =>
  (await records.rows.selectFrom('event').select('topic').where('sessionId', '=', sessionId).orderBy('id').execute()).map(
    ({ topic }) => topic,
  )

describe('a recorded claim', () => {
  test('closes its intent and announces itself once, however often it is recorded', async () => {
    const one = await admit()
    const first = await record(one)
    const again = await records.claims.recordClaim({ ...one, bond: bondAt(records.clock.now() + 60_000) })
    expect(again).toMatchObject({ sessionId: first.sessionId, claimExpiresAt: first.bond.claimExpiresAt })
    // The last second counts in full.
    const lapsesAt = records.clock.now() + (again.lapsesInMs ?? 0)
    expect(Math.abs(lapsesAt - Date.parse(first.bond.claimExpiresAt) - 1_000)).toBeLessThan(500)
    expect(await topicsOf(first.sessionId)).toEqual(['session.claimed', 'funding.claim_lock_recorded'])
    expect(await historyOf(first.sessionId)).toHaveLength(1)
    const intents = await records.rows.selectFrom('claim_intent').select('status').where('runId', '=', first.runId).execute()
    expect(intents).toEqual([{ status: 'recorded' }])
  })

  test('keeps what the chain charged, and says where that was not foretold', async () => {
    const one = await admit()
    await records.claims.recordClaim({ ...one, bond: bondAt(records.clock.now(), { stakeRaw: '210000' }) })
    const session = await getSession(records.rows, one.admitted.sessionId)
    expect(session.economics.claimStakeRaw).toBe(210_000n)
    expect(session.statusHistory[0]?.metadata).toMatchObject({
      claimEconomicsPredictionMismatch: { stakeRaw: { predicted: '200000', charged: '210000' } },
    })
  })

  test('of a run whose intent was released is not recorded', async () => {
    const one = await admit()
    await records.admission.releaseClaim({ runId: one.admitted.runId, code: 'claim_run_ended' })
    await expect(record(one)).rejects.toThrow('was released')
    expect(await findSession(records.rows, one.admitted.sessionId)).toBeNull()
  })

  test('of another attempt of the wallet has an id of its own', async () => {
    const first = await claimed()
    await expire(first)
    const second = await record(await admit({ wallet: first.wallet, jobId: first.jobId }))
    expect(second.sessionId).toBe(`${first.sessionId}:2`)
  })
})

describe('a session', () => {
  test('moves only along the graph', async () => {
    const { sessionId } = await claimed()
    const move = (to: 'resolved' | 'claimed') =>
      records.database.transaction((rows) =>
        moveSession(rows, { sessionId, to, reason: 'test', at: records.clock.now(), metadata: {}, patch: { workReceiptId: 'none' } }),
      )
    expect(await codeOf(move('resolved'))).toBe('invalid_session_transition')
    expect(await move('claimed')).toBe(false)
    expect(await historyOf(sessionId)).toHaveLength(1)
  })

  test('of two writers at once only one moves it', async () => {
    const claim = await claimed()
    await submit(claim)
    const both = await Promise.allSettled([recordSubmission(claim), expire(claim)])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await historyOf(claim.sessionId)).toHaveLength(2)
  })

  test('keeps a history in which every entry seals the one before it', async () => {
    const claim = await submitted()
    await sendToReview(claim, await review(claim))
    const events = await historyOf(claim.sessionId)
    expect(events.map(({ fromStatus, toStatus }) => [fromStatus, toStatus])).toEqual([
      [null, 'claimed'],
      ['claimed', 'submitted'],
      ['submitted', 'disputed'],
    ])
    let previousHash: string | null = null
    for (const { hash, ...entry } of events.map(logEntry)) {
      expect(entry.previousHash).toBe(previousHash)
      expect(hash).toBe(keccakOf(entry))
      previousHash = hash
    }
  })

  test('cannot be stored as resolved without a payout', async () => {
    const { sessionId } = await claimed()
    const write = records.rows.updateTable('session').set({ status: 'resolved' }).where('sessionId', '=', sessionId).execute()
    await expect(write).rejects.toThrow('resolved_has_payout')
  })

  test.each([
    ['approval over an unmet item', 'approved', [UNMET], 'approval_has_no_unmet_item'],
    ['approval without items', 'approved', [], 'approval_has_no_unmet_item'],
    ['approval without the member', 'approved', undefined, 'approval_has_no_unmet_item'],
    ['rejection without an unmet item', 'rejected', [{ ...UNMET, result: 'met' }], 'rejection_has_unmet_item'],
  ])('cannot get a verdict that is an %s', async (_name, outcome, items, constraint) => {
    const { sessionId, jobId } = await claimed()
    const kind = { handler: 'deterministic', handlerVersion: 1, score: 0, reasonCode: 'X', verdict: { outcome, items } }
    const row = { id: `${sessionId}/1`, sessionId, jobId, seq: 1, outcome, ...kind, decidedAt: records.clock.now() }
    await expect(records.rows.insertInto('verification').values(row).execute()).rejects.toThrow(constraint)
  })

  test('cannot be stored beside another live one of its job', async () => {
    const claim = await claimed()
    const row = await records.rows.selectFrom('session').selectAll().where('sessionId', '=', claim.sessionId).executeTakeFirstOrThrow()
    const duplicate = { ...row, sessionId: 'duplicate', runId: 'duplicate', wallet: walletAt(9_999), evidence: {}, jobSnapshot: {} }
    await expect(records.rows.insertInto('session').values(duplicate).execute()).rejects.toThrow('session_one_live_per_job')
  })
})

describe('a submission', () => {
  test('is stored, and the same one again is no other', async () => {
    const claim = await claimed()
    expect(await submit(claim)).toEqual({ alreadySubmitted: false, status: 'claimed' })
    expect(await submit(claim)).toEqual({ alreadySubmitted: false, status: 'claimed' })
    expect(await codeOf(submit(claim, OTHER))).toBe('submit_in_progress')
    await recordSubmission(claim)
    await recordSubmission(claim)
    expect(await submit(claim)).toEqual({ alreadySubmitted: true, status: 'submitted' })
    expect(await codeOf(submit(claim, OTHER))).toBe('invalid_session_transition')
    expect(await topicsOf(claim.sessionId)).toEqual(['session.claimed', 'funding.claim_lock_recorded', 'session.submitted'])
    expect((await sessionOf(claim)).protocolHistory).toEqual(['http', 'mcp'])
  })

  test.each([
    ['codehost_pr', 6],
    ['benchmark', 48],
  ])('of the mode %s keeps the end of its review, %d hours on, which a changed setting does not move', async (verifierMode, hours) => {
    const claim = await claimed()
    const mode = sql<Record<string, unknown>>`evidence || ${JSON.stringify({ verifierMode })}::jsonb`
    await records.rows.updateTable('session').set({ evidence: mode }).where('sessionId', '=', claim.sessionId).execute()
    await submit(claim)
    await recordSubmission(claim, { claims: records.claimsWith({ CODEHOST_PR_REVIEW_SLA_HOURS: '6' }) })
    const { submittedAt } = (await sessionOf(claim)).timestamps
    const { slaDeadline } = await records.verifications.loadSubject(claim)
    expect(Date.parse(slaDeadline) - (submittedAt ?? 0)).toBe(hours * 3_600_000)
  })

  test('that its pinned schema does not accept stores nothing', async () => {
    const claim = await claimed()
    await expect(submit(claim, { nothing: true })).rejects.toThrow()
    expect(await sessionOf(claim)).toMatchObject({ status: 'claimed', submission: null, version: 1 })
  })

  test('that waited for a worker is judged by when the service took it in, and never by an instant to come', async () => {
    const [waited, late] = [await claimed(), await claimed()]
    const before = records.clock.now()
    const deadline = Date.parse(late.bond.claimExpiresAt)
    const offer = (claim: typeof late, acceptedAt: string) =>
      records.claims.admitSubmission({ ...claim, submission: GOOD, requestId: 'request-2', protocol: 'http', acceptedAt })
    records.clock.set(deadline + 3_600_000)
    // The last second counts in full.
    expect(await offer(waited, iso(Date.parse(waited.bond.claimExpiresAt) + 999))).toEqual({ alreadySubmitted: false, status: 'claimed' })
    for (const acceptedAt of [iso(deadline + 1_000), iso(deadline + 7_200_000), 'yesterday'])
      expect(await codeOf(offer(late, acceptedAt))).toBe('claim_expired')
    expect(await codeOf(submit(late))).toBe('claim_expired')
    records.clock.set(before)
  })

  test('tells when people are called, a repeat the same', async () => {
    const claim = await claimed()
    await submit(claim)
    const { reviewEndsAt } = await recordSubmission(claim)
    expect(reviewEndsAt).toBe(iso((await sessionOf(claim)).reviewEndsAt ?? 0))
    records.clock.set(records.clock.now() + 5_000)
    expect(await recordSubmission(claim)).toEqual({ sessionId: claim.sessionId, status: 'submitted', reviewEndsAt })
    records.clock.set(records.clock.now() - 5_000)
  })

  test('that the chain refused leaves the session claimed, and another one may be sent', async () => {
    const claim = await claimed()
    await submit(claim)
    await records.claims.dropSubmission({ sessionId: claim.sessionId, code: 'blockchain_revert' })
    const session = await sessionOf(claim)
    expect(session).toMatchObject({ status: 'claimed', submission: null, evidenceHash: null })
    expect(session).toMatchObject({ submitFailedAt: expect.any(Number), submitFailureCode: 'blockchain_revert' })
    expect(await submit(claim, OTHER)).toMatchObject({ alreadySubmitted: false })
  })

  test('that is recorded already is not dropped any more', async () => {
    const claim = await submitted()
    await records.claims.dropSubmission({ sessionId: claim.sessionId, code: 'blockchain_revert' })
    expect((await sessionOf(claim)).submission).not.toBeNull()
  })

  test('that the platform brought too late ends the session as its own fault: no attempt is counted', async () => {
    const claim = await claimed()
    await submit(claim)
    expect(await records.claims.recordLateSubmission({ sessionId: claim.sessionId })).toMatchObject({ status: 'chain_state_diverged' })
    const row = await records.rows
      .selectFrom('session')
      .select('countsAsAttempt')
      .where('sessionId', '=', claim.sessionId)
      .executeTakeFirst()
    expect(row).toEqual({ countsAsAttempt: false })
  })
})

describe('a lapsed claim', () => {
  test.each([
    ['open again on chain is expired, at the very instant of its expiry', 'expired', 'expired', 'session.expired'],
    ['closed on chain is closed', 'chain_closed', 'closed', 'session.closed'],
    ['in another state on chain is for people to see', 'diverged', 'chain_state_diverged', 'verifier.chain_state_diverged'],
  ] as const)('%s', async (_name, result, status, topic) => {
    const claim = await claimed()
    const first = await expire(claim, result)
    expect(await expire(claim, result)).toEqual(first)
    const session = await sessionOf(claim)
    expect(session.status).toBe(status)
    expect((await topicsOf(claim.sessionId)).filter((found) => found === topic)).toHaveLength(1)
    if (status === 'expired') expect(session.timestamps.expiredAt).toBe(Date.parse(claim.bond.claimExpiresAt))
  })

  test.each(['expired', 'chain_closed', 'diverged'] as const)(
    'whose session ended otherwise meanwhile keeps that end: %s',
    async (result) => {
      const claim = await claimed()
      await submit(claim)
      await records.claims.recordLateSubmission({ sessionId: claim.sessionId })
      const before = await sessionOf(claim)
      expect(await expire(claim, result)).toEqual({ sessionId: claim.sessionId, status: 'chain_state_diverged' })
      expect(await sessionOf(claim)).toEqual(before)
    },
  )
})

/** A verdict that people must complete. */
const review = async (claim: AdmittedClaim): Promise<string> =>
  (await records.verifications.recordReviewRequired({ sessionId: claim.sessionId, runId: `verify-${claim.runId}` })).verdictId

describe('a verdict', () => {
  test('that people must complete keeps the worker unharmed and is recorded once', async () => {
    const claim = await submitted()
    const verdictId = await review(claim)
    await sendToReview(claim, verdictId)
    await sendToReview(claim, verdictId)
    expect((await topicsOf(claim.sessionId)).filter((topic) => topic === 'dispute.opened')).toHaveLength(1)
    expect(await readScores(records.rows, claim.wallet)).toEqual({ skill: 0, reliability: 0, economic: 0 })
  })
})

describe('a rejection', () => {
  const rejected = async () => {
    const claim = await submitted()
    const verdictId = await review(claim)
    const found = await records.rows.selectFrom('verification').selectAll().where('id', '=', verdictId).executeTakeFirstOrThrow()
    const verdict = { ...found, outcome: 'rejected' as const, verdict: found.verdict as VerdictRecord }
    await records.settlements.recordRejected({
      session: await sessionOf(claim),
      verdict,
      at: records.clock.now(),
    })
    return claim
  }

  test('costs reputation only when it is final, and only once', async () => {
    const { sessionId, wallet } = await rejected()
    const scores = async () =>
      (await records.rows.selectFrom('reputation_event').selectAll().where('sessionId', '=', sessionId).execute()).length
    expect(await scores()).toBe(0)
    const session = await getSession(records.rows, sessionId)
    const at = records.clock.now()
    const end = { txHash: '0x1', at, receipt: await receiptRowOf(records.rows, { sessionId, jobId: session.jobId, worker: wallet, at }) }
    await records.settlements.finalize(session, end)
    await records.settlements.finalize(session, end)
    expect(await scores()).toBe(1)
    expect(await readScores(records.rows, wallet)).toEqual({ skill: 0, reliability: 0, economic: 0 })
  })

  test('that is disputed on chain is announced once', async () => {
    const { sessionId } = await rejected()
    const session = await getSession(records.rows, sessionId)
    const opened = { txHash: `0x${'e'.repeat(64)}`, at: records.clock.now(), opener: session.wallet, rewardRaw: 2_000_000n } as const
    await openings().openFromRejection(session, opened)
    await openings().openFromRejection(session, opened)
    expect((await topicsOf(sessionId)).filter((topic) => topic === 'dispute.opened')).toHaveLength(1)
  })
})

describe('the reputation ledger', () => {
  const append = (wallet: string, { sessionId }: AdmittedClaim, kind: 'approval_level_1' | 'dispute_lost') =>
    records.database.transaction((rows) =>
      appendReputation(rows, { wallet, sessionId, kind, reward: { rewardRaw: 2_000_000n, decimals: 6 }, at: records.clock.now() }),
    )

  test('of a wallet that loses much at the same moment stops at zero', async () => {
    const [won, ...lost] = await Promise.all(Array.from({ length: 9 }, claimed))
    if (won === undefined) throw new Error('nine claims were made')
    await append(won.wallet, won, 'approval_level_1')
    await Promise.all(lost.map((claim) => append(won.wallet, claim, 'dispute_lost')))
    expect(await readScores(records.rows, won.wallet)).toEqual({ skill: 0, reliability: 0, economic: 2 })
  })

  test('takes one event of a kind for a session', async () => {
    const claim = await claimed()
    await Promise.all([1, 2, 3].map(() => append(claim.wallet, claim, 'approval_level_1')))
    expect(await readScores(records.rows, claim.wallet)).toEqual({ skill: 25, reliability: 20, economic: 2 })
  })
})
