import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { BlockedStepError } from '../../../activities/common/blocked.ts'
import { findDisputeOfSession } from '../../../activities/disputes/rows.ts'
import { latestVerdict } from '../../../activities/verification/records.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { iso } from '../../../domain/common/instants.ts'
import { bondRelease } from '../../../domain/disputes/outcome.ts'
import { localKeys } from '../../../local/keys.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import { fund, terms } from '../../contracts/support/jobs.ts'
import { who } from '../../contracts/support/world.ts'
import { storeCheckAged } from '../../support/records/verdict-needs.ts'
import { BOND, DAY, openDisputes, RATIONALE, REWARD, word } from '../support/disputes.ts'
import { verifyEveryDocument } from '../support/receipts.ts'
import { bondAt, type Service, startService, walletAt } from '../support/service.ts'
import { BAD, codeOf } from '../support/settlements.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const disputes = openDisputes(() => service)
const {
  admit,
  claimed,
  submitted,
  evaluate,
  judged,
  reviewRequired,
  inReview,
  disputed,
  gained,
  sessionOf,
  standing,
  recordOf,
  sent,
  rowsOf,
} = disputes
const { applied, arbitratedOnChain } = disputes

describe('a dispute of a job that holds less than its record says', () => {
  const HELD = 1n

  /** Claimed by the worker itself on a stranger's job of the listed id, and recorded before such a job was refused. */
  const claimedForLess = async (): Promise<AdmittedClaim> => {
    await fund(service.world, who.poster, 10_000_000n)
    const { claim, admitted } = await admit()
    const chainJobId = admitted.chainJobId as Hex
    await service.world.run(who.poster, 'escrow', 'createSinglePayoutJob', ...terms(service.world, { jobId: chainJobId, reward: HELD }))
    await service.world.run(admitted.wallet as Hex, 'escrow', 'claimJob', chainJobId)
    const { claimExpiresAt } = await service.reads.escrowJob(chainJobId)
    await service.claims.recordClaim({ claim, admitted, bond: bondAt((claimExpiresAt ?? 0) - 3_600_000) })
    return admitted
  }

  test.each([
    ['a rejection', disputed],
    ['a review', inReview],
  ])('from %s is about what the escrow holds', async (_from, opened) => {
    const one = await opened(await claimedForLess())
    expect((await recordOf(one)).dispute.remainingRaw).toBe(HELD)
    expect(await codeOf(service.disputes.recordArbitration(word(one, 'split', { workerPayout: '400000' })))).toBe('invalid_request')
  })

  test('ends when it is decided for the worker', async () => {
    const one = await disputed(await claimedForLess())
    expect(await codeOf(service.disputes.recordArbitration(word(one, 'dismissed')))).toBe('taken')
    await service.disputes.applyDecision(one)
    expect(await sessionOf(one)).toMatchObject({
      status: 'resolved',
      disputeResolution: { verdict: 'dismissed', workerPayout: { raw: '1' } },
    })
  })

  test('ends as dismissed when an arbitrator itself pays all that there is', async () => {
    const one = await disputed(await claimedForLess())
    const other = localKeys().admin.address
    await service.world.run(who.owner, 'policy', 'setArbitrator', other, true)
    await arbitratedOnChain(one, 'dismissed', HELD, other)
    await service.disputes.reconcileWithChain(one)
    expect(await sessionOf(one)).toMatchObject({
      status: 'resolved',
      disputeResolution: { verdict: 'dismissed', workerPayout: { raw: '1' } },
    })
  })
})

describe('a chain that shows nothing of the job', () => {
  test('opens no dispute about nothing: the worker would pay for it with its bond', async () => {
    const claim = await reviewRequired()
    const { sessionId } = claim
    const elsewhere = { chainJobId: chainJobId('shown-by-no-node') }
    await service.rows.updateTable('session').set(elsewhere).where('sessionId', '=', sessionId).execute()
    await expect(service.disputes.takeVerdict(claim)).rejects.toThrow(BlockedStepError)
    expect((await sessionOf(claim)).status).toBe('submitted')
    expect(await findDisputeOfSession(service.rows, sessionId)).toBeNull()
  })
})

describe('one row decides', () => {
  test('of many decisions at once one is taken and the others are refused, whichever actor sends them', async () => {
    const claim = await inReview()
    const verdictId = (await latestVerdict(service.rows, claim.sessionId))?.id ?? ''
    const outcomes = await Promise.all([
      ...['upheld', 'dismissed', 'split'].map((verdict) => codeOf(service.disputes.recordArbitration(word(claim, verdict)))),
      ...['approve', 'reject'].map((verdict) => codeOf(service.disputes.recordHumanVerdict(word(claim, verdict)))),
    ])
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'dispute_already_decided')).toHaveLength(4)
    expect(await service.disputes.recordLaterVerdict({ sessionId: claim.sessionId, verdictId })).toBe(false)
    expect((await recordOf(claim)).actions).toEqual(['review_opened', 'verdict_submitted'])
  })

  test('the request that decided gets its answer again, since the first may have been lost; any other decision is refused', async () => {
    const decisionRequestId = 'request-1'
    const claim = await disputed()
    const split = (workerPayout: string) => word(claim, 'split', { workerPayout, decisionRequestId })
    const first = await service.disputes.recordArbitration(split('700000'))
    expect(await service.disputes.recordArbitration(split('700000'))).toEqual(first)
    for (const refused of [split('700001'), { ...split('700000'), by: walletAt(9) }])
      expect(await codeOf(service.disputes.recordArbitration(refused))).toBe('dispute_already_decided')
    expect((await recordOf(claim)).actions.filter((action) => action === 'verdict_submitted')).toHaveLength(1)

    const review = await inReview()
    const approval = word(review, 'approve', { decisionRequestId })
    const taken = await service.disputes.recordHumanVerdict(approval)
    expect(await service.disputes.recordHumanVerdict(approval)).toEqual(taken)
    expect(await codeOf(service.disputes.recordHumanVerdict({ ...approval, verdict: 'reject' }))).toBe('dispute_already_decided')

    const byHand = await disputed()
    const upheld = await service.disputes.recordArbitration(word(byHand, 'upheld'))
    expect(await service.disputes.recordArbitration(word(byHand, 'upheld'))).toEqual(upheld)
  })

  test.each([
    { by: 7 },
    { rationale: `${RATIONALE}\ud800` },
    { verdict: ['upheld'] },
    { verdict: { toString: 1 } },
    { decisionRequestId: 7 },
  ])('refuses a decision by hand with %j, and the round is still open', async (changes) => {
    const claim = await inReview()
    expect(await codeOf(service.disputes.recordArbitration(word(claim, 'upheld', changes)))).toBe('invalid_request')
    expect(await codeOf(service.disputes.recordHumanVerdict(word(claim, 'approve', changes)))).toBe('invalid_request')
    expect((await recordOf(claim)).decision).toBeNull()
  })

  test('carried out from several places at once it pays once', async () => {
    const claim = await disputed()
    await service.disputes.recordArbitration(word(claim, 'split', { workerPayout: '700000' }))
    expect(await gained(claim, () => Promise.all([1, 2, 3].map(() => service.disputes.applyDecision(claim))))).toBe(700_000n + BOND)
    expect(await sent(claim, 'resolveDispute')).toMatchObject([{ status: 'mined' }])
    expect(await rowsOf('badge', claim)).toBe(1)
  })

  test('the arbitrator’s own transaction that was there first counts, and the word hears that it did not decide', async () => {
    const claim = await disputed()
    const { round } = await service.disputes.recordArbitration(word(claim, 'upheld'))
    await arbitratedOnChain(claim, 'dismissed', REWARD)
    await service.disputes.applyDecision(claim)
    expect(await sessionOf(claim)).toMatchObject({
      status: 'resolved',
      disputeResolution: { verdict: 'dismissed', reasonCode: 'DISPUTE_OVERTURNED' },
    })
    expect(await codeOf(service.disputes.decisionAnswer({ sessionId: claim.sessionId, round }))).toBe('dispute_already_decided')
    const { decision, actions } = await recordOf(claim)
    expect(decision).toMatchObject({
      verdict: 'upheld',
      observed: { verdict: 'dismissed', workerPayoutRaw: REWARD.toString(), mismatch: true },
    })
    expect(actions.slice(-2)).toEqual(['arbitration_prepared_payout_mismatch', 'verdict_settled'])
    const late = [
      service.disputes.decisionAnswer({ sessionId: claim.sessionId, round }),
      service.disputes.recordArbitration(word(claim, 'split')),
    ]
    for (const refused of late)
      await expect(refused).rejects.toMatchObject({ info: { details: { verdict: 'dismissed', decidedAt: decision?.observed?.at } } })
    const events = service.rows.selectFrom('event').select('data').where('sessionId', '=', claim.sessionId)
    const { data } = await events.where('topic', '=', 'dispute.verdict_recorded').executeTakeFirstOrThrow()
    expect(data).toMatchObject({ verdict: 'dismissed', reasonCode: 'DISPUTE_OVERTURNED', reasoningHash: null })
  })
})

describe('the end of a dispute', () => {
  const released = async ({ sessionId }: AdmittedClaim) => {
    const stored = service.rows.selectFrom('event').select('data').where('sessionId', '=', sessionId)
    const events = await stored.where('topic', '=', 'settlement.stake_release_recorded').execute()
    return events.map(({ data }) => data)
  }
  /** What the session's history says of its end: the worker's payout and the transaction. */
  const ended = async (claim: AdmittedClaim, to: string) => {
    const { status, statusHistory } = await sessionOf(claim)
    expect(status).toBe(to)
    const txHash = (await recordOf(claim)).decision?.observed?.txHash
    expect(txHash).toMatch(/^0x[0-9a-f]{64}$/)
    return { metadata: statusHistory.at(-1)?.metadata, txHash }
  }

  test.each([
    ['split', { workerPayout: '700000' }, 'return-to-depositor', 'resolved', '700000'],
    ['dismissed', {}, 'return-to-depositor', 'resolved', `${REWARD}`],
    ['upheld', {}, 'slash-to-treasury', 'rejected', '0'],
    ['timeout', {}, 'contract', 'closed', undefined],
  ])('by the arbitrator’s %s stands in the history, and its bond is announced once', async (verdict, more, action, to, raw) => {
    const claim = await disputed()
    if (verdict === 'timeout') await service.pass(14 * DAY)
    await service.disputes.recordArbitration(word(claim, verdict, more))
    await applied(claim)
    const { dispute, decision } = await recordOf(claim)
    const { chainJobId, jobId } = claim
    const amount = { raw: BOND.toString(), decimals: 6, display: '0.25' }
    const { disputeId, openedAt, deadlineAt } = dispute
    const about = { disputeId, jobId, chainJobId, openedAt: iso(openedAt), windowEndsAt: iso(deadlineAt) }
    expect(await released(claim)).toEqual([{ ...about, amount: { asset: 'USDC', ...amount }, action, chainStatus: 'confirmed' }])
    const session = await sessionOf(claim)
    expect(bondRelease(session, decision)).toMatchObject({ action, amount })
    expect(session.statusHistory.at(-1)).toMatchObject({ at: expect.any(Number), recordedAt: expect.any(Number) })
    const { metadata, txHash } = await ended(claim, to)
    if (raw !== undefined) expect(metadata).toMatchObject({ workerPayout: { asset: 'USDC', raw }, txHash })
  })

  test.each([
    ['approve', 'resolved', `${REWARD - 50_000n}`],
    ['reject', 'rejected', '0'],
  ])('people’s %s', async (verdict, to, raw) => {
    const claim = await inReview()
    await service.disputes.recordHumanVerdict(word(claim, verdict))
    await service.disputes.applyDecision(claim)
    const { metadata, txHash } = await ended(claim, to)
    expect(metadata).toMatchObject({ handler: 'human_review', workerPayout: { asset: 'USDC', raw }, txHash })
  })
})

describe('a time-out that was decided by hand', () => {
  test('and that the arbitrator’s own split of the same sum overtook on chain is a split, with its code', async () => {
    const claim = await disputed()
    await service.pass(14 * DAY)
    const { round } = await service.disputes.recordArbitration(word(claim, 'timeout'))
    await arbitratedOnChain(claim, 'split', REWARD / 2n)
    await service.disputes.applyDecision(claim)
    const session = await sessionOf(claim)
    expect(session).toMatchObject({ status: 'resolved', disputeResolution: { verdict: 'split', reasonCode: 'DISPUTE_PARTIAL' } })
    expect(session.statusHistory.at(-1)).toMatchObject({ to: 'resolved', reason: 'DISPUTE_PARTIAL' })
    const { decision } = await recordOf(claim)
    expect(decision).toMatchObject({ reasonCode: 'DISPUTE_PARTIAL', observed: { verdict: 'split', mismatch: true } })
    expect(await codeOf(service.disputes.decisionAnswer({ sessionId: claim.sessionId, round }))).toBe('dispute_already_decided')
  })
})

describe('a verdict that people must complete', () => {
  const [datasetUrl, resourceUrl] = ['https://catalog.data.example/dataset/stations', 'https://catalog.data.example/stations.csv']
  const outputSchemaRef = 'schema://jobs/open-data-quality-audit-output'
  const AUDIT = {
    dataset_title: 'Stations',
    dataset_url: datasetUrl,
    resource_url: resourceUrl,
    findings: [],
    summary: 'As described.',
    no_issue_found: true,
    recommended_actions: ['Keep it.'],
    checks: [{ name: 'reachable', status: 'pass', evidence: 'It answers.' }],
  }
  /** Both addresses are down since the claim: there is no evidence about the work. */
  const unreachable = async (): Promise<AdmittedClaim> => {
    for (const address of [datasetUrl, resourceUrl]) await storeCheckAged(service.rows, `source:${new URL(address).origin}`, null, -86_400)
    const job = {
      verifierMode: 'deterministic',
      outputSchemaRef,
      verifierTerms: undefined,
      verifierConfig: undefined,
      source: { type: 'open_data_dataset', datasetUrl, resourceUrl },
      verification: { method: 'fetchable_open_data_evidence', signals: [], evidenceSchemaRef: outputSchemaRef },
    } as Partial<JobInputBody>
    const jobId = await service.addJob('unreachable-data', job)
    const claim = await judged(AUDIT, await claimed({ jobId }))
    await service.disputes.takeVerdict(claim)
    return claim
  }
  /** What was pinned at the claim does not verify any more. */
  const brokenPin = async (): Promise<AdmittedClaim> => {
    const admitted = await submitted(BAD)
    const { jobSnapshot } = await sessionOf(admitted)
    const broken = { ...jobSnapshot, definitionHash: `0x${'0'.repeat(64)}` }
    await service.rows
      .updateTable('session')
      .set({ jobSnapshot: broken as never })
      .where('sessionId', '=', admitted.sessionId)
      .execute()
    await service.disputes.takeVerdict(await evaluate(admitted))
    return admitted
  }

  test.each([
    ['inconclusive work takes no attempt from its worker', unreachable, 'inconclusive', false],
    ['a fault of the platform takes no attempt from its worker', brokenPin, 'platform_fault', false],
    ['what a person has to read is an attempt like any other', () => inReview(), 'disputed', true],
  ])('%s', async (_name, prepare, outcome, countsAsAttempt) => {
    const claim = await prepare()
    const session = await sessionOf(claim)
    expect([session.status, session.statusHistory.at(-1)?.metadata.outcome]).toEqual(['disputed', outcome])
    const kept = service.rows.selectFrom('session').select('countsAsAttempt').where('sessionId', '=', claim.sessionId)
    expect(await kept.executeTakeFirst()).toEqual({ countsAsAttempt })
  })
})

describe('a verdict that the chain refuses, since its arbitrator lost the role', () => {
  const mayArbitrate = (may: boolean) => service.world.run(who.owner, 'policy', 'setArbitrator', localKeys().arbitrator.address, may)
  afterEach(() => mayArbitrate(true))

  test('waits for the chain once more as long as the arbitrator had, and then ends by the contract’s rule', async () => {
    const claim = await disputed()
    await service.disputes.recordArbitration(word(claim, 'dismissed'))
    await mayArbitrate(false)
    for (const days of [0, 15]) {
      await service.pass(days * DAY)
      await expect(service.disputes.applyDecision(claim)).rejects.toThrow('resolveDispute would be reverted now: Unauthorized')
    }
    await service.pass(14 * DAY)
    await service.disputes.applyDecision(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'final', status: 'closed' })
    const { payoutTx } = await sessionOf(claim)
    expect(payoutTx).toMatchObject({ settlement: { workerAmountRaw: (REWARD / 2n).toString() } })
    expect(await sent(claim, 'resolveDispute')).toEqual([])
  })

  test('is carried out when the role comes back', async () => {
    const claim = await disputed()
    await service.disputes.recordArbitration(word(claim, 'dismissed'))
    await mayArbitrate(false)
    await expect(service.disputes.applyDecision(claim)).rejects.toThrow('would be reverted now')
    await mayArbitrate(true)
    // The policy's owner may have had the nonce that the first try was signed with: then the step decides anew.
    await service.disputes.applyDecision(claim).catch(() => service.disputes.applyDecision(claim))
    expect(await standing(claim)).toMatchObject({ stage: 'final', status: 'resolved' })
  })
})

describe('the event of a verdict', () => {
  test('that does not exist, or that belongs to another session, changes nothing', async () => {
    const [claim, { verdictId }] = [await submitted(BAD), await reviewRequired()]
    for (const id of ['no-such-verdict', verdictId]) await service.disputes.takeVerdict({ sessionId: claim.sessionId, verdictId: id })
    expect(await standing(claim)).toMatchObject({ stage: 'verdict', status: 'submitted' })
    expect(await findDisputeOfSession(service.rows, claim.sessionId)).toBeNull()
  })
})

describe('a verdict of a machine that comes late', () => {
  const late = (claim: AdmittedClaim) => evaluate(claim, `late-${claim.runId}`)
  const newest = ({ sessionId }: AdmittedClaim) => latestVerdict(service.rows, sessionId)

  test.each([
    ['people’s word', (claim: AdmittedClaim) => service.disputes.recordHumanVerdict(word(claim, 'approve')), 'HUMAN_REVIEW_APPROVED'],
    [
      'an arbitrator’s word',
      (claim: AdmittedClaim) => service.disputes.recordArbitration(word(claim, 'dismissed')),
      'HUMAN_REVIEW_REQUIRED',
    ],
  ])('behind %s is not kept, although the money has not moved yet', async (_whose, decide, reasonCode) => {
    const claim = await inReview()
    await decide(claim)
    const before = await newest(claim)
    expect(before).toMatchObject({ reasonCode })
    expect(await late(claim)).toMatchObject({ verdictId: before?.id })
    expect((await newest(claim))?.id).toBe(before?.id)
  })

  test('behind another machine’s that is being carried out is not kept', async () => {
    const claim = await submitted(BAD)
    const { verdictId } = await late(claim)
    const again = { sessionId: claim.sessionId, runId: `later-${claim.runId}` }
    expect(await service.verifications.recordReviewRequired(again)).toMatchObject({ verdictId, outcome: 'rejected' })
  })

  test('while people still look decides for them', async () => {
    const claim = await inReview()
    const found = await late(claim)
    expect(found.outcome).toBe('rejected')
    expect((await newest(claim))?.id).toBe(found.verdictId)
  })
})

test('every receipt and badge of the disputes above passes the check of a stranger', async () => {
  expect([...(await verifyEveryDocument(service))].sort()).toEqual([
    'closed timeout timeout rejected',
    'rejected arbitration upheld rejected',
    'resolved arbitration dismissed approved',
    'resolved arbitration split approved',
    'resolved human_review approved approved',
  ])
})
