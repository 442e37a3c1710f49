import { isRecord } from '../../src/json.ts'
import type { Client } from '../../src/types.ts'
import { textOption } from '../arguments.ts'
import type { Context } from '../context.ts'
import { refused, usageError } from '../failures.ts'
import type { OpenKey } from '../key/key-file.ts'
import type { SignedIn } from '../service/open.ts'
import { encodeCall } from './calls.ts'
import { assertChain, createRpc, type Rpc } from './rpc.ts'
import { createSentFile } from './sent-file.ts'

/** Where and by whom transactions are sent. */
export interface Wallet {
  context: Context
  rpc: Rpc
  rpcHost: string
  address: string
  chainId: number
  openKey: () => Promise<OpenKey>
  /** Native money of the chain. */
  fee: { symbol: string; decimals: number }
  file: ReturnType<typeof createSentFile>
}

const NATIVE = { symbol: 'native', decimals: 18 }

const parseFee = (feeAsset: unknown): Wallet['fee'] => {
  const { symbol, decimals } = isRecord(feeAsset) ? feeAsset : {}
  return typeof symbol === 'string' && typeof decimals === 'number' ? { symbol, decimals } : NATIVE
}

/** Chain of the service, its asset and how transactions are sent, from the public description of its deposit pool. */
export const readChain = async (client: Client, { signal, options }: Pick<Context, 'signal' | 'options'>) => {
  const pool = await client.getPool({}, { signal })
  const { rpcUrls, feeAsset }: { rpcUrls?: unknown; feeAsset?: unknown } = pool.available ? pool.broadcast : {}
  const [named]: unknown[] = Array.isArray(rpcUrls) ? rpcUrls : []
  const rpcUrl = textOption(options, 'rpc') ?? (typeof named === 'string' ? named : undefined)
  if (rpcUrl === undefined) throw usageError('The service names no node of its chain. Name one with --rpc URL.')
  return {
    rpcUrl,
    fee: parseFee(feeAsset),
    asset: pool.available ? pool.asset : undefined,
    chainId: pool.available ? pool.chainId : undefined,
  }
}

/** Wallet of a signed-in worker on the chain of the service. */
export const openWallet = async (context: Context, { client, wallet, openKey }: SignedIn): Promise<Wallet> => {
  const { rpcUrl, fee, chainId: stated } = await readChain(client, context)
  const rpc = createRpc(rpcUrl, context.signal)
  const chainId = stated ?? (await client.getHealth({}, { signal: context.signal })).auth.chainId
  await assertChain(rpc, chainId)
  const file = createSentFile(context.state, wallet, chainId)
  return { context, rpc, rpcHost: new URL(rpcUrl).host, address: wallet, chainId, openKey, fee, file }
}

/** Refuses an asset whose token counts in other units than the service states: the amount would be another one. */
export const assertDecimals = async (
  { rpc }: Wallet,
  { symbol, address, decimals }: { symbol: string; address: string; decimals: number },
): Promise<void> => {
  const answer = await rpc('eth_call', [{ to: address, data: encodeCall('decimals()') }, 'latest'])
  const found = /^0x[0-9a-fA-F]{64}$/.test(answer) ? BigInt(answer) : 'no'
  if (found !== BigInt(decimals))
    throw refused(`The service states ${decimals} decimals of ${symbol}, and the token ${address} has ${found}. Nothing was sent.`)
}
