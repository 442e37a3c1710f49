import { recoverTypedDataAddress } from 'viem'
import { type PresentedPayment, transferTypedData } from '../../../domain/paid-verification/presented-payment.ts'
import type { PaymentTerms } from '../../../domain/paid-verification/requirements.ts'

/** The account whose signature the payment holds, lower case; null where it recovers to none. */
export const recoverPayer = async (
  payment: PresentedPayment,
  terms: Pick<PaymentTerms, 'chainId' | 'asset' | 'domain'>,
): Promise<string | null> => {
  try {
    const signer = await recoverTypedDataAddress({ ...transferTypedData(payment, terms), signature: payment.signature })
    return signer.toLowerCase()
  } catch {
    return null
  }
}
