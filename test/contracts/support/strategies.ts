// Yield sources of the tests: one that answers at once, one that answers later.
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, keccak256 } from 'viem'
import { loadArtifact } from '../../../contracts/artifact.ts'
import { shortText } from './jobs.ts'
import { type World, who } from './world.ts'

export const SYNC_ID = shortText('MOCK_SYNC')
export const ASYNC_ID = shortText('MOCK_ASYNC')
export const REQUEST = { succeeded: 2, failed: 3, cancelled: 4 } as const

export interface Strategies {
  readonly sync: Address
  readonly async: Address
}

async function add(world: World, name: 'MockVDotAdapter' | 'MockAsyncAdapter', ...args: readonly unknown[]): Promise<Address> {
  const artifact = await loadArtifact(name)
  const address = await world.create(who.owner, artifact, ...args)
  world.watch(address, { prefix: 'YIELD', abi: artifact.abi })
  await world.run(who.owner, 'policy', 'setApprovedStrategy', address, true)
  await world.run(who.owner, 'registry', 'registerStrategy', address)
  return address
}

/** Deploys, approves and registers both sources; `settler` may settle the requests of the later one. */
export async function addStrategies(world: World, settler: Address): Promise<Strategies> {
  const { policy, token, accounts } = world.at
  const sync = await add(world, 'MockVDotAdapter', policy, token, SYNC_ID)
  const later = await add(world, 'MockAsyncAdapter', token, ASYNC_ID)
  await world.run(who.owner, 'policy', 'setStrategySettler', accounts, true)
  await world.run(who.owner, 'policy', 'setStrategySettler', settler, true)
  return { sync, async: later }
}

export const depositParams = (amount: bigint, nonce = 1n) => ({
  strategyId: ASYNC_ID,
  amount,
  destination: '0x',
  message: '0x',
  maxWeight: { refTime: 0n, proofSize: 0n },
  nonce,
})

export const withdrawParams = (shares: bigint, recipient: Address, nonce = 1n) => ({
  strategyId: ASYNC_ID,
  shares,
  recipient,
  destination: '0x',
  message: '0x',
  maxWeight: { refTime: 0n, proofSize: 0n },
  nonce,
})

const ID_FIELDS = ['bytes32', 'uint8', 'address', 'address', 'address', 'uint256', 'uint256', 'uint64'].map((type) => ({ type }))

export const requestId = (
  kind: number,
  account: Address,
  asset: Address,
  recipient: Address,
  assets: bigint,
  shares: bigint,
  nonce = 1n,
  id: Hex = ASYNC_ID,
): Hex => keccak256(encodeAbiParameters(ID_FIELDS, [id, kind, account, asset, recipient, assets, shares, nonce]))

/** Calls one of the sources directly. */
export async function callStrategy(world: World, from: Address, to: Address, functionName: string, ...args: readonly unknown[]) {
  const name = functionName.startsWith('set') ? 'MockAsyncAdapter' : 'MockVDotAdapter'
  const { abi } = await loadArtifact(name)
  return world.attemptAt(from, to, encodeFunctionData({ abi, functionName, args }))
}
