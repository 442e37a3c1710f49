import {
  type AdmittedPayment,
  assertCollectable,
  assertNotBlocked,
  assertSignedByPayer,
  type DemandedPayment,
  isRepeatedPayment,
} from '../../domain/paid-verification/gate.ts'
import { type PaymentHeaders, type PresentedPayment, readPresentedPayment } from '../../domain/paid-verification/presented-payment.ts'
import type { PaymentChain } from './payment-chain.ts'
import { recoverPayer } from './payment-signature.ts'

/** What the records say of payments. */
export interface PaymentRecords {
  /** The payment of a stored run with this network, asset, payer and nonce. */
  findKnown(payment: PresentedPayment): Promise<{ requestHash: string } | null>
  /** Runs of the payer whose capture failed for good. */
  countUnpaidCaptures(payer: string): Promise<number>
}

/**
 * The gate of `decidePayment`, which reads each fact only when its turn comes: a request without a payment costs no signature, no record and no read of
 * the chain. Throws the first refusal.
 */
export const createPaymentGate =
  ({ chain, records }: { chain: Pick<PaymentChain, 'terms' | 'readFacts'>; records: PaymentRecords }) =>
  async (headers: PaymentHeaders, { requirement, requestHash, timeoutSeconds }: DemandedPayment): Promise<AdmittedPayment> => {
    const payment = readPresentedPayment(headers, requirement)
    assertSignedByPayer(payment, await recoverPayer(payment, chain.terms))
    if (isRepeatedPayment(await records.findKnown(payment), requestHash)) return { payment, isRepeat: true }
    assertCollectable(payment, await chain.readFacts({ payer: payment.from, nonce: payment.nonce }), timeoutSeconds)
    assertNotBlocked(await records.countUnpaidCaptures(payment.from))
    return { payment, isRepeat: false }
  }
