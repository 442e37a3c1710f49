import { existsSync, rmSync } from 'node:fs'
import { createPublicClient, http } from 'viem'
import { ChainFile, readChainFile } from '../../schemas/chain/chain-file.ts'
import { checkDeployment } from '../contracts/check.ts'
import { type Deployment, deployAll } from '../contracts/deploy.ts'
import { type StateFiles, writePrivate } from '../files.ts'
import { localKeys } from '../keys.ts'
import { LOCAL_CHAIN_ID } from './anvil.ts'
import type { LocalChain } from './start.ts'

/** One million USDC, enough for every demo and benchmark. */
const REWARD_BANK_RAW = 1_000_000_000_000n

const roles = () => {
  const { operator, verifier, arbitrator, treasury, creditOperator } = localKeys()
  return {
    operator: operator.address,
    verifier: verifier.address,
    arbitrator: arbitrator.address,
    treasury: treasury.address,
    creditOperator: creditOperator.address,
  }
}

const deploy = (rpcUrl: string): Promise<Deployment> => {
  const { deployer, operator } = localKeys()
  return deployAll({
    ...roles(),
    rpcUrl,
    deployerKey: deployer.privateKey,
    operatorKey: operator.privateKey,
    rewardBankRaw: REWARD_BANK_RAW,
  })
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
  })

/** Removes a chain whose deployment was interrupted. */
export const removeIncompleteChain = (files: StateFiles): void => {
  if (!existsSync(files.chainFile)) for (const file of [files.chainLog, files.chainState]) rmSync(file, { force: true })
}

/** Deploys to a new chain, or updates the RPC address of an existing one, and checks the deployment. */
export const ensureDeployment = async (chain: LocalChain, files: StateFiles): Promise<void> => {
  const rpc = { primary: chain.rpcUrl, backups: [], writeUrls: [] }
  const file = existsSync(files.chainFile)
    ? { ...readChainFile(files.chainFile), rpc }
    : chainFileOf(await deploy(chain.rpcUrl), chain.rpcUrl)
  await chain.flush()
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const problems = await checkDeployment(client, file, roles())
  if (problems.length > 0) {
    const lines = problems.map(({ name, expected, found }) => `  ${name}: expected ${expected}, found ${found}`)
    throw new Error(`the contracts of the local chain are not those of this checkout; start with --fresh:\n${lines.join('\n')}`)
  }
  writePrivate(files.chainFile, `${JSON.stringify(file, null, 2)}\n`)
}
