import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { countWaitingForPeople } from '../../../activities/disputes/rows.ts'
import { iso } from '../../../domain/common/instants.ts'
import { describeDecision } from '../../../domain/disputes/outcome.ts'
import { verdictCodeBytes } from '../../../domain/settlement/award.ts'
import { localKeys } from '../../../local/keys.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import { who } from '../../contracts/support/world.ts'
import { BOND, DAY, openDisputes, REWARD, word } from '../support/disputes.ts'
import { verifyEveryDocument } from '../support/receipts.ts'
import { brokenClients, type Service, startService } from '../support/service.ts'
import { codeOf } from '../support/settlements.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const disputes = openDisputes(() => service)
const { reviewRequired, inReview, disputed, overturned, liquidOf, gained, sessionOf, standing, recordOf, sent, applied } = disputes
const { judgedOnChain, arbitratedOnChain } = disputes

/** A process without the arbitrator's key. */
const keyless = () => service.disputesOn({ held: false })
const payoutOf = (claim: AdmittedClaim, workerPayout: string) => word(claim, 'split', { workerPayout })

describe('a verdict without the arbitrator’s key', () => {
  test('is an unsigned transaction that carries the badge’s address, and the one that lands is recorded', async () => {
    const claim = await reviewRequired()
    await keyless().takeVerdict(claim)
    await keyless().recordArbitration(payoutOf(claim, '600000'))
    await keyless().applyDecision(claim)
    const { decision } = await recordOf(claim)
    const transaction = decision?.preparation?.transaction
    expect(transaction).toMatchObject({ value: '0', function: 'resolveDispute(bytes32,uint256,bytes32,string)' })
    expect(transaction?.args).toEqual([
      claim.chainJobId,
      '600000',
      verdictCodeBytes('split'),
      `https://work.example/badges/${encodeURIComponent(claim.sessionId)}`,
    ])
    expect(await keyless().disputeStanding(claim)).toMatchObject({ stage: 'arbitration', decision: 'prepared' })
    await arbitratedOnChain(claim, 'split', 600_000n)
    await keyless().reconcileWithChain(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved' })
    expect((await recordOf(claim)).decision).toMatchObject({ source: 'arbitrator', observed: { verdict: 'split', mismatch: false } })
  })

  test('that lands before the dispute was recorded which it needed on chain is recorded with it', async () => {
    const claim = await inReview()
    const other = localKeys().admin.address
    for (const role of ['setVerifier', 'setArbitrator']) await service.world.run(who.owner, 'policy', role, other, true)
    await keyless().recordArbitration(payoutOf(claim, '600000'))
    await judgedOnChain(claim, false, other)
    await service.world.run(claim.wallet as Hex, 'escrow', 'openDispute', claim.chainJobId)
    await arbitratedOnChain(claim, 'split', 600_000n, other)
    await keyless().applyDecision(claim)
    await keyless().reconcileWithChain(claim)
    const { dispute, actions } = await recordOf(claim)
    expect(dispute).toMatchObject({ stage: 'arbitration', origin: 'platform', status: 'resolved' })
    expect(actions).toEqual(['review_opened', 'verdict_submitted', 'opened_on_chain', 'verdict_settled'])
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
  })
})

describe('a verdict whose arbitrator’s key was taken away before it was carried out', () => {
  test('waits for a signature once, is decided and not settled, and goes out once the key is held again', async () => {
    const claim = await disputed()
    const { round } = await service.disputes.recordArbitration(payoutOf(claim, '600000'))
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
    const reminded = (await recordOf(claim)).entries.filter(({ action }) => action === 'people_reminded')
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
    expect(await sent(claim, 'resolveDispute')).toMatchObject([{ status: 'mined' }])
  })
})

describe('a verdict without a signature when the dispute’s time is over', () => {
  afterEach(() => service.clock.run())

  const unsigned = async () => {
    const claim = await disputed()
    await keyless().recordArbitration(word(claim, 'dismissed'))
    await keyless().applyDecision(claim)
    const { deadlineAt } = (await recordOf(claim)).dispute
    const prepared = { stage: 'arbitration', decision: 'prepared', timeoutOutcome: 'contract_timeout' }
    expect(await keyless().disputeStanding(claim)).toMatchObject({ ...prepared, deadlineAt: iso(deadlineAt), dueAt: iso(deadlineAt) })
    const before = await liquidOf(claim.wallet)
    await service.pass(14 * DAY)
    service.clock.freeze(deadlineAt - 1)
    const ended = async () => {
      expect(await sessionOf(claim)).toMatchObject({ status: 'closed', chainState: 'closed' })
      expect((await liquidOf(claim.wallet)) - before).toBe(REWARD / 2n)
    }
    return { claim, deadlineAt, ended }
  }

  test('lapses: the contract times the dispute out, which any wallet may have done, and the record names the caller', async () => {
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

  test('is sent by the service itself where the key is held again: the worker does not lose it by the time-out', async () => {
    const { claim, deadlineAt } = await unsigned()
    await service.disputes.reconcileWithChain(claim)
    expect((await sessionOf(claim)).status).toBe('disputed')
    service.clock.freeze(deadlineAt)
    expect(await gained(claim, () => service.disputes.applyTimeout(claim))).toBe(REWARD + BOND)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
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

describe('a verdict that was prepared, and whose arbitrator’s key is held again two days before the contract’s time-out', () => {
  const prepared = async () => {
    const claim = await disputed()
    await keyless().recordArbitration(word(claim, 'dismissed'))
    await keyless().applyDecision(claim)
    const before = await liquidOf(claim.wallet)
    await service.pass(12 * DAY)
    const supersedes = (await recordOf(claim)).decision?.preparation?.preparationId
    return { claim, supersedes, paid: async () => (await liquidOf(claim.wallet)) - before }
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
    expect(await sent(claim, 'resolveDispute')).toMatchObject([{ status: 'mined' }])
  })

  test('is observed and not sent again where the arbitrator has signed it meanwhile', async () => {
    const { claim, paid } = await prepared()
    await arbitratedOnChain(claim, 'dismissed', REWARD)
    expect(await standing(claim)).toMatchObject({ decision: 'decided' })
    await applied(claim)
    expect(await sessionOf(claim)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect(await paid()).toBe(REWARD + BOND)
    expect(await sent(claim, 'resolveDispute')).toEqual([])
    expect((await recordOf(claim)).decision).toMatchObject({ observed: { verdict: 'dismissed', mismatch: false } })
  })

  test('is replaced by another word before, and not after', async () => {
    const { claim, supersedes, paid } = await prepared()
    await keyless().recordArbitration({ ...payoutOf(claim, '600000'), supersedes })
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
    // Where no process holds the key any more, the verdict waits for a signature as before.
    await keyless().applyDecision(claim)
    expect(await keyless().disputeStanding(claim)).toMatchObject({ decision: 'prepared' })
    await applied(claim)
    expect(await paid()).toBe(REWARD + BOND)
  })
})

describe('the arbitrator of an open dispute', () => {
  test('is the one whose key is held now: keys come and go, and the deadline that is shown with them', async () => {
    const claim = await overturned()
    const arbitrator = async () => (await recordOf(claim)).dispute.arbitrator
    await keyless().disputeStanding(claim)
    expect(await arbitrator()).toBeNull()
    await standing(claim)
    expect(await arbitrator()).toBe(localKeys().arbitrator.address.toLowerCase())
    await service.disputes.recordArbitration(word(claim, 'dismissed'))
    await applied(claim)
    await keyless().disputeStanding(claim)
    expect(await arbitrator()).toBe(localKeys().arbitrator.address.toLowerCase())
  })
})

/** A dispute whose time-out was decided with the key, and then applied by a process without it. */
const decidedWithoutKey = async (): Promise<AdmittedClaim> => {
  const claim = await inReview()
  const { deadlineAt } = (await recordOf(claim)).dispute
  await service.pass(deadlineAt - service.clock.now() + DAY)
  // With the key as far as the chain: there the process loses it.
  const held = service.disputesOn({ clients: brokenClients(service.clients, { receipts: true }) })
  await expect(held.applyTimeout(claim)).rejects.toThrow()
  await keyless().applyDecision(claim)
  return claim
}

describe('a time-out whose split was applied by a process without the key', () => {
  test('is the service’s own again with the key: half is paid, and the bond comes back', async () => {
    const claim = await decidedWithoutKey()
    const apply = async () => {
      await service.disputes.applyTimeout(claim)
      await service.disputes.applyDecision(claim)
    }
    expect(await gained(claim, apply)).toBe(REWARD / 2n + BOND)
    expect((await standing(claim)).stage).toBe('final')
    const { entries, actions } = await recordOf(claim)
    expect(actions).toEqual(['review_opened', 'verdict_submitted', 'opened_on_chain', 'verdict_prepared', 'verdict_settled'])
    expect(entries[1]).toMatchObject({
      actor: 'system:timeout',
      data: { verdict: 'split', workerPayout: { raw: (REWARD / 2n).toString() } },
    })
  })

  test('is carried out with the key at the next reading of the chain, not at the deadline after it', async () => {
    const claim = await decidedWithoutKey()
    await keyless().reconcileWithChain(claim)
    expect(await keyless().disputeStanding(claim)).toMatchObject({ stage: 'arbitration', decision: 'prepared' })
    await service.disputes.reconcileWithChain(claim)
    expect(await standing(claim)).toMatchObject({ stage: 'arbitration', decision: 'decided' })
    expect(await gained(claim, () => applied(claim))).toBe(REWARD / 2n + BOND)
    expect((await standing(claim)).stage).toBe('final')
  })
})

test('every receipt and badge of the disputes above passes the check of a stranger', async () => {
  expect([...(await verifyEveryDocument(service))].sort()).toEqual([
    'closed timeout timeout rejected',
    'resolved arbitration dismissed approved',
    'resolved arbitration split approved',
    'resolved timeout split approved',
  ])
})
