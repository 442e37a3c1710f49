// A deployment by the real commands, on a node of its own.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Abi, type Address, createPublicClient, encodeFunctionData, type Hex, http, type PublicClient, toHex } from 'viem'
import { ownershipHandoverAbi } from '../../../activities/chain/abi/ownership-handover.ts'
import { loadArtifact } from '../../../contracts/artifact.ts'
import { deploy, fundBank, type Sending, seedPool } from '../../../contracts/deployment/acts.ts'
import { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { DeploymentConfig } from '../../../schemas/chain/deployment.ts'
import { openDirectory } from '../../support/state-directory.ts'
import { type Anvil, startAnvil } from '../support/anvil.ts'
import { type Rpc, rpcTo } from '../support/rpc.ts'
import { CREDIT_OPERATOR_KEY, OPERATOR_KEY, OWNER_KEY, who } from '../support/world.ts'

/** Owner at the end; it acts by impersonation, like a multisig without a key. */
export const NEW_OWNER: Address = '0x1000000000000000000000000000000000000009'
const DISPATCHER: Address = '0x100000000000000000000000000000000000000a'
export const DEPLOYER = who.owner
export const DEPLOYER_KEY = OWNER_KEY
const REMOTE_ACCOUNT: Hex = `0x${'12'.repeat(32)}`

const { operator, verifier, arbitrator, treasury, creditOperator, pauser } = who

/** Everything, with stand-ins. */
export const wholeConfig: DeploymentConfig = DeploymentConfig.parse({
  name: 'A test chain',
  nativeSymbol: 'PAS',
  confirmations: 0,
  testChain: true,
  asset: 'test',
  owner: NEW_OWNER,
  pauser,
  roles: { operator, verifier, arbitrator, treasury, creditOperator },
  savings: { strategies: ['mock', 'idle'], ltvBps: 8_000, interestBps: 0 },
  crossChain: { precompile: 'test', remoteAccount: REMOTE_ACCOUNT, dispatcher: DISPATCHER, venue: 'test' },
})

/** A node, a directory, and ways to act as anyone. */
export interface Place {
  readonly anvil: Anvil
  readonly client: PublicClient
  readonly rpc: Rpc
  readonly path: (name: string) => string
  /** Sends as any account, and waits; the created address, if any. */
  readonly act: (from: Address, to: Address | undefined, data: Hex) => Promise<Address | undefined>
  readonly call: (from: Address, to: Address, abi: Abi, functionName: string, ...args: readonly unknown[]) => Promise<unknown>
}

export const openPlace = async (): Promise<Place> => {
  const anvil = await startAnvil()
  const directory = openDirectory('contracts')
  const client = createPublicClient({ transport: http(anvil.rpcUrl, { batch: { batchSize: 200 }, retryCount: 0 }), pollingInterval: 20 })
  const rpc = rpcTo(anvil.rpcUrl)
  const act: Place['act'] = async (from, to, data) => {
    const transaction = { from, ...(to ? { to } : {}), data, gas: toHex(12_000_000), gasPrice: '0x0' }
    const hash = (await rpc('eth_sendTransaction', transaction)) as Hex
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error('the act was refused')
    return receipt.contractAddress ?? undefined
  }
  return {
    anvil,
    client,
    rpc,
    path: (name) => join(directory, name),
    act,
    call: (from, to, abi, functionName, ...args) => act(from, to, encodeFunctionData({ abi, functionName, args })),
  }
}

export const writeKey = (path: string, key: Hex, mode = 0o600): string => {
  writeFileSync(path, `${key}\n`)
  chmodSync(path, mode)
  return path
}

export const sendingAt = ({ client }: Place, journal: string, key: Hex, changes: Partial<Sending> = {}): Sending => ({
  client,
  key,
  journal,
  retry: false,
  maxFee: undefined,
  waitMs: 20_000,
  say: () => undefined,
  ...changes,
})

export const readFile = (path: string): ChainFile => ChainFile.parse(JSON.parse(readFileSync(path, 'utf8')))

/** A real token that exists before the deployment. */
export const createToken = async (place: Place): Promise<Address> => {
  const { bytecode } = await loadArtifact('TestUSDC')
  return (await place.act(who.stranger, undefined, bytecode)) as Address
}

/** The new owner takes the ownership. */
export const accept = ({ call }: Place, { deployment }: ChainFile): Promise<unknown> =>
  call(NEW_OWNER, deployment?.handover as Address, ownershipHandoverAbi, 'accept')

/** Native money for every signer. */
export const fuel = async ({ rpc }: Place): Promise<void> => {
  for (const account of [operator, verifier, arbitrator, creditOperator, DISPATCHER])
    await rpc('anvil_setBalance', account, toHex(10n ** 18n))
}

/** A deployment that its new owner has taken, with its bank and its seeds. */
export const deployWhole = async (place: Place): Promise<ChainFile> => {
  const out = place.path('chain.json')
  const sending = (name: string, key: Hex) => sendingAt(place, place.path(name), key)
  await deploy(sending('deploy.jsonl', DEPLOYER_KEY), { rpcUrl: place.anvil.rpcUrl, config: wholeConfig, out })
  const chain = readFile(out)
  await accept(place, chain)
  await fuel(place)
  const request = { chain, config: undefined }
  await fundBank(sending('bank.jsonl', OPERATOR_KEY), { ...request, amount: 5_000_000n })
  await seedPool(sending('deposit.jsonl', OPERATOR_KEY), { ...request, pool: 'depositPool' })
  await seedPool(sending('credit.jsonl', CREDIT_OPERATOR_KEY), { ...request, pool: 'creditPool' })
  return chain
}
