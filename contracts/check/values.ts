// Wiring, parameters, pauses, domains and balances of a deployment.
import { type Address, domainSeparator, formatUnits, parseAbi, parseUnits, slice, zeroAddress } from 'viem'
import { agentAccountCoreAbi } from '../../activities/chain/abi/agent-account-core.ts'
import { creditPoolAbi } from '../../activities/chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../../activities/chain/abi/deposit-pool.ts'
import { escrowCoreAbi } from '../../activities/chain/abi/escrow-core.ts'
import { hydrationUsdcAdapterAbi } from '../../activities/chain/abi/hydration-usdc-adapter.ts'
import { reputationSbtAbi } from '../../activities/chain/abi/reputation-sbt.ts'
import { strategyAdapterRegistryAbi } from '../../activities/chain/abi/strategy-adapter-registry.ts'
import { testUsdcAbi } from '../../activities/chain/abi/test-usdc.ts'
import { treasuryPolicyAbi } from '../../activities/chain/abi/treasury-policy.ts'
import { xcmWrapperAbi } from '../../activities/chain/abi/xcm-wrapper.ts'
import { feeValues, minClaimFee, policyValues, seedOf } from '../deployment/config.ts'
import { CROSS_CHAIN_STRATEGY_ID, ESCROW_GENERATION } from '../parameters.ts'
import {
  type Contracts,
  compare,
  correctFile,
  isForGood,
  ownerCalls,
  type Problems,
  problem,
  reader,
  readText,
  type Subject,
  unlessAway,
} from './read.ts'

/** Lines of functions without arguments, with one remedy. */
const readAll = (read: ReturnType<typeof reader>, values: Record<string, unknown>, remedy: string): Problems[] =>
  Object.entries(values).map(([name, value]) => read(name, value, remedy))

const setterOf = (name: string): string => `set${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** Parameters and pause of the policy. */
export function policyLines({ client, chain, config }: Subject): Problems[] {
  const { address } = chain.contracts.policy
  const read = reader(client, 'policy', address, treasuryPolicyAbi)
  const call = (name: string, ...args: readonly unknown[]) => ownerCalls('policy', address, treasuryPolicyAbi, name, ...args)
  const pause = read('paused', false, call('setPaused', false))
  if (!config) return [pause]
  const fee = minClaimFee(config)
  return [
    pause,
    read('minClaimFeeByAsset', fee, call('setMinClaimFee', chain.asset.address, fee), chain.asset.address),
    ...Object.entries(policyValues(config)).map(([name, value]) => read(name, value, call(setterOf(name), settable(name, value)))),
  ]
}

/** Parameters of 16 bits are numbers for the encoder. */
const settable = (name: string, value: bigint): bigint | number =>
  name.startsWith('default') || name.startsWith('claimFee') ? Number(value) : value

type Domain = Pick<Contracts['escrow'], 'eip712Name' | 'eip712Version'>
const separatorOf = (chainId: number, { eip712Name: name, eip712Version: version }: Domain, verifyingContract: Address): string =>
  domainSeparator({ domain: { name, version, chainId, verifyingContract } })

/** Links, treasuries, domains and fees of account contract, escrow, registry and badges. */
export function coreLines(subject: Subject): Problems[] {
  const { client, chain, escrow, config } = subject
  const { policy, registry, agentAccount, reputation } = chain.contracts
  const onAccounts = reader(client, 'agentAccount', agentAccount.address, agentAccountCoreAbi)
  const onEscrow = reader(client, 'escrow', escrow, escrowCoreAbi)
  const links = { policy: policy.address }
  const accountsFor = isForGood('agentAccount', 'contracts.agentAccount')
  const escrowFor = isForGood('escrow', 'contracts.escrow')
  const escrowCall = (name: string, ...args: readonly unknown[]) => ownerCalls('escrow', escrow, escrowCoreAbi, name, ...args)
  const names = (member: string) => `correct eip712Name and eip712Version of ${member} in the chain file`
  return [
    ...readAll(onAccounts, { ...links, registry: registry.address }, accountsFor),
    onAccounts('domainSeparator', separatorOf(chain.chainId, agentAccount, agentAccount.address), names('contracts.agentAccount')),
    ...readAll(onEscrow, { ...links, accounts: agentAccount.address, reputation: reputation.address }, escrowFor),
    onEscrow('externalSchemaDomainSeparator', separatorOf(chain.chainId, chain.contracts.escrow, escrow), names('contracts.escrow')),
    ...readAll(onEscrow, { supportsGasRetention: true }, escrowFor),
    reader(
      client,
      'registry',
      registry.address,
      strategyAdapterRegistryAbi,
    )('policy', policy.address, isForGood('registry', 'contracts.registry')),
    reader(
      client,
      'reputation',
      reputation.address,
      reputationSbtAbi,
    )('policy', policy.address, isForGood('reputation', 'contracts.reputation')),
    ...treasuryLines(subject),
    ...(config
      ? Object.entries(feeValues(config)).map(([name, value]) =>
          onEscrow(
            name,
            value,
            escrowCall('setFeeSchedule', ...Object.values(feeValues(config)).map((fee, index) => (index % 3 === 0 ? fee : Number(fee)))),
          ),
        )
      : []),
  ]
}

function treasuryLines({ client, chain, escrow, config }: Subject): Problems[] {
  const { address } = chain.contracts.agentAccount
  const parts = [
    ['agentAccount', address, agentAccountCoreAbi],
    ['escrow', escrow, escrowCoreAbi],
  ] as const
  return parts.map(async ([name, at, abi]) => {
    const found = await readText(client, at, abi, 'treasuryAccount')
    const expected = config?.roles.treasury ?? (found === zeroAddress ? 'an account' : found)
    const remedy = ownerCalls(name, at, abi, 'setTreasuryAccount', config?.roles.treasury ?? at)
    return compare(`${name}.treasuryAccount`, expected, found, remedy)
  })
}

/** Modes and numbers of the escrow generations. */
export async function generationLines({ client, chain, escrow }: Subject): Problems {
  const { generations } = chain.contracts.escrow
  const live = generations.filter(({ mode }) => mode === 'live')
  const remedy = 'correct contracts.escrow.generations in the chain file: one live generation, which this source compiles to'
  const older = generations.filter(({ mode }) => mode !== 'live')
  const links = older.map(async ({ address, version }) =>
    compare(
      `escrow.generations.v${version}.policy`,
      chain.contracts.policy.address,
      await readText(client, address, escrowCoreAbi, 'policy'),
      remedy,
    ),
  )
  return [
    ...compare('escrow.generations.live', escrow, live.map(({ address }) => address).join(', '), remedy),
    ...compare('escrow.generations.version', ESCROW_GENERATION, live[0]?.version, remedy),
    ...(await Promise.all(links)).flat(),
  ]
}

const TOKEN_DOMAIN = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)'])

/** The money: symbol, decimals and the domain of signed transfers. */
export function assetLines({ client, chain, config }: Subject): Problems[] {
  const { asset, chainId } = chain
  const read = reader(client, 'asset', asset.address, testUsdcAbi)
  const { eip712Name, eip712Version } = asset as Record<string, unknown>
  const named = typeof eip712Name === 'string' && typeof eip712Version === 'string'
  const domain = named ? separatorOf(chainId, { eip712Name, eip712Version }, asset.address) : ''
  const planned = config && config.asset !== 'test' ? config.asset.address : asset.address
  return [
    read('decimals', asset.decimals, correctFile('asset.decimals')),
    read('symbol', asset.symbol, correctFile('asset.symbol')),
    ...(named
      ? [
          reader(
            client,
            'asset',
            asset.address,
            TOKEN_DOMAIN,
          )('DOMAIN_SEPARATOR', domain, correctFile('asset.eip712Name and eip712Version')),
        ]
      : []),
    Promise.resolve(compare('asset.address', planned, asset.address, correctFile('asset.address'))),
  ]
}

/** A pool that began with fewer shares of its operator than the seed never gets them at the first price again. Both pools have the same read. */
async function seedLine({ client, config }: Subject, pool: 'depositPool' | 'creditPool', address: Address): Problems {
  const seed = seedOf(config)
  const found = await readText(client, address, depositPoolAbi, 'operatorPrincipalShares')
  const who = pool === 'depositPool' ? 'the operator' : 'the credit operator'
  const remedy = `${who} runs: npm run contracts -- seed-pools chain.json --pool ${pool === 'depositPool' ? 'deposit' : 'credit'} --key-file FILE`
  return found !== 'unreadable' && BigInt(found) >= seed
    ? []
    : problem(`${pool}.operatorPrincipalShares`, `at least ${seed}`, found, remedy)
}

/** Links, operators, names and seeds of both pools. */
export function poolLines(subject: Subject): Problems[] {
  const { client, chain, config } = subject
  const { depositPool, creditPool } = chain.contracts
  if (!depositPool && !creditPool) return config?.savings ? [missing('depositPool, creditPool', 'savings')] : []
  if (!depositPool || !creditPool) return [missing(depositPool ? 'creditPool' : 'depositPool', 'savings')]
  const asset = chain.asset.address
  const onPool = reader(client, 'depositPool', depositPool.address, depositPoolAbi)
  const onCredit = reader(client, 'creditPool', creditPool.address, creditPoolAbi)
  const { shareName, shareSymbol } = depositPool
  return [
    seedLine(subject, 'depositPool', depositPool.address),
    seedLine(subject, 'creditPool', creditPool.address),
    ...readAll(
      onPool,
      { asset, creditPool: creditPool.address, venueAdapter: zeroAddress },
      isForGood('depositPool', 'contracts.depositPool'),
    ),
    ...readAll(onPool, { name: shareName, symbol: shareSymbol }, correctFile('shareName and shareSymbol of contracts.depositPool')),
    ...readAll(onCredit, { asset, depositPool: depositPool.address }, isForGood('creditPool', 'contracts.creditPool')),
    onCredit('RISK_DISCLOSURE', creditPool.riskDisclosure, correctFile('contracts.creditPool.riskDisclosure')),
    ...termLines(subject, creditPool.address),
    ...(config ? [onPool('operator', config.roles.operator, isForGood('depositPool', 'roles.operator'))] : []),
    ...(config ? [onCredit('operator', config.roles.creditOperator, isForGood('creditPool', 'roles.creditOperator'))] : []),
  ]
}

/** Terms that the config names; the operator of the credit pool sets them. */
function termLines({ client, config }: Subject, creditPool: Address): Problems[] {
  const { ltvBps, interestBps } = config?.savings ?? {}
  const read = reader(client, 'creditPool', creditPool, creditPoolAbi)
  return Object.entries({ ltvBps, interestBps }).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [read(name, value, `the credit operator calls ${setterOf(name)}(${value}) on the creditPool (${creditPool})`)],
  )
}

const missing = async (name: string, part: string): Problems =>
  problem(name, 'deployed', 'none', `name ${name} in the chain file, or leave ${part} out of the config`)

/** The transport to the other chain and its yield source. */
export function crossChainLines({ client, chain, config }: Subject): Problems[] {
  const { xcm, policy, agentAccount } = chain.contracts
  if (!xcm) return config?.crossChain ? [missing('xcm', 'crossChain')] : []
  const { wrapper, adapter, venue } = xcm
  const onWrapper = reader(client, 'xcm.wrapper', wrapper.address, xcmWrapperAbi)
  const onAdapter = reader(client, 'xcm.adapter', adapter.address, hydrationUsdcAdapterAbi)
  const call = (name: string, ...args: readonly unknown[]) => ownerCalls('wrapper', wrapper.address, xcmWrapperAbi, name, ...args)
  const whilePaused = (name: string, ...args: readonly unknown[]) => `while the dispatch is paused, ${call(name, ...args)}`
  const id = CROSS_CHAIN_STRATEGY_ID
  const wrapperFor = isForGood('wrapper', 'contracts.xcm.wrapper')
  const planned = config?.crossChain
  const account = readText(client, wrapper.address, xcmWrapperAbi, 'hydrationAccountId32')
  const linked = {
    policy: policy.address,
    asset: chain.asset.address,
    strategyId: id,
    xcmWrapper: wrapper.address,
    agentAccountCore: agentAccount.address,
  }
  return [
    onWrapper('policy', policy.address, wrapperFor),
    onWrapper('dispatchPaused', false, call('setDispatchPaused', false)),
    onWrapper('strategyAdapter', adapter.address, whilePaused('setStrategyAdapter', id, adapter.address), id),
    ...readAll(onAdapter, linked, isForGood('adapter', 'contracts.xcm.adapter')),
    account.then((found) =>
      compare(
        'xcm.venue.account',
        found.startsWith('0x') ? slice(found as Address, 0, 20) : found,
        venue.account,
        correctFile('contracts.xcm.venue.account'),
      ),
    ),
    ...(planned
      ? [
          onWrapper('operator', planned.dispatcher, whilePaused('setOperator', planned.dispatcher)),
          onWrapper('hydrationAccountId32', planned.remoteAccount, isForGood('wrapper', 'crossChain.remoteAccount')),
        ]
      : []),
    ...(planned && planned.precompile !== 'test' ? [onWrapper('xcmPrecompile', planned.precompile, wrapperFor)] : []),
  ]
}

/** Funds of curated jobs and the native money of every signer. */
export function balanceLines({ client, chain, config }: Subject): Problems[] {
  if (!config) return []
  const { roles, minimumGas, nativeDecimals, nativeSymbol } = config
  const bank = async (): Problems => {
    const read = { address: chain.contracts.agentAccount.address, abi: agentAccountCoreAbi, functionName: 'positions' } as const
    const position = await client.readContract({ ...read, args: [roles.operator, chain.asset.address] }).catch(unlessAway(null))
    const remedy = 'the operator runs: npm run contracts -- fund-bank chain.json --amount AMOUNT --key-file FILE'
    return position && position[0] > 0n ? [] : problem('bank.operator', 'funds for jobs', position?.[0] ?? 'unreadable', remedy)
  }
  const least = parseUnits(minimumGas, nativeDecimals)
  const { treasury: _, ...signers } = { ...roles, dispatcher: config.crossChain?.dispatcher }
  const gas = Object.entries(signers).map(async ([name, address]): Problems => {
    if (address === undefined || least === 0n) return []
    const found = await client.getBalance({ address })
    const remedy = `send at least ${formatUnits(least > found ? least - found : 0n, nativeDecimals)} ${nativeSymbol} to ${address}`
    return found >= least
      ? []
      : problem(`gas.${name}`, `at least ${minimumGas} ${nativeSymbol}`, formatUnits(found, nativeDecimals), remedy)
  })
  return [bank(), ...gas]
}
