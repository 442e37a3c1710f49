import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, keccak256, toHex } from 'viem'
import { findDisputeOfSession } from '../../../activities/disputes/rows.ts'
import { countDiverged } from '../../../activities/sessions/counts.ts'
import { latestVerdict } from '../../../activities/verification/records.ts'
import { ARBITRATOR_SLA_SECONDS } from '../../../domain/common/constants.ts'
import { iso, plusSeconds } from '../../../domain/common/instants.ts'
import { bondRelease } from '../../../domain/disputes/outcome.ts'
import { disputeWindowEndsAt } from '../../../domain/sessions/state-machine.ts'
import { localKeys } from '../../../local/keys.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import { BOND, OVERTURN, openDisputes, REWARD, word } from '../support/disputes.ts'
import { verifyEveryDocument } from '../support/receipts.ts'
import { brokenClients, failingDatabase, type Service, startService } from '../support/service.ts'
import { BAD, codeOf } from '../support/settlements.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const disputes = openDisputes(() => service)
const { claimed, judged, rejected, reviewRequired, inReview, disputed, openedByWorker } = disputes
const { gained, sessionOf, standing, recordOf, sent, closeByHand, judgedOnChain } = disputes

describe('a step that was cut short', () => {
  const decided = (verdict: string) => async () => {
    const claim = await inReview()
    await service.disputes.recordArbitration(word(claim, verdict))
    return claim
  }
  const approved = async () => {
    const claim = await inReview()
    await service.disputes.recordHumanVerdict(word(claim, 'approve'))
    return claim
  }
  const WAYS: [string, () => Promise<AdmittedClaim>, bigint][] = [
    ['approved by people', approved, REWARD - 50_000n + BOND],
    ['dismissed out of a review', decided('dismissed'), REWARD + BOND],
    ['split out of a review', decided('split'), REWARD / 2n + BOND],
    ['upheld out of a review', decided('upheld'), 0n],
  ]

  test.each(WAYS)('at any transaction of the records goes on where it was, and pays once: %s', async (_name, prepare, payout) => {
    const claim = await prepare()
    const apply = async () => {
      for (const failAt of [1, 2, 3, 4, 5]) {
        const cut = service.disputesOn({ database: failingDatabase(service.database, failAt) })
        await cut.applyDecision(claim).catch(() => undefined)
      }
      await service.disputes.applyDecision(claim)
    }
    expect(await gained(claim, apply)).toBe(payout)
    expect((await standing(claim)).stage).toBe('final')
    for (const name of ['resolveSinglePayout', 'openDisputeFor', 'resolveDispute'])
      expect((await sent(claim, name)).filter(({ status }) => status === 'mined').length).toBeLessThanOrEqual(1)
  })

  test.each(WAYS.slice(0, 2))('before it read a receipt goes on where it was, and pays once: %s', async (_name, prepare, payout) => {
    const claim = await prepare()
    const cut = service.disputesOn({ clients: brokenClients(service.clients, { receipts: true }) })
    const apply = async () => {
      await expect(cut.applyDecision(claim)).rejects.toThrow()
      await service.disputes.applyDecision(claim)
    }
    expect(await gained(claim, apply)).toBe(payout)
    expect((await standing(claim)).stage).toBe('final')
  })
})

describe('a fork', () => {
  const rpc = (...call: Parameters<typeof service.world.rpc>) => service.world.rpc(...call)
  /** What happens in `work` is taken away from the chain, which goes on without it. */
  const forkedAway = async (work: () => Promise<unknown>): Promise<void> => {
    const taken = await rpc('evm_snapshot')
    await work()
    await rpc('evm_revert', taken)
    await rpc('evm_increaseTime', 60)
    await rpc('evm_mine')
  }
  test('that took the worker’s dispute away leaves the rejection with its window; opened again it is decided and paid', async () => {
    const claim = await rejected()
    const { timestamps } = await sessionOf(claim)
    await forkedAway(() => openedByWorker(claim))
    expect((await sessionOf(claim)).status).toBe('disputed')
    await service.disputes.reconcileWithChain(claim)
    const after = await sessionOf(claim)
    expect(after).toMatchObject({ status: 'rejected', chainState: 'rejected', disputeResolution: null })
    expect(after.timestamps.rejectedAt).toBe(timestamps.rejectedAt)
    expect(after.statusHistory.slice(-2)).toMatchObject([{ to: 'disputed' }, { to: 'rejected', reason: 'dispute_taken_back' }])
    expect(after.statusHistory.at(-1)?.recordedAt).toEqual(expect.any(Number))
    expect(after.statusHistory.at(-1)?.at).toBeGreaterThanOrEqual(after.statusHistory.at(-2)?.at ?? Number.NaN)
    expect(await recordOf(claim)).toMatchObject({
      dispute: { status: 'resolved' },
      decision: null,
      actions: ['dispute_opened', 'dispute_taken_back'],
    })
    expect(await codeOf(service.disputes.recordArbitration(word(claim, 'upheld')))).toBe('invalid_session_transition')
    expect(await standing(claim)).toMatchObject({ stage: 'window' })
    await service.disputes.reconcileWithChain(claim)

    await openedByWorker(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'arbitration', round: 2 })
    const instants = (await sessionOf(claim)).statusHistory.map(({ at }) => at)
    expect(instants).toEqual(instants.toSorted((left, right) => left - right))
    await service.disputes.recordArbitration(word(claim, 'dismissed'))
    expect(await gained(claim, () => service.disputes.applyDecision(claim))).toBe(REWARD + BOND)
  })

  /** Stores the log of a dispute that was opened at an instant (epoch ms), as the follower does. */
  const storeOpening = async ({ chainJobId, sessionId }: AdmittedClaim, openedAt: number): Promise<void> => {
    const event = {
      chainId: service.reads.chain.chainId,
      chainJobId,
      event: 'DisputeOpened',
      contract: 'escrow',
      args: {},
      txHash: keccak256(toHex(sessionId)),
      logIndex: 0,
      blockNumber: 1,
      blockHash: `0x${'b1'.repeat(32)}`,
      address: `0x${'a1'.repeat(20)}`,
      blockTime: openedAt,
      seenAt: openedAt,
      removedAt: null,
      movesProcess: false,
      revision: 1,
      notifiedRevision: 1,
    }
    await service.rows
      .insertInto('chain_event')
      .values(event as never)
      .execute()
  }

  test('is not what a node shows that lags behind a recorded dispute: it is asked again soon', async () => {
    const claim = await rejected()
    const { rejectedAt } = (await sessionOf(claim)).timestamps
    await storeOpening(claim, rejectedAt ?? 0)
    expect(await service.disputes.reconcileWithChain(claim)).toEqual({ again: true, behind: true })
    await openedByWorker(claim)
    await service.disputes.reconcileWithChain(claim)
    expect((await sessionOf(claim)).status).toBe('disputed')
  })

  test('is no fork before a later block; until then, and until the follower holds the event, it is looked for again', async () => {
    const claim = await rejected()
    const taken = await rpc('evm_snapshot')
    await openedByWorker(claim)
    expect(await service.disputes.reconcileWithChain(claim)).toEqual({ again: true, behind: false })
    const { openedAt } = (await recordOf(claim)).dispute
    await storeOpening(claim, openedAt)
    expect(await service.disputes.reconcileWithChain(claim)).toEqual({ again: false, behind: false })
    await rpc('evm_revert', taken)
    expect(await service.disputes.reconcileWithChain(claim)).toEqual({ again: true, behind: true })
    expect((await sessionOf(claim)).status).toBe('disputed')
    await rpc('evm_increaseTime', 60)
    await rpc('evm_mine')
    await service.disputes.reconcileWithChain(claim)
    expect((await sessionOf(claim)).status).toBe('rejected')
  })

  test('that took the dispute away under its verdict lets the word hear that it did not decide', async () => {
    const claim = await rejected()
    let round = 0
    await forkedAway(async () => {
      await openedByWorker(claim)
      ;({ round } = await service.disputes.recordArbitration(word(claim, 'upheld')))
    })
    await service.disputes.applyDecision(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'window' })
    expect((await recordOf(claim)).actions).toContain('dispute_taken_back')
    expect(await codeOf(service.disputes.decisionAnswer({ sessionId: claim.sessionId, round }))).toBe('dispute_already_decided')
  })

  /** As above, for what the service itself sent: the nonce that is gone with it is spent by another transaction. */
  const forkedAwayFrom = async (signers: readonly ('operator' | 'verifier')[], work: () => Promise<unknown>): Promise<void> => {
    await forkedAway(work)
    for (const signer of signers) {
      const { address } = localKeys()[signer]
      await service.world.attemptAt(address, address, '0x')
    }
  }

  test('that took a rejection away has it made again, and its window goes on', async () => {
    const claim = await judged(BAD)
    await forkedAwayFrom(['verifier'], () => service.disputes.takeVerdict(claim))
    expect((await service.reads.escrowJob(claim.chainJobId as Hex)).state).toBe('submitted')
    for (const _look of [1, 2]) await service.disputes.reconcileWithChain(claim)
    const { state, rejectedAt } = await service.reads.escrowJob(claim.chainJobId as Hex)
    expect(state).toBe('rejected')
    expect((await sessionOf(claim)).timestamps.rejectedAt).toBe(rejectedAt)
    expect(await standing(claim)).toMatchObject({ stage: 'window', deadlineAt: iso(disputeWindowEndsAt(rejectedAt ?? 0)) })
  })

  test('that took a rejection away leaves no mark of an overturn that comes then: the dispute opened later is the worker’s', async () => {
    const claim = await judged(BAD)
    await forkedAwayFrom(['verifier'], () => service.disputes.takeVerdict(claim))
    const overturn = { sessionId: claim.sessionId, ...OVERTURN }
    await expect(service.disputes.overturnRejection(overturn)).rejects.toThrow('is not open on chain')
    expect((await sessionOf(claim)).operatorOverturn).toBeNull()
    for (const _look of [1, 2]) await service.disputes.reconcileWithChain(claim)
    await openedByWorker(claim)
    expect((await recordOf(claim)).dispute).toMatchObject({ origin: 'participant' })
  })

  test('that only moved a dispute to a later block moves its deadline, too', async () => {
    const claim = await rejected()
    await forkedAway(() => openedByWorker(claim))
    await openedByWorker(claim)
    const { disputedAt } = await service.reads.escrowJob(claim.chainJobId as Hex)
    expect((await recordOf(claim)).dispute).toMatchObject({
      round: 1,
      openedAt: disputedAt,
      deadlineAt: plusSeconds(disputedAt ?? 0, ARBITRATOR_SLA_SECONDS),
    })
    expect((await sessionOf(claim)).timestamps.disputedAt).toBe(disputedAt)
  })

  test.each([
    ['a review', inReview, 'disputed', ['operator']],
    ['a rejection', rejected, 'rejected', ['operator', 'verifier']],
    ['a dispute', disputed, 'disputed', ['operator', 'verifier']],
  ] as const)(
    'that took the submission under %s away is waited out until its claim has lapsed; then it is the operator’s',
    async (_what, bring, status, signers) => {
      const claim = await claimed()
      await forkedAwayFrom(signers, () => bring(claim))
      await service.disputes.reconcileWithChain(claim)
      expect((await sessionOf(claim)).status).toBe(status)
      await service.pass(3_700)
      const before = await service.reads.walletFacts(claim.wallet as Hex)
      for (const _look of [1, 2]) await service.disputes.reconcileWithChain(claim)
      expect(await sessionOf(claim)).toMatchObject({
        status: 'closed',
        chainState: 'claimed',
        chainStateDivergence: { expected: 'submitted', observed: 'claimed' },
      })
      expect(await standing(claim)).toMatchObject({ stage: 'final' })
      const dispute = await findDisputeOfSession(service.rows, claim.sessionId)
      expect(dispute?.status ?? 'none').toBe(status === 'disputed' ? 'resolved' : 'none')
      expect(await codeOf(service.disputes.recordHumanVerdict(word(claim, 'approve')))).toBe('invalid_session_transition')
      expect(await service.reads.walletFacts(claim.wallet as Hex)).toEqual(before)
      const diverged = await countDiverged(service.rows)
      expect(await closeByHand(claim, 'open')).toMatchObject({ status: 'closed', operatorClose: { outcome: 'closed' }, chainState: 'open' })
      expect(await countDiverged(service.rows)).toBe(diverged - 1)
    },
  )

  test('that took the dispute of an overturn away has it opened again for the worker', async () => {
    const claim = await rejected()
    const overturn = { sessionId: claim.sessionId, ...OVERTURN }
    await forkedAwayFrom(['operator'], () => service.disputes.overturnRejection(overturn))
    expect((await service.reads.escrowJob(claim.chainJobId as Hex)).state).toBe('rejected')
    for (const _look of [1, 2]) await service.disputes.reconcileWithChain(claim)
    const { state, disputedAt } = await service.reads.escrowJob(claim.chainJobId as Hex)
    expect(state).toBe('disputed')
    expect(await standing(claim)).toMatchObject({
      stage: 'arbitration',
      round: 1,
      deadlineAt: iso(plusSeconds(disputedAt ?? 0, ARBITRATOR_SLA_SECONDS) - 15 * 60_000),
    })
  })

  test('that took the dispute away before its time-out was due ends in the rejection’s own window', async () => {
    const claim = await rejected()
    await forkedAway(() => openedByWorker(claim))
    await service.disputes.applyTimeout(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'window' })
  })
})

// The last ones: they take nonces of the service's keys outside its journal.
describe('a word that another hand was faster than, on chain', () => {
  /** What every reader is shown: the newest verdict, the session's summary, and the last entry of its history. */
  const shownVerdicts = async (claim: AdmittedClaim) => {
    const { verificationSummary, statusHistory } = await sessionOf(claim)
    const { reason, metadata } = statusHistory.at(-1) ?? {}
    return [await latestVerdict(service.rows, claim.sessionId), verificationSummary, { ...metadata, reasonCode: reason }]
  }
  const chainSays = (outcome: string) =>
    Array(3).fill(expect.objectContaining({ outcome, reasonCode: 'CHAIN_VERDICT_OBSERVED', handler: 'chain' }))
  test('a machine that rejects what was approved leaves it approved, and paid', async () => {
    const claim = await judged(BAD)
    await judgedOnChain(claim, true)
    for (const _try of [1, 2]) await service.disputes.takeVerdict(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect(await shownVerdicts(claim)).toEqual(chainSays('approved'))
    expect(await sent(claim, 'resolveSinglePayout')).toEqual([])
  })

  test('a machine that leaves it to people what was approved leaves them nothing to decide', async () => {
    const claim = await reviewRequired()
    await judgedOnChain(claim, true)
    for (const _try of [1, 2]) await service.disputes.takeVerdict(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect(await shownVerdicts(claim)).toEqual(chainSays('approved'))
    expect(await findDisputeOfSession(service.rows, claim.sessionId)).toBeNull()
  })

  test('people who approve what was rejected leave it rejected, with its window', async () => {
    const claim = await inReview()
    const { round } = await service.disputes.recordHumanVerdict(word(claim, 'approve'))
    await judgedOnChain(claim, false)
    for (const _try of [1, 2]) await service.disputes.applyDecision(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'window' })
    expect(await shownVerdicts(claim)).toEqual(chainSays('rejected'))
    const { decision } = await recordOf(claim)
    expect(decision).toMatchObject({
      verdict: 'approved',
      reasonCode: 'CHAIN_VERDICT_OBSERVED',
      observed: { verdict: 'rejected', by: 'chain', mismatch: true },
    })
    expect(bondRelease(await sessionOf(claim), decision)).toBeNull()
    expect(await codeOf(service.disputes.decisionAnswer({ sessionId: claim.sessionId, round }))).toBe('dispute_already_decided')
  })

  test('people who reject what was approved leave it approved, and paid', async () => {
    const claim = await inReview()
    const { round } = await service.disputes.recordHumanVerdict(word(claim, 'reject'))
    await judgedOnChain(claim, true)
    for (const _try of [1, 2]) await service.disputes.applyDecision(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect(await shownVerdicts(claim)).toEqual(chainSays('approved'))
    expect((await recordOf(claim)).decision).toMatchObject({ verdict: 'rejected', observed: { verdict: 'approved', mismatch: true } })
    expect(await codeOf(service.disputes.decisionAnswer({ sessionId: claim.sessionId, round }))).toBe('dispute_already_decided')
  })

  test.each([
    ['approved', true],
    ['rejected', false],
  ] as const)('people who have not decided yet find it %s', async (outcome, approved) => {
    const claim = await inReview()
    await judgedOnChain(claim, approved)
    for (const _try of [1, 2]) await service.disputes.reconcileWithChain(claim)
    expect((await sessionOf(claim)).status).toBe(approved ? 'resolved' : 'rejected')
    expect(await shownVerdicts(claim)).toEqual(chainSays(outcome))
    expect((await recordOf(claim)).decision).toMatchObject({ source: 'chain', verdict: outcome, observed: { mismatch: false } })
  })
})

test('every receipt and badge of the disputes above passes the check of a stranger', async () => {
  expect([...(await verifyEveryDocument(service))].sort()).toEqual([
    'rejected arbitration upheld rejected',
    'resolved arbitration dismissed approved',
    'resolved arbitration split approved',
    'resolved human_review approved approved',
    'resolved verifier approved approved',
  ])
})
