import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { chainJobId } from '../../../domain/common/ids.ts'
import { iso } from '../../../domain/common/instants.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import { fund, terms } from '../../contracts/support/jobs.ts'
import { who } from '../../contracts/support/world.ts'
import { eventually } from '../../support/eventually.ts'
import { BOND, BY, DAY, OVERTURN, openDisputes, REWARD, word } from '../support/disputes.ts'
import { verifyEveryDocument } from '../support/receipts.ts'
import { brokenClients, type Service, startService, walletAt } from '../support/service.ts'
import { codeOf } from '../support/settlements.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const disputes = openDisputes(() => service)
const { claimed, rejected, openedByWorker, overturned, gained, sessionOf, standing, recordOf, applied, arbitratedOnChain } = disputes

const overturn = ({ sessionId }: AdmittedClaim, changes: object = {}) =>
  service.disputes.overturnRejection({ sessionId, ...OVERTURN, ...changes })

describe('an operator’s overturn', () => {
  test('that the paused contract refuses leaves no mark: a dispute that the worker opens later is the worker’s', async () => {
    const pause = (paused: boolean) => service.world.run(who.owner, 'policy', 'setPaused', paused)
    const claim = await rejected()
    await pause(true)
    await expect(overturn(claim).finally(() => pause(false))).rejects.toThrow('would be reverted now')
    expect((await sessionOf(claim)).operatorOverturn).toBeNull()
    await openedByWorker(claim)
    expect((await recordOf(claim)).dispute).toMatchObject({ origin: 'participant' })
  })

  test('that was cut short after its transaction is carried to its end, also when the window is over by then', async () => {
    const claim = await rejected()
    const cut = service.disputesOn({ clients: brokenClients(service.clients, { receipts: true }) })
    await expect(cut.overturnRejection({ sessionId: claim.sessionId, ...OVERTURN })).rejects.toThrow()
    const stateOnChain = async () => (await service.reads.escrowJob(claim.chainJobId as Hex)).state
    await eventually('the dispute is on chain', stateOnChain, (state) => state === 'disputed')
    await service.pass(8 * DAY)
    await overturn(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'arbitration' })
    expect((await recordOf(claim)).dispute.origin).toBe('operator')
  })

  test('that was cut short before its transaction leaves no mark when the window is over by then', async () => {
    const claim = await rejected()
    const operatorOverturn = { ...OVERTURN, at: iso(service.clock.now()) }
    await service.rows.updateTable('session').set({ operatorOverturn }).where('sessionId', '=', claim.sessionId).execute()
    await service.pass(8 * DAY)
    expect(await codeOf(overturn(claim))).toBe('overturn_window_closed')
    expect(await sessionOf(claim)).toMatchObject({ status: 'rejected', operatorOverturn: null })
  })

  test('after another one is refused, and the first one’s own repeat is answered', async () => {
    const claim = await overturned()
    for (const other of [{ note: 'Another reason.' }, { by: '0xanother' }])
      expect(await codeOf(overturn(claim, other))).toBe('invalid_session_transition')
    await overturn(claim)
    expect((await sessionOf(claim)).operatorOverturn).toMatchObject(OVERTURN)
  })

  test.each([{ note: 7 }, { by: undefined }])('with %j is refused, and the rejection stands', async (changes) => {
    const claim = await rejected()
    expect(await codeOf(overturn(claim, changes))).toBe('invalid_request')
    expect(await standing(claim)).toMatchObject({ stage: 'window' })
  })
})

describe('an overturned rejection', () => {
  afterEach(() => service.clock.run())

  test('without a decision is split before the poster may call the contract’s time-out, which would take the worker’s bond', async () => {
    const claim = await overturned()
    const { deadlineAt } = (await recordOf(claim)).dispute
    const dueAt = deadlineAt - 15 * 60_000
    expect([await standing(claim), await service.disputesOn({ held: false }).disputeStanding(claim)]).toMatchObject([
      { deadlineAt: iso(dueAt), dueAt: iso(dueAt), timeoutOutcome: 'split_half' },
      { deadlineAt: iso(deadlineAt), dueAt: iso(deadlineAt), timeoutOutcome: 'contract_timeout' },
    ])
    await service.pass(14 * DAY - 15 * 60)
    service.clock.freeze(dueAt - 1)
    await service.disputes.applyTimeout(claim)
    expect((await standing(claim)).stage).toBe('arbitration')
    service.clock.freeze(dueAt)
    expect(await gained(claim, () => service.disputes.applyTimeout(claim))).toBe(REWARD / 2n + BOND)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
  })

  test('is decided up to the last second it has, and after it by the time-out alone', async () => {
    const [claim, late] = [await overturned(), await overturned()]
    const until = async (of: AdmittedClaim) => Date.parse((await standing(of)).deadlineAt ?? '')
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

describe('who opened the dispute of a rejection stands in its record and in the session’s history', () => {
  /** Rejected work of a job that its poster put on chain itself; without that the service does. */
  const rejectedOf = async (poster: Hex) => {
    const jobId = await service.addJob(`posted-by-${poster}`)
    await fund(service.world, poster, 10_000_000n)
    const { specHash } = await service.rows.selectFrom('job').select('specHash').where('id', '=', jobId).executeTakeFirstOrThrow()
    const own = terms(service.world, { jobId: chainJobId(jobId), reward: REWARD })
    await service.world.run(poster, 'escrow', 'createSinglePayoutJob', ...own.slice(0, -1), specHash)
    return rejected(await claimed({ jobId }))
  }
  const opening = async (claim: AdmittedClaim) => {
    const { metadata } = (await sessionOf(claim)).statusHistory.find(({ to }) => to === 'disputed') ?? {}
    return { actor: (await recordOf(claim)).entries.at(0)?.actor, metadata }
  }
  const openedWith = async (sender: string, claim: AdmittedClaim): Promise<string> => {
    await service.world.run(sender as Hex, 'escrow', 'openDispute', claim.chainJobId)
    return (await service.clients.reader.getBlock({ includeTransactions: false })).transactions.at(-1) ?? ''
  }

  test('the poster', async () => {
    const poster = walletAt(480)
    const claim = await rejectedOf(poster)
    const txHash = await openedWith(poster, claim)
    await service.disputes.reconcileWithChain(claim)
    expect(await opening(claim)).toEqual({ actor: poster, metadata: { origin: 'chain', opener: poster, txHash } })
    expect((await recordOf(claim)).dispute).toMatchObject({ origin: 'participant', claimant: claim.wallet, respondent: poster })
  })

  test('the poster, where the dispute was opened and decided between two looks', async () => {
    const poster = walletAt(481)
    const claim = await rejectedOf(poster)
    const txHash = await openedWith(poster, claim)
    await arbitratedOnChain(claim, 'upheld', 0n)
    await service.disputes.reconcileWithChain(claim)
    expect(await opening(claim)).toEqual({ actor: poster, metadata: { origin: 'chain', opener: poster, txHash } })
    const { statusHistory } = await sessionOf(claim)
    expect(statusHistory.slice(-2).map(({ to }) => to)).toEqual(['disputed', 'rejected'])
    expect((await recordOf(claim)).decision).toMatchObject({ source: 'chain', verdict: 'upheld' })
  })

  test('the worker', async () => {
    const claim = await rejected()
    const txHash = await openedWith(claim.wallet, claim)
    await service.disputes.reconcileWithChain(claim)
    expect(await opening(claim)).toEqual({ actor: claim.wallet, metadata: { origin: 'chain', opener: claim.wallet, txHash } })
  })

  test('an operator, who overturned the rejection; on chain it is open for the worker', async () => {
    const claim = await overturned()
    const { actor, metadata } = await opening(claim)
    expect(actor).toBe(BY)
    expect(metadata).toEqual({ origin: 'operator_overturn', opener: claim.wallet, txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  })
})

test('every receipt and badge of the disputes above passes the check of a stranger', async () => {
  expect([...(await verifyEveryDocument(service))].sort()).toEqual([
    'rejected arbitration upheld rejected',
    'resolved arbitration dismissed approved',
    'resolved timeout split approved',
  ])
})
