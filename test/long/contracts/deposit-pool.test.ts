import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex, zeroAddress, zeroHash } from 'viem'
import { depositPoolAbi } from '../../../activities/chain/abi/deposit-pool.ts'
import { DAY, namesOf } from '../../contracts/support/jobs.ts'
import { revertAfterEach } from '../../contracts/support/revert.ts'
import {
  answerTo,
  errorsWithout,
  hold,
  inOrder,
  type PoolRow,
  type Savings,
  startSavings,
  UNLIMITED,
  WEEK,
} from '../../contracts/support/savings.ts'
import { startWorld, type World, who } from '../../contracts/support/world.ts'

let world: World
let savings: Savings

beforeAll(async () => {
  world = await startWorld()
  savings = await startSavings(world)
  await savings.enter('pool', who.worker, 60_000_000n)
  await savings.enter('pool', who.poster, 60_000_000n)
})
revertAfterEach(() => world)

const run = (from: Hex, name: string, ...args: readonly unknown[]) => savings.run(from, 'pool', name, ...args)
const soon = async (seconds = DAY): Promise<bigint> => BigInt((await world.now()) + seconds)

/** A deployment of 10 USDC that returns within a day. */
const deployed = async (returnBy?: bigint): Promise<Hex> => {
  await run(who.operator, 'deployToVenue', 10_000_000n, returnBy ?? (await soon()))
  return savings.lastRequest()
}
const recalled = async (assets = 4_000_000n): Promise<Hex> => {
  await deployed()
  await run(who.operator, 'recallVenueDeployment', 1n, assets)
  return savings.lastRequest()
}
/** Everything that the pool has is lost: shares without value. */
const worthless = async (): Promise<void> => {
  const buffer = await savings.number('pool', 'bufferAssets')
  await world.rpc('anvil_impersonateAccount', savings.at.pool)
  await savings.run(savings.at.pool, 'token', 'transfer', who.stranger, buffer)
}

const aWeek = () => world.pass(WEEK)
const posterLeaves = async (): Promise<void> => {
  await deployed()
  await run(who.poster, 'redeem', 60_000_000n, who.poster, who.poster)
}
const notice = (shares: bigint, tier = 0) => run(who.worker, 'requestRedeem', shares, who.worker, tier)
/** The deployment's request, answered by the venue with these changes. */
const answered = (changes: object) => async () => savings.settle(await deployed(), { ...changes })
/** The recall's request, answered by the venue with these changes. */
const recallAnswered =
  (changes: object, payout = 0n) =>
  async () =>
    savings.settle(await recalled(), { ...changes }, payout)

const fulfil = () => run(who.stranger, 'fulfilRedeem', 1n)
const settle = () => run(who.stranger, 'settleVenueDeployment', 1n)
const settleRecall = () => run(who.stranger, 'settleVenueRecall', 1n)
const at2033 = () => world.nextBlockAt(2_000_000_000)
const failed = async () => savings.settle(await deployed(2_000_001_000n), { status: 3 }, 10_000_000n)
const oneReturned = async () => savings.run(who.owner, 'venue', 'release', savings.at.pool, await deployed(), 1_000_000n)

const WORKER = who.worker
const NO_BUFFER = 'InsufficientBuffer(50000000,60000000)'
const CAPPED = 'TotalAssetCapExceeded(1000000001,1000000000)'
const AGENT_CAPPED = `AgentAssetCapExceeded(${WORKER},100000001,100000000)`

/** Rows of one call stand in the order in which it checks. */
const ROWS: readonly PoolRow[] = [
  ['deposit', 'ZeroAmount()', 'worker', [0n, zeroAddress]],
  ['deposit', 'ZeroAddress()', 'worker', [10n ** 12n, zeroAddress]],
  ['deposit', 'Unauthorized()', 'worker', () => [10n ** 12n, savings.at.pool]],
  ['deposit', CAPPED, 'worker', [880_000_001n, WORKER]],
  ['deposit', AGENT_CAPPED, 'worker', [40_000_001n, WORKER]],
  ['deposit', 'ZeroShares()', 'worker', [10n ** 9n, WORKER], () => worthless()],
  ['deposit', 'TransferFailed()', 'stranger', [1n, WORKER]],
  ['deposit', 'TransferFailed()', 'worker', [1n, WORKER], () => savings.run(WORKER, 'token', 'misbehave', 0n, true, '0x')],
  ['deposit', 'AssetTransferAmountMismatch()', 'worker', [5n, WORKER], () => savings.keepsUnits(WORKER, 1n)],
  ['mint', 'ZeroShares()', 'worker', [0n, zeroAddress]],
  ['mint', 'ZeroAddress()', 'worker', [1n, zeroAddress]],
  ['mint', 'Unauthorized()', 'worker', () => [1n, savings.at.pool]],
  ['mint', CAPPED, 'worker', [880_000_001n, WORKER]],
  ['mint', AGENT_CAPPED, 'worker', [40_000_001n, WORKER]],
  ['mint', 'ZeroAmount()', 'worker', [1n, WORKER], () => worthless()],
  ['contributeOperatorPrincipal', 'Unauthorized()', 'worker', [0n]],
  ['contributeOperatorPrincipal', 'ZeroAmount()', 'operator', [0n]],
  ['contributeOperatorPrincipal', CAPPED, 'operator', [880_000_001n]],
  ['contributeOperatorPrincipal', 'ZeroShares()', 'operator', [1n], () => worthless()],
  ['redeem', 'ZeroShares()', 'worker', [0n, zeroAddress, zeroAddress]],
  ['redeem', 'ZeroAddress()', 'worker', [1n, zeroAddress, WORKER]],
  ['redeem', 'ZeroAddress()', 'worker', [1n, WORKER, zeroAddress]],
  ['redeem', 'Panic(0x11)', 'stranger', [1n, who.stranger, WORKER]],
  ['redeem', 'InsufficientUnlockedShares()', 'worker', [60_000_001n, WORKER, WORKER], () => savings.pledge(WORKER, 60_000_000n)],
  ['redeem', 'SharesPledged()', 'worker', [1n, WORKER, WORKER], () => savings.pledge(WORKER, 60_000_000n)],
  ['redeem', 'ZeroAmount()', 'worker', [1n, WORKER, WORKER], () => worthless()],
  ['redeem', NO_BUFFER, 'worker', [60_000_000n, WORKER, WORKER], posterLeaves],
  ['requestRedeem', 'ZeroShares()', 'worker', [0n, zeroAddress, 0]],
  ['requestRedeem', 'ZeroAddress()', 'worker', [1n, zeroAddress, 0]],
  ['requestRedeem', 'empty revert', 'worker', [1n, WORKER, 2]],
  ['requestRedeem', 'InsufficientUnlockedShares()', 'worker', [60_000_001n, WORKER, 0]],
  ['requestRedeem', 'SharesPledged()', 'worker', [60_000_000n, WORKER, 0], () => savings.pledge(WORKER, 1n)],
  ['fulfilRedeem', 'RedeemRequestNotFound()', 'stranger', [1n]],
  ['fulfilRedeem', 'ZeroAmount()', 'stranger', [1n], inOrder(() => notice(1n), worthless, aWeek)],
  ['fulfilRedeem', NO_BUFFER, 'stranger', [1n], inOrder(() => notice(60_000_000n), posterLeaves, aWeek)],
  ['fulfilRedeem', 'RedeemRequestAlreadyFulfilled()', 'stranger', [1n], inOrder(() => notice(5n), aWeek, fulfil)],
  ['transfer', 'SharesNonTransferable()', 'worker', [who.poster, 1n]],
  ['transferFrom', 'SharesNonTransferable()', 'worker', [WORKER, who.poster, 1n]],
  ['pledge', 'ZeroShares()', 'worker', [0n, zeroHash]],
  ['pledge', 'InvalidLoanId()', 'worker', [1n, zeroHash]],
  ['pledge', 'InvalidLoanId()', 'worker', async () => [1n, await savings.loanId(who.poster)]],
  ['pledge', 'PledgeAlreadyExists()', 'worker', (id) => [10n ** 9n, id], () => savings.pledge(WORKER, 1n)],
  ['pledge', 'InsufficientUnlockedShares()', 'worker', async () => [60_000_000n, await savings.loanId(WORKER)], () => notice(1n, 1)],
  ['release', 'Unauthorized()', 'worker', [zeroHash]],
  ['release', 'PledgeNotFound()', 'credit', [zeroHash]],
  ['seize', 'Unauthorized()', 'worker', [zeroHash, zeroAddress]],
  ['seize', 'ZeroAddress()', 'credit', [zeroHash, zeroAddress]],
  ['seize', 'PledgeNotFound()', 'credit', [zeroHash, WORKER]],
  ['seize', NO_BUFFER, 'credit', (id) => [id, savings.at.credit], inOrder(() => savings.pledge(WORKER, 60_000_000n), posterLeaves)],
  ['deployToVenue', 'Unauthorized()', 'worker', [0n, 0n]],
  ['deployToVenue', 'ZeroAmount()', 'operator', [0n, 0n]],
  ['deployToVenue', 'InvalidReturnDeadline()', 'operator', [1n, 1n]],
  ['deployToVenue', 'VenueDeadlineExceedsNoticeTier(2000604801,2000604800)', 'operator', [1n, 2_000_604_801n], at2033],
  ['deployToVenue', 'VenueDeploymentAlreadyActive()', 'operator', async () => [10n ** 12n, await soon()], () => deployed()],
  ['deployToVenue', 'DeploymentEpochNotElapsed(2000086400)', 'operator', [10n ** 12n, 2_000_001_000n], inOrder(at2033, failed, settle)],
  ['deployToVenue', 'BufferFloorBreached(120000000,60000000,60000001)', 'operator', async () => [60_000_001n, await soon()]],
  ['settleVenueDeployment', 'VenueDeploymentNotFound()', 'worker', [1n]],
  ['settleVenueDeployment', 'VenueRequestPending()', 'worker', [1n], () => deployed()],
  ...[
    { status: 0 },
    { status: 2, kind: 1 },
    { status: 2, requestedAssets: 1n },
    { status: 2, returnBy: 1n },
    { status: 2, claimed: true },
  ].map((changes): PoolRow => ['settleVenueDeployment', 'VenueRequestMismatch()', 'worker', [1n], answered(changes)]),
  ['settleVenueDeployment', 'VenueRequestMismatch()', 'worker', [1n], inOrder(answered({ status: 2 }), settle)],
  ['recallVenueDeployment', 'Unauthorized()', 'worker', [1n, 0n]],
  ['recallVenueDeployment', 'ZeroAmount()', 'operator', [1n, 0n]],
  ['recallVenueDeployment', 'VenueDeploymentNotFound()', 'operator', [0n, 1n]],
  ['recallVenueDeployment', 'VenueRecallAlreadyActive()', 'operator', [9n, 10n ** 12n], () => recalled()],
  ['recallVenueDeployment', 'VenueRecallExceedsManaged(10000000,10000001)', 'operator', [1n, 10_000_001n], () => deployed()],
  ['settleVenueRecall', 'VenueRecallNotFound()', 'worker', [1n]],
  ['settleVenueRecall', 'VenueRequestPending()', 'worker', [1n], () => recalled()],
  ['settleVenueRecall', 'VenueRequestMismatch()', 'worker', [1n], recallAnswered({ status: 2, kind: 0 })],
  ['settleVenueRecall', 'VenueRequestMismatch()', 'worker', [1n], inOrder(recallAnswered({ status: 3 }), settleRecall)],
  ...[3_999_999n, 4_000_001n].map((payout): PoolRow => {
    const before = recallAnswered({ status: 2, settledAssets: 4_000_000n }, payout)
    return ['settleVenueRecall', `VenueRecallShortfall(${payout},4000000)`, 'worker', [1n], before]
  }),
  ['recordVenueReturn', 'Unauthorized()', 'worker', [zeroHash, 0n]],
  ['recordVenueReturn', 'ZeroAmount()', 'venue', [zeroHash, 0n]],
  ['recordVenueReturn', 'VenueDeploymentNotFound()', 'venue', (id) => [id, 1n], () => recalled()],
  ['writeOffVenueLoss', 'Unauthorized()', 'operator', [1n, 0n]],
  ['writeOffVenueLoss', 'ZeroAmount()', 'owner', [1n, 0n]],
  ['writeOffVenueLoss', 'VenueDeploymentNotFound()', 'owner', [1n, 1n]],
  ['writeOffVenueLoss', 'VenueLossExceedsOutstanding(9000000,9000001)', 'owner', [1n, 9_000_001n], oneReturned],
  ...(
    [
      ['deposit', 'worker', [0n, WORKER]],
      ['mint', 'worker', [0n, WORKER]],
      ['contributeOperatorPrincipal', 'operator', [0n]],
      ['redeem', 'worker', [0n, WORKER, WORKER]],
      ['fulfilRedeem', 'worker', [1n]],
      ['deployToVenue', 'operator', [0n, 0n]],
      ['settleVenueDeployment', 'worker', [1n]],
      ['recallVenueDeployment', 'operator', [1n, 0n]],
      ['settleVenueRecall', 'worker', [1n]],
      ['recordVenueReturn', 'worker', [zeroHash, 0n]],
      ['writeOffVenueLoss', 'worker', [1n, 0n]],
      ['seize', 'credit', [zeroHash, zeroAddress]],
    ] as const
  ).map(([call, from, args]): PoolRow => [call, 'ReentrantCall()', from, args, () => hold(savings, savings.at.pool)]),
]

/** Addresses of a deployment: token, operator, venue, credit pool. */
const VALID = () => [savings.at.token, who.operator, zeroAddress, who.stranger] as const
const venueOf = async (token: Hex, owner: Hex): Promise<readonly Hex[]> =>
  VALID().with(2, await savings.create('MockVenueAdapter', token, owner))

/** Addresses with which no pool can be deployed. */
const DEPLOYMENTS: readonly (readonly [answer: string, what: string, addresses: () => readonly Hex[] | Promise<readonly Hex[]>])[] = [
  ['ZeroAddress()', 'no token', () => VALID().with(0, zeroAddress)],
  ['ZeroAddress()', 'no operator', () => VALID().with(1, zeroAddress)],
  ['ZeroAddress()', 'no credit pool', () => VALID().with(3, zeroAddress)],
  ['InvalidAssetDecimals()', 'a token of 18 decimals', async () => VALID().with(0, await savings.create('MockPoolToken', 18))],
  ['InvalidVenueAdapter()', 'a venue without code', () => VALID().with(2, who.stranger)],
  ['InvalidVenueAdapter()', 'a venue of another token', () => venueOf(world.at.token, who.owner)],
  ['InvalidVenueAdapter()', 'a venue without an owner', () => venueOf(savings.at.token, zeroAddress)],
]

describe('the deposit pool refuses', () => {
  test.each(ROWS.map((row) => [row[0], row[1], row] as const))('%s with %s', async (_, answer, row) => {
    expect(await answerTo(savings, 'pool', row)).toBe(answer)
  })

  test.each(DEPLOYMENTS)('to be deployed with %s: %s', async (answer, _, addresses) => {
    expect(await savings.deployment('DepositPoolV2', ...(await addresses()))).toBe(answer)
  })

  test.each([
    ['deployToVenue', who.operator, 0n, 0n],
    ['recallVenueDeployment', who.operator, 1n, 0n],
    ['writeOffVenueLoss', who.owner, 1n, 0n],
  ])('%s without a venue', async (call, from, ...args) => {
    expect(await world.refusal(from as Hex, 'pool', call as string, ...args)).toBe('VenueNotConfigured()')
  })

  // The strict transfer hides the reason. Without the lock any caller may fulfil the request, a token too.
  test('a token that calls back', async () => {
    await run(who.poster, 'requestRedeem', 1n, who.poster, 0)
    await aWeek()
    const data = encodeFunctionData({ abi: depositPoolAbi, functionName: 'fulfilRedeem', args: [1n] })
    await savings.run(WORKER, 'token', 'misbehave', 0n, false, data)
    expect(await savings.refusal(WORKER, 'pool', 'redeem', 2n, WORKER, WORKER)).toBe('TransferFailed()')
  })

  test('a notice one second early and pays it on the second', async () => {
    await world.nextBlockAt(2_000_000_000)
    await run(WORKER, 'requestRedeem', 1_000_000n, who.stranger, 1)
    await world.nextBlockAt(2_002_591_999)
    expect(await savings.refusal(who.poster, 'pool', 'fulfilRedeem', 1n)).toBe('NoticeNotElapsed(2002592000)')
    await world.nextBlockAt(2_002_592_000)
    expect(namesOf(await run(who.poster, 'fulfilRedeem', 1n))).toEqual([
      'POOL.Transfer',
      'TOK.Transfer',
      'POOL.Withdraw',
      'POOL.RedeemFulfilled',
    ])
    expect(await savings.number('token', 'balanceOf', who.stranger)).toBe(1_000_000n)
  })

  test('with every error of its interface at least once', () => {
    const answers = [...ROWS.map(([, answer]) => answer), ...DEPLOYMENTS.map(([answer]) => answer)]
    expect(errorsWithout(depositPoolAbi, [...answers, 'VenueNotConfigured()', 'NoticeNotElapsed()'])).toEqual([])
  })
})

describe('the deposit pool passes at the boundary', () => {
  test('the total cap and the agent cap exactly', async () => {
    await savings.run(WORKER, 'token', 'mint', WORKER, 40_000_000n)
    await run(WORKER, 'deposit', 40_000_000n, WORKER)
    await savings.run(who.operator, 'token', 'mint', who.operator, 840_000_000n)
    const events = await run(who.operator, 'contributeOperatorPrincipal', 840_000_000n)
    expect(namesOf(events)).toEqual(['POOL.Transfer', 'TOK.Transfer', 'POOL.OperatorPrincipalContributed'])
    expect(await savings.number('pool', 'operatorPrincipalShares')).toBe(840_000_000n)
    expect(await savings.number('pool', 'maxIssuedAgentShares')).toBe(100_000_000n)
  })

  test('an allowance: it falls and is announced, unless it is unlimited', async () => {
    await run(WORKER, 'approve', who.stranger, 5n)
    const spent = await run(who.stranger, 'redeem', 5n, who.stranger, WORKER)
    expect(namesOf(spent)).toEqual(['POOL.Approval', 'POOL.Transfer', 'TOK.Transfer', 'POOL.Withdraw'])
    await run(WORKER, 'approve', who.stranger, UNLIMITED)
    expect(namesOf(await run(who.stranger, 'redeem', 5n, who.stranger, WORKER))).not.toContain('POOL.Approval')
  })

  test('a deployment: the venue holds the tokens when it is asked, and a refusal leaves them in the pool', async () => {
    const events = await run(who.operator, 'deployToVenue', 10_000_000n, await soon())
    expect(namesOf(events)).toEqual(['TOK.Transfer', 'POOL.VenueDeploymentCreated'])
    expect(await savings.number('venue', 'heldAtRequest')).toBe(10_000_000n)
    expect(await savings.number('pool', 'totalAssets')).toBe(120_000_000n)
    expect(await savings.refusal(who.operator, 'pool', 'deployToVenue', 1n, await soon())).toBe('VenueDeploymentAlreadyActive()')
    expect(await savings.number('pool', 'bufferAssets')).toBe(110_000_000n)
  })

  test('a venue: what comes back above the principal is yield, after a write-off too', async () => {
    const id = await deployed()
    await run(who.owner, 'writeOffVenueLoss', 1n, 10_000_000n)
    expect(await savings.number('pool', 'totalAssets')).toBe(110_000_000n)
    expect(await savings.number('pool', 'activeVenueDeploymentId')).toBe(0n)
    const events = await savings.run(who.owner, 'venue', 'release', savings.at.pool, id, 3_000_000n)
    expect(events.at(-1)).toMatchObject({
      name: 'POOL.VenuePrincipalReturned',
      args: { returnedAssets: 3_000_000n, principalReduction: 0n },
    })
    expect(await savings.number('pool', 'totalAssets')).toBe(113_000_000n)
  })

  test('a seizure of worthless shares: it burns them and pays nothing', async () => {
    const id = await savings.pledge(WORKER, 60_000_000n)
    await worthless()
    const events = await run(savings.at.credit, 'seize', id, savings.at.credit)
    expect(namesOf(events)).toEqual(['POOL.Transfer', 'POOL.Withdraw', 'POOL.SharesSeized'])
    expect(await savings.number('pool', 'balanceOf', WORKER)).toBe(0n)
  })
})
