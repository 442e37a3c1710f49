import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import type { VerifierHandler, VerifierInput } from '../../../activities/verification/handlers.ts'
import { findVerdict, latestVerdict } from '../../../activities/verification/records.ts'
import { createVerifierHandlers, type VerifierHandlers } from '../../../activities/verification/registry.ts'
import { createVerifications } from '../../../activities/verification/steps.ts'
import { localKeys } from '../../../local/keys.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import type { Verdict } from '../../../schemas/verification/verdict.ts'
import { who } from '../../contracts/support/world.ts'
import { openDisputes } from '../support/disputes.ts'
import { verifyEveryDocument } from '../support/receipts.ts'
import { type Service, startService, walletAt } from '../support/service.ts'
import { BAD, GOOD, HOUR, type Judged } from '../support/settlements.ts'
import { createFixtureSources } from '../verification/fixtures/fixture.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const { claimed, submitted, judged, gained, sent, rowsOf, sessionOf, judgedOnChain } = openDisputes(() => service)
const newest = ({ sessionId }: Pick<AdmittedClaim, 'sessionId'>) => latestVerdict(service.rows, sessionId)

/** Verifications whose handler of benchmarks finds so, after the usual one. */
const verificationsOf = (find: (usual: Verdict) => Promise<unknown>) => {
  const usual = createVerifierHandlers(createFixtureSources()).get('benchmark') as VerifierHandler
  const evaluate = async (input: VerifierInput) => (await find((await usual.evaluate(input)) as Verdict)) as Verdict
  const handlers: VerifierHandlers = new Map([['benchmark', { handler: 'benchmark', evaluate }]] as const)
  return createVerifications({ ...service, handlers, publicBaseUrl: 'https://work.example' })
}

describe('a verifier that did not receive the answer to its decision', () => {
  test('decides nothing anew: one run has one verdict, in whichever of its attempts', async () => {
    const claim = await submitted()
    const attempt = (number: number) =>
      service.verifications.evaluateSubmission({ sessionId: claim.sessionId, runId: 'verify-once', attempt: number, requestedBy: 'test' })
    const [first, ...beside] = await Promise.all([attempt(1), attempt(1), attempt(2)])
    expect([...beside, await attempt(3)]).toEqual([first, first, first])
    const { verdictId } = await service.verifications.recordReviewRequired({ sessionId: claim.sessionId, runId: 'verify-once' })
    expect(first).toMatchObject({ kind: 'verdict', verdictId })
    const stored = await service.rows.selectFrom('verification').select('id').where('sessionId', '=', claim.sessionId).execute()
    expect(stored).toEqual([{ id: verdictId }])
  })

  test('keeps who asked for it, and the address that was asked for', async () => {
    const { sessionId } = await submitted()
    const asker = { requestedBy: walletAt(9_997), metadataURI: 'https://work.example/own' }
    await service.verifications.evaluateSubmission({ sessionId, runId: 'verify-asked', attempt: 1, ...asker })
    expect(await newest({ sessionId })).toMatchObject({ verdict: asker })
  })

  test('and another run decides for itself, as long as nothing is decided', async () => {
    const { sessionId } = await submitted()
    const verifications = ['verify-a', 'verify-ab'].map((runId) => service.verifications.recordReviewRequired({ sessionId, runId }))
    expect(await Promise.all(verifications)).toMatchObject([{ verdictId: 'verify-a/review' }, { verdictId: 'verify-ab/review' }])
  })
})

describe('a handler that answers an unknown outcome', () => {
  test('decides a fault of the platform, never a rejection', async () => {
    const claim = await submitted()
    const verifications = verificationsOf(async (usual) => ({ ...usual, outcome: 'APPROVED' }))
    const evaluated = { sessionId: claim.sessionId, runId: 'verify-unknown', attempt: 1, requestedBy: 'test' }
    expect(await verifications.evaluateSubmission(evaluated)).toMatchObject({ kind: 'verdict', outcome: 'platform_fault' })
    const stored = await newest(claim)
    expect(stored).toMatchObject({ outcome: 'platform_fault', verdict: { outcome: 'platform_fault' } })
  })
})

/** Another holder of the verifier's role decides directly on chain. */
const decideElsewhere = async (claim: AdmittedClaim, approved: boolean): Promise<Hex> => {
  const other = walletAt(9_998)
  await service.world.run(who.owner, 'policy', 'setVerifier', other, true)
  await judgedOnChain(claim, approved, other)
  return other
}

describe('a verdict that was given directly on chain', () => {
  const observed = async (claim: AdmittedClaim): Promise<string> => {
    const { verdictId } = (await service.steps.observeVerdict(claim)) ?? { verdictId: 'none' }
    return verdictId
  }

  test('is none before it is given, nor once the session has its own', async () => {
    const claim = await submitted()
    expect(await observed(claim)).toBe('none')
    expect(await observed(await judged())).toBe('none')
    const paid = await judged()
    await service.steps.settleApproval(paid)
    expect(await observed(paid)).toBe('none')
  })

  test('is kept once, with who gave it, and pays as it says', async () => {
    const claim = await submitted()
    const other = await decideElsewhere(claim, true)
    const verdictId = await observed(claim)
    expect(await observed(claim)).toBe(verdictId)
    expect(await findVerdict(service.rows, verdictId)).toMatchObject({
      seq: 1,
      outcome: 'approved',
      handler: 'chain',
      reasonCode: 'CHAIN_VERDICT_OBSERVED',
      verdict: { verifier: other.toLowerCase(), txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    await service.steps.settleApproval({ ...claim, verdictId })
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect([await rowsOf('badge', claim), await rowsOf('reputation_event', claim)]).toEqual([1, 1])
    expect(await sent(claim, 'resolveSinglePayout')).toEqual([])
  })

  test('stands also for the run that still looks for one', async () => {
    const claim = await submitted()
    await decideElsewhere(claim, true)
    const verdictId = await observed(claim)
    await service.steps.settleApproval({ ...claim, verdictId })
    const asked = { sessionId: claim.sessionId, runId: 'verify-late', attempt: 1, requestedBy: 'test' }
    expect(await service.verifications.evaluateSubmission(asked)).toMatchObject({ kind: 'verdict', verdictId })
    expect(await service.verifications.recordReviewRequired(asked)).toMatchObject({ verdictId, outcome: 'approved' })
    expect((await newest(claim))?.id).toBe(verdictId)
  })

  test('stands also when a verifier of our own was just finding another', async () => {
    const claim = await submitted(BAD)
    const verifications = verificationsOf(async (usual) => {
      await decideElsewhere(claim, true)
      await service.steps.settleApproval({ ...claim, verdictId: await observed(claim) })
      return usual
    })
    const asked = { sessionId: claim.sessionId, runId: 'verify-overtaken', attempt: 1, requestedBy: 'test' }
    expect(await verifications.evaluateSubmission(asked)).toMatchObject({ kind: 'verdict', outcome: 'approved' })
    expect(await newest(claim)).toMatchObject({ seq: 1, outcome: 'approved' })
  })

  test.each([
    ['approval', true],
    ['rejection', false],
  ] as const)('and taken away again by a fork is waited for: the service does not send the %s a second time', async (_word, approved) => {
    const claim = await submitted()
    const taken = await service.world.rpc('evm_snapshot')
    await decideElsewhere(claim, approved)
    const verdictId = await observed(claim)
    await service.world.rpc('evm_revert', taken)
    const take = approved ? service.steps.settleApproval({ ...claim, verdictId }) : service.disputes.takeVerdict({ ...claim, verdictId })
    await expect(take).rejects.toThrow('is not on chain any more')
    expect((await service.reads.escrowJob(claim.chainJobId as Hex)).state).toBe('submitted')
    expect(await sent(claim, 'resolveSinglePayout')).toEqual([])
  })

  test('and made final there is both here after one look', async () => {
    const claim = await submitted()
    await decideElsewhere(claim, false)
    await service.pass(7 * 24 * HOUR + 2)
    await service.world.run(walletAt(9_999), 'escrow', 'finalizeRejectedJob', claim.chainJobId)
    await service.disputes.takeVerdict({ ...claim, verdictId: await observed(claim) })
    await service.disputes.reconcileWithChain(claim)
    const session = await sessionOf(claim)
    expect([session.status, session.chainState, session.timestamps.rejectionFinalizedAt === null]).toEqual(['rejected', 'closed', false])
    expect(session.statusHistory.at(-1)).toMatchObject({ from: 'submitted', reason: 'CHAIN_VERDICT_OBSERVED' })
    expect(await rowsOf('reputation_event', claim)).toBe(1)
  })
})

// The last ones: they take nonces of the service's keys outside its journal.
describe('a verdict that comes after the chain', () => {
  test('that approves what another hand rejected leaves it rejected, with its window', async () => {
    const claim = await judged()
    await judgedOnChain(claim, false)
    const { rejectedAt } = await service.reads.escrowJob(claim.chainJobId as Hex)
    for (const _try of [1, 2]) expect(await service.steps.settleApproval(claim)).toEqual({ status: 'rejected' })
    const session = await sessionOf(claim)
    expect(session).toMatchObject({ status: 'rejected', timestamps: { rejectedAt, rejectionFinalizedAt: null } })
    const verdict = { outcome: 'rejected', reasonCode: 'CHAIN_VERDICT_OBSERVED', handler: 'chain' }
    expect(session.statusHistory.at(-1)).toMatchObject({ from: 'submitted', reason: verdict.reasonCode, metadata: verdict })
    expect([session.verificationSummary, await newest(claim)]).toMatchObject([verdict, verdict])
    expect(await sent(claim, 'resolveSinglePayout')).toEqual([])
  })

  test('that approves what another verifier paid already names that one in the badge', async () => {
    const claim = await judged()
    const other = await decideElsewhere(claim, true)
    await service.steps.settleApproval(claim)
    expect(await sent(claim, 'resolveSinglePayout')).toEqual([])
    expect((await sessionOf(claim)).status).toBe('resolved')
    const { document } = await service.rows
      .selectFrom('badge')
      .select('document')
      .where('sessionId', '=', claim.sessionId)
      .executeTakeFirstOrThrow()
    const signer = { role: 'verifier', wallet: other.toLowerCase() }
    expect(document).toMatchObject({ service: { verifier: signer.wallet }, signers: [{}, {}, signer] })
  })

  test('and made final is final here too, without a payout', async () => {
    const claim = await judged()
    await judgedOnChain(claim, false)
    await service.pass(7 * 24 * HOUR + 2)
    await service.world.run(walletAt(9_999), 'escrow', 'finalizeRejectedJob', claim.chainJobId)
    const settle = async () => {
      expect(await service.steps.settleApproval(claim)).toEqual({ status: 'rejected' })
      await service.disputes.applyTimeout(claim)
    }
    expect(await gained(claim, settle)).toBe(0n)
    const { status, chainState, timestamps } = await sessionOf(claim)
    expect([status, chainState, timestamps.rejectionFinalizedAt === null]).toEqual(['rejected', 'closed', false])
  })

  /** A submission that a fork took away after it was judged. */
  const forked = async (submission: unknown) => {
    const owner = await claimed()
    const taken = await service.world.rpc('evm_snapshot')
    const claim = await judged(submission, owner)
    await service.world.rpc('evm_revert', taken)
    // The nonce of the transaction that is gone, for the tests after this one.
    const { address } = localKeys().operator
    await service.world.attemptAt(address, address, '0x')
    return claim
  }

  const SETTLE = {
    approves: (claim: Judged): Promise<unknown> => service.steps.settleApproval(claim),
    rejects: (claim: Judged): Promise<unknown> => service.disputes.takeVerdict(claim),
  }
  test.each([
    ['approves', GOOD],
    ['rejects', BAD],
  ] as const)('that %s what a fork took away waits for it until its claim has lapsed, and then ends it as diverged', async (word, work) => {
    const settle = SETTLE[word]
    const claim = await forked(work)
    await expect(settle(claim)).rejects.toThrow('the escrow job is claimed')
    expect((await sessionOf(claim)).status).toBe('submitted')
    await service.pass(HOUR + 2)
    const before = await service.reads.walletFacts(claim.wallet as Hex)
    for (const _try of [1, 2]) await settle(claim)
    expect(await sessionOf(claim)).toMatchObject({
      status: 'chain_state_diverged',
      chainState: 'claimed',
      chainStateDivergence: { expected: 'submitted', observed: 'claimed' },
    })
    expect(await service.reads.walletFacts(claim.wallet as Hex)).toEqual(before)
    expect(await sent(claim, 'resolveSinglePayout')).toEqual([])
  })
})

test('every receipt and badge of the settlements above passes the check of a stranger', async () => {
  expect([...(await verifyEveryDocument(service))].sort()).toEqual([
    'rejected verifier rejected rejected',
    'resolved verifier approved approved',
  ])
})
