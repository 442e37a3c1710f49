import { SiweMessage } from 'siwe'
import { getAddress, type Hex, recoverMessageAddress } from 'viem'
import { createContractWalletCheck } from '../../../activities/identity/contract-wallets.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import type { AccountKind } from './kind.ts'

const parse = (text: string): SiweMessage | null => {
  try {
    return new SiweMessage(text)
  } catch {
    // The parser throws plain errors for any text that is not a message; the caller handles that.
    return null
  }
}

const ISSUED_AT = /^Issued At: .*$/m
const hasBadTimeOnly = (text: string): boolean =>
  ISSUED_AT.test(text) && parse(text.replace(ISSUED_AT, 'Issued At: 2026-01-02T03:04:05.000Z')) !== null

/** The address whose key signed; null for a signature that only a contract wallet may accept. */
const recoverSigner = async (text: string, signature: Hex): Promise<string | null> => {
  try {
    return (await recoverMessageAddress({ message: text, signature })).toLowerCase()
  } catch {
    // A length other than that of a key's signature, a point that is not on the curve, or an unknown recovery id.
    return null
  }
}

/** Wallets with an EVM key, and contract wallets: messages of EIP-4361. */
export const evmAccounts: AccountKind = {
  chainId: ({ chainId }) => chainId,
  format: ({ chainId }, subject, terms) =>
    new SiweMessage({ ...terms, chainId, address: getAddress(subject), version: '1' }).prepareMessage(),
  parse: (text) => {
    const message = parse(text)
    if (message === null) return hasBadTimeOnly(text) ? 'bad_issued_at' : 'malformed'
    const { issuedAt = '', address, domain, uri, chainId, expirationTime, notBefore } = message
    if (Number.isNaN(Date.parse(issuedAt))) return 'bad_issued_at'
    return { domain, uri, chainId, subject: address.toLowerCase(), issuedAt, expirationTime, notBefore }
  },
  // A signature of the wallet's own key needs no chain.
  assertSigned: async ({ clients }, subject, text, signature) => {
    const signer = await recoverSigner(text, signature)
    if (signer === subject) return
    if (await createContractWalletCheck(clients.reader)(subject as Hex, text, signature)) return
    throw new ServiceError(signer === null ? 'siwe_recover_failed' : 'siwe_signature_mismatch')
  },
}
