import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { attestationDigest, attestationPayload, type CreditPoolRef, type VestingAttestation } from '../../domain/credit/attestation.ts'
import type { Settings } from '../../schemas/settings.ts'

/** Signs attestations for the credit pool by the configured key; null without one. Addresses are in lower case. */
export const createAttestor = ({ CREDIT_OPERATOR_KEY: key }: Pick<Settings, 'CREDIT_OPERATOR_KEY'>) => {
  if (key === undefined) return null
  const account = privateKeyToAccount(key as Hex)
  const address = account.address.toLowerCase() as Hex
  return {
    address,
    /** `digest` is what was signed, as the view of the contract answers it; `signature` has 65 bytes. */
    sign: async (attestation: VestingAttestation, pool: CreditPoolRef) => ({
      signer: address,
      digest: attestationDigest(attestation, pool),
      signature: await account.signMessage({ message: { raw: attestationPayload(attestation, pool) } }),
    }),
  }
}
