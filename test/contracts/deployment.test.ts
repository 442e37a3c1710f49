import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Address, type Hex, numberToHex, zeroAddress } from 'viem'
import { loadArtifact } from '../../contracts/artifact.ts'
import { checkDeployment } from '../../contracts/check.ts'
import { deployAll } from '../../contracts/deploy.ts'
import { startAnvil } from './support/anvil.ts'
import { approve, create, fund, holdingOf, JOB, reject, submit, TTL } from './support/jobs.ts'
import { revertAfterEach } from './support/revert.ts'
import { rpcTo } from './support/rpc.ts'
import { CREDIT_OPERATOR_KEY, OPERATOR_KEY, OWNER_KEY, startWorld, type World, who } from './support/world.ts'

const BANK = 12_345_678n
const { operator, verifier, arbitrator, treasury, creditOperator } = who
const OPTIONS = {
  deployerKey: OWNER_KEY,
  operatorKey: OPERATOR_KEY,
  creditOperatorKey: CREDIT_OPERATOR_KEY,
  operator,
  verifier,
  arbitrator,
  treasury,
  creditOperator,
  rewardBankRaw: 5n,
}

let world: World

beforeAll(async () => {
  world = await startWorld(BANK)
})
revertAfterEach(() => world)

describe('a fresh deployment', () => {
  test('passes its own check', async () => {
    // The test world gives the policy a pauser after its deployment.
    const config = { ...world.deployment.deployment.config, pauser: who.pauser }
    expect(await checkDeployment(world.client, world.deployment, config)).toEqual([])
  })

  test('gives both pools a seed of one USDC at the first price, in shares that no call redeems', async () => {
    for (const pool of ['pool', 'credit'] as const) {
      const read = (name: string, ...args: readonly unknown[]) => world.read(pool, name, ...args)
      const figures = await Promise.all([read('operatorPrincipalShares'), read('totalSupply'), read('totalAssets')])
      expect(figures).toEqual([1_000_000n, 1_000_000n, 1_000_000n])
      for (const caller of [who.operator, who.creditOperator, who.stranger])
        for (const owner of [caller, world.at[pool]])
          expect(await world.simulate(caller, pool, 'redeem', 1n, caller, owner)).toMatch(/^(InsufficientUnlockedShares|Panic)/)
    }
  })

  test('holds the reward bank as liquid funds of the operator', async () => {
    expect(await holdingOf(world, who.operator)).toMatchObject({ liquid: BANK, wallet: 0n })
  })

  test('is described in the shape of the chain file', () => {
    const { contracts, asset } = world.deployment
    expect(contracts.escrow).toMatchObject({
      eip712Name: 'Service EscrowCore',
      eip712Version: '1',
      generations: [{ version: 3, mode: 'live' }],
    })
    expect(contracts.agentAccount).toMatchObject({ eip712Name: 'Service AgentAccountCore', eip712Version: '1' })
    expect(contracts.depositPool).toMatchObject({ version: '2', shareSymbol: 'SVUSDC' })
    expect(asset).toMatchObject({ symbol: 'USDC', decimals: 6, assetId: 1337, minimumBalanceRaw: '70000' })
  })

  // A busy node mines several transactions in one block, so the numbers differ from chain to chain.
  test('names the block in which each contract was created', async () => {
    const { escrow, policy, depositPool, creditPool } = world.deployment.contracts
    for (const contract of [escrow.generations[0], policy, depositPool, creditPool]) {
      const { transactions } = await world.client.getBlock({ blockNumber: BigInt(contract?.deployBlock ?? 0) })
      const receipts = await Promise.all(transactions.map((hash) => world.client.getTransactionReceipt({ hash })))
      expect(receipts.map(({ contractAddress }) => contractAddress?.toLowerCase())).toContain(contract?.address.toLowerCase())
    }
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
      const { contracts } = await deployAll({ rpcUrl: first.rpcUrl, ...OPTIONS })
      const log = await rawTransactions(first.rpcUrl)
      const replay = rpcTo(second.rpcUrl)
      for (const raw of log) await replay('eth_sendRawTransaction', raw)
      const live = contracts.escrow.generations[0]
      const code = (rpc: typeof replay) => rpc('eth_getCode', live?.address, 'latest')
      expect(log).toHaveLength(48)
      expect(await code(replay)).toBe(await code(send))
    } finally {
      await Promise.all([first.stop(), second.stop()])
    }
  })

  test('need the keys of both operators', async () => {
    await expect(deployAll({ ...OPTIONS, rpcUrl: world.rpcUrl, operatorKey: OWNER_KEY })).rejects.toThrow('the operator key')
    await expect(deployAll({ ...OPTIONS, rpcUrl: world.rpcUrl, creditOperatorKey: OWNER_KEY })).rejects.toThrow('the credit operator key')
  })
})

describe('a contract without its role', () => {
  const revoke = (role: string, holder: Address) => world.run(who.owner, 'policy', `set${role}`, holder, false)
  const claimed = async (): Promise<void> => {
    await create(world)
    await world.run(who.worker, 'escrow', 'claimJob', JOB)
  }
  const timeOut = async (): Promise<string> => {
    await world.pass(TTL + 1)
    return world.refusal(who.stranger, 'escrow', 'handleClaimTimeout', JOB)
  }
  beforeEach(async () => {
    await fund(world, who.poster, 10_000_000n)
    await fund(world, who.worker, 10_000_000n)
  })

  test('creates no job: the broker role of the escrow', async () => {
    await revoke('SettlementBroker', world.at.escrow)
    await expect(create(world)).rejects.toThrow('Unauthorized()')
  })

  test('takes no claim: the escrow role', async () => {
    await create(world)
    await world.run(who.owner, 'accounts', 'setEscrowOperator', world.at.escrow, false)
    expect(await world.refusal(who.worker, 'escrow', 'claimJob', JOB)).toBe('Unauthorized()')
  })

  test('slashes no bond: the treasury', async () => {
    await claimed()
    await world.run(who.owner, 'accounts', 'setTreasuryAccount', zeroAddress)
    expect(await timeOut()).toBe('TreasuryAccountUnset()')
  })

  test('pays nothing out: the outflow recorder', async () => {
    await claimed()
    await revoke('OutflowRecorder', world.at.accounts)
    expect(await timeOut()).toBe('Unauthorized()')
    expect(await world.refusal(who.worker, 'accounts', 'withdraw', world.at.token, 1n)).toBe('Unauthorized()')
  })

  test('approves nothing and still rejects: the badge writer', async () => {
    await create(world)
    await submit(world)
    await revoke('ReputationWriter', world.at.escrow)
    await expect(approve(world)).rejects.toThrow('Unauthorized()')
    await expect(reject(world)).resolves.toBeDefined()
  })
})

describe('a second escrow', () => {
  test('does not pay a job id that the first has paid', async () => {
    await fund(world, who.poster, 10_000_000n)
    await fund(world, who.worker, 10_000_000n)
    await create(world)
    await submit(world)
    await approve(world)
    const { policy, accounts, reputation } = world.at
    const second = await world.create(who.owner, await loadArtifact('EscrowCore'), policy, accounts, reputation, who.treasury)
    for (const role of ['SettlementBroker', 'ReputationWriter']) await world.run(who.owner, 'policy', `set${role}`, second, true)
    await world.run(who.owner, 'accounts', 'setEscrowOperator', second, true)
    const [settlementId, amount] = ['0x8dac8523b35b54799bf7319ade0efbab5c39dd9f00f6213b57526bd19ed9ab33', 1_000_000n] as const
    await world.run(who.poster, 'accounts', 'reserveForJob', who.poster, world.at.token, amount)
    const paid = await world.refusal(second, 'accounts', 'settleReservedTo', settlementId, who.poster, world.at.token, who.worker, amount)
    expect(paid).toBe('SettlementAlreadyExecuted()')
  })

  test('is not deployed without a treasury', async () => {
    const { policy, accounts, reputation } = world.at
    await expect(world.create(who.owner, await loadArtifact('EscrowCore'), policy, accounts, reputation, zeroAddress)).rejects.toThrow(
      'InvalidTreasuryAccount()',
    )
  })
})
