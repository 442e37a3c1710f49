import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { sentenceOf } from '../operations/field-errors.ts'
import { SettingsError } from '../settings-error.ts'
import { Address, DeploymentRecord } from './deployment.ts'

const Deployed = z.looseObject({ address: Address, deployBlock: z.int().min(0).optional() })

/** Callers get the addresses of the chain file, so a user or a query, where keys stand, is refused. */
const isWithoutKey = (address: string): boolean => {
  const url = URL.canParse(address) ? new URL(address) : null
  return url === null || (url.username === '' && url.search === '')
}
const RpcUrl = z.string().refine(isWithoutKey, { error: 'must hold no user and no query, because callers see it: set CHAIN_NODES' })

/** Configuration of one chain: every contract address, RPC address and EIP-712 name. */
export const ChainFile = z.looseObject({
  chainId: z.int().positive(),
  caip2: z.string(),
  name: z.string(),
  /** True for the embedded chain; the service also requires Anvil's `web3_clientVersion`. */
  local: z.boolean().default(false),
  /** Hash of block 0: a node with another one is not used. Absent: the first node that answers says it. */
  genesisHash: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]).optional(),
  /** Nodes in the order of preference: `primary`, then the `backups`. Each of `writeUrls` gets every transaction; without one the node in use gets it. */
  rpc: z.looseObject({ primary: RpcUrl, backups: z.array(RpcUrl).default([]), writeUrls: z.array(RpcUrl).default([]) }),
  nativeSymbol: z.string(),
  nativeDecimals: z.int().default(18),
  /** Number of blocks on top of a transaction before it counts as settled. */
  confirmations: z.int().min(0).default(1),
  asset: z.looseObject({
    symbol: z.string(),
    address: Address,
    decimals: z.int().min(0).max(30),
    assetId: z.int().optional(),
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
    /** Absent on a chain without a deposit pool. */
    depositPool: Deployed.extend({ version: z.string(), shareName: z.string(), shareSymbol: z.string() }).optional(),
    /** Absent on a chain without credit. `riskDisclosure` is the text that the contract carries. */
    creditPool: Deployed.extend({ riskDisclosure: z.string() }).optional(),
    /** Absent on a chain without requests to other chains. */
    xcm: z
      .looseObject({
        wrapper: Deployed,
        adapter: Deployed,
        /** The venue on the other chain: its RPC (the one of this chain when absent), the account of the wrapper and the tokens that it holds there. */
        venue: z.looseObject({ rpc: z.string().optional(), account: Address, asset: Deployed, share: Deployed }),
      })
      .optional(),
  }),
  faucetUrl: z.string().optional(),
  /** What `contracts -- deploy` wrote about its deployment; absent for one that it did not make. */
  deployment: DeploymentRecord.optional(),
  /** Absent on a chain that serves no native accounts (SS58). */
  native: z
    .looseObject({
      /** Block 0 of the chain on its native side: the first 32 hex digits name the network in sign-in messages. */
      genesisHash: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]),
      /** JSON-RPC of the native side, over HTTP: a second reader of mappings, compared with the first. */
      substrateRpcUrls: z.array(z.url({ protocol: /^https?$/ })).default([]),
      /** `extrinsic`: an account calls `map_account`, which holds a deposit; `auto_map`: the chain maps an account when it is created. */
      mappingMechanism: z.enum(['extrinsic', 'auto_map']),
      /** Held while an account is mapped by `map_account`, base units of the native currency on the native side. */
      mappingDeposit: z.looseObject({ itemRaw: z.string().regex(/^\d+$/), byteRaw: z.string().regex(/^\d+$/) }),
      decimals: z.int().default(10),
      /**
       * Most weight that a unit of gas stands for: picoseconds and bytes of proof. The contracts of the hub charge 25,000 ps for a unit of gas.
       * A call into another contract (2,600 gas) proves its code of up to 24 kB, a first read of storage (2,100 gas) some 11 kB: below 16 bytes.
       */
      weightPerGas: z
        .looseObject({ refTime: z.int().positive(), proofSize: z.int().positive() })
        .default({ refTime: 25_000, proofSize: 16 }),
      /** Weight that calls may have at most: three quarters of the 2 s and the 10 MiB of a block of the hub. */
      maxWeight: z
        .looseObject({ refTime: z.int().positive(), proofSize: z.int().positive() })
        .default({ refTime: 1_500_000_000_000, proofSize: 7_864_320 }),
    })
    .optional(),
})
export type ChainFile = z.infer<typeof ChainFile>
/** What a chain file says of the native side. */
export type NativeSide = NonNullable<ChainFile['native']>

const hasLiveEscrow = ({ contracts }: ChainFile): boolean => contracts.escrow.generations.some(({ mode }) => mode === 'live')

const parseJsonFile = (setting: string, path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new SettingsError([`${setting}: ${error instanceof SyntaxError ? 'the file is not JSON' : 'the file cannot be read'}`])
  }
}

/** Reads and checks the file that a setting names. Throws a `SettingsError` that names the invalid members. */
export const readFileOf = <Shape extends z.ZodType>(setting: string, path: string, shape: Shape): z.output<Shape> => {
  const { data, error } = shape.safeParse(parseJsonFile(setting, path), { error: sentenceOf })
  if (error === undefined) return data
  const memberOf = (issue: z.core.$ZodIssue) =>
    [...issue.path, ...(issue.code === 'unrecognized_keys' ? [issue.keys.join(', ')] : [])].join('.')
  throw new SettingsError([`${setting}: ${error.issues.map((issue) => `${memberOf(issue)} ${issue.message}`).join(', ')}`])
}

/** Reads and checks a chain file. Throws a `SettingsError` that names the invalid members. */
export const readChainFile = (path: string): ChainFile => {
  const data = readFileOf('CHAIN_FILE', path, ChainFile)
  if (!hasLiveEscrow(data)) throw new SettingsError(['CHAIN_FILE: names no live escrow generation'])
  return data
}

/** Escrow of new jobs. */
export const liveEscrow = (chain: ChainFile): `0x${string}` => {
  const live = chain.contracts.escrow.generations.find((generation) => generation.mode === 'live')
  if (!live) throw new Error('chain file names no live escrow generation')
  return live.address
}
