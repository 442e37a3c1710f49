import { X402_VERSION } from '../../schemas/paid-verification/payment.ts'
import type { SignedTransfer } from '../../schemas/paid-verification/record.ts'
import type { Hex } from '../common/hashes.ts'
import { getProfileByRef } from './profiles.ts'
import { buildRequirements, type PaymentTerms } from './requirements.ts'

/** A payment as its run stores it. */
interface StoredPayment extends SignedTransfer {
  /** `name@version`. */
  profileRef: string
  requestHash: string
  /** 65 bytes hex. */
  signature: string
}

/**
 * What a facilitator is asked to settle (x402, `POST /settle`). The requirement is the one that the run was sold for: price and payee are those of the run,
 * not of today.
 */
export const settleRequest = (run: StoredPayment, terms: PaymentTerms) => {
  const sold = { ...terms, payTo: run.payTo as Hex, priceRaw: BigInt(run.amountRaw) }
  const paymentRequirements = buildRequirements(sold, getProfileByRef(run.profileRef), run.requestHash as Hex)
  const authorization = {
    from: run.payer,
    to: run.payTo,
    value: run.amountRaw,
    validAfter: String(run.validAfter),
    validBefore: String(run.validBefore),
    nonce: run.nonce,
  }
  return {
    x402Version: X402_VERSION,
    paymentPayload: { x402Version: X402_VERSION, accepted: paymentRequirements, payload: { signature: run.signature, authorization } },
    paymentRequirements,
  }
}
