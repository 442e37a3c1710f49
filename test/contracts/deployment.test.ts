import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Address, type Hex, numberToHex, zeroAddress } from 'viem'
import { loadArtifact } from '../../local/contracts/artifact.ts'
import { checkDeployment } from '../../local/contracts/check.ts'
import { deployAll, type RoleHolders } from '../../local/contracts/deploy.ts'
import type { ChainFile } from '../../schemas/chain/chain-file.ts'
import { startAnvil } from './support/anvil.ts'
import { approve, create, fund, holdingOf, JOB, reject, submit, TTL } from './support/jobs.ts'
import { rpcTo } from './support/rpc.ts'
import { revertAfterEach } from './support/shared-chain.ts'
import { OPERATOR_KEY, OWNER_KEY, startWorld, type World, who } from './support/world.ts'

const BANK = 12_345_678n

let world: World

beforeAll(async () => {
  world = await startWorld(BANK)
})
revertAfterEach(() => world)

const problems = async (): Promise<string[]> => (await checkDeployment(world.client, world.deployment, who)).map(({ name }) => name)

describe('a fresh deployment', () => {
  test('passes its own check', async () => {
    expect(await checkDeployment(world.client, world.deployment, who)).toEqual([])
  })

  test('holds the reward bank as liquid funds of the operator', async () => {
    expect(await holdingOf(world, who.operator)).toMatchObject({ liquid: BANK, wallet: 0n })
  })

  test('is described in the shape of the chain file', () => {
    const { contracts, asset } = world.deployment
    expect(contracts.escrow).toMatchObject({
      eip712Name: 'Service EscrowCore',
      eip712Version: '1',
      generations: [{ version: 3, deployBlock: 6, mode: 'live' }],
    })
    expect(contracts.agentAccount).toMatchObject({ eip712Name: 'Service AgentAccountCore', eip712Version: '1' })
    expect(contracts.policy.deployBlock).toBe(2)
    expect(contracts.depositPool).toMatchObject({ version: '2', deployBlock: 22, shareSymbol: 'SVUSDC' })
    expect(contracts.creditPool).toMatchObject({ deployBlock: 23 })
    expect(asset).toMatchObject({ symbol: 'USDC', decimals: 6, assetId: 1337, minimumBalanceRaw: '70000' })
  })
})

/** Every raw transaction of a chain, in the order of the blocks. */
const rawTransactions = async (rpcUrl: string): Promise<Hex[]> => {
  const read = rpcTo(rpcUrl)
  const raw: Hex[] = []
  for (let number = 1; number <= Number(await read('eth_blockNumber')); number++) {
    const { transactions } = (await read('eth_getBlockByNumber', numberToHex(number), false)) as { transactions: Hex[] }
    for (const hash of transactions) raw.push((await read('eth_getRawTransactionByHash', hash)) as Hex)
  }
  return raw
}

describe('the raw transactions', () => {
  test('replayed on another node give the same addresses', async () => {
    const [first, second] = await Promise.all([startAnvil(), startAnvil()])
    try {
      const send = rpcTo(first.rpcUrl)
      const { operator, verifier, arbitrator, treasury, creditOperator } = who
      const options = {
        deployerKey: OWNER_KEY,
        operatorKey: OPERATOR_KEY,
        operator,
        verifier,
        arbitrator,
        treasury,
        creditOperator,
        rewardBankRaw: 5n,
      }
      const { contracts } = await deployAll({ rpcUrl: first.rpcUrl, ...options })
      const log = await rawTransactions(first.rpcUrl)
      const replay = rpcTo(second.rpcUrl)
      for (const raw of log) await replay('eth_sendRawTransaction', raw)
      const live = contracts.escrow.generations[0]
      const code = (rpc: typeof replay) => rpc('eth_getCode', live?.address, 'latest')
      expect(log).toHaveLength(44)
      expect(await code(replay)).toBe(await code(send))
    } finally {
      await Promise.all([first.stop(), second.stop()])
    }
  })

  test('need the key of the operator', async () => {
    const { operator, verifier, arbitrator, treasury, creditOperator } = who
    const options = {
      operator,
      verifier,
      arbitrator,
      treasury,
      creditOperator,
      rewardBankRaw: 5n,
      deployerKey: OWNER_KEY,
      operatorKey: OWNER_KEY,
    }
    await expect(deployAll({ rpcUrl: world.rpcUrl, ...options })).rejects.toThrow('operator key')
  })
})

interface Line {
  readonly breaks: string
  readonly by: (world: World) => readonly ['policy' | 'accounts' | 'escrow', string, ...unknown[]]
  readonly found: readonly string[]
}

const revoke = (role: string, holder: (world: World) => Address, found: string): Line => ({
  breaks: role,
  by: (world) => ['policy', `set${role}`, holder(world), false],
  found: [`policy.${found}`],
})
const escrow = ({ at }: World): Address => at.escrow

const LINES: readonly Line[] = [
  revoke('ApprovedAsset', ({ at }) => at.token, 'approvedAssets'),
  revoke('SettlementBroker', escrow, 'settlementBroker'),
  revoke('SettlementBroker', () => who.operator, 'settlementBroker'),
  revoke('ReputationWriter', escrow, 'reputationWriter'),
  revoke('OutflowRecorder', ({ at }) => at.accounts, 'outflowRecorder'),
  revoke('StrategySettler', ({ at }) => at.accounts, 'strategySettler'),
  revoke('Verifier', () => who.verifier, 'verifiers'),
  revoke('Arbitrator', () => who.arbitrator, 'arbitrators'),
  { breaks: 'pause', by: () => ['policy', 'setPaused', true], found: ['policy.paused'] },
  {
    breaks: 'escrow operator',
    by: (one) => ['accounts', 'setEscrowOperator', one.at.escrow, false],
    found: ['agentAccount.escrowOperators'],
  },
  { breaks: 'treasury of slashes', by: () => ['accounts', 'setTreasuryAccount', zeroAddress], found: ['agentAccount.treasuryAccount'] },
  { breaks: 'treasury of fees', by: () => ['escrow', 'setTreasuryAccount', who.stranger], found: ['escrow.treasuryAccount'] },
  { breaks: 'minimum claim fee', by: ({ at }) => ['policy', 'setMinClaimFee', at.token, 1n], found: ['policy.minClaimFeeByAsset'] },
  { breaks: 'stake', by: () => ['policy', 'setDefaultClaimStakeBps', 1], found: ['policy.defaultClaimStakeBps'] },
  { breaks: 'claim fee', by: () => ['policy', 'setClaimFeeBps', 1], found: ['policy.claimFeeBps'] },
  { breaks: 'ratio', by: () => ['policy', 'setMinimumCollateralRatioBps', 10_000n], found: ['policy.minimumCollateralRatioBps'] },
  { breaks: 'borrow cap', by: () => ['policy', 'setPerAccountBorrowCap', 1n], found: ['policy.perAccountBorrowCap'] },
  {
    breaks: 'fee schedule',
    by: () => ['escrow', 'setFeeSchedule', 1n, 1, 1, 1n],
    found: ['escrow.retentionFlatRaw', 'escrow.retentionCapBps', 'escrow.posterFeeBps', 'escrow.posterFeeFloorRaw'],
  },
]

describe('the check names what is broken', () => {
  test.each(LINES)('$breaks', async ({ by, found }) => {
    const [contract, name, ...args] = by(world)
    await world.run(who.owner, contract, name, ...args)
    expect(await problems()).toEqual(found)
  })

  test('missing code, a wrong domain name, a wrong chain and a file without a live escrow', async () => {
    const { deployment } = world
    const { contracts } = deployment
    const check = async (changed: Partial<typeof contracts>) =>
      (await checkDeployment(world.client, { ...deployment, contracts: { ...contracts, ...changed } }, who)).map(({ name }) => name)
    expect(await check({ reputation: { address: who.stranger } })).toEqual(['reputation.code', 'escrow.reputation', 'reputation.policy'])
    expect(await check({ agentAccount: { ...contracts.agentAccount, eip712Name: 'Other AgentAccountCore' } })).toEqual([
      'agentAccount.domainSeparator',
    ])
    expect(await check({ escrow: { ...contracts.escrow, eip712Name: 'Other EscrowCore' } })).toEqual([
      'escrow.externalSchemaDomainSeparator',
    ])
    expect(await check({ escrow: { ...contracts.escrow, generations: [] } })).toEqual(['escrow.generations'])
    expect((await checkDeployment(world.client, { ...deployment, chainId: 1 }, who)).map(({ name }) => name)).toEqual(['chainId'])
  })
})

describe('the pools of a deployment', () => {
  const check = async (changed: Partial<ChainFile['contracts']>, roles: Partial<RoleHolders> = {}) => {
    const contracts = { ...world.deployment.contracts, ...changed }
    return (await checkDeployment(world.client, { ...world.deployment, contracts }, { ...who, ...roles })).map(({ name }) => name)
  }

  test('name each other, the asset and their operators', async () => {
    const { depositPool, creditPool } = world.deployment.contracts
    expect(await check({ depositPool: { ...depositPool, shareName: 'Other', shareSymbol: 'OT' } })).toEqual([
      'depositPool.name',
      'depositPool.symbol',
    ])
    expect(await check({ creditPool: { ...creditPool, riskDisclosure: 'none' } })).toEqual(['creditPool.RISK_DISCLOSURE'])
    expect(await check({}, { creditOperator: who.operator })).toEqual(['creditPool.operator'])
    const [first, second] = [await loadArtifact('DepositPoolV2'), await loadArtifact('CreditPool')]
    const other = await world.create(who.owner, first, world.at.token, who.operator, zeroAddress, who.stranger)
    expect(await check({ depositPool: { ...depositPool, address: other } })).toEqual(['depositPool.creditPool', 'creditPool.depositPool'])
    const twin = await world.create(who.owner, second, world.at.token, who.creditOperator, depositPool.address)
    expect(await check({ creditPool: { ...creditPool, address: twin } })).toEqual(['depositPool.creditPool'])
  })

  test('are required of a local chain', async () => {
    const { depositPool, creditPool, ...older } = world.deployment.contracts
    const found = await checkDeployment(world.client, { ...world.deployment, contracts: older }, who)
    expect(found).toEqual([{ name: 'depositPool, creditPool', expected: 'deployed', found: 'none' }])
  })
})

describe('a missing line of the wiring shows late', () => {
  const revokeFrom = (role: string, holder: Address) => world.run(who.owner, 'policy', `set${role}`, holder, false)
  const timeOut = async (): Promise<string> => {
    await world.pass(TTL + 1)
    return world.refusal(who.stranger, 'escrow', 'handleClaimTimeout', JOB)
  }
  beforeEach(async () => {
    await fund(world, who.poster, 10_000_000n)
    await fund(world, who.worker, 10_000_000n)
  })

  test('without the broker role of the escrow no job can be created', async () => {
    await revokeFrom('SettlementBroker', world.at.escrow)
    await expect(create(world)).rejects.toThrow('Unauthorized()')
  })

  test('without the escrow role no job can be claimed', async () => {
    await create(world)
    await world.run(who.owner, 'accounts', 'setEscrowOperator', world.at.escrow, false)
    expect(await world.refusal(who.worker, 'escrow', 'claimJob', JOB)).toBe('Unauthorized()')
  })

  test('without the treasury no bond can be slashed', async () => {
    await create(world)
    await world.run(who.worker, 'escrow', 'claimJob', JOB)
    await world.run(who.owner, 'accounts', 'setTreasuryAccount', zeroAddress)
    expect(await timeOut()).toBe('TreasuryAccountUnset()')
  })

  test('without the recorder nothing can leave', async () => {
    await create(world)
    await world.run(who.worker, 'escrow', 'claimJob', JOB)
    await revokeFrom('OutflowRecorder', world.at.accounts)
    expect(await timeOut()).toBe('Unauthorized()')
    expect(await world.refusal(who.worker, 'accounts', 'withdraw', world.at.token, 1n)).toBe('Unauthorized()')
  })

  test('without the badge writer nothing can be approved, but rejected', async () => {
    await create(world)
    await submit(world)
    await revokeFrom('ReputationWriter', world.at.escrow)
    await expect(approve(world)).rejects.toThrow('Unauthorized()')
    await expect(reject(world)).resolves.toBeDefined()
  })

  test('a job id that was paid in one generation cannot be paid in another', async () => {
    await create(world)
    await submit(world)
    await approve(world)
    const { policy, accounts, reputation } = world.at
    const twin = await world.create(who.owner, await loadArtifact('EscrowCore'), policy, accounts, reputation, who.treasury)
    for (const role of ['SettlementBroker', 'ReputationWriter']) await world.run(who.owner, 'policy', `set${role}`, twin, true)
    await world.run(who.owner, 'accounts', 'setEscrowOperator', twin, true)
    const [settlementId, amount] = ['0x8dac8523b35b54799bf7319ade0efbab5c39dd9f00f6213b57526bd19ed9ab33', 1_000_000n] as const
    await world.run(who.poster, 'accounts', 'reserveForJob', who.poster, world.at.token, amount)
    const paid = await world.refusal(twin, 'accounts', 'settleReservedTo', settlementId, who.poster, world.at.token, who.worker, amount)
    expect(paid).toBe('SettlementAlreadyExecuted()')
  })

  test('an escrow without a treasury cannot be deployed', async () => {
    const { policy, accounts, reputation } = world.at
    await expect(world.create(who.owner, await loadArtifact('EscrowCore'), policy, accounts, reputation, zeroAddress)).rejects.toThrow(
      'InvalidTreasuryAccount()',
    )
  })
})
