// Reads what a deployment is made of and fills in the parameters that it leaves out.
import type { Hex } from 'viem'
import { readFileOf } from '../../schemas/chain/chain-file.ts'
import { DeploymentConfig } from '../../schemas/chain/deployment.ts'
import { POOL_SEED_RAW } from '../../schemas/pool/record.ts'
import { SettingsError } from '../../schemas/settings-error.ts'
import { FEES, MIN_CLAIM_FEE, POLICY_PARAMETERS } from '../parameters.ts'

export const sameAddress = (a: string | undefined, b: string | undefined): boolean => a?.toLowerCase() === b?.toLowerCase()

const testParts = ({ asset, savings, crossChain }: DeploymentConfig): string[] => [
  ...(asset === 'test' ? ['asset'] : []),
  ...(savings?.strategies.includes('mock') ? ['savings.strategies'] : []),
  ...(crossChain?.precompile === 'test' ? ['crossChain.precompile'] : []),
  ...(crossChain?.venue === 'test' ? ['crossChain.venue'] : []),
]

/** What contradicts itself in a config, as sentences. */
const problemsOf = (config: DeploymentConfig): string[] => [
  ...(config.testChain ? [] : testParts(config).map((part) => `${part} is for test chains: set testChain or name the real one`)),
  ...(config.savings && config.roles.creditOperator === undefined ? ['roles.creditOperator is required with savings'] : []),
  ...(config.savings && config.asset !== 'test' && config.asset.decimals !== 6
    ? ['savings need an asset of 6 decimals: leave savings out, or name another asset']
    : []),
]

/** Reads and checks a config file. Throws a `SettingsError` that names what is wrong. */
export const readConfig = (path: string): DeploymentConfig => {
  const config = readFileOf('--config', path, DeploymentConfig)
  const problems = problemsOf(config)
  if (problems.length > 0) throw new SettingsError(problems.map((problem) => `--config: ${problem}`))
  return config
}

/** Refuses a deployer that would keep a role. */
export const assertDeployerWithoutRole = ({ owner, pauser, roles, crossChain }: DeploymentConfig, deployer: Hex): void => {
  const holders = { owner, pauser, ...roles, 'crossChain.dispatcher': crossChain?.dispatcher }
  const own = Object.entries(holders).filter(([, address]) => sameAddress(address, deployer))
  if (own.length > 0)
    throw new SettingsError(own.map(([name]) => `--config: ${name} is the deployer, which keeps no role: name another address`))
}

const big = (value: string | number | undefined, otherwise: bigint | number): bigint => BigInt(value ?? otherwise)

/** Values of the policy by the functions that read them, with the defaults. */
export const policyValues = ({ parameters }: DeploymentConfig): Record<keyof typeof POLICY_PARAMETERS, bigint> => {
  const names = Object.keys(POLICY_PARAMETERS) as (keyof typeof POLICY_PARAMETERS)[]
  return Object.fromEntries(names.map((name) => [name, big(parameters[name], POLICY_PARAMETERS[name])])) as ReturnType<typeof policyValues>
}

/** Smallest claim fee. */
export const minClaimFee = ({ parameters }: DeploymentConfig): bigint => big(parameters.minClaimFee, MIN_CLAIM_FEE)

/** Fees of the escrow by the functions that read them, with the defaults, in the order of the call that sets them. */
export const feeValues = ({ parameters }: DeploymentConfig): Record<keyof typeof FEES, bigint> => ({
  retentionFlatRaw: big(parameters.retentionFlatRaw, FEES.retentionFlatRaw),
  retentionCapBps: big(parameters.retentionCapBps, FEES.retentionCapBps),
  posterFeeBps: big(parameters.posterFeeBps, FEES.posterFeeBps),
  posterFeeFloorRaw: big(parameters.posterFeeFloorRaw, FEES.posterFeeFloorRaw),
})

/** Contribution with which each pool begins. */
export const seedOf = (config: DeploymentConfig | undefined): bigint => big(config?.savings?.seedRaw, POOL_SEED_RAW)
