import {
  type AdmittedPayment,
  assertCollectable,
  assertNotBlocked,
  assertSignedByPayer,
  type DemandedPayment,
  isRepeatedPayment,
  type Unpaid,
} from '../../../domain/paid-verification/gate.ts'
import { type PaymentHeaders, type PresentedPayment, readPresentedPayment } from '../../../domain/paid-verification/presented-payment.ts'
import type { PaymentChain } from './chain.ts'
import { recoverPayer } from './signature.ts'

/** What the records say of payments. */
export interface PaymentRecords {
  /** The payment of a stored run with this network, asset, payer and nonce. */
  findKnown(payment: PresentedPayment): Promise<{ requestHash: string } | null>
  /** What the payer has not paid. */
  countUnpaid(payer: string): Promise<Unpaid>
}

/** A payment that was taken. `admittedBlock`: newest block that held nothing of it; null for a repeat. */
export interface GatedPayment extends AdmittedPayment {
  admittedBlock: bigint | null
}

/**
 * The gate of `decidePayment`, which reads each fact only when its turn comes: a request without a payment costs no signature, no record and no read of
 * the chain. Throws the first refusal.
 */
export const createPaymentGate =
  ({ chain, records }: { chain: Pick<PaymentChain, 'terms' | 'readFacts'>; records: PaymentRecords }) =>
  async (headers: PaymentHeaders, { requirement, requestHash, timeoutSeconds }: DemandedPayment): Promise<GatedPayment> => {
    const payment = readPresentedPayment(headers, requirement)
    assertSignedByPayer(payment, await recoverPayer(payment, chain.terms))
    if (isRepeatedPayment(await records.findKnown(payment), requestHash)) return { payment, isRepeat: true, admittedBlock: null }
    const facts = await chain.readFacts({ payer: payment.from, nonce: payment.nonce })
    assertCollectable(payment, facts, timeoutSeconds)
    assertNotBlocked(await records.countUnpaid(payment.from))
    return { payment, isRepeat: false, admittedBlock: facts.blockNumber }
  }
