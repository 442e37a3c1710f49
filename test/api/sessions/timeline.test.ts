import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Database } from '../../../activities/database/database.ts'
import { emit, type NewEvent } from '../../../activities/events/outbox.ts'
import { insertReceipt } from '../../../activities/receipts/records.ts'
import { appendFirstEvent, getSession, moveSession } from '../../../activities/sessions/records.ts'
import { sessionTimeline } from '../../../activities/sessions/timeline.ts'
import type { SessionStatus } from '../../../schemas/sessions/record.ts'
import { receiptRowOf } from '../../support/records/receipt-rows.ts'
import { NOW, openOwnDatabase } from '../support/account-world.ts'
import { addSession, payoutTx } from '../support/work-rows.ts'

const WORKER = `0x${'b2'.repeat(20)}`

let database: Database
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openOwnDatabase())
})
afterAll(() => close())

/** Topics of a session's timeline, in its order. */
const topicsOf = async (sessionId: string): Promise<string[]> => {
  const session = await getSession(database.rows, sessionId)
  return (await sessionTimeline(database.rows, session, session.statusHistory.length)).map(({ type, topic }) =>
    type === 'session_transition' ? `→ ${topic}` : topic,
  )
}

let number = 0
/** A session with its recorder: moves and events, in the order in which the service writes them. */
const recorder = async () => {
  number += 1
  const sessionId = await addSession(database, WORKER, `timeline-${number}`, NOW)
  await appendFirstEvent(database.rows, { sessionId, to: 'claimed', reason: 'job_claimed', at: NOW, metadata: {} })
  const move = (to: SessionStatus, at: number) =>
    database.transaction(async (rows) => {
      const receipt = to === 'resolved' ? await receiptRowOf(rows, { sessionId, jobId: `timeline-${number}`, worker: WORKER, at }) : null
      const patch = receipt === null ? {} : { payoutTx: payoutTx('1'), workReceiptId: receipt.receiptId }
      await moveSession(rows, { sessionId, to, reason: 'test', at, metadata: {}, patch })
      if (receipt !== null) await insertReceipt(rows, receipt)
    })
  const say = (topic: NewEvent['topic'], at: number) => emit(database.rows, { topic, wallets: [WORKER], sessionId, at, data: {} })
  return { sessionId, move, say }
}

test('causes stand before their effects, though block times are whole seconds and the clock of the service is not', async () => {
  const { sessionId, move, say } = await recorder()
  await say('session.claimed', NOW)
  await say('funding.claim_lock_recorded', NOW)
  await move('submitted', NOW + 1_000)
  await say('session.submitted', NOW + 1_000)
  await say('verification.resolved', NOW + 1_700)
  await move('resolved', NOW + 1_000)
  await say('settlement.session_resolved', NOW + 1_000)
  await say('settlement.stake_release_recorded', NOW + 1_000)
  expect(await topicsOf(sessionId)).toEqual([
    '→ session.claimed',
    'session.claimed',
    'funding.claim_lock_recorded',
    '→ session.submitted',
    'session.submitted',
    'verification.resolved',
    '→ session.resolved',
    'settlement.session_resolved',
    'settlement.stake_release_recorded',
  ])
})

test('each of two verdicts stands before what it led to', async () => {
  const { sessionId, move, say } = await recorder()
  await say('session.claimed', NOW)
  await move('submitted', NOW + 1_000)
  await say('session.submitted', NOW + 1_000)
  await say('verification.resolved', NOW + 1_400)
  await move('disputed', NOW + 1_500)
  await say('dispute.opened', NOW + 1_500)
  await say('verification.resolved', NOW + 1_900)
  await move('rejected', NOW + 1_000)
  await say('settlement.session_rejected', NOW + 1_000)
  await move('disputed', NOW + 1_000)
  await say('dispute.opened', NOW + 1_000)
  await move('closed', NOW + 2_000)
  await say('dispute.verdict_recorded', NOW + 2_000)
  expect(await topicsOf(sessionId)).toEqual([
    '→ session.claimed',
    'session.claimed',
    '→ session.submitted',
    'session.submitted',
    'verification.resolved',
    '→ session.disputed',
    'dispute.opened',
    'verification.resolved',
    '→ session.rejected',
    'settlement.session_rejected',
    '→ session.disputed',
    'dispute.opened',
    '→ session.closed',
    'dispute.verdict_recorded',
  ])
})

test('a chain event follows the transition it confirms; other events keep their own time', async () => {
  const { sessionId, move, say } = await recorder()
  await say('account.job_stake_locked', NOW)
  await say('escrow.job_claimed', NOW)
  await say('session.claimed', NOW)
  await say('escrow.claim_economics_locked', NOW)
  await move('submitted', NOW)
  await say('session.submitted', NOW)
  await say('escrow.work_submitted', NOW)
  await move('resolved', NOW)
  await say('reputation.badge_minted', NOW)
  await say('escrow.job_closed', NOW)
  await say('settlement.session_resolved', NOW)
  expect(await topicsOf(sessionId)).toEqual([
    'account.job_stake_locked',
    '→ session.claimed',
    'escrow.job_claimed',
    'session.claimed',
    'escrow.claim_economics_locked',
    '→ session.submitted',
    'session.submitted',
    'escrow.work_submitted',
    'reputation.badge_minted',
    '→ session.resolved',
    'escrow.job_closed',
    'settlement.session_resolved',
  ])
})

test('entries have their place, the service clock, and the block time of what happened on chain', async () => {
  const { sessionId, move } = await recorder()
  const [block, recorded] = [NOW + 60_000, NOW + 2_000]
  const session = await getSession(database.rows, sessionId)
  await moveSession(database.rows, { sessionId, to: 'submitted', reason: 'work_submitted', at: block, recordedAt: recorded, metadata: {} })
  const event = { wallets: [WORKER], sessionId, data: {} }
  await emit(database.rows, { ...event, topic: 'session.submitted', at: block, recordedAt: recorded })
  await emit(database.rows, { ...event, topic: 'verification.resolved', at: NOW + 3_000 })
  await move('disputed', NOW + 4_000)
  const entries = await sessionTimeline(database.rows, await getSession(database.rows, session.sessionId), 3)
  const iso = (at: number): string => new Date(at).toISOString()
  expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
  expect(entries.map(({ recordedAt }) => recordedAt)).toEqual([NOW, recorded, recorded, NOW + 3_000, NOW + 4_000].map(iso))
  expect(entries.map(({ blockTime }) => blockTime)).toEqual([null, iso(block), iso(block), null, null])
})
