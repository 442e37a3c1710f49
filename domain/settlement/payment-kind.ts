import { PAYMENT_KINDS, type PaymentKind } from '../../schemas/settlement/record.ts'

interface PaidBy {
  /** Recorded verdict of the dispute; null without one. */
  verdict: string | null
  /** What the transaction of the payment says. */
  isTimeout: boolean
  isDisputed: boolean
  rewardRaw: bigint
  workerRaw: bigint
}

/** Verdict that paid. Before the service has recorded a dispute's end, the amount tells a dismissal from a split. */
export const paymentKind = ({ verdict, isTimeout, isDisputed, rewardRaw, workerRaw }: PaidBy): PaymentKind => {
  if (isTimeout) return 'timeout'
  if (!isDisputed) return 'approved'
  const recorded = PAYMENT_KINDS.find((kind) => kind === verdict)
  return recorded ?? (workerRaw === rewardRaw ? 'dismissed' : 'split')
}
