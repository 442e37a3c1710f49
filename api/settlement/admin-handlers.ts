import { z } from 'zod'
import { nativeAccountViews } from '../../activities/identity/native-accounts.ts'
import { getSession } from '../../activities/sessions/records.ts'
import { listPaymentDays, listPayments, type Payment } from '../../activities/settlement/payment-list.ts'
import { readSessionMoney } from '../../activities/settlement/session-money.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { DAY_MS, iso, utcDay } from '../../domain/common/instants.ts'
import { assetAmount } from '../../domain/common/money.ts'
import { moneyStep } from '../../domain/settlement/money-steps.ts'
import { paymentKind } from '../../domain/settlement/payment-kind.ts'
import { claimWorkflowId } from '../../schemas/claims/process.ts'
import { disputeWorkflowId } from '../../schemas/disputes/process.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type * as adminOperations from '../../schemas/settlement/admin-operations.ts'
import { verifierWorkflowId } from '../../schemas/verification/process.ts'
import type { ApiDeps } from '../deps.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { invalidRequest } from '../http/problem.ts'

const Position = z.object({ at: InstantKey, txHash: TextKey, logIndex: z.int().min(0) })

/** Most days of one answer, and days of an answer that names none. */
const MAX_DAYS = 366
const USUAL_DAYS = 30

/** First and last day of an answer at `now` (epoch ms). Throws 400 `invalid_request` for more days than one answer has, and for none. */
const daysOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }, now: number) => {
  const last = to ?? utcDay(now)
  const first = from ?? utcDay(Date.parse(last) - (USUAL_DAYS - 1) * DAY_MS)
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
  if (days < 1) throw invalidRequest([{ pointer: 'query/from', rule: 'range', limit: last, message: `must not be after ${last}` }])
  if (days > MAX_DAYS)
    throw invalidRequest([
      { pointer: 'query/from', rule: 'range', limit: MAX_DAYS, message: `must be at most ${MAX_DAYS} days before ${last}` },
    ])
  return { from: first, to: last }
}

const workflowsOf = ({ jobId, sessionId, timestamps }: SessionRecord) => ({
  claim: claimWorkflowId(jobId),
  ...(timestamps.submittedAt !== null && { verifierRun: verifierWorkflowId(sessionId) }),
  ...((timestamps.disputedAt !== null || timestamps.rejectedAt !== null) && { dispute: disputeWorkflowId(sessionId) }),
})

/** Money of sessions and payments, for operators. */
export const createSettlementAdminHandlers = ({ chain, database, clock }: ApiDeps): HandlersOf<typeof adminOperations> => {
  const { rows } = database
  const { chainId } = chain
  const toAmount = (raw: bigint) => assetAmount(raw, chain.asset)

  const paymentView = (payment: Payment) => ({
    sessionId: payment.sessionId,
    jobId: payment.jobId,
    jobTitle: payment.jobTitle,
    wallet: payment.wallet,
    kind: paymentKind(payment),
    paid: toAmount(payment.workerRaw),
    protocolFee: toAmount(payment.protocolFeeRaw),
    gasRetention: toAmount(payment.gasRetentionRaw),
    txHash: payment.txHash,
    at: iso(payment.at),
  })

  return {
    getSessionMoney: async ({ query }) => {
      const session = await getSession(rows, normaliseSessionId(query.sessionId) ?? query.sessionId)
      const money = await readSessionMoney(rows, chainId, session.sessionId)
      const inSession = (raw: bigint) => assetAmount(raw, session.economics.asset)
      const spent = money.worker + money.protocolFee + money.gasRetention + money.refunded
      const slashed = money.slashPoster + money.slashTreasury + money.slashVerifier
      const body = {
        sessionId: session.sessionId,
        asOf: iso(money.asOf ?? clock.now()),
        reward: inSession(session.economics.rewardRaw),
        received: { bond: inSession(money.bondIn), funding: inSession(money.fundingIn) },
        locked: { bond: inSession(money.bondIn - money.returned - slashed), funding: inSession(money.fundingIn - spent) },
        paid: { worker: inSession(money.worker), protocolFee: inSession(money.protocolFee), gasRetention: inSession(money.gasRetention) },
        returned: inSession(money.returned),
        slashed: {
          poster: inSession(money.slashPoster),
          treasury: inSession(money.slashTreasury),
          verifier: inSession(money.slashVerifier),
        },
        refunded: inSession(money.refunded),
        transactions: money.transactions.map(({ events, functionName, txHash, blockNumber, at, status }) => ({
          kind: moneyStep(events, functionName),
          txHash,
          blockNumber,
          at: iso(at),
          status,
        })),
        workflow: workflowsOf(session),
      }
      return { status: 200, body }
    },

    listPaymentDays: async ({ query }) => {
      const asked = daysOf(query, clock.now())
      const days = await listPaymentDays(rows, chainId, asked)
      const view = days.map(({ day, payments, wallets, workerRaw, protocolFeeRaw, gasRetentionRaw, slashedRaw }) => ({
        day,
        payments,
        worker: toAmount(workerRaw),
        protocolFee: toAmount(protocolFeeRaw),
        gasRetention: toAmount(gasRetentionRaw),
        slashed: toAmount(slashedRaw),
        wallets,
      }))
      return { status: 200, body: { ...asked, days: view } }
    },

    listPayments: async ({ query: { limit, cursor, day, wallet } }) => {
      const page = listPage({ limit, cursor, operationId: 'listPayments', filters: { day, wallet }, position: Position })
      const found = await listPayments(rows, chainId, { day, wallet, limit: page.readLimit, after: page.after })
      const { rows: payments, ...envelope } = page.cut(found, ({ at, txHash, logIndex }) => ({ at, txHash, logIndex }))
      const accounts = await nativeAccountViews(rows, [...new Set(payments.map((payment) => payment.wallet))])
      const view = payments.map((payment) => {
        const nativeAccount = accounts.get(payment.wallet)
        return { ...paymentView(payment), ...(nativeAccount !== undefined && { nativeAccount }) }
      })
      return { status: 200, body: { payments: view, count: view.length, ...envelope } }
    },
  }
}
