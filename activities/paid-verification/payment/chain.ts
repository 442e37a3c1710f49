import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError, domainSeparator, type Hex } from 'viem'
import type { PaymentFacts } from '../../../domain/paid-verification/gate.ts'
import { tokenDomain } from '../../../domain/paid-verification/presented-payment.ts'
import type { PaymentTerms } from '../../../domain/paid-verification/requirements.ts'
import { type PaymentChainFile, readPaymentChainFile } from '../../../schemas/paid-verification/chain-file.ts'
import type { Settings } from '../../../schemas/settings.ts'
import { testUsdcAbi } from '../../chain/abi/test-usdc.ts'
import { awaitMembers } from '../../chain/block-reads.ts'
import type { ChainClients } from '../../chain/clients.ts'
import { type BlockRef, readLatestOf } from '../../chain/node/answers.ts'

/** What the token says of its signing domain: as configured, another one, or no answer. */
export type DomainCheck =
  | { readonly isConfirmed: true }
  /** `problem` says what differs, in one sentence. */
  | { readonly isConfirmed: false; readonly problem: string }
  | { readonly isConfirmed: null }

/** Terms of payments as chain file and settings state them. */
export const paymentTerms = (
  { chainId, caip2, asset }: PaymentChainFile,
  { payTo, priceRaw }: { payTo: Hex; priceRaw: bigint },
): PaymentTerms => ({
  chainId,
  network: caip2,
  asset: { address: asset.address.toLowerCase() as Hex, symbol: asset.symbol, decimals: asset.decimals },
  domain: { name: asset.eip712Name, version: asset.eip712Version },
  payTo: payTo.toLowerCase() as Hex,
  priceRaw,
})

type PaymentSettings = Pick<Settings, 'VERIFICATION_CHAIN_FILE' | 'VERIFICATION_PAY_TO' | 'VERIFICATION_PRICE_RAW'>

/** Chain file and terms of payments; null where no chain or no payee is configured. Throws a `SettingsError` for a bad file. */
export const readPaymentTerms = ({
  VERIFICATION_CHAIN_FILE: path,
  VERIFICATION_PAY_TO: payTo,
  VERIFICATION_PRICE_RAW: priceRaw,
}: PaymentSettings): { file: PaymentChainFile; terms: PaymentTerms } | null => {
  if (path === undefined || payTo === undefined) return null
  const file = readPaymentChainFile(path)
  return { file, terms: paymentTerms(file, { payTo, priceRaw }) }
}

/** A value of the chain; null where it cannot be read. */
const orNull = async <T>(read: Promise<T>): Promise<T | null> => {
  try {
    return await read
  } catch (error) {
    if (error instanceof BaseError) return null
    throw error
  }
}

/** Whether the contract itself did not answer, or there is none. Every other failure is one of the node. */
const isRefusedCall = (cause: unknown): boolean =>
  cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError

/** Reads of the chain on which verification is paid. */
export const createPaymentChain = (terms: PaymentTerms, clients: Pick<ChainClients, 'reader' | 'chainId'>) => {
  const { reader } = clients
  const token = { address: terms.asset.address, abi: testUsdcAbi } as const
  const expected = domainSeparator({ domain: tokenDomain(terms) })

  const checkDomainAt = async ({ number: blockNumber }: BlockRef): Promise<DomainCheck> => {
    try {
      const { name, version, separator } = await awaitMembers({
        name: reader.readContract({ ...token, functionName: 'name', blockNumber }),
        version: reader.readContract({ ...token, functionName: 'version', blockNumber }),
        separator: reader.readContract({ ...token, functionName: 'DOMAIN_SEPARATOR', blockNumber }),
      })
      const problems = [
        ...(name === terms.domain.name ? [] : [`name() is "${name.slice(0, 100)}", expected "${terms.domain.name}"`]),
        ...(version === terms.domain.version ? [] : [`version() is "${version.slice(0, 100)}", expected "${terms.domain.version}"`]),
        ...(separator === expected ? [] : [`DOMAIN_SEPARATOR() is ${separator}, expected ${expected}`]),
      ]
      return problems.length === 0 ? { isConfirmed: true } : { isConfirmed: false, problem: problems.join('; ') }
    } catch (error) {
      if (!(error instanceof BaseError)) throw error
      return error.walk(isRefusedCall) === null
        ? { isConfirmed: null }
        : { isConfirmed: false, problem: `the contract ${token.address} states no signing domain` }
    }
  }

  return {
    terms,

    /** Compares name, version and domain separator of the token with the configured ones, at the newest block. */
    checkDomain: async (): Promise<DomainCheck> => {
      const block = await orNull(readLatestOf(clients))
      return block === null ? { isConfirmed: null } : checkDomainAt(block)
    },

    /** What the chain says of a payment, all at its newest block. A node of another chain counts as one that does not answer. */
    readFacts: async ({ payer, nonce }: { payer: Hex; nonce: Hex }): Promise<PaymentFacts & { blockNumber: bigint | null }> => {
      const block = await orNull(readLatestOf(clients))
      if (block === null)
        return { blockNumber: null, blockTime: null, isNonceUsed: null, isDomainConfirmed: null, balanceRaw: null, isContract: null }
      const at = { blockNumber: block.number }
      const { domain, code, ...read } = await awaitMembers({
        isNonceUsed: orNull(reader.readContract({ ...token, functionName: 'authorizationState', args: [payer, nonce], ...at })),
        balanceRaw: orNull(reader.readContract({ ...token, functionName: 'balanceOf', args: [payer], ...at })),
        domain: checkDomainAt(block),
        code: orNull(reader.getCode({ address: payer, ...at }).then((bytes) => bytes ?? '0x')),
      })
      return {
        blockNumber: block.number,
        blockTime: BigInt(Math.floor(block.time / 1_000)),
        isDomainConfirmed: domain.isConfirmed,
        isContract: code === null ? null : code !== '0x',
        ...read,
      }
    },
  }
}
export type PaymentChain = ReturnType<typeof createPaymentChain>
