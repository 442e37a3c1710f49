import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { disputeWindowEndsAt } from '../../../domain/sessions/state-machine.ts'
import { localKeys } from '../../../local/keys.ts'
import { who } from '../../contracts/support/world.ts'
import { DAY, openDisputes, word } from '../support/disputes.ts'
import { verifyEveryDocument } from '../support/receipts.ts'
import { type Service, startService } from '../support/service.ts'
import { codeOf } from '../support/settlements.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const { rejected, inReview, disputed, sessionOf, standing, recordOf, closeByHand } = openDisputes(() => service)

describe('a time-out whose split is tried late', () => {
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

describe('what waits for people', () => {
  test('raises one alarm a day, also for two reminders at once', async () => {
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
    expect((await recordOf(claim)).entries.at(-1)).toMatchObject({ action: 'people_reminded', data: { stage: 'review', unsigned: false } })
  })
})

describe('a dispute whose session an operator closed', () => {
  test('waits for no decision any more, and raises no alarm', async () => {
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

test('every receipt and badge of the disputes above passes the check of a stranger', async () => {
  expect([...(await verifyEveryDocument(service))].sort()).toEqual([
    'closed timeout timeout rejected',
    'rejected verifier rejected rejected',
  ])
})
