import { z } from 'zod'
import { ChainFile, readFileOf } from '../chain/chain-file.ts'

const { chainId, caip2, name, local, rpc, nativeSymbol, nativeDecimals, confirmations, asset } = ChainFile.shape

/**
 * Configuration of the chain on which verification is paid: its node, and the token with the domain of its signed transfers (EIP-3009). It names
 * no contract of the service. A chain file of the service whose asset states that domain is one as well.
 */
export const PaymentChainFile = z
  .looseObject({
    chainId,
    caip2,
    name,
    local,
    rpc,
    nativeSymbol,
    nativeDecimals,
    confirmations,
    /** `eip712Name` is what the token's `name()` answers, not its symbol. */
    asset: asset.extend({ eip712Name: z.string().min(1), eip712Version: z.string().min(1) }),
  })
  .refine((file) => file.caip2 === `eip155:${file.chainId}`, { path: ['caip2'], error: 'must be eip155: and chainId' })
export type PaymentChainFile = z.output<typeof PaymentChainFile>

/** Reads and checks the chain file of payments. Throws a `SettingsError` that names the invalid members. */
export const readPaymentChainFile = (path: string): PaymentChainFile => readFileOf('VERIFICATION_CHAIN_FILE', path, PaymentChainFile)
