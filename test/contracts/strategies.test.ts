import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex, zeroAddress, zeroHash } from 'viem'
import { agentAccountCoreAbi } from '../../activities/chain/abi/agent-account-core.ts'
import { loadArtifact } from '../../contracts/artifact.ts'
import { IDLE_STRATEGY_ID, LOCAL_STRATEGY_ID } from '../../contracts/parameters.ts'
import { argsOf, eventsOf, fund, holdingOf, namesOf, shortText } from './support/jobs.ts'
import { EXTRA } from './support/mutators.ts'
import { revertAfterEach } from './support/revert.ts'
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
} from './support/strategies.ts'
import { startWorld, type World, who } from './support/world.ts'

let world: World
let strategies: Strategies

beforeAll(async () => {
  world = await startWorld()
  await fund(world, who.worker, 10_000_000n)
  strategies = await addStrategies(world, EXTRA.settler)
})
revertAfterEach(() => world)

const accounts = (from: Hex, name: string, ...args: readonly unknown[]) => world.attempt(from, 'accounts', name, ...args)
const position = async () => (await world.read('accounts', 'positions', who.worker, world.at.token)) as readonly bigint[]
const allocated = async (): Promise<readonly (bigint | undefined)[]> => [(await position())[0], (await position())[2]]

/** Tokens in custody equal the backed numbers of everybody who has any. */
const expectBacked = async (): Promise<void> => {
  const people = await Promise.all([who.worker, who.operator].map((one) => holdingOf(world, one)))
  const backed = people.map((one) => one.liquid + one.reserved + one.collateral + one.stake - one.debt)
  expect((await holdingOf(world, world.at.accounts)).wallet).toBe(backed.reduce((a, b) => a + b, 0n))
}

describe('a source that answers at once', () => {
  const allocate = (amount: bigint) => accounts(who.worker, 'allocateIdleFunds', who.worker, SYNC_ID, amount)
  const deallocate = (amount: bigint) => accounts(who.worker, 'deallocateIdleFunds', who.worker, SYNC_ID, amount)
  const earn = async (bps: bigint, tokens: bigint): Promise<void> => {
    await callStrategy(world, who.owner, strategies.sync, 'simulateYieldBps', bps)
    await world.run(who.owner, 'token', 'mint', strategies.sync, tokens)
  }

  test('takes funds out of liquid and gives them back', async () => {
    const outcome = await allocate(4_000_000n)
    expect(namesOf(eventsOf(outcome))).toContain('AAC.StrategyAllocated')
    expect(await allocated()).toEqual([6_000_000n, 4_000_000n])
    await expectBacked()
    await deallocate(4_000_000n)
    expect(await allocated()).toEqual([10_000_000n, 0n])
    expect(await world.read('accounts', 'strategyShares', who.worker, SYNC_ID)).toBe(0n)
    await expectBacked()
  })

  test('marks the allocation to its value at the next movement, and burns shares rounded up', async () => {
    await allocate(1_000_000n)
    await earn(333n, 33_300n)
    expect((await allocated())[1]).toBe(1_000_000n)
    await deallocate(100n)
    expect(await world.read('accounts', 'strategyShares', who.worker, SYNC_ID)).toBe(999_903n)
    expect(await world.read('accounts', 'strategyAllocationValues', who.worker, SYNC_ID)).toBe((await allocated())[1])
    expect((await deallocate(1_033_300n)).error).toBe('InsufficientLiquidity()')
    await expectBacked()
  })

  test('is refused when unknown, switched off, withdrawn by the policy, or of the other kind', async () => {
    const reason = async (id: Hex, amount = 5n) => (await accounts(who.worker, 'allocateIdleFunds', who.worker, id, amount)).error
    expect(await reason(SYNC_ID, 0n)).toBe('ZeroAmount()')
    expect(await reason(shortText('UNLISTED'))).toBe('InvalidStrategy()')
    expect(await reason(ASYNC_ID)).toBe('InvalidStrategy()')
    expect(await reason(SYNC_ID, 10_000_001n)).toBe('InsufficientLiquidity()')
    await world.run(who.owner, 'registry', 'setStrategyActive', SYNC_ID, false)
    expect(await reason(SYNC_ID)).toBe('InvalidStrategy()')
    await world.run(who.owner, 'registry', 'setStrategyActive', SYNC_ID, true)
    await world.run(who.owner, 'policy', 'setApprovedStrategy', strategies.sync, false)
    expect(await reason(SYNC_ID)).toBe('InvalidStrategy()')
  })
})

describe('a source that answers later', () => {
  const deposit = (amount = 1_000n, nonce = 1n, from: Hex = who.worker) =>
    accounts(from, 'requestStrategyDeposit', who.worker, depositParams(amount, nonce))
  const depositId = (amount = 1_000n) => requestId(0, who.worker, world.at.token, who.worker, amount, 0n)
  const settle = (id: Hex, status: number, assets = 1_000n, shares = 1_000n) =>
    accounts(EXTRA.settler, 'settleStrategyRequest', id, status, assets, shares, zeroHash, zeroHash)
  const withdraw = (recipient: Hex, from: Hex = who.worker, shares = 600n) =>
    accounts(from, 'requestStrategyWithdraw', who.worker, withdrawParams(shares, recipient))
  const withdrawId = (recipient: Hex) => requestId(1, who.worker, world.at.token, recipient, 0n, 600n)

  test('queues a deposit once under the published id', async () => {
    const outcome = await deposit()
    const queued = argsOf(eventsOf(outcome), 'AAC.StrategyRequestQueued')
    expect(queued).toMatchObject({ requestId: depositId(), kind: 0, requestedAssets: 1_000n, requestedShares: 0n, recipient: who.worker })
    expect(await deposit()).toEqual({ events: [] })
    expect(await world.read('accounts', 'pendingStrategyAssets', who.worker, world.at.token)).toBe(1_000n)
    await expectBacked()
  })

  test('has the id formula of the published vector', () => {
    const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const asset = '0x0000053900000000000000000000000001200000'
    expect(requestId(0, account, asset, account, 5_000_000n, 0n, 1n, shortText('HYDRATION_USDC_V1'))).toBe(
      '0xc3b09b5710adc32ea23f83f7c73ef1bf7a2374c46c178a5f3ac7d6642113c68b',
    )
  })

  test('books a success, repeats it without an event and refuses another outcome', async () => {
    await deposit()
    const outcome = await settle(depositId(), REQUEST.succeeded, 990n, 1_000n)
    expect(namesOf(eventsOf(outcome))).toEqual(['AAC.StrategyRequestSettled'])
    expect(await allocated()).toEqual([9_999_000n, 990n])
    expect(await settle(depositId(), REQUEST.succeeded, 990n, 1_000n)).toEqual({ events: [] })
    expect((await settle(depositId(), REQUEST.failed)).error).toBe('InvalidStrategyRequest()')
    await expectBacked()
  })

  test.each([REQUEST.failed, REQUEST.cancelled])('gives the funds back on status %s', async (status) => {
    await deposit()
    await settle(depositId(), status, 0n, 0n)
    expect(await allocated()).toEqual([10_000_000n, 0n])
    expect(await world.read('accounts', 'pendingStrategyAssets', who.worker, world.at.token)).toBe(0n)
    await expectBacked()
  })

  test('pays a withdrawal to the ledger or, counted as outflow, to another address', async () => {
    await deposit()
    await settle(depositId(), REQUEST.succeeded)
    await withdraw(world.at.accounts)
    expect((await withdraw(who.worker, who.worker, 401n)).error).toBe('InsufficientLiquidity()')
    await settle(withdrawId(world.at.accounts), REQUEST.succeeded, 600n, 600n)
    expect(await allocated()).toEqual([9_999_600n, 400n])
    await expectBacked()
    await withdraw(who.stranger, who.worker, 400n)
    const outcome = await settle(requestId(1, who.worker, world.at.token, who.stranger, 0n, 400n), REQUEST.succeeded, 400n, 400n)
    expect(argsOf(eventsOf(outcome), 'POL.OutflowRecorded')).toMatchObject({
      account: who.worker,
      amount: 400n,
    })
    expect((await holdingOf(world, who.stranger)).wallet).toBe(400n)
  })

  test('frees the shares of a withdrawal that failed', async () => {
    await deposit()
    await settle(depositId(), REQUEST.succeeded)
    await withdraw(who.worker)
    expect(await world.read('accounts', 'pendingStrategyWithdrawalShares', who.worker, ASYNC_ID)).toBe(600n)
    await settle(withdrawId(who.worker), REQUEST.failed, 0n, 0n)
    expect(await world.read('accounts', 'pendingStrategyWithdrawalShares', who.worker, ASYNC_ID)).toBe(0n)
    expect(await world.read('accounts', 'strategyShares', who.worker, ASYNC_ID)).toBe(1_000n)
  })

  test('lets a settler pay only the account or the ledger', async () => {
    await deposit()
    await settle(depositId(), REQUEST.succeeded)
    expect((await withdraw(zeroAddress)).error).toBe('InvalidRecipient()')
    expect((await withdraw(who.stranger, EXTRA.settler)).error).toBe('InvalidRecipient()')
    expect((await withdraw(who.worker, EXTRA.settler)).error).toBeUndefined()
  })

  test('refuses zero, unfinished and unknown outcomes, and answers with a foreign id', async () => {
    expect((await deposit(0n)).error).toBe('ZeroAmount()')
    expect((await withdraw(who.worker, who.worker, 0n)).error).toBe('ZeroAmount()')
    expect((await settle(depositId(), REQUEST.succeeded)).error).toBe('InvalidStrategyRequest()')
    await deposit()
    for (const status of [0, 1, 5]) expect((await settle(depositId(), status)).error).toBe('InvalidStrategyRequest()')
    await callStrategy(world, who.owner, strategies.async, 'setConfused', true)
    expect((await deposit(7n)).error).toBe('"REQUEST_ID_MISMATCH"')
  })

  test('cannot call back into the accounts while they call it', async () => {
    const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'withdraw', args: [world.at.token, 1n] })
    await callStrategy(world, who.owner, strategies.async, 'setCallback', data)
    expect((await deposit()).error).toBe('ReentrantCall()')
  })
})

describe('the registry', () => {
  test('lists sources in order and hides one whose approval was withdrawn', async () => {
    expect(await world.read('registry', 'listStrategyIds')).toEqual([LOCAL_STRATEGY_ID, IDLE_STRATEGY_ID, SYNC_ID, ASYNC_ID])
    expect(await world.read('registry', 'getStrategy', SYNC_ID)).toMatchObject({
      adapter: strategies.sync,
      asset: world.at.token,
      riskLabel: 'mock',
      active: true,
    })
    await world.run(who.owner, 'policy', 'setApprovedStrategy', strategies.sync, false)
    expect(await world.read('registry', 'getStrategy', SYNC_ID)).toMatchObject({ active: false })
    expect(await world.read('registry', 'strategies', SYNC_ID)).toContain(true)
  })

  test('takes only approved adapters of approved tokens and never re-points an id', async () => {
    const register = (adapter: Hex) => world.refusal(who.owner, 'registry', 'registerStrategy', adapter)
    expect(await register(strategies.sync)).toBe('it passed')
    const second = await world.create(who.owner, await loadArtifact('MockVDotAdapter'), world.at.policy, world.at.token, SYNC_ID)
    expect(await register(second)).toBe('StrategyNotApproved()')
    await world.run(who.owner, 'policy', 'setApprovedStrategy', second, true)
    expect(await register(second)).toBe('StrategyNotApproved()')
    await world.run(who.owner, 'policy', 'setApprovedAsset', world.at.token, false)
    expect(await register(strategies.sync)).toBe('StrategyNotApproved()')
    expect(await world.refusal(who.owner, 'registry', 'setStrategyActive', shortText('UNLISTED'), true)).toBe('StrategyNotApproved()')
    expect(await world.read('registry', 'listStrategyIds')).toEqual([LOCAL_STRATEGY_ID, IDLE_STRATEGY_ID, SYNC_ID, ASYNC_ID])
  })
})
