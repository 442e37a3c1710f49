import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { BlockedStepError } from '../../../activities/common/blocked.ts'
import { findDecision, findDisputeOfSession, listEntries } from '../../../activities/disputes/rows.ts'
import { recordOperatorClose } from '../../../activities/sessions/close.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { latestVerdict } from '../../../activities/verification/records.ts'
import { countDiverged, countWaitingForPeople } from '../../../api/health/counts.ts'
import { ARBITRATOR_SLA_SECONDS } from '../../../domain/common/constants.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { iso, plusSeconds } from '../../../domain/common/instants.ts'
import { bondRelease, describeDecision } from '../../../domain/disputes/outcome.ts'
import { disputeWindowEndsAt } from '../../../domain/sessions/state-machine.ts'
import { verdictCodeBytes } from '../../../domain/settlement/award.ts'
import { localKeys } from '../../../local/keys.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import type { ChainJobState } from '../../../schemas/chain/job-state.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { fund, terms } from '../../contracts/support/jobs.ts'
import { who } from '../../contracts/support/world.ts'
import { eventually } from '../../support/eventually.ts'
import { storeCheckAged } from '../../support/records/verdict-needs.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { verifyEveryDocument } from '../support/receipts.ts'
import { bondAt, brokenClients, failingDatabase, type Service, startService, walletAt } from '../support/service.ts'

const NOTHING = { asset: 'USDC', raw: '0', decimals: 6, display: '0' }

let service: Service
beforeAll(async () => {
  service = await startService()
}, 60_000)
afterAll(() => service.stop())

const BAD = { summary: 'Try again.', output: 'Sometimes.', status: 'complete' }
const DAY = 86_400
const REWARD = 2_000_000n
const BOND = 250_000n
const BY = `0x${'e'.repeat(40)}`
const RATIONALE = 'The work was read against the whole task.'

let count = 0
const claimed = async (put: (jobId: string) => Promise<unknown> = async () => undefined, job: Partial<JobInputBody> = {}) => {
  count += 1
  const wallet = walletAt(500 + count)
  await fund(service.world, wallet, 10_000_000n)
  const jobId = await service.addJob(`disputed-${count}`, job)
  await put(jobId)
  const claim = { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}` }), runId: `dispute-run-${count}` }
  const admitted = await service.admission.admitClaim(claim)
  const bond = await service.steps.lockBond({ ...admitted, requestId: 'request-1' })
  await service.claims.recordClaim({ claim, admitted, bond })
  return admitted
}
type Admitted = Awaited<ReturnType<typeof claimed>>

/** Work that was handed in and judged by the machine. */
const judged = async (owner?: Admitted, submission: unknown = BAD): Promise<Admitted> => {
  const admitted = owner ?? (await claimed())
  await service.claims.admitSubmission({ ...admitted, submission, requestId: 'request-2', protocol: 'http' })
  const landed = await service.steps.submitOnChain({ ...admitted, requestId: 'request-2', submitNumber: 1 })
  await service.claims.recordSubmission({ ...admitted, protocol: 'http', ...landed })
  return admitted
}

/** The machine's own verdict, and its consequence. */
const decidedByMachine = async (admitted: Admitted) => {
  const { sessionId } = admitted
  const evaluated = { sessionId, runId: `verify-${admitted.runId}`, attempt: 1, requestedBy: 'test' }
  const result = await service.verifications.evaluateSubmission(evaluated)
  if (result.kind !== 'verdict') throw new Error('no verdict')
  await service.disputes.takeVerdict({ sessionId, verdictId: result.verdictId })
  return admitted
}
const rejected = async (owner?: Admitted) => decidedByMachine(await judged(owner))
const inReview = async (owner?: Admitted) => {
  const admitted = await judged(owner)
  const { sessionId } = admitted
  const { verdictId } = await service.verifications.recordReviewRequired({ sessionId, runId: `verify-${admitted.runId}` })
  await service.disputes.takeVerdict({ sessionId, verdictId })
  return admitted
}
const disputed = async (owner?: Admitted) => {
  const admitted = await rejected(owner)
  await service.world.run(admitted.wallet as Hex, 'escrow', 'openDispute', admitted.chainJobId)
  await service.disputes.reconcileWithChain(admitted)
  return admitted
}

const word = ({ sessionId }: Admitted, verdict: string, more: object = {}) => ({
  sessionId,
  verdict,
  rationale: RATIONALE,
  by: BY,
  ...more,
})
const liquidOf = async (wallet: string): Promise<bigint> => (await service.reads.walletFacts(wallet as Hex)).position.liquid
const sessionOf = ({ sessionId }: Admitted) => getSession(service.rows, sessionId)
const standing = ({ sessionId }: Admitted) => service.disputes.disputeStanding({ sessionId })
const recordOf = async ({ sessionId }: Admitted) => {
  const dispute = await findDisputeOfSession(service.rows, sessionId)
  if (dispute === null) throw new Error('no dispute')
  const entries = (await listEntries(service.rows, [dispute.disputeId])).get(dispute.disputeId) ?? []
  return { dispute, decision: await findDecision(service.rows, dispute), actions: entries.map(({ action }) => action) }
}
const sent = async ({ sessionId }: Admitted, functionName: string) =>
  service.rows
    .selectFrom('chain_transaction')
    .select('status')
    .where('sessionId', '=', sessionId)
    .where('functionName', '=', functionName)
    .execute()
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    if (isServiceError(error)) return error.code
    throw error
  }
  return 'taken'
}

/** An operator closes the session with what the chain shows. */
const closeByHand = ({ sessionId, wallet }: Admitted, observedState: ChainJobState) => {
  const observed = { observedState, observedWorker: wallet, blockNumber: '1', blockHash: '0x1', reward: NOTHING, released: NOTHING }
  const close = { sessionId, outcome: 'closed', note: 'Paid back by hand.', by: BY, at: service.clock.now(), observed } as const
  return service.database.transaction((rows) => recordOperatorClose(rows, close))
}

describe('a dispute of a job that holds less than its record says', () => {
  const HELD = 1n

  /** Claimed by the worker itself on a stranger's job of the listed id, and recorded before such a job was refused. */
  const claimedForLess = async (): Promise<Admitted> => {
    count += 1
    const wallet = walletAt(500 + count)
    for (const account of [wallet, who.poster]) await fund(service.world, account, 10_000_000n)
    const jobId = await service.addJob(`disputed-${count}`)
    const claim = { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}` }), runId: `dispute-run-${count}` }
    const admitted = await service.admission.admitClaim(claim)
    const chainJobId = admitted.chainJobId as Hex
    await service.world.run(who.poster, 'escrow', 'createSinglePayoutJob', ...terms(service.world, { jobId: chainJobId, reward: HELD }))
    await service.world.run(wallet, 'escrow', 'claimJob', chainJobId)
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
    const args = [one.chainJobId, HELD, verdictCodeBytes('dismissed'), ''] as const
    const other = localKeys().admin.address
    await service.world.run(who.owner, 'policy', 'setArbitrator', other, true)
    await service.world.run(other, 'escrow', 'resolveDispute', ...args)
    await service.disputes.reconcileWithChain(one)
    expect(await sessionOf(one)).toMatchObject({
      status: 'resolved',
      disputeResolution: { verdict: 'dismissed', workerPayout: { raw: '1' } },
    })
  })
})

describe('a chain that shows nothing of the job', () => {
  test('opens no dispute about nothing: the worker would pay for it with its bond', async () => {
    const claim = await judged()
    const { sessionId, runId } = claim
    const { verdictId } = await service.verifications.recordReviewRequired({ sessionId, runId: `verify-${runId}` })
    const elsewhere = { chainJobId: chainJobId('shown-by-no-node') }
    await service.rows.updateTable('session').set(elsewhere).where('sessionId', '=', sessionId).execute()
    await expect(service.disputes.takeVerdict({ sessionId, verdictId })).rejects.toThrow(BlockedStepError)
    expect((await sessionOf(claim)).status).toBe('submitted')
    expect(await findDisputeOfSession(service.rows, sessionId)).toBeNull()
  })
})

describe('one row decides', () => {
  test('of many words at once one is taken and the others are refused, whoever gives them', async () => {
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

  test('the request that decided is told so again, since its answer may have been lost; any other word is refused', async () => {
    const decisionRequestId = 'request-1'
    const [split, other] = ['700000', '700001'].map((workerPayout) => ({ workerPayout, decisionRequestId }))
    const claim = await disputed()
    const first = await service.disputes.recordArbitration(word(claim, 'split', split))
    expect(await service.disputes.recordArbitration(word(claim, 'split', split))).toEqual(first)
    const again = word(claim, 'split', { ...split, decisionRequestId: 'request-2' })
    for (const refused of [
      again,
      word(claim, 'split', other),
      word(claim, 'upheld', { decisionRequestId }),
      { ...word(claim, 'split', split), by: walletAt(9) },
    ])
      expect(await codeOf(service.disputes.recordArbitration(refused))).toBe('dispute_already_decided')
    expect((await recordOf(claim)).actions.filter((action) => action === 'verdict_submitted')).toHaveLength(1)

    const review = await inReview()
    const taken = await service.disputes.recordHumanVerdict(word(review, 'approve', { decisionRequestId }))
    expect(await service.disputes.recordHumanVerdict(word(review, 'approve', { decisionRequestId }))).toEqual(taken)
    for (const refused of [word(review, 'reject', { decisionRequestId }), word(review, 'approve', { decisionRequestId: 'request-2' })])
      expect(await codeOf(service.disputes.recordHumanVerdict(refused))).toBe('dispute_already_decided')

    const byHand = await disputed()
    const heard = await service.disputes.recordArbitration(word(byHand, 'upheld'))
    expect(await service.disputes.recordArbitration(word(byHand, 'upheld'))).toEqual(heard)
  })

  test.each([
    ['without a name', { by: undefined }],
    ['under an empty name', { by: ' ' }],
    ['under a name that is none', { by: 7 }],
    ['under a name that cannot be stored', { by: 'a\u0000b' }],
    ['for reasons that cannot be stored', { rationale: `${RATIONALE}\u0000` }],
    ['for reasons with half a character', { rationale: `${RATIONALE}\ud800` }],
    ['in a word that is an object', { verdict: { toString: 1 } }],
    ['in a list of words', { verdict: ['upheld'] }],
    ['under an id that cannot be stored', { decisionRequestId: 'a\u0000b' }],
  ])('a word by hand %s is refused, and the round is still open', async (_what, changes) => {
    const claim = await inReview()
    expect(await codeOf(service.disputes.recordArbitration(word(claim, 'upheld', changes)))).toBe('invalid_request')
    expect(await codeOf(service.disputes.recordHumanVerdict(word(claim, 'approve', changes)))).toBe('invalid_request')
    expect((await recordOf(claim)).decision).toBeNull()
  })

  test('carried out from several places at once it pays once', async () => {
    const claim = await disputed()
    const before = await liquidOf(claim.wallet)
    await service.disputes.recordArbitration(word(claim, 'split', { workerPayout: '700000' }))
    await Promise.all([1, 2, 3].map(() => service.disputes.applyDecision(claim)))
    expect((await liquidOf(claim.wallet)) - before).toBe(700_000n + BOND)
    expect(await sent(claim, 'resolveDispute')).toEqual([{ status: 'mined' }])
    const badges = await service.rows.selectFrom('badge').select('sessionId').where('sessionId', '=', claim.sessionId).execute()
    expect(badges).toHaveLength(1)
  })

  test('the arbitrator’s own transaction that was there first counts, and the word hears that it did not decide', async () => {
    const claim = await disputed()
    const { round } = await service.disputes.recordArbitration(word(claim, 'upheld'))
    const args = [claim.chainJobId, REWARD, verdictCodeBytes('dismissed'), 'https://work.example/badges/own'] as const
    await service.world.run(localKeys().arbitrator.address, 'escrow', 'resolveDispute', ...args)
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
    const told = service.rows.selectFrom('event').select('data').where('sessionId', '=', claim.sessionId)
    const { data } = await told.where('topic', '=', 'dispute.verdict_recorded').executeTakeFirstOrThrow()
    expect(data).toMatchObject({ verdict: 'dismissed', reasonCode: 'DISPUTE_OVERTURNED', reasoningHash: null })
  })
})

/** Carried out, and tried again as its process does: where the arbitrator sent by hand before, the first bytes may be dead. */
const applied = (claim: Admitted): Promise<void> => service.disputes.applyDecision(claim).catch(() => service.disputes.applyDecision(claim))

describe('what became of the bond', () => {
  const released = async ({ sessionId }: Admitted) => {
    const told = service.rows.selectFrom('event').select('data').where('sessionId', '=', sessionId)
    const events = await told.where('topic', '=', 'settlement.stake_release_recorded').execute()
    return events.map(({ data }) => data)
  }

  test.each([
    ['split', 'return-to-depositor'],
    ['dismissed', 'return-to-depositor'],
    ['upheld', 'slash-to-treasury'],
    ['timeout', 'contract'],
  ])('by %s is told once, as in the record, with its dispute: %s', async (verdict, action) => {
    const claim = await disputed()
    if (verdict === 'timeout') await service.pass(14 * DAY)
    await service.disputes.recordArbitration(word(claim, verdict))
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
  })
})

describe('a time-out that somebody decided', () => {
  test('and that the arbitrator’s own split of the same sum was faster than is a split, with its code', async () => {
    const claim = await disputed()
    await service.pass(14 * DAY)
    const { round } = await service.disputes.recordArbitration(word(claim, 'timeout'))
    const args = [claim.chainJobId, REWARD / 2n, verdictCodeBytes('split'), 'https://work.example/badges/own'] as const
    await service.world.run(localKeys().arbitrator.address, 'escrow', 'resolveDispute', ...args)
    await service.disputes.applyDecision(claim)
    const session = await sessionOf(claim)
    expect(session).toMatchObject({ status: 'resolved', disputeResolution: { verdict: 'split', reasonCode: 'DISPUTE_PARTIAL' } })
    expect(session.statusHistory.at(-1)).toMatchObject({ to: 'resolved', reason: 'DISPUTE_PARTIAL' })
    const { decision } = await recordOf(claim)
    expect(decision).toMatchObject({ reasonCode: 'DISPUTE_PARTIAL', observed: { verdict: 'split', mismatch: true } })
    expect(await codeOf(service.disputes.decisionAnswer({ sessionId: claim.sessionId, round }))).toBe('dispute_already_decided')
  })
})

describe('a verdict without the arbitrator’s key', () => {
  test('is an unsigned transaction that carries the badge’s address, and the one that lands is recorded', async () => {
    const { disputesOn } = service
    const keyless = disputesOn({ held: false })
    const claim = await judged()
    const { sessionId } = claim
    const { verdictId } = await service.verifications.recordReviewRequired({ sessionId, runId: `verify-${claim.runId}` })
    await keyless.takeVerdict({ sessionId, verdictId })
    await keyless.recordArbitration(word(claim, 'split', { workerPayout: '600000' }))
    await keyless.applyDecision(claim)
    const { decision } = await recordOf(claim)
    const transaction = decision?.preparation?.transaction
    expect(transaction).toMatchObject({ value: '0', function: 'resolveDispute(bytes32,uint256,bytes32,string)' })
    expect(transaction?.args).toEqual([
      claim.chainJobId,
      '600000',
      verdictCodeBytes('split'),
      `https://work.example/badges/${encodeURIComponent(sessionId)}`,
    ])
    expect(await keyless.disputeStanding(claim)).toMatchObject({ stage: 'arbitration', decision: 'prepared' })
    const args = [claim.chainJobId, 600_000n, verdictCodeBytes('split'), transaction?.args[3] ?? ''] as const
    await service.world.run(localKeys().arbitrator.address, 'escrow', 'resolveDispute', ...args)
    await keyless.reconcileWithChain(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved' })
    expect((await recordOf(claim)).decision).toMatchObject({ source: 'arbitrator', observed: { verdict: 'split', mismatch: false } })
  })

  test('that lands before the dispute was recorded which it needed on chain is recorded with it', async () => {
    const keyless = service.disputesOn({ held: false })
    const claim = await inReview()
    const other = localKeys().admin.address
    for (const role of ['setVerifier', 'setArbitrator']) await service.world.run(who.owner, 'policy', role, other, true)
    await keyless.recordArbitration(word(claim, 'split', { workerPayout: '600000' }))
    const zero = `0x${'0'.repeat(64)}` as const
    await service.world.run(other, 'escrow', 'resolveSinglePayout', claim.chainJobId, false, zero, '', zero)
    await service.world.run(claim.wallet as Hex, 'escrow', 'openDispute', claim.chainJobId)
    await service.world.run(other, 'escrow', 'resolveDispute', claim.chainJobId, 600_000n, verdictCodeBytes('split'), '')
    await keyless.applyDecision(claim)
    await keyless.reconcileWithChain(claim)
    const { dispute, actions } = await recordOf(claim)
    expect(dispute).toMatchObject({ stage: 'arbitration', origin: 'platform', status: 'resolved' })
    expect(actions).toEqual(['review_opened', 'verdict_submitted', 'opened_on_chain', 'verdict_settled'])
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
  })
})

describe('a verdict whose arbitrator’s key was taken away before it was carried out', () => {
  const keyless = () => service.disputesOn({ held: false })

  test('waits for a signature once, is decided and not settled, and goes out once the key is held again', async () => {
    const claim = await disputed()
    const { round } = await service.disputes.recordArbitration(word(claim, 'split', { workerPayout: '600000' }))
    await keyless().applyDecision(claim)
    const { decision, dispute } = await recordOf(claim)
    expect(decision?.preparation?.transaction.args.slice(0, 2)).toEqual([claim.chainJobId, '600000'])
    expect(dispute).toMatchObject({ status: 'open', arbitrator: null })
    expect(await keyless().disputeStanding(claim)).toMatchObject({ stage: 'arbitration', decision: 'prepared' })
    expect(await keyless().decisionAnswer({ sessionId: claim.sessionId, round })).toMatchObject({ state: 'prepared' })
    await keyless().applyDecision(claim)
    const after = await recordOf(claim)
    expect(after.decision?.preparation).toEqual(decision?.preparation)
    expect(after.actions.filter((action) => action === 'verdict_prepared')).toHaveLength(1)
    await service.pass(DAY)
    await keyless().remindPeople(claim)
    expect(service.alarms).toContain(dispute.disputeId)
    await service.pass(DAY)
    await service.disputes.remindPeople(claim)
    const told = (await listEntries(service.rows, [dispute.disputeId])).get(dispute.disputeId) ?? []
    const reminded = told.filter(({ action }) => action === 'people_reminded')
    expect(reminded.map(({ data }) => data)).toEqual([true, false].map((waits) => ({ stage: 'arbitration', unsigned: waits })))
    expect(await standing(claim)).toMatchObject({ stage: 'arbitration', decision: 'decided' })
    await applied(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', disputeResolution: { workerPayout: { raw: '600000' } } })
  })

  test('is settled by the bytes that were signed before, without the key', async () => {
    const claim = await disputed()
    const before = await liquidOf(claim.wallet)
    await service.disputes.recordArbitration(word(claim, 'dismissed'))
    const cut = service.disputesOn({ clients: brokenClients(service.clients, { receipts: true }) })
    await expect(cut.applyDecision(claim)).rejects.toThrow('the node is away')
    await keyless().applyDecision(claim)
    expect((await recordOf(claim)).decision).toMatchObject({ preparation: null, observed: { verdict: 'dismissed', mismatch: false } })
    expect((await liquidOf(claim.wallet)) - before).toBe(REWARD + BOND)
    expect(await sent(claim, 'resolveDispute')).toEqual([{ status: 'mined' }])
  })
})

describe('a verdict that nobody has signed when the dispute’s time is over', () => {
  const keyless = () => service.disputesOn({ held: false })
  afterEach(() => service.clock.run())

  const unsigned = async () => {
    const claim = await disputed()
    await keyless().recordArbitration(word(claim, 'dismissed'))
    await keyless().applyDecision(claim)
    const { deadlineAt } = (await recordOf(claim)).dispute
    const told = { stage: 'arbitration', decision: 'prepared', timeoutOutcome: 'contract_timeout' }
    expect(await keyless().disputeStanding(claim)).toMatchObject({ ...told, deadlineAt: iso(deadlineAt), dueAt: iso(deadlineAt) })
    const before = await liquidOf(claim.wallet)
    await service.pass(14 * DAY)
    service.clock.freeze(deadlineAt - 1)
    const ended = async () => {
      expect(await sessionOf(claim)).toMatchObject({ status: 'closed', chainState: 'closed' })
      expect((await liquidOf(claim.wallet)) - before).toBe(REWARD / 2n)
    }
    return { claim, deadlineAt, ended }
  }

  test('lapses: the contract times the dispute out, which anybody may have done, and the record says who did', async () => {
    const { claim, deadlineAt, ended } = await unsigned()
    await keyless().applyTimeout(claim)
    expect((await sessionOf(claim)).status).toBe('disputed')
    service.clock.freeze(deadlineAt)
    await keyless().applyTimeout(claim)
    await ended()
    const { decision } = await recordOf(claim)
    expect(decision).toMatchObject({ verdict: 'dismissed', observed: { verdict: 'timeout', mismatch: true } })
    expect(decision && describeDecision(decision)).toMatchObject({ source: 'chain', decidedBy: localKeys().operator.address.toLowerCase() })
  })

  test('is given by the service itself where the key is held again: nobody lost it by silence', async () => {
    const { claim, deadlineAt } = await unsigned()
    const before = await liquidOf(claim.wallet)
    await service.disputes.reconcileWithChain(claim)
    expect((await sessionOf(claim)).status).toBe('disputed')
    service.clock.freeze(deadlineAt)
    await service.disputes.applyTimeout(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect((await liquidOf(claim.wallet)) - before).toBe(REWARD + BOND)
    expect((await recordOf(claim)).decision).toMatchObject({ verdict: 'dismissed', observed: { verdict: 'dismissed', mismatch: false } })
  })

  test('gives way to the word of time-out, which is what the contract does', async () => {
    const { claim, deadlineAt, ended } = await unsigned()
    expect(await codeOf(keyless().recordArbitration(word(claim, 'timeout')))).toBe('dispute_already_decided')
    service.clock.freeze(deadlineAt)
    expect(await codeOf(keyless().recordArbitration(word(claim, 'upheld')))).toBe('dispute_already_decided')
    await keyless().recordArbitration(word(claim, 'timeout'))
    await keyless().applyDecision(claim)
    await ended()
    const { decision, actions } = await recordOf(claim)
    expect(decision).toMatchObject({ verdict: 'timeout', preparation: null, observed: { verdict: 'timeout', mismatch: false } })
    expect(actions).toContain('verdict_superseded')
  })
})

describe('a verdict that was prepared, and whose arbitrator’s key is held again two days before anybody may time out', () => {
  const keyless = () => service.disputesOn({ held: false })
  const prepared = async () => {
    const claim = await disputed()
    await keyless().recordArbitration(word(claim, 'dismissed'))
    await keyless().applyDecision(claim)
    const before = await liquidOf(claim.wallet)
    await service.pass(12 * DAY)
    const supersedes = (await recordOf(claim)).decision?.preparation?.preparationId
    return { claim, supersedes, paid: async () => (await liquidOf(claim.wallet)) - before }
  }
  const signedElsewhere = ({ chainJobId }: Admitted) => {
    const args = [chainJobId, REWARD, verdictCodeBytes('dismissed'), 'https://work.example/badges/own'] as const
    return service.world.run(localKeys().arbitrator.address, 'escrow', 'resolveDispute', ...args)
  }

  test('is decided at the next look and pays the worker to the unit, two days before the contract’s time-out', async () => {
    const { claim, paid } = await prepared()
    const waiting = async () => (await countWaitingForPeople(service.rows, service.clock.now())).count
    expect(await keyless().disputeStanding(claim)).toMatchObject({ decision: 'prepared' })
    const unsigned = await waiting()
    await service.disputes.reconcileWithChain(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'arbitration', decision: 'decided' })
    expect(await waiting()).toBe(unsigned - 1)
    await applied(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect(await paid()).toBe(REWARD + BOND)
    expect(service.clock.now()).toBeLessThan((await recordOf(claim)).dispute.deadlineAt - DAY * 1000)
    expect(await sent(claim, 'resolveDispute')).toEqual([{ status: 'mined' }])
  })

  test('is observed and not sent again where somebody has signed it meanwhile', async () => {
    const { claim, paid } = await prepared()
    await signedElsewhere(claim)
    expect(await standing(claim)).toMatchObject({ decision: 'decided' })
    await applied(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect(await paid()).toBe(REWARD + BOND)
    expect(await sent(claim, 'resolveDispute')).toEqual([])
    expect((await recordOf(claim)).decision).toMatchObject({ observed: { verdict: 'dismissed', mismatch: false } })
  })

  test('is replaced by another word before, and not after', async () => {
    const { claim, supersedes, paid } = await prepared()
    await keyless().recordArbitration(word(claim, 'split', { workerPayout: '600000', supersedes }))
    const preparation = (await recordOf(claim)).decision?.preparation
    expect(preparation?.preparationId).not.toBe(supersedes)
    const late = word(claim, 'upheld', { supersedes: preparation?.preparationId })
    expect(await codeOf(service.disputes.recordArbitration(late))).toBe('dispute_already_decided')
    expect(await standing(claim)).toMatchObject({ decision: 'decided' })
    await applied(claim)
    expect(await paid()).toBe(600_000n + BOND)
  })

  test('makes a process without the key try again, not ask at once for what it cannot do', async () => {
    const { claim, paid } = await prepared()
    expect(await standing(claim)).toMatchObject({ decision: 'decided' })
    await expect(keyless().applyDecision(claim)).rejects.toThrow('has no arbitrator key')
    // Where nobody holds it any more, it waits for a signature as before.
    await keyless().applyDecision(claim)
    expect(await keyless().disputeStanding(claim)).toMatchObject({ decision: 'prepared' })
    await applied(claim)
    expect(await paid()).toBe(REWARD + BOND)
  })
})

describe('a silence whose split is tried late', () => {
  test.each([
    ['of a round that came after the one it saw', { round: 2 }],
    ['of a round that waits longer since', { deadlineAt: Date.UTC(2100, 0, 1) }],
  ] as const)('splits nothing %s', async (_what, changes) => {
    const claim = await inReview()
    const { dispute } = await recordOf(claim)
    await service.pass(14 * DAY)
    const { transaction } = service.database
    const change = () => service.rows.updateTable('dispute').set(changes).where('disputeId', '=', dispute.disputeId).execute()
    const late = service.disputesOn({
      database: { ...service.database, transaction: (work) => change().then(() => transaction(work)) },
    })
    await late.applyTimeout(claim)
    expect((await recordOf(claim)).decision).toBeNull()
    expect(await sessionOf(claim)).toMatchObject({ status: 'disputed', chainState: 'submitted' })
  })
})

describe('the arbitrator of an open dispute', () => {
  test('is the one whose key is held now: keys come and go, and the deadline that is told with them', async () => {
    const claim = await rejected()
    await service.disputes.overturnRejection({ sessionId: claim.sessionId, by: BY, note: 'The terms were read wrong.' })
    const arbitrator = async () => (await recordOf(claim)).dispute.arbitrator
    await service.disputesOn({ held: false }).disputeStanding(claim)
    expect(await arbitrator()).toBeNull()
    await standing(claim)
    expect(await arbitrator()).toBe(localKeys().arbitrator.address.toLowerCase())
    await service.disputes.recordArbitration(word(claim, 'dismissed'))
    await applied(claim)
    await service.disputesOn({ held: false }).disputeStanding(claim)
    expect(await arbitrator()).toBe(localKeys().arbitrator.address.toLowerCase())
  })
})

/** Its silence was decided, and met a process without the key. */
const decidedWithoutKey = async (): Promise<Admitted> => {
  const claim = await inReview()
  const { deadlineAt } = (await recordOf(claim)).dispute
  await service.pass(deadlineAt - service.clock.now() + DAY)
  // With the key as far as the chain: there the process loses it.
  const held = service.disputesOn({ clients: brokenClients(service.clients, { receipts: true }) })
  await expect(held.applyTimeout(claim)).rejects.toThrow()
  await service.disputesOn({ held: false }).applyDecision(claim)
  return claim
}

describe('a silence whose split met a process without the key', () => {
  test('is the service’s own again with the key: half is paid, and the bond comes back', async () => {
    const claim = await decidedWithoutKey()
    const before = await liquidOf(claim.wallet)
    await service.disputes.applyTimeout(claim)
    await service.disputes.applyDecision(claim)
    expect((await liquidOf(claim.wallet)) - before).toBe(REWARD / 2n + BOND)
    expect((await standing(claim)).stage).toBe('final')
    const { dispute, actions } = await recordOf(claim)
    expect(actions).toEqual(['review_opened', 'verdict_submitted', 'opened_on_chain', 'verdict_prepared', 'verdict_settled'])
    const given = (await listEntries(service.rows, [dispute.disputeId])).get(dispute.disputeId)?.[1]
    expect(given).toMatchObject({ actor: 'system:timeout', data: { verdict: 'split', workerPayout: { raw: (REWARD / 2n).toString() } } })
  })
})

describe('a key that comes back', () => {
  test('carries out the silence that was decided without it at the next look, not at the deadline after it', async () => {
    const claim = await decidedWithoutKey()
    const before = await liquidOf(claim.wallet)
    await service.disputesOn({ held: false }).reconcileWithChain(claim)
    expect(await service.disputesOn({ held: false }).disputeStanding(claim)).toMatchObject({ stage: 'arbitration', decision: 'prepared' })
    await service.disputes.reconcileWithChain(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'arbitration', decision: 'decided' })
    await applied(claim)
    expect((await liquidOf(claim.wallet)) - before).toBe(REWARD / 2n + BOND)
    expect((await standing(claim)).stage).toBe('final')
  })
})

describe('an operator’s overturn that the chain refuses, since the contract is paused', () => {
  const pause = (paused: boolean) => service.world.run(who.owner, 'policy', 'setPaused', paused)
  afterEach(() => pause(false))

  test('leaves no mark: a dispute that the worker opens later is the worker’s', async () => {
    const claim = await rejected()
    await pause(true)
    const overturn = { sessionId: claim.sessionId, by: BY, note: 'The terms were read wrong.' }
    await expect(service.disputes.overturnRejection(overturn)).rejects.toThrow('would be reverted now')
    expect((await sessionOf(claim)).operatorOverturn).toBeNull()
    await pause(false)
    await service.world.run(claim.wallet as Hex, 'escrow', 'openDispute', claim.chainJobId)
    await service.disputes.reconcileWithChain(claim)
    expect((await recordOf(claim)).dispute).toMatchObject({ origin: 'participant' })
  })
})

describe('an operator’s overturn that was cut short', () => {
  const overturn = (claim: Admitted) => ({ sessionId: claim.sessionId, by: BY, note: 'The terms were read wrong.' })

  test('after its transaction is carried to its end, also when the window is over by then', async () => {
    const claim = await rejected()
    const cut = service.disputesOn({ clients: brokenClients(service.clients, { receipts: true }) })
    await expect(cut.overturnRejection(overturn(claim))).rejects.toThrow()
    const stateOnChain = async () => (await service.reads.escrowJob(claim.chainJobId as Hex)).state
    await eventually('the dispute is on chain', stateOnChain, (state) => state === 'disputed')
    await service.pass(8 * DAY)
    await service.disputes.overturnRejection(overturn(claim))
    expect(await standing(claim)).toMatchObject({ stage: 'arbitration' })
    expect((await recordOf(claim)).dispute.origin).toBe('operator')
  })

  test('before it leaves no mark when the window is over by then', async () => {
    const claim = await rejected()
    const { sessionId, by, note } = overturn(claim)
    const operatorOverturn = { by, note, at: new Date(service.clock.now()).toISOString() }
    await service.rows.updateTable('session').set({ operatorOverturn }).where('sessionId', '=', sessionId).execute()
    await service.pass(8 * DAY)
    expect(await codeOf(service.disputes.overturnRejection(overturn(claim)))).toBe('overturn_window_closed')
    expect(await sessionOf(claim)).toMatchObject({ status: 'rejected', operatorOverturn: null })
  })
})

describe('the exact second', () => {
  afterEach(() => service.clock.run())

  test('a rejection is not final in the last second of its window, and is in the next', async () => {
    const claim = await rejected()
    const end = disputeWindowEndsAt((await sessionOf(claim)).timestamps.rejectedAt ?? 0)
    service.clock.freeze(end + 999)
    await service.disputes.applyTimeout(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'window' })
    await service.pass(7 * DAY + 2)
    service.clock.freeze(end + 1_000)
    await service.disputes.applyTimeout(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'rejected', chainState: 'closed' })
    expect(await standing(claim)).toMatchObject({ stage: 'final' })
  })

  test('an arbitration times out at its very deadline', async () => {
    const claim = await disputed()
    const { deadlineAt } = (await recordOf(claim)).dispute
    service.clock.freeze(deadlineAt - 1)
    await service.disputes.applyTimeout(claim)
    expect(await codeOf(service.disputes.recordArbitration(word(claim, 'timeout')))).toBe('dispute_timeout_not_reached')
    await service.pass(14 * DAY)
    service.clock.freeze(deadlineAt)
    await service.disputes.applyTimeout(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'closed', chainState: 'closed' })
  })
})

describe('an overturn beside another', () => {
  test('is refused with who was first kept, and its own repeat is answered', async () => {
    const claim = await rejected()
    const { sessionId } = claim
    const first = { sessionId, by: BY, note: 'The terms were read wrong.' }
    await service.disputes.overturnRejection(first)
    expect(await codeOf(service.disputes.overturnRejection({ ...first, note: 'Another reason.' }))).toBe('invalid_session_transition')
    expect(await codeOf(service.disputes.overturnRejection({ ...first, by: '0xanother' }))).toBe('invalid_session_transition')
    await service.disputes.overturnRejection(first)
    expect((await sessionOf(claim)).operatorOverturn).toMatchObject({ by: BY, note: first.note })
  })
})

describe('an overturned rejection that nobody decides', () => {
  afterEach(() => service.clock.run())

  test('is split before the poster may call the contract’s time-out, which would take the worker’s bond', async () => {
    const claim = await rejected()
    await service.disputes.overturnRejection({ sessionId: claim.sessionId, by: BY, note: 'The terms were read wrong.' })
    const { deadlineAt } = (await recordOf(claim)).dispute
    const dueAt = deadlineAt - 15 * 60_000
    expect([await standing(claim), await service.disputesOn({ held: false }).disputeStanding(claim)]).toMatchObject([
      { deadlineAt: iso(dueAt), dueAt: iso(dueAt), timeoutOutcome: 'split_half' },
      { deadlineAt: iso(deadlineAt), dueAt: iso(deadlineAt), timeoutOutcome: 'contract_timeout' },
    ])
    const before = await liquidOf(claim.wallet)
    await service.pass(14 * DAY - 15 * 60)
    service.clock.freeze(dueAt - 1)
    await service.disputes.applyTimeout(claim)
    expect((await standing(claim)).stage).toBe('arbitration')
    service.clock.freeze(dueAt)
    await service.disputes.applyTimeout(claim)
    expect((await liquidOf(claim.wallet)) - before).toBe(REWARD / 2n + BOND)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
  })
})

describe('an overturned rejection that is decided in the last second it has', () => {
  afterEach(() => service.clock.run())

  test('is decided so, and after it by the silence alone', async () => {
    const [claim, late] = [await rejected(), await rejected()]
    for (const { sessionId } of [claim, late])
      await service.disputes.overturnRejection({ sessionId, by: BY, note: 'The terms were read wrong.' })
    const until = async (of: Admitted) => Date.parse((await standing(of)).deadlineAt ?? '')
    await service.pass(14 * DAY - 15 * 60)
    service.clock.freeze((await until(claim)) - 1_000)
    await service.disputes.applyTimeout(claim)
    await service.disputes.recordArbitration(word(claim, 'dismissed'))
    await applied(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', disputeResolution: { verdict: 'dismissed' } })
    service.clock.freeze(await until(late))
    await service.disputes.applyTimeout(late).catch(() => service.disputes.applyTimeout(late))
    expect(await codeOf(service.disputes.recordArbitration(word(late, 'dismissed')))).toBe('dispute_already_decided')
    expect((await recordOf(late)).decision).toMatchObject({ source: 'timeout', verdict: 'split' })
  })
})

describe('a dispute that was opened and decided between two looks', () => {
  test('is recorded as both', async () => {
    const claim = await rejected()
    await service.world.run(claim.wallet as Hex, 'escrow', 'openDispute', claim.chainJobId)
    const args = [claim.chainJobId, 0n, verdictCodeBytes('upheld'), ''] as const
    await service.world.run(localKeys().arbitrator.address, 'escrow', 'resolveDispute', ...args)
    await service.disputes.reconcileWithChain(claim)
    const session = await sessionOf(claim)
    expect(session.statusHistory.slice(-2).map(({ to }) => to)).toEqual(['disputed', 'rejected'])
    expect((await recordOf(claim)).decision).toMatchObject({ source: 'chain', verdict: 'upheld' })
  })
})

/** The poster puts its job on chain itself; without that the service does. */
const postedBy =
  (poster: Hex) =>
  async (jobId: string): Promise<void> => {
    await fund(service.world, poster, 10_000_000n)
    const { specHash } = await service.rows.selectFrom('job').select('specHash').where('id', '=', jobId).executeTakeFirstOrThrow()
    const own = terms(service.world, { jobId: chainJobId(jobId), reward: REWARD })
    await service.world.run(poster, 'escrow', 'createSinglePayoutJob', ...own.slice(0, -1), specHash)
  }

describe('who opened the dispute of a rejection stands in its record and in the session’s history', () => {
  const opening = async (claim: Admitted) => {
    const entries = (await listEntries(service.rows, [(await recordOf(claim)).dispute.disputeId])).values().next().value ?? []
    const { metadata } = (await sessionOf(claim)).statusHistory.find(({ to }) => to === 'disputed') ?? {}
    return { actor: entries.at(0)?.actor, metadata }
  }
  const openedWith = async (sender: string, claim: Admitted): Promise<string> => {
    await service.world.run(sender as Hex, 'escrow', 'openDispute', claim.chainJobId)
    return (await service.clients.reader.getBlock({ includeTransactions: false })).transactions.at(-1) ?? ''
  }

  test('the poster', async () => {
    const poster = walletAt(480)
    const claim = await rejected(await claimed(postedBy(poster)))
    const txHash = await openedWith(poster, claim)
    await service.disputes.reconcileWithChain(claim)
    expect(await opening(claim)).toEqual({ actor: poster, metadata: { origin: 'chain', opener: poster, txHash } })
    expect((await recordOf(claim)).dispute).toMatchObject({ origin: 'participant', claimant: claim.wallet, respondent: poster })
  })

  test('the poster, where the dispute was opened and decided between two looks', async () => {
    const poster = walletAt(481)
    const claim = await rejected(await claimed(postedBy(poster)))
    const txHash = await openedWith(poster, claim)
    const args = [claim.chainJobId, 0n, verdictCodeBytes('upheld'), ''] as const
    await service.world.run(localKeys().arbitrator.address, 'escrow', 'resolveDispute', ...args)
    await service.disputes.reconcileWithChain(claim)
    expect(await opening(claim)).toEqual({ actor: poster, metadata: { origin: 'chain', opener: poster, txHash } })
  })

  test('the worker', async () => {
    const claim = await rejected()
    const txHash = await openedWith(claim.wallet, claim)
    await service.disputes.reconcileWithChain(claim)
    expect(await opening(claim)).toEqual({ actor: claim.wallet, metadata: { origin: 'chain', opener: claim.wallet, txHash } })
  })

  test('an operator, who overturned the rejection; on chain it is open for the worker', async () => {
    const claim = await rejected()
    await service.disputes.overturnRejection({ sessionId: claim.sessionId, by: BY, note: 'The terms were read wrong.' })
    const { actor, metadata } = await opening(claim)
    expect(actor).toBe(BY)
    expect(metadata).toEqual({ origin: 'operator_overturn', opener: claim.wallet, txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  })
})

describe('a verdict that people must complete', () => {
  const [datasetUrl, resourceUrl] = ['https://catalog.data.example/dataset/stations', 'https://catalog.data.example/stations.csv']
  const outputSchemaRef = 'schema://jobs/open-data-quality-audit-output'
  const AUDIT = {
    ...{ dataset_title: 'Stations', dataset_url: datasetUrl, resource_url: resourceUrl, findings: [], summary: 'As described.' },
    ...{
      no_issue_found: true,
      recommended_actions: ['Keep it.'],
      checks: [{ name: 'reachable', status: 'pass', evidence: 'It answers.' }],
    },
  }
  /** Both addresses are down since the claim: nothing is said about the work. */
  const unreachable = async (): Promise<Admitted> => {
    for (const address of [datasetUrl, resourceUrl]) await storeCheckAged(service.rows, `source:${new URL(address).origin}`, null, -86_400)
    const job = {
      ...{ verifierMode: 'deterministic', outputSchemaRef, verifierTerms: undefined, verifierConfig: undefined },
      source: { type: 'open_data_dataset', datasetUrl, resourceUrl },
      verification: { method: 'fetchable_open_data_evidence', signals: [], evidenceSchemaRef: outputSchemaRef },
    } as Partial<JobInputBody>
    return decidedByMachine(await judged(await claimed(undefined, job), AUDIT))
  }
  /** What was pinned at the claim does not verify any more. */
  const brokenPin = async (): Promise<Admitted> => {
    const admitted = await judged()
    const { jobSnapshot } = await sessionOf(admitted)
    const broken = { ...jobSnapshot, definitionHash: `0x${'0'.repeat(64)}` }
    await service.rows
      .updateTable('session')
      .set({ jobSnapshot: broken as never })
      .where('sessionId', '=', admitted.sessionId)
      .execute()
    return decidedByMachine(admitted)
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

describe('how a dispute ended stands in the session’s history with what the worker got and the transaction', () => {
  const ended = async (claim: Admitted, to: string) => {
    const { metadata } = (await sessionOf(claim)).statusHistory.at(-1) ?? {}
    expect((await sessionOf(claim)).status).toBe(to)
    const txHash = (await recordOf(claim)).decision?.observed?.txHash
    expect(txHash).toMatch(/^0x[0-9a-f]{64}$/)
    return { metadata, txHash }
  }

  test.each([
    ['split', { workerPayout: '700000' }, 'resolved', '700000'],
    ['dismissed', {}, 'resolved', `${REWARD}`],
    ['upheld', {}, 'rejected', '0'],
  ])('%s by the arbitrator', async (verdict, more, to, raw) => {
    const claim = await disputed()
    await service.disputes.recordArbitration(word(claim, verdict, more))
    await applied(claim)
    const { metadata, txHash } = await ended(claim, to)
    expect(metadata).toMatchObject({ workerPayout: { asset: 'USDC', raw }, txHash })
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
    const { payoutTx } = await getSession(service.rows, claim.sessionId)
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

describe('what waits for people', () => {
  test('raises one alarm a day', async () => {
    const claim = await inReview()
    const { disputeId } = (await recordOf(claim)).dispute
    const raised = () => service.alarms.filter((id) => id === disputeId).length
    await service.disputes.remindPeople(claim)
    expect(raised()).toBe(0)
    for (const day of [1, 2]) {
      await service.pass(DAY)
      await Promise.all([service.disputes.remindPeople(claim), service.disputes.remindPeople(claim)])
      expect(raised()).toBe(day)
    }
  })

  test('has its alarm on every day since the opening, however late the one of the day before was', async () => {
    const claim = await inReview()
    const { disputeId } = (await recordOf(claim)).dispute
    const raised = () => service.alarms.filter((id) => id === disputeId).length
    for (const [hours, alarms] of [
      [47, 1],
      [2, 2],
      [22, 2],
      [2, 3],
    ] as const) {
      await service.pass(hours * 3_600)
      await service.disputes.remindPeople(claim)
      expect(raised()).toBe(alarms)
    }
  })

  test('has its alarm also when it is decided and cannot be carried out', async () => {
    const mayVerify = (may: boolean) => service.world.run(who.owner, 'policy', 'setVerifier', localKeys().verifier.address, may)
    const claim = await inReview()
    const { dispute } = await recordOf(claim)
    await service.pass(14 * DAY)
    await mayVerify(false)
    await expect(service.disputes.applyTimeout(claim)).rejects.toThrow('would be reverted now')
    await mayVerify(true)
    expect((await recordOf(claim)).decision).toMatchObject({ source: 'timeout', observed: null })
    await service.disputes.remindPeople(claim)
    expect(service.alarms).toContain(dispute.disputeId)
    const [told] = (await listEntries(service.rows, [dispute.disputeId])).get(dispute.disputeId)?.slice(-1) ?? []
    expect(told).toMatchObject({ action: 'people_reminded', data: { stage: 'review', unsigned: false } })
  })
})

describe('a dispute whose session an operator closed', () => {
  test('waits for nobody any more, and raises no alarm', async () => {
    const claim = await inReview()
    await closeByHand(claim, 'closed')
    const { dispute, actions } = await recordOf(claim)
    expect(dispute.status).toBe('resolved')
    expect(actions).toEqual(['review_opened', 'closed_by_operator'])
    await service.pass(DAY)
    await service.disputes.remindPeople(claim)
    expect(service.alarms).not.toContain(dispute.disputeId)
    expect(await standing(claim)).toMatchObject({ stage: 'final', status: 'closed' })
  })
})

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
  const WAYS: [string, () => Promise<Admitted>, bigint][] = [
    ['approved by people', approved, REWARD - 50_000n + BOND],
    ['dismissed out of a review', decided('dismissed'), REWARD + BOND],
    ['split out of a review', decided('split'), REWARD / 2n + BOND],
    ['upheld out of a review', decided('upheld'), 0n],
  ]

  test.each(WAYS)('at any transaction of the records goes on where it was, and pays once: %s', async (_name, prepare, gained) => {
    const claim = await prepare()
    const before = await liquidOf(claim.wallet)
    for (const failAt of [1, 2, 3, 4, 5]) {
      const cut = service.disputesOn({ database: failingDatabase(service.database, failAt) })
      await cut.applyDecision(claim).catch(() => undefined)
    }
    await service.disputes.applyDecision(claim)
    expect((await liquidOf(claim.wallet)) - before).toBe(gained)
    expect((await standing(claim)).stage).toBe('final')
    for (const name of ['resolveSinglePayout', 'openDisputeFor', 'resolveDispute'])
      expect((await sent(claim, name)).filter(({ status }) => status === 'mined').length).toBeLessThanOrEqual(1)
  })

  test.each(WAYS)('before it read a receipt goes on where it was, and pays once: %s', async (_name, prepare, gained) => {
    const claim = await prepare()
    const before = await liquidOf(claim.wallet)
    const cut = service.disputesOn({ clients: brokenClients(service.clients, { receipts: true }) })
    await expect(cut.applyDecision(claim)).rejects.toThrow()
    await service.disputes.applyDecision(claim)
    expect((await liquidOf(claim.wallet)) - before).toBe(gained)
    expect((await standing(claim)).stage).toBe('final')
  })
})

describe('a fork', () => {
  const { rpc } = { rpc: (...call: Parameters<typeof service.world.rpc>) => service.world.rpc(...call) }
  /** What happens in `work` is taken away from the chain, which goes on without it. */
  const forkedAway = async (work: () => Promise<unknown>): Promise<void> => {
    const taken = await rpc('evm_snapshot')
    await work()
    await rpc('evm_revert', taken)
    await rpc('evm_increaseTime', 60)
    await rpc('evm_mine')
  }
  const openedByWorker = async (claim: Admitted): Promise<void> => {
    await service.world.run(claim.wallet as Hex, 'escrow', 'openDispute', claim.chainJobId)
    await service.disputes.reconcileWithChain(claim)
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
    const before = await liquidOf(claim.wallet)
    await service.disputes.recordArbitration(word(claim, 'dismissed'))
    await service.disputes.applyDecision(claim)
    expect((await liquidOf(claim.wallet)) - before).toBe(REWARD + BOND)
  })

  test('is no fork before a later block; until then, and until the follower holds the event, it is looked for again', async () => {
    const claim = await rejected()
    const taken = await rpc('evm_snapshot')
    await openedByWorker(claim)
    expect(await service.disputes.reconcileWithChain(claim)).toEqual({ again: true, behind: false })
    const { openedAt } = (await recordOf(claim)).dispute
    const row = { chainId: service.reads.chain.chainId, chainJobId: claim.chainJobId, event: 'DisputeOpened', contract: 'escrow' }
    const place = {
      txHash: `0x${'d1'.repeat(32)}`,
      logIndex: 0,
      blockNumber: 1,
      blockHash: `0x${'b1'.repeat(32)}`,
      address: `0x${'a1'.repeat(20)}`,
    }
    const event = {
      ...row,
      ...place,
      blockTime: openedAt,
      args: {},
      seenAt: openedAt,
      movesProcess: false,
      revision: 1,
      notifiedRevision: 1,
    }
    await service.rows
      .insertInto('chain_event')
      .values({ ...event, removedAt: null } as never)
      .execute()
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
    const claim = await judged()
    const evaluated = { sessionId: claim.sessionId, runId: `verify-${claim.runId}`, attempt: 1, requestedBy: 'test' }
    const result = await service.verifications.evaluateSubmission(evaluated)
    if (result.kind !== 'verdict') throw new Error('no verdict')
    const { verdictId } = result
    await forkedAwayFrom(['verifier'], () => service.disputes.takeVerdict({ sessionId: claim.sessionId, verdictId }))
    expect((await service.reads.escrowJob(claim.chainJobId as Hex)).state).toBe('submitted')
    for (const _look of [1, 2]) await service.disputes.reconcileWithChain(claim)
    const { state, rejectedAt } = await service.reads.escrowJob(claim.chainJobId as Hex)
    expect(state).toBe('rejected')
    expect((await sessionOf(claim)).timestamps.rejectedAt).toBe(rejectedAt)
    expect(await standing(claim)).toMatchObject({ stage: 'window', deadlineAt: iso(disputeWindowEndsAt(rejectedAt ?? 0)) })
  })

  test('that took a rejection away leaves no mark of an overturn that comes then: the dispute opened later is the worker’s', async () => {
    const claim = await judged()
    const evaluated = { sessionId: claim.sessionId, runId: `verify-${claim.runId}`, attempt: 1, requestedBy: 'test' }
    const result = await service.verifications.evaluateSubmission(evaluated)
    if (result.kind !== 'verdict') throw new Error('no verdict')
    const { verdictId } = result
    await forkedAwayFrom(['verifier'], () => service.disputes.takeVerdict({ sessionId: claim.sessionId, verdictId }))
    const overturn = { sessionId: claim.sessionId, by: BY, note: 'The terms were read wrong.' }
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
    const overturn = { sessionId: claim.sessionId, by: BY, note: 'The terms were read wrong.' }
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

  test('that took the dispute away before its silence was due ends in the rejection’s own window', async () => {
    const claim = await rejected()
    await forkedAway(() => openedByWorker(claim))
    await service.disputes.applyTimeout(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'window' })
  })
})

describe('an overturn that came by hand', () => {
  test.each([[{ note: 'a\0b' }], [{ note: 7 as unknown as string }], [{ by: undefined as unknown as string }]])(
    'with %j is refused, and the rejection stands',
    async (changes) => {
      const claim = await rejected()
      const overturn = { sessionId: claim.sessionId, by: BY, note: 'Wrong terms.', ...changes }
      expect(await codeOf(service.disputes.overturnRejection(overturn))).toBe('invalid_request')
      expect(await standing(claim)).toMatchObject({ stage: 'window' })
    },
  )
})

describe('news of a verdict', () => {
  test('that nobody gave, or that another session got, changes nothing', async () => {
    const [claim, other] = [await judged(), await judged()]
    const { verdictId } = await service.verifications.recordReviewRequired({ ...other, runId: `verify-${other.runId}` })
    for (const told of ['no-such-verdict', verdictId]) await service.disputes.takeVerdict({ sessionId: claim.sessionId, verdictId: told })
    expect(await standing(claim)).toMatchObject({ stage: 'verdict', status: 'submitted' })
    expect(await findDisputeOfSession(service.rows, claim.sessionId)).toBeNull()
  })
})

// The last ones: they take nonces of the service's keys past its journal.
describe('a word that another hand was faster than, on chain', () => {
  const judgedPast = ({ chainJobId }: Admitted, approved: boolean) => {
    const zero = `0x${'0'.repeat(64)}`
    return service.world.run(localKeys().verifier.address, 'escrow', 'resolveSinglePayout', chainJobId, approved, zero, '', zero)
  }

  /** What everybody reads: the newest verdict, the session's summary, and the last entry of its history. */
  const told = async (claim: Admitted) => {
    const { verificationSummary, statusHistory } = await sessionOf(claim)
    const { reason, metadata } = statusHistory.at(-1) ?? {}
    return [await latestVerdict(service.rows, claim.sessionId), verificationSummary, { ...metadata, reasonCode: reason }]
  }
  const chainSays = (outcome: string) =>
    Array(3).fill(expect.objectContaining({ outcome, reasonCode: 'CHAIN_VERDICT_OBSERVED', handler: 'chain' }))
  const machineSays = async (claim: Admitted) => {
    const evaluated = { sessionId: claim.sessionId, runId: `verify-${claim.runId}`, attempt: 1, requestedBy: 'test' }
    const result = await service.verifications.evaluateSubmission(evaluated)
    if (result.kind !== 'verdict') throw new Error('no verdict')
    return { sessionId: claim.sessionId, verdictId: result.verdictId }
  }

  test('a machine that rejects what was approved leaves it approved, and paid', async () => {
    const claim = await judged()
    const news = await machineSays(claim)
    await judgedPast(claim, true)
    for (const _try of [1, 2]) await service.disputes.takeVerdict(news)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect(await told(claim)).toEqual(chainSays('approved'))
    expect(await sent(claim, 'resolveSinglePayout')).toEqual([])
  })

  test('a machine that leaves it to people what was approved leaves them nothing to decide', async () => {
    const claim = await judged()
    const { verdictId } = await service.verifications.recordReviewRequired({ ...claim, runId: `verify-${claim.runId}` })
    await judgedPast(claim, true)
    for (const _try of [1, 2]) await service.disputes.takeVerdict({ sessionId: claim.sessionId, verdictId })
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect(await told(claim)).toEqual(chainSays('approved'))
    expect(await findDisputeOfSession(service.rows, claim.sessionId)).toBeNull()
  })

  test('people who approve what was rejected leave it rejected, with its window', async () => {
    const claim = await inReview()
    const { round } = await service.disputes.recordHumanVerdict(word(claim, 'approve'))
    await judgedPast(claim, false)
    for (const _try of [1, 2]) await service.disputes.applyDecision(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'window' })
    expect(await told(claim)).toEqual(chainSays('rejected'))
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
    await judgedPast(claim, true)
    for (const _try of [1, 2]) await service.disputes.applyDecision(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect(await told(claim)).toEqual(chainSays('approved'))
    expect((await recordOf(claim)).decision).toMatchObject({ verdict: 'rejected', observed: { verdict: 'approved', mismatch: true } })
    expect(await codeOf(service.disputes.decisionAnswer({ sessionId: claim.sessionId, round }))).toBe('dispute_already_decided')
  })

  test.each([
    ['approved', true],
    ['rejected', false],
  ] as const)('people who have not decided yet find it %s', async (outcome, approved) => {
    const claim = await inReview()
    await judgedPast(claim, approved)
    for (const _try of [1, 2]) await service.disputes.reconcileWithChain(claim)
    expect((await sessionOf(claim)).status).toBe(approved ? 'resolved' : 'rejected')
    expect(await told(claim)).toEqual(chainSays(outcome))
    expect((await recordOf(claim)).decision).toMatchObject({ source: 'chain', verdict: outcome, observed: { mismatch: false } })
  })
})

describe('a verdict of a machine that comes late', () => {
  const late = (claim: Admitted) =>
    service.verifications.evaluateSubmission({ sessionId: claim.sessionId, runId: `late-${claim.runId}`, attempt: 1, requestedBy: 'test' })

  test.each([
    ['people’s word', (claim: Admitted) => service.disputes.recordHumanVerdict(word(claim, 'approve')), 'HUMAN_REVIEW_APPROVED'],
    ['an arbitrator’s word', (claim: Admitted) => service.disputes.recordArbitration(word(claim, 'dismissed')), 'HUMAN_REVIEW_REQUIRED'],
  ])('behind %s is not kept, although the money has not moved yet', async (_whose, decide, reasonCode) => {
    const claim = await inReview()
    await decide(claim)
    const newest = await latestVerdict(service.rows, claim.sessionId)
    expect(newest).toMatchObject({ reasonCode })
    expect(await late(claim)).toMatchObject({ verdictId: newest?.id })
    expect((await latestVerdict(service.rows, claim.sessionId))?.id).toBe(newest?.id)
  })

  test('behind another machine’s that is being carried out is not kept', async () => {
    const claim = await judged()
    const first = await late(claim)
    const again = { sessionId: claim.sessionId, runId: `later-${claim.runId}` }
    expect(await service.verifications.recordReviewRequired(again)).toEqual({ verdictId: first.kind === 'verdict' ? first.verdictId : '' })
  })

  test('while people still look decides for them', async () => {
    const claim = await inReview()
    const found = await late(claim)
    expect(found).toMatchObject({ kind: 'verdict', outcome: 'rejected' })
    expect((await latestVerdict(service.rows, claim.sessionId))?.id).toBe(found.kind === 'verdict' ? found.verdictId : '')
  })
})

test('a stranger can check every receipt and badge of the disputes above', async () => {
  const ends = await verifyEveryDocument(service)
  expect([...ends].sort()).toEqual([
    'closed timeout timeout rejected',
    'rejected arbitration upheld rejected',
    'rejected verifier rejected rejected',
    'resolved arbitration dismissed approved',
    'resolved arbitration split approved',
    'resolved human_review approved approved',
    'resolved timeout split approved',
    'resolved verifier approved approved',
  ])
})
