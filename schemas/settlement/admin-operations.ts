import { z } from 'zod'
import { ADMIN, operation, SIGNED_IN } from '../operations/operation.ts'
import { AddressInput, DayInput, listAnswer, listQuery, SESSION_EXAMPLE, SessionIdInput } from '../operations/values.ts'
import { PaymentDayShape, PaymentShape, SessionMoneyShape } from './shapes.ts'

export const getSessionMoney = operation('getSessionMoney', 'GET /session/money', {
  summary: 'Money of a session: what came in, where it is and where it went, with its transactions.',
  description:
    'Summed from the recorded events of the escrow, in one statement. `received` equals the sum of `locked`, `paid`, `returned`, `slashed` and `refunded`. A claim that ran out gives the funding back to the job, so only its bond is money of the session.',
  tags: ['Sessions'],
  ...SIGNED_IN,
  role: ['admin', 'verifier', 'arbitrator'],
  capability: 'session:timeline',
  query: z.object({ sessionId: SessionIdInput }),
  responses: { 200: SessionMoneyShape },
  errors: ['session_not_found'],
  examples: { query: { sessionId: SESSION_EXAMPLE } },
})

export const listPaymentDays = operation('listPaymentDays', 'GET /admin/payments/days', {
  summary: 'Payments to workers by day, newest day first.',
  description: 'A day is one in UTC and has the payments whose blocks are of that day. Days without a payment have a row of zeros.',
  ...ADMIN,
  tags: ['Platform'],
  capability: 'ops:view',
  query: z
    .object({
      from: DayInput.optional().describe('First day; without it 30 days that end with `to`.'),
      to: DayInput.optional().describe('Last day; without it the present day.'),
    })
    .meta({ description: 'At most 366 days.' }),
  responses: { 200: z.object({ from: DayInput, to: DayInput, days: z.array(PaymentDayShape) }) },
  examples: { query: { from: '2026-01-01', to: '2026-01-31' } },
})

export const listPayments = operation('listPayments', 'GET /admin/payments', {
  fromReplica: true,
  summary: 'Payments to workers, newest first.',
  ...ADMIN,
  tags: ['Platform'],
  capability: 'ops:view',
  query: z.object({
    ...listQuery(50, 250),
    day: DayInput.optional().describe('Payments whose blocks are of that day in UTC.'),
    wallet: AddressInput.optional().describe('Payments to that wallet.'),
  }),
  responses: { 200: z.object({ payments: z.array(PaymentShape), count: z.int(), ...listAnswer }) },
  examples: { query: { limit: '10' } },
})
