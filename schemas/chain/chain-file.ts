import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const Deployed = z.looseObject({ address: Address, deployBlock: z.int().min(0).optional() })

/** One chain the service may run against. Every address, RPC address and EIP-712 name comes from this file; nothing is hard-coded. */
export const ChainFile = z.looseObject({
  chainId: z.int().positive(),
  caip2: z.string(),
  name: z.string(),
  /** Marks the embedded chain. Believed only when `web3_clientVersion` is Anvil's. */
  local: z.boolean().default(false),
  rpc: z.looseObject({ primary: z.string(), backups: z.array(z.string()).default([]), writeUrls: z.array(z.string()).default([]) }),
  nativeSymbol: z.string(),
  nativeDecimals: z.int().default(18),
  /** Number of blocks on top of a transaction before it counts as settled. */
  confirmations: z.int().min(0).default(1),
  asset: z.looseObject({
    symbol: z.string(),
    address: Address,
    decimals: z.int().min(0).max(30),
    assetId: z.int().optional(),
    minimumBalanceRaw: z
      .string()
      .regex(/^[0-9]+$/)
      .optional(),
  }),
  contracts: z.looseObject({
    policy: Deployed,
    registry: Deployed,
    agentAccount: Deployed.extend({ eip712Name: z.string(), eip712Version: z.string() }),
    reputation: Deployed,
    escrow: z.looseObject({
      eip712Name: z.string(),
      eip712Version: z.string(),
      generations: z.array(Deployed.extend({ version: z.int(), mode: z.enum(['live', 'drain', 'legacy']) })).min(1),
    }),
    depositPool: Deployed.optional(),
    creditPool: Deployed.optional(),
    xcmWrapper: Deployed.optional(),
  }),
  faucetUrl: z.string().optional(),
})
export type ChainFile = z.infer<typeof ChainFile>

/** Reads and checks a chain file. Throws with the failing member named. */
export const readChainFile = (path: string): ChainFile => ChainFile.parse(JSON.parse(readFileSync(path, 'utf8')))

/** The escrow that new jobs are created in. */
export const liveEscrow = (chain: ChainFile): `0x${string}` => {
  const live = chain.contracts.escrow.generations.find((generation) => generation.mode === 'live')
  if (!live) throw new Error('chain file names no live escrow generation')
  return live.address as `0x${string}`
}
