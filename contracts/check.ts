// The one check of a deployment: it reads the chain and compares it with this source, the chain file and the config. No line means: ready.
import type { PublicClient } from 'viem'
import type { DeploymentConfig } from '../schemas/chain/deployment.ts'
import { codeLines } from './check/code.ts'
import { type DeployedChain, type Problems, problem, type Subject } from './check/read.ts'
import { roleLines } from './check/roles.ts'
import { strategyLines } from './check/strategies.ts'
import { assetLines, balanceLines, coreLines, crossChainLines, generationLines, policyLines, poolLines } from './check/values.ts'

/** What a check reads: the config that is given, else the one that the deployment wrote in the file. Null without a live escrow. */
export const subjectOf = (client: PublicClient, chain: DeployedChain, config?: DeploymentConfig): Subject | null => {
  const live = chain.contracts.escrow.generations.find((generation) => generation.mode === 'live')
  return live ? { client, chain, escrow: live.address, config: config ?? chain.deployment?.config } : null
}

/** Every deviation of a deployment from its chain file, its config and this source. */
export async function checkDeployment(client: PublicClient, chain: DeployedChain, config?: DeploymentConfig): Problems {
  const subject = subjectOf(client, chain, config)
  if (!subject) return problem('escrow.generations', 'a live generation', 'none', 'name one in the chain file')
  const chainId = await client.getChainId()
  if (chainId !== chain.chainId)
    return problem('chainId', chain.chainId, chainId, 'name the RPC address of the chain by --rpc, or correct chainId in the chain file')
  const problems = await Promise.all([
    ...codeLines(subject),
    roleLines(subject),
    ...policyLines(subject),
    ...coreLines(subject),
    generationLines(subject),
    ...assetLines(subject),
    ...poolLines(subject),
    strategyLines(subject),
    ...crossChainLines(subject),
    ...balanceLines(subject),
  ])
  return problems.flat()
}
