import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createPublicClient, http, keccak256, toHex } from 'viem'
import { checkDeployment } from '../../contracts/check.ts'
import { type Deployment, deployAll } from '../../contracts/deploy.ts'
import { ChainFile, readChainFile } from '../../schemas/chain/chain-file.ts'
import type { Say } from '../download.ts'
import { type StateFiles, writePrivate } from '../files.ts'
import { type LocalRole, localKey } from '../keys.ts'
import { findSnapshot, type Snapshot, saveSnapshot, snapshotOf } from '../snapshots.ts'
import { LOCAL_CHAIN_ID } from './anvil.ts'
import { createRpc } from './rpc.ts'
import type { LocalChain } from './start.ts'

/** One million USDC, enough for every demo and benchmark. */
const REWARD_BANK_RAW = 1_000_000_000_000n

const deploy = (rpcUrl: string): Promise<Deployment> => {
  const keyOf = (role: LocalRole) => localKey(role).privateKey
  const keys = { deployerKey: keyOf('deployer'), operatorKey: keyOf('operator'), creditOperatorKey: keyOf('creditOperator') }
  const addressOf = (role: LocalRole) => localKey(role).address
  const roles = {
    operator: addressOf('operator'),
    verifier: addressOf('verifier'),
    arbitrator: addressOf('arbitrator'),
    treasury: addressOf('treasury'),
    creditOperator: addressOf('creditOperator'),
  }
  return deployAll({ ...roles, ...keys, rpcUrl, rewardBankRaw: REWARD_BANK_RAW })
}

const chainFileOf = (deployment: Deployment, rpcUrl: string) =>
  ChainFile.parse({
    chainId: LOCAL_CHAIN_ID,
    caip2: `eip155:${LOCAL_CHAIN_ID}`,
    name: 'Local chain',
    local: true,
    rpc: { primary: rpcUrl, backups: [], writeUrls: [] },
    nativeSymbol: 'PAS',
    nativeDecimals: 18,
    // Every transaction is mined at once in its own block, without reorgs.
    confirmations: 0,
    asset: deployment.asset,
    contracts: deployment.contracts,
    deployment: deployment.deployment,
    native: NATIVE,
  })

/** The local chain has no block 0 on a native side: the keccak-256 of "local chain" stands for its hash, so that no signature serves elsewhere. */
const NATIVE_GENESIS = keccak256(toHex('local chain'))
/** Decimals of the native currency on its native side; the EVM side has 18. */
const NATIVE_DECIMALS = 10

/** Mapping as the stand-in for the System precompile has it: 0.2 for the item and 0.00001 for each of 52 bytes are held, 0.20052 in all. */
const NATIVE = {
  genesisHash: NATIVE_GENESIS,
  substrateRpcUrls: [],
  mappingMechanism: 'extrinsic',
  mappingDeposit: { itemRaw: '2000000000', byteRaw: '100000' },
  decimals: NATIVE_DECIMALS,
} as const

/** What may determine the blocks of a new chain, by whatever it is imported. */
const SOURCES = ['activities/chain/**/*.ts', 'contracts/**/*', 'domain/**/*.ts', 'local/**/*', 'schemas/**/*.ts', 'package-lock.json']
const chainSnapshot = (files: StateFiles): Snapshot => snapshotOf(files.cache, 'chain', SOURCES)

/** Files of a chain, the last one written last. A chain without it is incomplete. */
const chainFiles = ({ chainLog, chainState, chainFile }: StateFiles): string[] => [chainLog, chainState, chainFile]

/** Removes a chain whose deployment was interrupted. A new chain begins as a copy of the cached one where there is one. */
export const prepareChain = (files: StateFiles): void => {
  if (existsSync(files.chainFile)) return
  for (const file of [files.chainLog, files.chainState]) rmSync(file, { force: true })
  const snapshot = findSnapshot(chainSnapshot(files))
  if (snapshot !== undefined) for (const file of chainFiles(files)) writePrivate(file, readFileSync(join(snapshot, basename(file)), 'utf8'))
}

/** Saves a chain of which only the contracts have been deployed. A chain ahead of the wall clock would take its copies there. */
const saveChain = async (chain: LocalChain, files: StateFiles, say: Say): Promise<void> => {
  if (chain.offsetSeconds !== 0) return
  await saveSnapshot(chainSnapshot(files), say, async (directory) => {
    const state = gunzipSync(Buffer.from((await createRpc(chain.rpcUrl)<string>('anvil_dumpState')).slice(2), 'hex'))
    mkdirSync(directory)
    for (const file of chainFiles(files))
      writeFileSync(join(directory, basename(file)), file === files.chainState ? state : readFileSync(file), { mode: 0o600 })
  })
}

/** Deploys to a new chain, or updates the RPC address of an existing one, and checks the deployment. */
export const ensureDeployment = async (chain: LocalChain, files: StateFiles, say: Say): Promise<void> => {
  const isNew = !existsSync(files.chainFile)
  const rpc = { primary: chain.rpcUrl, backups: [], writeUrls: [] }
  if (isNew) say('Deploying the contracts to a new local chain')
  const file = isNew ? chainFileOf(await deploy(chain.rpcUrl), chain.rpcUrl) : { ...readChainFile(files.chainFile), rpc }
  await chain.flush()
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const problems = await checkDeployment(client, file)
  if (problems.length > 0) {
    const lines = problems.map(({ name, expected, found }) => `  ${name}: expected ${expected}, found ${found}`)
    throw new Error(`the contracts of the local chain are not those of this checkout; start with --fresh:\n${lines.join('\n')}`)
  }
  writePrivate(files.chainFile, `${JSON.stringify(file, null, 2)}\n`)
  if (isNew) await saveChain(chain, files, say)
}
