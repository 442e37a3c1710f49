import {
  type AdmittedPayment,
  assertCollectable,
  assertNotBlocked,
  assertSignedByPayer,
  assertUnused,
  type DemandedPayment,
  isRepeatedPayment,
  type KnownPayment,
  type Unpaid,
} from '../../../domain/paid-verification/gate.ts'
import {
  findAuthorization,
  type PaymentHeaders,
  type PresentedPayment,
  readPresentedPayment,
} from '../../../domain/paid-verification/presented-payment.ts'
import type { PaymentChain } from './chain.ts'
import { recoverPayer } from './signature.ts'

/** What the records say of payments. */
export interface PaymentRecords {
  /** The payment of a stored run with this network, asset, payer and nonce. */
  findKnown(payment: PresentedPayment): Promise<KnownPayment | null>
  /** What the payer has not paid. */
  countUnpaid(payer: string): Promise<Unpaid>
}

/** A payment that was taken. `admittedBlock`: newest block that held nothing of it; null for a repeat. */
export interface GatedPayment extends AdmittedPayment {
  admittedBlock: bigint | null
}

/**
 * Creates the gate that admits payments. It throws the first refusal, with the word of x402 in `details.x402Reason`, and reads each fact only when its turn
 * comes: a request without a payment costs no signature, no record and no read of the chain. A repeat is recognised once its payer is proven, before price, time
 * and chain are asked: whatever became of them since, its buyer reads the run and is not asked to pay twice. `assertSold` throws while no run is sold; it is
 * called after a repeat is answered, and before any other refusal. Source: specification, identity, "The payment gate"; capabilities, "one durable capture".
 */
export const createPaymentGate = ({
  chain,
  records,
  assertSold,
}: {
  chain: Pick<PaymentChain, 'terms' | 'readFacts'>
  records: PaymentRecords
  assertSold: () => Promise<void>
}) => {
  /** What is stored of the payment that a request brings, and whether the request repeats the one that it paid for. */
  const findKnown = async (headers: PaymentHeaders, { requirement, requestHash }: DemandedPayment) => {
    const payment = findAuthorization(headers, requirement)
    const known = payment && (await records.findKnown(payment))
    // Only the payer may read the run, so its signature is proven first.
    const signer = payment && known?.requestHash === requestHash ? await recoverPayer(payment, chain.terms) : null
    const isRepeat = payment !== null && isRepeatedPayment(payment, { known, requestHash, signer })
    return { known, repeated: isRepeat ? payment : null }
  }

  return async (headers: PaymentHeaders, demanded: DemandedPayment): Promise<GatedPayment> => {
    const { known, repeated } = await findKnown(headers, demanded)
    if (repeated !== null) return { payment: repeated, isRepeat: true, admittedBlock: null }
    await assertSold()
    const payment = readPresentedPayment(headers, demanded.requirement)
    assertSignedByPayer(payment, await recoverPayer(payment, chain.terms))
    assertUnused(known)
    const facts = await chain.readFacts({ payer: payment.from, nonce: payment.nonce })
    assertCollectable(payment, facts, demanded.timeoutSeconds)
    assertNotBlocked(await records.countUnpaid(payment.from))
    return { payment, isRepeat: false, admittedBlock: facts.blockNumber }
  }
}
