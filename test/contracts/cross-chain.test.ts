import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex, keccak256, stringToHex, zeroAddress, zeroHash } from 'viem'
import { xcmWrapperAbi } from '../../activities/chain/abi/xcm-wrapper.ts'
import { loadArtifact } from '../../contracts/artifact.ts'
import { CROSS_CHAIN_STRATEGY_ID, REMOTE_ACCOUNT_ID32 } from '../../contracts/parameters.ts'
import { type CrossChain, FEE, LEG, STATUS, startCrossChain } from './support/cross-chain.ts'
import { argsOf, hashOf, namesOf } from './support/jobs.ts'
import { revertAfterEach } from './support/revert.ts'
import { startWorld, type World, who } from './support/world.ts'

const AMOUNT = 5_000_000n
const UNLIMITED = 2n ** 255n
const REASON = hashOf('residue')

let world: World
let xcm: CrossChain

beforeAll(async () => {
  world = await startWorld()
  xcm = await startCrossChain(world)
  await world.run(who.owner, 'token', 'mint', who.owner, 100_000_000n)
  await world.run(who.owner, 'token', 'approve', xcm.at.adapter, UNLIMITED)
})
revertAfterEach(() => world)

const balance = (account: Hex) => world.read('token', 'balanceOf', account)
const adapterNumber = (name: string, ...args: readonly unknown[]) => xcm.read('adapter', name, ...args)
const pause = () => world.run(who.owner, 'policy', 'setPaused', true)

/** A settled deposit of 5 USDC, then one US cent of yield for each dollar. */
const invest = async (): Promise<void> => {
  const id = await xcm.deposit()
  await xcm.dispatchDeposit(id)
  await xcm.leaveHub(AMOUNT)
  await xcm.settle(id, STATUS.succeeded, AMOUNT - FEE)
  await xcm.run(who.operator, 'adapter', 'recordRemotePosition', 5_029_800n, BigInt(await world.now()), REASON)
}
/** A deposit that failed after its funding; 3 USDC were seen on the venue's chain. */
const strand = async (observed = 3_000_000n): Promise<Hex> => {
  const id = await xcm.deposit()
  await xcm.dispatch(id, LEG.depositFunding)
  await xcm.leaveHub(AMOUNT)
  await xcm.settle(id, STATUS.failed, 0n, 0n, observed)
  return id
}

describe('a cross-chain request', () => {
  test('has the id of the published vector', async () => {
    const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const asset = '0x0000053900000000000000000000000001200000'
    const context = { strategyId: CROSS_CHAIN_STRATEGY_ID, kind: 0, account, asset, recipient: account }
    expect(await xcm.read('wrapper', 'previewRequestId', { ...context, assets: AMOUNT, shares: 0n, nonce: 1n })).toBe(
      '0xc3b09b5710adc32ea23f83f7c73ef1bf7a2374c46c178a5f3ac7d6642113c68b',
    )
    expect(keccak256(stringToHex('BALANCE_OBSERVATION_TIMEOUT'))).toBe('0x19f800d9f7e28210802138d60cda15ec94016cfb24f6a8c293a6cb83150c720d')
  })

  test('is queued once with its limits; a repeat changes nothing and another plan is refused', async () => {
    const outcome = await xcm.run(who.owner, 'adapter', 'stageTreasuryDeposit', ...xcm.depositArgs(AMOUNT))
    expect(namesOf(outcome)).toEqual([
      'XCM.RequestQueued',
      'XCM.RequestParametersStored',
      'TOK.Transfer',
      'LANE.DepositRequested',
      'LANE.TreasuryRequestStaged',
    ])
    expect(argsOf(outcome, 'XCM.RequestQueued')).toMatchObject({ requestId: xcm.depositId(), account: who.worker, assets: AMOUNT })
    expect(await xcm.attempt(who.owner, 'adapter', 'stageTreasuryDeposit', ...xcm.depositArgs(AMOUNT))).toEqual({ events: [] })
    const other = xcm.depositArgs(AMOUNT, { fee: FEE - 1n, sell: AMOUNT - FEE })
    expect(await xcm.refusal(who.owner, 'adapter', 'stageTreasuryDeposit', ...other)).toBe('PlanMismatch()')
    expect(await adapterNumber('pendingDepositAssets')).toBe(AMOUNT)
    expect(await balance(xcm.at.adapter)).toBe(AMOUNT)
  })

  test('sends the previewed messages of its legs in order, each once', async () => {
    const id = await xcm.deposit()
    const previews = await Promise.all(
      [LEG.depositFunding, LEG.depositSell].map((leg) => xcm.read('wrapper', 'previewLegMessage', id, leg, leg === 0 ? 0n : FEE)),
    )
    const outcome = await xcm.dispatch(id, LEG.depositFunding)
    expect(namesOf(outcome)).toEqual(['TOK.Transfer', 'XCM.RequestDispatched', 'XCM.RequestLegDispatched'])
    expect(await balance(xcm.at.wrapper)).toBe(AMOUNT)
    await xcm.dispatch(id, LEG.depositSell)
    expect(await xcm.attempt(who.owner, 'wrapper', 'dispatchLeg', id, LEG.depositSell, FEE)).toEqual({ events: [] })
    const sent = (await xcm.read('precompile', 'messages')) as { sender: Hex; destination: Hex; message: Hex }[]
    expect(sent.map(({ destination, message }) => [destination, message])).toEqual(
      previews.map((preview) => (preview as [Hex, Hex]).slice(0, 2)),
    )
    expect(sent.every(({ sender }) => sender === xcm.at.wrapper)).toBe(true)
    expect(await xcm.read('wrapper', 'requestDispatchBitmap', id)).toBe(3)
    expect(await xcm.read('wrapper', 'getRequestLeg', id, LEG.depositSell)).toMatchObject({
      destinationHash: keccak256(sent[1]?.destination ?? '0x'),
      messageHash: keccak256(sent[1]?.message ?? '0x'),
      dispatched: true,
    })
  })

  test('addresses the venue and carries amounts and account in the encoding of the other chain', async () => {
    const id = await xcm.deposit()
    const [, funding] = (await xcm.read('wrapper', 'previewLegMessage', id, LEG.depositFunding, 0n)) as [Hex, Hex]
    const [destination, sell] = (await xcm.read('wrapper', 'previewLegMessage', id, LEG.depositSell, FEE)) as [Hex, Hex]
    expect(destination).toBe('0x05010100c91f')
    // 5000000 and 20000 as compact integers, 4980000 twice as 128-bit integers.
    expect(funding).toBe(
      `0x0508000400020432` +
        `05e5140002${'2d3101'}0e0100010100c91f0813010300a10f043205e5140002${'2d3101'}000d010000010100${REMOTE_ACCOUNT_ID32.slice(2)}`,
    )
    expect(sell).toContain(`eb0016000000eb030000${'20fd4b'.padEnd(32, '0')}${'20fd4b'.padEnd(32, '0')}00`)
    expect(sell).toContain(REMOTE_ACCOUNT_ID32.slice(2))
  })

  test('books a deposit, marks its shares to the remote position and pays a withdrawal', async () => {
    await invest()
    expect([await adapterNumber('totalShares'), await adapterNumber('totalAssets')]).toEqual([4_980_000n, 5_029_800n])
    const id = await xcm.withdraw(1_000_000n)
    await xcm.dispatchWithdrawal(id)
    await world.run(who.owner, 'token', 'mint', xcm.at.adapter, 1_010_000n)
    const outcome = await xcm.settle(id, STATUS.succeeded, 1_009_000n, 1_000_000n)
    expect(namesOf(outcome)).toEqual(['XCM.RequestStatusUpdated', 'LANE.RequestSettled', 'TOK.Transfer'])
    expect(await balance(who.worker)).toBe(1_009_000n)
    expect([await adapterNumber('totalShares'), await adapterNumber('totalAssets')]).toEqual([3_980_000n, 4_019_800n])
    expect(await adapterNumber('pendingWithdrawalShares')).toBe(0n)
  })

  test.each(['failed', 'cancelled'] as const)(
    'returns the assets of a deposit that %s before its funding, also while paused',
    async (end) => {
      const id = await xcm.deposit()
      const before = (await balance(who.owner)) as bigint
      await pause()
      const outcome = await xcm.settle(id, STATUS[end])
      expect(argsOf(outcome, 'LANE.TerminalAccounting')).toMatchObject({ requestedAssets: AMOUNT, recoveryAssetsOutstanding: 0n })
      expect(await balance(who.owner)).toBe(before + AMOUNT)
      expect(await adapterNumber('pendingDepositAssets')).toBe(0n)
      expect(await xcm.read('wrapper', 'getRequest', id)).toMatchObject({ status: STATUS[end] })
    },
  )

  test.each([
    [3_000_000n, 3_000_000n],
    [9_000_000n, AMOUNT],
    [0n, 0n],
  ])('that fails after its funding leaves %s observed as %s to recover', async (observed, outstanding) => {
    const id = await strand(observed)
    expect(await adapterNumber('recoveryAssetsOutstanding', id)).toBe(outstanding)
    expect(await adapterNumber('requiresRemoteRecovery', id)).toBe(outstanding !== 0n)
  })

  test('brings stranded assets home in parts and writes off the rest', async () => {
    const id = await strand()
    const plan = [id, 2_000_000n, FEE, 1n] as const
    const outcome = await xcm.run(who.owner, 'wrapper', 'dispatchRecoveryHome', ...plan)
    const recoveryId = await xcm.read('wrapper', 'previewRecoveryHomeId', ...plan)
    expect(argsOf(outcome, 'XCM.RecoveryHomeDispatched')).toMatchObject({ recoveryId, amount: 2_000_000n })
    expect(await xcm.attempt(who.owner, 'wrapper', 'dispatchRecoveryHome', ...plan)).toEqual({ events: [] })
    expect(await xcm.read('wrapper', 'getRecoveryHomeLeg', recoveryId)).toMatchObject({ dispatched: true })
    await world.run(who.owner, 'token', 'mint', xcm.at.wrapper, 1_980_000n)
    await xcm.run(who.owner, 'wrapper', 'releaseRecoveredAssetsToAdapter', id, 1_980_000n)
    await xcm.run(who.owner, 'adapter', 'releaseRecoveredAssets', id, who.poster, 1_980_000n)
    expect(await balance(who.poster)).toBe(1_980_000n)
    const written = await xcm.run(who.owner, 'adapter', 'writeOffResidue', id, 1_020_000n, REASON)
    expect(argsOf(written, 'LANE.ResidueWrittenOff')).toMatchObject({ amountRaw: 1_020_000n, remaining: 0n })
    expect(await adapterNumber('requiresRemoteRecovery', id)).toBe(false)
  })

  test('keeps the shares of a withdrawal that failed, and pays the next one from assets that arrived late', async () => {
    await invest()
    const failed = await xcm.withdraw(1_000_000n)
    await xcm.dispatchWithdrawal(failed)
    await xcm.settle(failed, STATUS.failed)
    await world.run(who.owner, 'token', 'mint', xcm.at.adapter, 1_010_000n)
    expect([await adapterNumber('totalShares'), await adapterNumber('pendingWithdrawalShares')]).toEqual([4_980_000n, 0n])
    const next = await xcm.withdraw(1_000_000n, { nonce: 9n })
    await xcm.dispatchWithdrawal(next)
    await xcm.settle(next, STATUS.succeeded, 1_009_000n, 1_000_000n)
    expect(await balance(who.worker)).toBe(1_009_000n)
  })

  test('repeats an identical settlement without an event, on the adapter and on the wrapper', async () => {
    const id = await xcm.deposit()
    await xcm.dispatchDeposit(id)
    await xcm.settle(id, STATUS.succeeded, 4_980_000n)
    expect(await xcm.attempt(who.operator, 'adapter', 'settleRequest', ...xcm.settleArgs(id, STATUS.succeeded, 4_980_000n))).toEqual({
      events: [],
    })
    const same = [id, STATUS.succeeded, 4_980_000n, 4_980_000n, zeroHash, zeroHash]
    expect(await xcm.attempt(who.owner, 'wrapper', 'finalizeRequest', ...same)).toEqual({ events: [] })
  })
})

const UNKNOWN = hashOf('unknown')
const leg = (id: Hex, number: number, fee = FEE, from: Hex = who.owner) => xcm.refusal(from, 'wrapper', 'dispatchLeg', id, number, fee)
const owner = (name: string, ...args: readonly unknown[]) => xcm.refusal(who.owner, 'wrapper', name, ...args)
const operator = (name: string, ...args: readonly unknown[]) => xcm.refusal(who.operator, 'adapter', name, ...args)
const adapter = (name: string, ...args: readonly unknown[]) => xcm.refusal(who.owner, 'adapter', name, ...args)
const stage = (...args: Parameters<CrossChain['depositArgs']>) => adapter('stageTreasuryDeposit', ...xcm.depositArgs(...args))
const stageOut = (...args: Parameters<CrossChain['withdrawArgs']>) => adapter('stageTreasuryWithdraw', ...xcm.withdrawArgs(...args))
const settle = (...args: Parameters<CrossChain['settleArgs']>) => operator('settleRequest', ...xcm.settleArgs(...args))
const finalize = (id: Hex, status: number, assets = 0n) => owner('finalizeRequest', id, status, assets, assets, zeroHash, zeroHash)
const queueRequest = () => {
  const context = { strategyId: CROSS_CHAIN_STRATEGY_ID, kind: 0, account: who.worker, asset: world.at.token, recipient: who.worker }
  const limits = { sellAmount: 1n, minimumOutput: 1n, maxFeePerLeg: 1n, dispatchDeadline: 0n }
  return owner('queueRequest', { ...context, assets: AMOUNT, shares: 0n, nonce: 1n }, limits)
}

/** What has happened before a call. Returns the id of the request that the call is about. */
const STATES = {
  fresh: async () => UNKNOWN,
  queued: () => xcm.deposit(),
  funded: async () => {
    const id = await xcm.deposit()
    await xcm.dispatch(id, LEG.depositFunding)
    return id
  },
  dispatched: async () => {
    const id = await xcm.deposit()
    await xcm.dispatchDeposit(id)
    return id
  },
  failed: async () => {
    const id = await xcm.deposit()
    await xcm.settle(id, STATUS.failed)
    return id
  },
  stranded: () => strand(),
  /** A second deposit on its way, after yield on the first. */
  'dispatched after yield': async () => {
    await invest()
    const id = await xcm.deposit(1_020_000n, { nonce: 2n })
    await xcm.dispatchDeposit(id)
    return id
  },
  withdrawing: async () => {
    await invest()
    return xcm.withdraw(1_000_000n)
  },
  'dispatched home': async () => {
    await invest()
    const id = await xcm.withdraw(1_000_000n)
    await xcm.dispatchWithdrawal(id)
    return id
  },
  'withdrawing 4 USDC': async () => {
    await invest()
    return xcm.withdraw(4_000_000n)
  },
  'refused by the precompile': async () => {
    const id = await xcm.deposit()
    await xcm.run(who.owner, 'precompile', 'refuse', '0x1234')
    return id
  },
} as const satisfies Record<string, () => Promise<Hex>>
const stopDispatch = () => xcm.run(who.owner, 'wrapper', 'setDispatchPaused', true)

type Row = readonly [
  of: string,
  answer: string,
  state: keyof typeof STATES,
  by: (id: Hex) => Promise<string>,
  /** What is paused before the call. */
  paused?: () => Promise<unknown>,
]

const ROWS: readonly Row[] = [
  ['the owner alone', 'Unauthorized()', 'fresh', () => xcm.refusal(who.operator, 'wrapper', 'setOperator', who.stranger)],
  ['the owner alone', 'Unauthorized()', 'fresh', () => operator('stageTreasuryDeposit', ...xcm.depositArgs(AMOUNT))],
  ['the owner alone', 'Unauthorized()', 'fresh', () => operator('writeOffResidue', UNKNOWN, 1n, REASON)],
  ['the account contract alone', 'Unauthorized()', 'fresh', () => adapter('requestDeposit', ...xcm.depositArgs(AMOUNT))],
  ['the adapter alone', 'Unauthorized()', 'fresh', queueRequest],
  ['the wrapper alone', 'Unauthorized()', 'fresh', () => adapter('releaseAssetsToWrapper', UNKNOWN, 1n)],
  ['the settler alone', 'Unauthorized()', 'fresh', () => adapter('settleRequest', ...xcm.settleArgs(UNKNOWN, STATUS.failed))],
  ['the pauser', 'Unauthorized()', 'fresh', () => xcm.refusal(who.pauser, 'wrapper', 'setDispatchPaused', false)],
  ['configuration', 'InvalidConfiguration()', 'fresh', () => owner('setOperator', who.stranger)],
  ['configuration', 'InvalidConfiguration()', 'fresh', () => owner('setStrategyAdapter', REASON, who.stranger)],
  ['configuration', 'InvalidConfiguration()', 'fresh', () => owner('setOperator', zeroAddress), stopDispatch],
  ['configuration', 'InvalidConfiguration()', 'fresh', () => owner('setStrategyAdapter', zeroHash, who.stranger), stopDispatch],
  ['configuration', 'InvalidConfiguration()', 'fresh', () => owner('setHydrationAccountId32', REASON), stopDispatch],
  ['queueing', 'InvalidRequest()', 'fresh', () => stage(AMOUNT, { nonce: 0n })],
  ['queueing', 'InvalidRequest()', 'fresh', () => stage(AMOUNT, { sell: 0n })],
  ['queueing', 'InvalidRequest()', 'fresh', () => stage(AMOUNT, { sell: AMOUNT - FEE + 1n })],
  ['queueing', 'InvalidRequest()', 'fresh', () => stage(2n ** 128n)],
  ['queueing', 'ProtocolPaused()', 'fresh', () => stage(AMOUNT), stopDispatch],
  ['queueing', 'ProtocolPaused()', 'fresh', () => stage(AMOUNT), pause],
  ['queueing', 'TransferFailed()', 'fresh', () => stage(200_000_000n)],
  ['queueing', 'InvalidRequest()', 'fresh', () => stageOut(0n)],
  ['queueing', 'InvalidRequest()', 'fresh', () => stageOut(1n, { minimum: 2n })],
  ['queueing', 'InsufficientLiquidity()', 'withdrawing 4 USDC', () => stageOut(980_001n, { nonce: 2n })],
  ['a leg', 'UnknownRequest()', 'fresh', (id) => leg(id, LEG.depositFunding, 0n)],
  ['a leg', 'Unauthorized()', 'queued', (id) => leg(id, LEG.depositFunding, 0n, who.operator)],
  ['a leg', 'InvalidTransition()', 'queued', (id) => leg(id, LEG.depositSell)],
  ['a leg', 'InvalidRequest()', 'queued', (id) => leg(id, LEG.withdrawSell)],
  ['a leg', 'InvalidRequest()', 'queued', (id) => leg(id, 4)],
  ['a leg', 'FeeAboveMaximum()', 'queued', (id) => leg(id, LEG.depositFunding, 1n)],
  ['a leg', 'FeeAboveMaximum()', 'funded', (id) => leg(id, LEG.depositSell, FEE + 1n)],
  ['a leg', 'InvalidRequest()', 'funded', (id) => leg(id, LEG.depositSell, 0n)],
  ['a leg', 'ProtocolPaused()', 'queued', (id) => leg(id, LEG.depositFunding, 0n), stopDispatch],
  ['a leg', 'InvalidTransition()', 'failed', (id) => leg(id, LEG.depositFunding, 0n)],
  ['a leg', 'XcmDispatchFailed(0x1234)', 'refused by the precompile', (id) => leg(id, LEG.depositFunding, 0n)],
  ['settlement', 'InvalidRequest()', 'fresh', (id) => settle(id, STATUS.failed)],
  ['settlement', 'InvalidStatus()', 'queued', (id) => settle(id, STATUS.pending)],
  ['settlement', 'InvalidTransition()', 'queued', (id) => settle(id, STATUS.succeeded, 1n)],
  ['settlement', 'InvalidSettlement()', 'queued', (id) => settle(id, STATUS.failed, 1n)],
  ['settlement', 'ProtocolPaused()', 'dispatched', (id) => settle(id, STATUS.succeeded, 1n), pause],
  ['settlement', 'ProtocolPaused()', 'withdrawing', (id) => settle(id, STATUS.failed), pause],
  ['settlement', 'InvalidSettlementRatio()', 'dispatched', (id) => settle(id, STATUS.succeeded, 4_980_000n, 4_979_999n)],
  ['settlement', 'InvalidSettlementRatio()', 'dispatched after yield', (id) => settle(id, STATUS.succeeded, 1_000_000n, 990_098n)],
  ['settlement', 'InvalidSettlementRatio()', 'dispatched after yield', (id) => settle(id, STATUS.succeeded, 1_000_000n, 990_100n)],
  ['settlement', 'it passed', 'dispatched after yield', (id) => settle(id, STATUS.succeeded, 1_000_000n, 990_099n)],
  ['settlement', 'InvalidSettlementRatio()', 'dispatched home', (id) => settle(id, STATUS.succeeded, 1_010_001n, 1_000_000n)],
  ['settlement', 'InsufficientLiquidity()', 'dispatched home', (id) => settle(id, STATUS.succeeded, 1_010_000n, 1_000_000n)],
  ['settlement', 'AlreadySettled()', 'failed', (id) => settle(id, STATUS.cancelled)],
  ['finalisation', 'UnknownRequest()', 'fresh', (id) => finalize(id, STATUS.failed)],
  [
    ...(['finalisation', 'Unauthorized()', 'queued'] as const),
    (id) => xcm.refusal(who.operator, 'wrapper', 'finalizeRequest', id, STATUS.failed, 0n, 0n, zeroHash, zeroHash),
  ],
  ['finalisation', 'InvalidStatus()', 'queued', (id) => finalize(id, STATUS.pending)],
  ['finalisation', 'InvalidStatus()', 'queued', (id) => finalize(id, 5)],
  ['finalisation', 'InvalidTransition()', 'queued', (id) => finalize(id, STATUS.succeeded, 1n)],
  ['finalisation', 'InvalidSettlement()', 'queued', (id) => finalize(id, STATUS.cancelled, 1n)],
  ['finalisation', 'InvalidTransition()', 'failed', (id) => finalize(id, STATUS.cancelled)],
  ['recovery', 'UnknownRequest()', 'fresh', (id) => owner('dispatchRecoveryHome', id, 2n, 1n, 1n)],
  ['recovery', 'InvalidTransition()', 'queued', (id) => owner('dispatchRecoveryHome', id, 2n, 1n, 1n)],
  ['recovery', 'InvalidRequest()', 'stranded', (id) => owner('dispatchRecoveryHome', id, FEE, FEE, 1n)],
  ['recovery', 'InvalidRequest()', 'stranded', (id) => owner('dispatchRecoveryHome', id, 2n, 1n, 0n)],
  ['recovery', 'InvalidSettlement()', 'stranded', (id) => owner('dispatchRecoveryHome', id, 3_000_001n, FEE, 1n)],
  ['recovery', 'InvalidSettlement()', 'stranded', (id) => owner('releaseRecoveredAssetsToAdapter', id, AMOUNT + 1n)],
  ['recovery', 'TransferFailed()', 'stranded', (id) => owner('releaseRecoveredAssetsToAdapter', id, 1n)],
  ['recovery', 'InsufficientLiquidity()', 'stranded', (id) => adapter('releaseRecoveredAssets', id, who.poster, 1n)],
  ['recovery', 'InvalidRequest()', 'stranded', (id) => adapter('releaseRecoveredAssets', id, who.poster, 3_000_001n)],
  ['recovery', 'Unauthorized()', 'stranded', (id) => operator('releaseRecoveredAssets', id, who.poster, 1n)],
  ['a write-off', 'InvalidRequest()', 'stranded', (id) => adapter('writeOffResidue', id, 1n, zeroHash)],
  ['a write-off', 'InvalidRequest()', 'stranded', (id) => adapter('writeOffResidue', id, 3_000_001n, REASON)],
  ['a remote record', 'InvalidRequest()', 'fresh', async () => operator('recordRemotePosition', 1n, BigInt(await world.now()), REASON)],
  [
    ...(['a remote record', 'InvalidRequest()', 'fresh'] as const),
    async () => operator('recordRemoteOperatingFloat', 1n, BigInt((await world.now()) + 1_000), REASON),
  ],
  ['immediate use', 'AsyncOnly()', 'fresh', () => adapter('deposit', 1n)],
  ['immediate use', 'AsyncOnly()', 'fresh', () => adapter('withdraw', 1n, who.owner)],
]

describe('the cross-chain contracts refuse', () => {
  test.each(ROWS.map((row, index) => [index + 1, ...row.slice(0, 3), row] as const))('%i: %s, %s (%s)', async (...values) => {
    const [, answer, state, by, paused] = values.at(-1) as Row
    const id = await STATES[state]()
    await paused?.()
    expect(await by(id)).toBe(answer)
  })

  test.each([
    [-1, 'it passed'],
    [0, 'it passed'],
    [1, 'DispatchDeadlineExpired()'],
  ])('a leg %s s from its deadline as: %s', async (offset, result) => {
    const deadline = (await world.now()) + 1_000
    const id = await xcm.deposit(AMOUNT, { deadline: BigInt(deadline) })
    await world.nextBlockAt(deadline + offset)
    expect(await leg(id, LEG.depositFunding, 0n)).toBe(result)
  })

  test('to open a fresh wrapper, which stands for the precompile of the hub and starts closed', async () => {
    const address = await world.create(who.owner, await loadArtifact('XcmWrapperV22'), world.at.policy, zeroAddress)
    const read = (functionName: 'xcmPrecompile' | 'dispatchPaused') =>
      world.client.readContract({ address, abi: xcmWrapperAbi, functionName })
    expect(await read('xcmPrecompile')).toBe('0x00000000000000000000000000000000000a0000')
    expect(await read('dispatchPaused')).toBe(true)
    const data = encodeFunctionData({ abi: xcmWrapperAbi, functionName: 'setDispatchPaused', args: [false] })
    expect(await world.attemptAt(who.owner, address, data)).toEqual({ error: 'InvalidConfiguration()' })
  })
})
