import { expect, test } from '@jest/globals'
import { emit, type NewEvent } from '../../../activities/events/outbox.ts'
import { insertReceipt } from '../../../activities/receipts/records.ts'
import { appendEvent, getSession, moveSession } from '../../../activities/sessions/records.ts'
import { sessionTimeline } from '../../../activities/sessions/timeline.ts'
import type { SessionStatus } from '../../../schemas/sessions/record.ts'
import { receiptRowOf } from '../../support/records/receipt-rows.ts'
import { useStarted } from '../../support/started.ts'
import { NOW, openOwnDatabase } from '../support/account-world.ts'
import { addSession, payoutTx } from '../support/work-rows.ts'

const WORKER = `0x${'b2'.repeat(20)}`

const own = useStarted(openOwnDatabase, ({ close }) => close())

/** Topics of a session's timeline, in its order. */
const topicsOf = async (sessionId: string): Promise<string[]> => {
  const { rows } = own.database
  const session = await getSession(rows, sessionId)
  const entries = await sessionTimeline(rows, session, session.statusHistory.length)
  return entries.map(({ type, topic }) => (type === 'session_transition' ? `→${topic}` : topic))
}

let number = 0
/** A session with its recorder: moves and events, in the order in which the service writes them. */
const recorder = async () => {
  number += 1
  const sessionId = await addSession(own.database, WORKER, `timeline-${number}`, NOW)
  await appendEvent(own.database.rows, null, { sessionId, to: 'claimed', reason: 'job_claimed', at: NOW, metadata: {} })
  const move = (to: SessionStatus, at: number) =>
    own.database.transaction(async (rows) => {
      const receipt = to === 'resolved' ? await receiptRowOf(rows, { sessionId, jobId: `timeline-${number}`, worker: WORKER, at }) : null
      const patch = receipt === null ? {} : { payoutTx: payoutTx('1'), workReceiptId: receipt.receiptId }
      await moveSession(rows, { sessionId, to, reason: 'test', at, metadata: {}, patch })
      if (receipt !== null) await insertReceipt(rows, receipt)
    })
  const record = (topic: NewEvent['topic'], at: number) => emit(own.database.rows, { topic, wallets: [WORKER], sessionId, at, data: {} })
  return { sessionId, move, record }
}

test.each([
  [
    'causes stand before their effects, though block times are whole seconds and the clock of the service is not',
    `session.claimed+0 funding.claim_lock_recorded+0
     →submitted+1000 session.submitted+1000 verification.resolved+1700
     →resolved+1000 settlement.session_resolved+1000 settlement.stake_release_recorded+1000`,
    `→session.claimed session.claimed funding.claim_lock_recorded
     →session.submitted session.submitted verification.resolved
     →session.resolved settlement.session_resolved settlement.stake_release_recorded`,
  ],
  [
    'each of two verdicts stands before what it led to',
    `session.claimed+0 →submitted+1000 session.submitted+1000 verification.resolved+1400
     →disputed+1500 dispute.opened+1500 verification.resolved+1900
     →rejected+1000 settlement.session_rejected+1000 →disputed+1000 dispute.opened+1000
     →closed+2000 dispute.verdict_recorded+2000`,
    `→session.claimed session.claimed →session.submitted session.submitted verification.resolved
     →session.disputed dispute.opened verification.resolved
     →session.rejected settlement.session_rejected →session.disputed dispute.opened
     →session.closed dispute.verdict_recorded`,
  ],
  [
    'a chain event follows the transition it confirms; other events keep their own time',
    `account.job_stake_locked+0 escrow.job_claimed+0 session.claimed+0 escrow.claim_economics_locked+0
     →submitted+0 session.submitted+0 escrow.work_submitted+0
     →resolved+0 reputation.badge_minted+0 escrow.job_closed+0 settlement.session_resolved+0`,
    `account.job_stake_locked →session.claimed escrow.job_claimed session.claimed escrow.claim_economics_locked
     →session.submitted session.submitted escrow.work_submitted
     reputation.badge_minted →session.resolved escrow.job_closed settlement.session_resolved`,
  ],
])('in a timeline %s', async (_rule, written, shown) => {
  const { sessionId, move, record } = await recorder()
  for (const entry of written.split(/\s+/)) {
    const [name = '', afterMs = ''] = entry.split('+')
    if (name.startsWith('→')) await move(name.slice(1) as SessionStatus, NOW + Number(afterMs))
    else await record(name as NewEvent['topic'], NOW + Number(afterMs))
  }
  expect(await topicsOf(sessionId)).toEqual(shown.split(/\s+/))
})

test('entries of a timeline have their place, the service clock, and the block time of what happened on chain', async () => {
  const { sessionId, move } = await recorder()
  const [block, recorded] = [NOW + 60_000, NOW + 2_000]
  const session = await getSession(own.database.rows, sessionId)
  await moveSession(own.database.rows, {
    sessionId,
    to: 'submitted',
    reason: 'work_submitted',
    at: block,
    recordedAt: recorded,
    metadata: {},
  })
  const event = { wallets: [WORKER], sessionId, data: {} }
  await emit(own.database.rows, { ...event, topic: 'session.submitted', at: block, recordedAt: recorded })
  await emit(own.database.rows, { ...event, topic: 'verification.resolved', at: NOW + 3_000 })
  await move('disputed', NOW + 4_000)
  const entries = await sessionTimeline(own.database.rows, await getSession(own.database.rows, session.sessionId), 3)
  const iso = (at: number): string => new Date(at).toISOString()
  expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
  expect(entries.map(({ recordedAt }) => recordedAt)).toEqual([NOW, recorded, recorded, NOW + 3_000, NOW + 4_000].map(iso))
  expect(entries.map(({ blockTime }) => blockTime)).toEqual([null, iso(block), iso(block), null, null])
})
