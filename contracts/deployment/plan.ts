// A deployment as data: what is created and called, in order, and what the chain shows when a step is done.
// The order matters: a missing role shows only when the first job is settled, as a bare Unauthorized().
import { type Address, zeroAddress } from 'viem'
import type { DeploymentConfig } from '../../schemas/chain/deployment.ts'
import type { ContractName } from '../artifact.ts'
import { CROSS_CHAIN_STRATEGY_ID, IDLE_STRATEGY_ID, INITIAL_POLICY, LOCAL_STRATEGY_ID } from '../parameters.ts'
import { feeValues, minClaimFee, policyValues, sameAddress } from './config.ts'

/** The address of a part of the plan; `next` is the one that the sender's next creation gets. */
export type Ref = { readonly ref: string } | { readonly next: string }
export type Value = string | bigint | boolean | Ref
export type Signer = 'deployer' | 'operator' | 'creditOperator'

/** A read whose answer shows that a call is done already. */
interface Shows {
  readonly read: string
  readonly args: readonly Value[]
  readonly is?: Value
  readonly atLeast?: bigint
}

interface StepBase {
  /** Unique in a plan. */
  readonly name: string
  readonly from: Signer
  readonly contract: ContractName
  readonly args: readonly Value[]
}
/** Creates a contract; the name of the step names the part. */
interface CreateStep extends StepBase {
  readonly create: true
}
export interface CallStep extends StepBase {
  readonly create: false
  readonly to: string
  readonly call: string
  /** Reads that all hold when the call is done; none where the chain does not show it. */
  readonly shows: readonly Shows[]
}
export type Step = CreateStep | CallStep

export interface Plan {
  /** Addresses of parts that exist before. */
  readonly given: Readonly<Record<string, Address>>
  readonly steps: readonly Step[]
}

const ref = (name: string): Ref => ({ ref: name })

const create = (name: string, contract: ContractName, ...args: Value[]): CreateStep => ({
  name,
  from: 'deployer',
  contract,
  args,
  create: true,
})

/** A call of one part by the deployer. */
const callOf =
  (to: string, contract: ContractName) =>
  (call: string, args: readonly Value[], shows: readonly Shows[] = [], about = shows[0]?.args[0]): CallStep => ({
    name: [to, call, typeof about === 'object' ? Object.values(about)[0] : about].filter((part) => part !== undefined).join(' '),
    from: 'deployer',
    contract,
    args,
    create: false,
    to,
    call,
    shows,
  })

const onPolicy = callOf('policy', 'TreasuryPolicy')
/** Grants a role of the policy, for instance `settlementBroker` by `setSettlementBroker`. */
const grant = (call: string, read: string, holder: Value): CallStep => onPolicy(call, [holder, true], [{ read, args: [holder], is: true }])
const setPolicy = (read: string, value: Value): CallStep =>
  onPolicy(`set${read.charAt(0).toUpperCase()}${read.slice(1)}`, [value], [{ read, args: [], is: value }])

/** Setters of the values that differ from those with which the policy is born. */
function parameterSteps(config: DeploymentConfig): CallStep[] {
  const fees = feeValues(config)
  const initial: Readonly<Record<string, bigint>> = INITIAL_POLICY
  return [
    onPolicy(
      'setMinClaimFee',
      [ref('token'), minClaimFee(config)],
      [{ read: 'minClaimFeeByAsset', args: [ref('token')], is: minClaimFee(config) }],
    ),
    ...Object.entries(policyValues(config)).flatMap(([name, value]) => (initial[name] === value ? [] : [setPolicy(name, value)])),
    callOf('escrow', 'EscrowCore')(
      'setFeeSchedule',
      Object.values(fees),
      Object.entries(fees).map(([read, is]) => ({ read, args: [], is })),
    ),
  ]
}

function coreSteps(config: DeploymentConfig): Step[] {
  const { roles, pauser } = config
  const accounts = callOf('agentAccount', 'AgentAccountCore')
  return [
    ...(config.asset === 'test' ? [create('token', 'TestUSDC')] : []),
    create('policy', 'TreasuryPolicy'),
    create('registry', 'StrategyAdapterRegistry', ref('policy')),
    create('agentAccount', 'AgentAccountCore', ref('policy'), ref('registry')),
    create('reputation', 'ReputationSBT', ref('policy')),
    create('escrow', 'EscrowCore', ref('policy'), ref('agentAccount'), ref('reputation'), roles.treasury),
    grant('setApprovedAsset', 'approvedAssets', ref('token')),
    grant('setSettlementBroker', 'settlementBroker', ref('escrow')),
    grant('setSettlementBroker', 'settlementBroker', roles.operator),
    accounts('setEscrowOperator', [ref('escrow'), true], [{ read: 'escrowOperators', args: [ref('escrow')], is: true }]),
    accounts('setTreasuryAccount', [roles.treasury], [{ read: 'treasuryAccount', args: [], is: roles.treasury }]),
    grant('setReputationWriter', 'reputationWriter', ref('escrow')),
    grant('setOutflowRecorder', 'outflowRecorder', ref('agentAccount')),
    grant('setVerifier', 'verifiers', roles.verifier),
    grant('setArbitrator', 'arbitrators', roles.arbitrator),
    ...(pauser ? [setPolicy('pauser', pauser)] : []),
    ...parameterSteps(config),
  ]
}

/** Calls that admit a yield source. */
const admit = (strategy: string): CallStep[] => [
  grant('setApprovedStrategy', 'approvedStrategies', ref(strategy)),
  callOf('registry', 'StrategyAdapterRegistry')('registerStrategy', [ref(strategy)], undefined, strategy),
]

export const STRATEGIES = {
  mock: { part: 'mockStrategy', contract: 'MockVDotAdapter', id: LOCAL_STRATEGY_ID },
  idle: { part: 'idleStrategy', contract: 'PoolStrategyAdapter', id: IDLE_STRATEGY_ID },
} as const

/** Each pool stores the address of the other for good, so the first one gets the address that the second one will have. */
function savingsSteps({ savings, roles }: DeploymentConfig): Step[] {
  if (!savings) return []
  const chosen = savings.strategies.map((name) => STRATEGIES[name])
  return [
    create('depositPool', 'DepositPoolV2', ref('token'), roles.operator, zeroAddress, { next: 'creditPool' }),
    create('creditPool', 'CreditPool', ref('token'), roles.creditOperator ?? zeroAddress, ref('depositPool')),
    ...chosen.map(({ part, contract, id }) =>
      contract === 'MockVDotAdapter'
        ? create(part, contract, ref('policy'), ref('token'), id)
        : create(part, contract, ref('policy'), ref('depositPool'), id),
    ),
    // The account contract itself moves money into a yield source.
    ...(chosen.length > 0 ? [grant('setStrategySettler', 'strategySettler', ref('agentAccount'))] : []),
    ...chosen.flatMap(({ part }) => admit(part)),
  ]
}

/** The transport to the other chain. It can be configured only before the last call. The operator settles, and the dispatcher dispatches. */
function crossChainSteps({ crossChain, roles }: DeploymentConfig): Step[] {
  if (!crossChain) return []
  const { precompile, venue, remoteAccount, dispatcher } = crossChain
  const wrapper = callOf('wrapper', 'XcmWrapperV22')
  const id = CROSS_CHAIN_STRATEGY_ID
  return [
    ...(precompile === 'test' ? [create('precompile', 'MockXcmPrecompile')] : []),
    create('wrapper', 'XcmWrapperV22', ref('policy'), ref('precompile')),
    create('adapter', 'HydrationUsdcAdapterV22', ref('policy'), ref('token'), id, ref('wrapper'), ref('agentAccount')),
    ...(venue === 'test' ? [create('venueAsset', 'MockRemoteToken'), create('venueShare', 'MockRemoteToken')] : []),
    grant('setStrategySettler', 'strategySettler', roles.operator),
    wrapper('setOperator', [dispatcher], [{ read: 'operator', args: [], is: dispatcher }]),
    wrapper('setStrategyAdapter', [id, ref('adapter')], [{ read: 'strategyAdapter', args: [id], is: ref('adapter') }], 'adapter'),
    wrapper('setHydrationAccountId32', [remoteAccount], [{ read: 'hydrationAccountId32', args: [], is: remoteAccount }]),
    wrapper('setDispatchPaused', [false], [{ read: 'dispatchPaused', args: [], is: false }]),
  ]
}

/** The policy moves its ownership in one step, so a contract holds it until the new owner has shown that it can act. */
const handoverSteps = ({ owner }: DeploymentConfig, deployer: Address): Step[] =>
  sameAddress(owner, deployer)
    ? []
    : [
        create('handover', 'OwnershipHandover', ref('policy'), owner),
        onPolicy('transferOwnership', [ref('handover')], [{ read: 'owner', args: [], is: ref('handover') }]),
      ]

/** Parts that exist before a deployment. */
const givenParts = ({ asset, crossChain }: DeploymentConfig): Plan['given'] => ({
  ...(asset === 'test' ? {} : { token: asset.address }),
  ...(crossChain && crossChain.precompile !== 'test' ? { precompile: crossChain.precompile } : {}),
  ...(crossChain && crossChain.venue !== 'test' ? { venueAsset: crossChain.venue.asset, venueShare: crossChain.venue.share } : {}),
})

/** Everything that a deployment creates and calls, in order. */
export const deploymentPlan = (config: DeploymentConfig, deployer: Address): Plan => ({
  given: givenParts(config),
  steps: [...coreSteps(config), ...savingsSteps(config), ...crossChainSteps(config), ...handoverSteps(config, deployer)],
})

/** Who pays, who mints a test token for it, and how much. */
export interface Funding {
  readonly from: Signer
  readonly holder: Address
  /** Absent for a real token. */
  readonly minter?: Signer
  readonly amount: bigint
}

const tokenSteps = ({ from, holder, minter, amount }: Funding, spender: string): CallStep[] => {
  const token = callOf('token', 'TestUSDC')
  return [
    ...(minter ? [{ ...token('mint', [holder, amount]), name: `token mint for ${spender}`, from: minter }] : []),
    { ...token('approve', [ref(spender), amount]), name: `token approve ${spender}`, from },
  ]
}

/** Deposits the funds of curated jobs for the operator. */
export const bankSteps = (funding: Funding): CallStep[] => [
  ...tokenSteps(funding, 'agentAccount'),
  { ...callOf('agentAccount', 'AgentAccountCore')('deposit', [ref('token'), funding.amount]), from: funding.from },
]

/** Contributes the first shares of a pool for its operator. Both pools take a contribution by the same call. */
export const seedSteps = (funding: Funding, pool: 'depositPool' | 'creditPool'): CallStep[] => {
  const contract = pool === 'depositPool' ? 'DepositPoolV2' : 'CreditPool'
  const shows = [{ read: 'operatorPrincipalShares', args: [], atLeast: funding.amount }]
  return [
    ...tokenSteps(funding, pool),
    { ...callOf(pool, contract)('contributeOperatorPrincipal', [funding.amount], shows), from: funding.from },
  ]
}
