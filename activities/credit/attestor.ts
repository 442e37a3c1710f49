import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { attestationDigest, attestationPayload, type CreditPoolRef, type VestingAttestation } from '../../domain/credit/attestation.ts'
import type { Settings } from '../../schemas/settings.ts'

/** A signed attestation. */
interface SignedAttestation {
  /** Lower case. */
  signer: Hex
  /** What was signed, as the view of the contract answers it. */
  digest: Hex
  /** 65 bytes. */
  signature: Hex
}

/** Signs attestations for the credit pool. */
export interface Attestor {
  /** Lower case. */
  address: Hex
  sign(attestation: VestingAttestation, pool: CreditPoolRef): Promise<SignedAttestation>
}

/** The attestor of the configured key; null without one. */
export const createAttestor = ({ CREDIT_OPERATOR_KEY: key }: Pick<Settings, 'CREDIT_OPERATOR_KEY'>): Attestor | null => {
  if (key === undefined) return null
  const account = privateKeyToAccount(key as Hex)
  const address = account.address.toLowerCase() as Hex
  return {
    address,
    sign: async (attestation, pool) => ({
      signer: address,
      digest: attestationDigest(attestation, pool),
      signature: await account.signMessage({ message: { raw: attestationPayload(attestation, pool) } }),
    }),
  }
}
