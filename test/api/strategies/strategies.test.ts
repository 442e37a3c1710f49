import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createPublicClient, custom, type Hex } from 'viem'
import { type ChainClients, createChainClients } from '../../../activities/chain/clients.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createStrategyHandlers } from '../../../api/strategies/handlers.ts'
import { loadArtifact } from '../../../contracts/artifact.ts'
import { IDLE_STRATEGY_ID, LOCAL_STRATEGY_ID } from '../../../contracts/parameters.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import * as operations from '../../../schemas/strategies/operations.ts'
import {
  ASYNC_ID,
  addStrategies,
  callStrategy,
  depositParams,
  REQUEST,
  requestId,
  type Strategies,
  SYNC_ID,
  withdrawParams,
} from '../../contracts/support/strategies.ts'
import { who } from '../../contracts/support/world.ts'
import { ask, deposit, lower, mint, refusal, type Stage, startStage, worker } from '../support/account-world.ts'

let stage: Stage
let added: Strategies
const SETTLER = '0x1000000000000000000000000000000000000009'
const ZERO_HASH = `0x${'0'.repeat(64)}` as const
const usdc = (raw: string, display: string) => ({ raw, decimals: 6, display })

beforeAll(async () => {
  stage = await startStage()
  await deposit(stage.world, worker, 10_000_000n)
  added = await addStrategies(stage.world, SETTLER)
  const { adapter } = (await stage.world.read('registry', 'getStrategy', LOCAL_STRATEGY_ID)) as { adapter: Hex }
  stage.world.watch(adapter, { prefix: 'YIELD', abi: (await loadArtifact('MockVDotAdapter')).abi })
})
afterAll(() => stage?.stop())

type Handlers = ReturnType<typeof createStrategyHandlers>
const listed = async ({ listStrategies }: Handlers = stage.strategies) => (await ask(operations.listStrategies, listStrategies, {})).body
const positions = async (query: Record<string, string> = {}, handlers: Handlers = stage.strategies) =>
  (await ask(operations.getStrategyPositions, handlers.getStrategyPositions, { wallet: worker, query })).body

const run = (name: string, ...args: readonly unknown[]) => stage.world.run(worker, 'accounts', name, ...args)
const allocate = (amount: bigint, id: Hex = SYNC_ID) => run('allocateIdleFunds', worker, id, amount)
const settle = (id: Hex, assets: bigint, shares: bigint) =>
  stage.world.run(SETTLER, 'accounts', 'settleStrategyRequest', id, REQUEST.succeeded, assets, shares, ZERO_HASH, ZERO_HASH)
const earn = async (): Promise<void> => {
  await callStrategy(stage.world, who.owner, added.sync, 'simulateYieldBps', 500n)
}
const withdrawApproval = () => stage.world.run(who.owner, 'policy', 'setApprovedStrategy', added.sync, false)

describe('the registered strategies', () => {
  test('are listed in the order of their registration, with kind, totals and block', async () => {
    await stage.world.undone(async () => {
      await allocate(1_500_001n)
      const { available, strategies } = await listed()
      const block = await stage.world.client.getBlock()
      expect(available).toBe(true)
      expect(strategies.map(({ strategyId, async: isAsync }) => [strategyId, isAsync])).toEqual([
        [LOCAL_STRATEGY_ID, false],
        [IDLE_STRATEGY_ID, false],
        [SYNC_ID, false],
        [ASYNC_ID, true],
      ])
      expect(strategies[2]).toEqual({
        strategyId: SYNC_ID,
        label: 'MOCK_SYNC',
        adapter: lower(added.sync),
        riskLabel: 'mock',
        active: true,
        async: false,
        asset: { symbol: 'USDC', address: lower(stage.world.at.token), decimals: 6 },
        totalAssets: usdc('1500001', '1.500001'),
        totalShares: usdc('1500001', '1.500001'),
        asOf: { block: block.number.toString(), at: new Date(Number(block.timestamp) * 1_000).toISOString() },
      })
    })
  })

  test.each([
    ['the policy withdrew its approval', withdrawApproval],
    ['it was switched off', () => stage.world.run(who.owner, 'registry', 'setStrategyActive', SYNC_ID, false)],
  ])('are inactive once %s', async (_why, act) => {
    await stage.world.undone(async () => {
      await act()
      expect((await listed()).strategies.map(({ active }) => active)).toEqual([true, true, false, true])
    })
  })
})

interface Case {
  act: () => Promise<unknown>
  expected: readonly Record<string, unknown>[]
}
const NONE = usdc('0', '0')
const HELD = { strategyId: SYNC_ID, shares: usdc('1000000', '1'), pendingDeposit: NONE, pendingWithdraw: NONE }
const depositId = () => requestId(0, who.worker, stage.world.at.token, who.worker, 3_000_000n, 0n)
const requestDeposit = () => run('requestStrategyDeposit', worker, depositParams(3_000_000n))

describe('the positions of a wallet', () => {
  const cases: [string, Case][] = [
    ['without an allocation are none', { act: async () => undefined, expected: [] }],
    [
      'have what was allocated',
      {
        act: () => allocate(1_000_000n),
        expected: [{ ...HELD, assets: usdc('1000000', '1'), yieldPosture: { status: 'not_yet_earning' } }],
      },
    ],
    [
      'are worth more when the adapter holds more',
      {
        act: async () => [await allocate(1_000_000n), await earn()],
        expected: [{ ...HELD, assets: usdc('1050000', '1.05'), yieldPosture: { status: 'earning' } }],
      },
    ],
    [
      'prove no yield once the policy withdrew its approval',
      {
        act: async () => [await allocate(1_000_000n), await earn(), await withdrawApproval()],
        expected: [{ ...HELD, active: false, assets: usdc('1050000', '1.05'), yieldPosture: { status: 'unknown' } }],
      },
    ],
    [
      'show a deposit that is not settled',
      {
        act: requestDeposit,
        expected: [{ strategyId: ASYNC_ID, shares: NONE, assets: NONE, pendingDeposit: usdc('3000000', '3'), pendingWithdraw: NONE }],
      },
    ],
    [
      'show shares on their way out',
      {
        act: async () => {
          await requestDeposit()
          await settle(depositId(), 3_000_000n, 3_000_000n)
          await run('requestStrategyWithdraw', worker, withdrawParams(1_000_000n, worker))
        },
        expected: [{ strategyId: ASYNC_ID, shares: usdc('3000000', '3'), pendingDeposit: NONE, pendingWithdraw: usdc('1000000', '1') }],
      },
    ],
  ]
  test.each(cases)('%s', async (_what, { act, expected }) => {
    await stage.world.undone(async () => {
      await act()
      const { wallet, available, positions: rows } = await positions()
      expect([wallet, available]).toEqual([worker, true])
      expect(rows).toHaveLength(expected.length)
      expect(rows).toMatchObject(expected)
    })
  })

  test('come by pages, in the order of their ids', async () => {
    await stage.world.undone(async () => {
      for (const id of [SYNC_ID, LOCAL_STRATEGY_ID]) await allocate(1_000_000n, id)
      await requestDeposit()
      const all = (await positions()).positions.map(({ strategyId }) => strategyId)
      expect(all).toEqual([LOCAL_STRATEGY_ID, SYNC_ID, ASYNC_ID].sort())
      const first = await positions({ limit: '2' })
      const rest = await positions({ limit: '2', cursor: first.nextCursor ?? '' })
      expect([...first.positions, ...rest.positions].map(({ strategyId }) => strategyId)).toEqual(all)
      expect([first.limit, rest.nextCursor]).toEqual([2, null])
    })
  })

  test('take no cursor of another list', async () => {
    expect(await refusal(positions({ cursor: 'nonsense' }))).toBe('invalid_request')
  })
})

/** Handlers for the chain with a few members changed. */
const onChain = (change: (chain: ChainFile) => ChainFile): Handlers => {
  const chain = change(stage.chain)
  return createStrategyHandlers({ chain, clients: createChainClients(chain) } as ApiDeps)
}
const withRegistry = (address: Hex) => onChain((chain) => ({ ...chain, contracts: { ...chain.contracts, registry: { address } } }))

describe('a reading', () => {
  test('of a registry without strategies is an empty list', async () => {
    const handlers = withRegistry(await stage.world.create(who.owner, await loadArtifact('StrategyAdapterRegistry'), stage.world.at.policy))
    expect(await listed(handlers)).toEqual({ available: true, strategies: [] })
    expect(await positions({}, handlers)).toEqual({ wallet: worker, available: true, positions: [], limit: 25, nextCursor: null })
  })

  test.each([
    [
      'of a silent node',
      'blockchain_unavailable',
      () => onChain((chain) => ({ ...chain, rpc: { ...chain.rpc, primary: 'http://127.0.0.1:9' } })),
    ],
    ['of another chain', 'blockchain_unavailable', () => onChain((chain) => ({ ...chain, chainId: 1 }))],
    ['without a contract at the address', 'strategies_unreadable', () => withRegistry('0x00000000000000000000000000000000000000ee')],
    ['of a contract that is no registry', 'strategies_unreadable', () => withRegistry(stage.world.at.policy)],
  ] as const)('%s guesses nothing and says why', async (_of, reason, handlersOf) => {
    const handlers = handlersOf()
    expect(await listed(handlers)).toEqual({ available: false, reason, strategies: [] })
    expect(await positions({}, handlers)).toEqual({ wallet: worker, available: false, reason, positions: [], limit: 25, nextCursor: null })
  })

  test('asks every contract at the block that the answer names, while others are mined', async () => {
    const asked: unknown[] = []
    const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
      if (method === 'eth_call') {
        asked.push(params[1])
        await stage.world.rpc('evm_mine')
      }
      return stage.world.rpc(method, ...params)
    }
    const clients: ChainClients = { ...stage.deps.clients, reader: createPublicClient({ transport: custom({ request }) }) }
    const handlers = createStrategyHandlers({ chain: stage.chain, clients } as ApiDeps)
    const { strategies } = await listed(handlers)
    const blocks = new Set(strategies.map(({ asOf }) => `0x${BigInt(asOf.block).toString(16)}`))
    expect(blocks.size).toBe(1)
    expect(new Set(asked)).toEqual(blocks)
    asked.length = 0
    await positions({}, handlers)
    expect(new Set(asked).size).toBe(1)
  })
})

describe('a recall', () => {
  const build = async (body: Record<string, unknown> = {}, wallet: Hex = worker) =>
    (await ask(operations.buildRecallTransactions, stage.strategies.buildRecallTransactions, { wallet, body })).body
  const refused = async (body: Record<string, unknown> = {}) => {
    const error = await build(body).catch((cause: unknown) => cause)
    if (!isServiceError(error)) throw error
    return error.info
  }
  const send = async ({ templates }: Awaited<ReturnType<typeof build>>) => {
    for (const { from, to, data } of templates)
      expect((await stage.world.attemptAt(from as Hex, to as Hex, data as Hex)).error ?? null).toBeNull()
  }
  const liquid = async () => ((await stage.world.read('accounts', 'positions', worker, stage.world.at.token)) as readonly bigint[])[0]

  test.each([
    ['the idle balance in the pool', IDLE_STRATEGY_ID],
    ['another strategy', SYNC_ID],
  ])('brings everything in %s back to the account, as expected', async (_name, id) => {
    await stage.world.undone(async () => {
      const before = await liquid()
      await allocate(4_000_000n, id)
      const built = await build()
      expect(built).toMatchObject({
        recall: { strategyId: id, amount: usdc('4000000', '4'), allocatedBefore: usdc('4000000', '4'), allocatedAfter: usdc('0', '0') },
        templates: [{ step: 'recall', from: worker, decoded: { function: 'deallocateIdleFunds(address,bytes32,uint256)' } }],
      })
      expect(built.expected.map(({ kind, direction }) => [kind, direction])).toEqual([
        ['account.liquid', 'in'],
        ['account.strategyAllocated', 'out'],
      ])
      expect(built.instructions.join(' ')).toContain('POST /account/idle-allocation/revoke')
      await send(built)
      expect(await liquid()).toBe(before)
      expect(await refused()).toMatchObject({ reason: 'nothing_to_recall' })
    })
  })

  test('takes a part, and more than the mark after a gain', async () => {
    await stage.world.undone(async () => {
      await allocate(1_000_000n)
      await earn()
      // The mock counts its gain without tokens.
      await mint(stage.world, added.sync, 50_000n)
      await send(await build({ amount: '250000' }))
      const rest = await build()
      expect(rest.recall.amount.raw).toBe(rest.recall.allocatedBefore.raw)
      expect(BigInt(rest.recall.amount.raw)).toBeGreaterThan(750_000n)
    })
  })

  test('of two strategies needs a name, and the refusal gives each with its amount', async () => {
    await stage.world.undone(async () => {
      await allocate(1_000_000n)
      await allocate(2_000_000n, IDLE_STRATEGY_ID)
      expect(await refused({ amount: '1' })).toMatchObject({
        reason: 'strategy_not_named',
        details: { MOCK_SYNC: usdc('1000000', '1'), AAC_IDLE_DEPOSIT_POOL_V21: usdc('2000000', '2') },
        nextActions: [{ path: '/account/strategies' }],
      })
      expect((await build({ strategyId: IDLE_STRATEGY_ID })).recall.amount).toEqual(usdc('2000000', '2'))
    })
  })

  test('is refused where it cannot succeed, with the amounts that decide it', async () => {
    await stage.world.undone(async () => {
      expect(await refused()).toMatchObject({ reason: 'nothing_to_recall' })
      await allocate(2_000_000n, IDLE_STRATEGY_ID)
      expect(await refused({ strategyId: SYNC_ID })).toMatchObject({ reason: 'nothing_to_recall' })
      expect(await refused({ strategyId: ASYNC_ID })).toMatchObject({ reason: 'nothing_to_recall' })
      expect(await refused({ amount: '2000001' })).toMatchObject({
        reason: 'amount_exceeds_allocated',
        details: { requested: usdc('2000001', '2.000001'), allocated: usdc('2000000', '2') },
      })
      await allocate(1_000_000n)
      await withdrawApproval()
      expect(await refused({ strategyId: SYNC_ID })).toMatchObject({ reason: 'strategy_inactive', nextActions: [{ kind: 'wait' }] })
    })
  })
})
