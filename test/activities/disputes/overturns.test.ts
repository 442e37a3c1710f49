import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { listEntries } from '../../../activities/disputes/rows.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { iso } from '../../../domain/common/instants.ts'
import { verdictCodeBytes } from '../../../domain/settlement/award.ts'
import { localKeys } from '../../../local/keys.ts'
import { fund, terms } from '../../contracts/support/jobs.ts'
import { who } from '../../contracts/support/world.ts'
import { eventually } from '../../support/eventually.ts'
import { type Admitted, BOND, BY, codeOf, DAY, openDisputes, REWARD, word } from '../support/disputes.ts'
import { verifyEveryDocument } from '../support/receipts.ts'
import { brokenClients, type Service, startService, walletAt } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const { claimed, rejected, liquidOf, sessionOf, standing, recordOf, applied } = openDisputes(() => service)

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

describe('an overturned rejection without a decision', () => {
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

  test('is decided so, and after it by the time-out alone', async () => {
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

describe('an overturn by hand', () => {
  test('is refused when it cannot be read or stored, and the rejection stands', async () => {
    const claim = await rejected()
    for (const changes of [{ note: 'a\0b' }, { note: 7 as unknown as string }, { by: undefined as unknown as string }]) {
      const overturn = { sessionId: claim.sessionId, by: BY, note: 'Wrong terms.', ...changes }
      expect(await codeOf(service.disputes.overturnRejection(overturn))).toBe('invalid_request')
    }
    expect(await standing(claim)).toMatchObject({ stage: 'window' })
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
    const claim = await rejected()
    await service.disputes.overturnRejection({ sessionId: claim.sessionId, by: BY, note: 'The terms were read wrong.' })
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
