import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeFunctionData, type Hex, toHex, zeroAddress, zeroHash } from 'viem'
import { depositPoolAbi } from '../../../activities/chain/abi/deposit-pool.ts'
import { DAY, namesOf } from '../../contracts/support/jobs.ts'
import { type Savings, startSavings, UNLIMITED, WEEK } from '../../contracts/support/savings.ts'
import { revertAfterEach } from '../../contracts/support/shared-chain.ts'
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

const pool = (from: Hex, name: string, ...args: readonly unknown[]) => savings.refusal(from, 'pool', name, ...args)
const run = (from: Hex, name: string, ...args: readonly unknown[]) => savings.run(from, 'pool', name, ...args)
const soon = async (seconds = DAY): Promise<bigint> => BigInt((await world.now()) + seconds)

/** A deployment of 10 USDC that returns within a day. */
const deployed = async (): Promise<Hex> => {
  await run(who.operator, 'deployToVenue', 10_000_000n, await soon())
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

interface Guard {
  readonly of: string
  readonly refused: string
  readonly by: () => Promise<string>
}

const guard = (of: string, refused: string, by: () => Promise<string>): Guard => ({ of, refused, by })
const WORKER = who.worker

const ENTRY: readonly Guard[] = [
  guard('deposit', 'ZeroAmount()', () => pool(WORKER, 'deposit', 0n, zeroAddress)),
  guard('deposit', 'ZeroAddress()', () => pool(WORKER, 'deposit', 10n ** 12n, zeroAddress)),
  guard('deposit', 'Unauthorized()', () => pool(WORKER, 'deposit', 10n ** 12n, savings.at.pool)),
  guard('deposit', 'TotalAssetCapExceeded(1000000001,1000000000)', () => pool(WORKER, 'deposit', 880_000_001n, WORKER)),
  guard('deposit', `AgentAssetCapExceeded(${who.worker},100000001,100000000)`, () => pool(WORKER, 'deposit', 40_000_001n, WORKER)),
  guard('deposit', 'ZeroShares()', async () => {
    await worthless()
    return pool(WORKER, 'deposit', 10n ** 9n, WORKER)
  }),
  guard('deposit', 'TransferFailed()', () => pool(who.stranger, 'deposit', 1n, WORKER)),
  guard('deposit', 'TransferFailed()', async () => {
    await savings.run(WORKER, 'token', 'misbehave', 0n, true, '0x')
    return pool(WORKER, 'deposit', 1n, WORKER)
  }),
  guard('deposit', 'AssetTransferAmountMismatch()', async () => {
    await savings.run(WORKER, 'token', 'mint', WORKER, 10n)
    await savings.run(WORKER, 'token', 'misbehave', 1n, false, '0x')
    return pool(WORKER, 'deposit', 5n, WORKER)
  }),
  guard('mint', 'ZeroShares()', () => pool(WORKER, 'mint', 0n, zeroAddress)),
  guard('mint', 'ZeroAddress()', () => pool(WORKER, 'mint', 1n, zeroAddress)),
  guard('mint', 'Unauthorized()', () => pool(WORKER, 'mint', 1n, savings.at.pool)),
  guard('mint', 'TotalAssetCapExceeded(1000000001,1000000000)', () => pool(WORKER, 'mint', 880_000_001n, WORKER)),
  guard('mint', `AgentAssetCapExceeded(${who.worker},100000001,100000000)`, () => pool(WORKER, 'mint', 40_000_001n, WORKER)),
  guard('mint', 'ZeroAmount()', async () => {
    await worthless()
    return pool(WORKER, 'mint', 1n, WORKER)
  }),
  guard('contributeOperatorPrincipal', 'Unauthorized()', () => pool(WORKER, 'contributeOperatorPrincipal', 0n)),
  guard('contributeOperatorPrincipal', 'ZeroAmount()', () => pool(who.operator, 'contributeOperatorPrincipal', 0n)),
  guard('contributeOperatorPrincipal', 'TotalAssetCapExceeded(1000000001,1000000000)', () =>
    pool(who.operator, 'contributeOperatorPrincipal', 880_000_001n),
  ),
  guard('contributeOperatorPrincipal', 'ZeroShares()', async () => {
    await worthless()
    return pool(who.operator, 'contributeOperatorPrincipal', 1n)
  }),
]

const EXIT: readonly Guard[] = [
  guard('redeem', 'ZeroShares()', () => pool(WORKER, 'redeem', 0n, zeroAddress, zeroAddress)),
  guard('redeem', 'ZeroAddress()', () => pool(WORKER, 'redeem', 1n, zeroAddress, WORKER)),
  guard('redeem', 'ZeroAddress()', () => pool(WORKER, 'redeem', 1n, WORKER, zeroAddress)),
  guard('redeem', 'Panic(0x11)', () => pool(who.stranger, 'redeem', 1n, who.stranger, WORKER)),
  guard('redeem', 'InsufficientUnlockedShares()', async () => {
    await savings.pledge(WORKER, 60_000_000n)
    return pool(WORKER, 'redeem', 60_000_001n, WORKER, WORKER)
  }),
  guard('redeem', 'SharesPledged()', async () => {
    await savings.pledge(WORKER, 60_000_000n)
    return pool(WORKER, 'redeem', 1n, WORKER, WORKER)
  }),
  guard('redeem', 'ZeroAmount()', async () => {
    await worthless()
    return pool(WORKER, 'redeem', 1n, WORKER, WORKER)
  }),
  guard('redeem', 'InsufficientBuffer(50000000,60000000)', async () => {
    await deployed()
    await run(who.poster, 'redeem', 60_000_000n, who.poster, who.poster)
    return pool(WORKER, 'redeem', 60_000_000n, WORKER, WORKER)
  }),
  guard('requestRedeem', 'ZeroShares()', () => pool(WORKER, 'requestRedeem', 0n, zeroAddress, 0)),
  guard('requestRedeem', 'ZeroAddress()', () => pool(WORKER, 'requestRedeem', 1n, zeroAddress, 0)),
  guard('requestRedeem', 'empty revert', () => pool(WORKER, 'requestRedeem', 1n, WORKER, 2)),
  guard('requestRedeem', 'InsufficientUnlockedShares()', () => pool(WORKER, 'requestRedeem', 60_000_001n, WORKER, 0)),
  guard('requestRedeem', 'SharesPledged()', async () => {
    await savings.pledge(WORKER, 1n)
    return pool(WORKER, 'requestRedeem', 60_000_000n, WORKER, 0)
  }),
  guard('fulfilRedeem', 'RedeemRequestNotFound()', () => pool(who.stranger, 'fulfilRedeem', 1n)),
  guard('fulfilRedeem', 'ZeroAmount()', async () => {
    await run(WORKER, 'requestRedeem', 1n, WORKER, 0)
    await worthless()
    await world.pass(WEEK)
    return pool(who.stranger, 'fulfilRedeem', 1n)
  }),
  guard('fulfilRedeem', 'InsufficientBuffer(50000000,60000000)', async () => {
    await run(WORKER, 'requestRedeem', 60_000_000n, WORKER, 0)
    await deployed()
    await run(who.poster, 'redeem', 60_000_000n, who.poster, who.poster)
    await world.pass(WEEK)
    return pool(who.stranger, 'fulfilRedeem', 1n)
  }),
  guard('fulfilRedeem', 'RedeemRequestAlreadyFulfilled()', async () => {
    await run(WORKER, 'requestRedeem', 5n, WORKER, 0)
    await world.pass(WEEK)
    await run(who.stranger, 'fulfilRedeem', 1n)
    return pool(who.stranger, 'fulfilRedeem', 1n)
  }),
  guard('transfer', 'SharesNonTransferable()', () => pool(WORKER, 'transfer', who.poster, 1n)),
  guard('transferFrom', 'SharesNonTransferable()', () => pool(WORKER, 'transferFrom', WORKER, who.poster, 1n)),
]

const PLEDGE: readonly Guard[] = [
  guard('pledge', 'ZeroShares()', () => pool(WORKER, 'pledge', 0n, zeroHash)),
  guard('pledge', 'InvalidLoanId()', () => pool(WORKER, 'pledge', 1n, zeroHash)),
  guard('pledge', 'InvalidLoanId()', async () => pool(WORKER, 'pledge', 1n, await savings.loanId(who.poster))),
  guard('pledge', 'PledgeAlreadyExists()', async () => pool(WORKER, 'pledge', 10n ** 9n, await savings.pledge(WORKER, 1n))),
  guard('pledge', 'InsufficientUnlockedShares()', async () => {
    await run(WORKER, 'requestRedeem', 1n, WORKER, 1)
    return pool(WORKER, 'pledge', 60_000_000n, await savings.loanId(WORKER))
  }),
  guard('release', 'Unauthorized()', () => pool(WORKER, 'release', zeroHash)),
  guard('release', 'PledgeNotFound()', () => pool(savings.at.credit, 'release', zeroHash)),
  guard('seize', 'Unauthorized()', () => pool(WORKER, 'seize', zeroHash, zeroAddress)),
  guard('seize', 'ZeroAddress()', () => pool(savings.at.credit, 'seize', zeroHash, zeroAddress)),
  guard('seize', 'PledgeNotFound()', () => pool(savings.at.credit, 'seize', zeroHash, WORKER)),
  guard('seize', 'InsufficientBuffer(50000000,60000000)', async () => {
    const id = await savings.pledge(WORKER, 60_000_000n)
    await deployed()
    await run(who.poster, 'redeem', 60_000_000n, who.poster, who.poster)
    return pool(savings.at.credit, 'seize', id, savings.at.credit)
  }),
]

const DEPLOY: readonly Guard[] = [
  guard('deployToVenue', 'Unauthorized()', () => pool(WORKER, 'deployToVenue', 0n, 0n)),
  guard('deployToVenue', 'VenueNotConfigured()', () => world.refusal(who.operator, 'pool', 'deployToVenue', 0n, 0n)),
  guard('deployToVenue', 'ZeroAmount()', () => pool(who.operator, 'deployToVenue', 0n, 0n)),
  guard('deployToVenue', 'InvalidReturnDeadline()', () => pool(who.operator, 'deployToVenue', 1n, 1n)),
  guard('deployToVenue', 'VenueDeadlineExceedsNoticeTier(2000604801,2000604800)', async () => {
    await world.nextBlockAt(2_000_000_000)
    return pool(who.operator, 'deployToVenue', 1n, 2_000_604_801n)
  }),
  guard('deployToVenue', 'VenueDeploymentAlreadyActive()', async () => {
    await deployed()
    return pool(who.operator, 'deployToVenue', 10n ** 12n, await soon())
  }),
  guard('deployToVenue', 'DeploymentEpochNotElapsed(2000086400)', async () => {
    await world.nextBlockAt(2_000_000_000)
    const id = await deployedUntil(2_000_001_000n)
    await savings.settle(id, { status: 3 }, 10_000_000n)
    await run(who.stranger, 'settleVenueDeployment', 1n)
    return pool(who.operator, 'deployToVenue', 10n ** 12n, 2_000_001_000n)
  }),
  guard('deployToVenue', 'BufferFloorBreached(120000000,60000000,60000001)', async () =>
    pool(who.operator, 'deployToVenue', 60_000_001n, await soon()),
  ),
  guard('settleVenueDeployment', 'VenueDeploymentNotFound()', () => pool(WORKER, 'settleVenueDeployment', 1n)),
  guard('settleVenueDeployment', 'VenueRequestPending()', async () => {
    await deployed()
    return pool(WORKER, 'settleVenueDeployment', 1n)
  }),
  ...[
    { status: 0 },
    { status: 2, kind: 1 },
    { status: 2, requestedAssets: 1n },
    { status: 2, returnBy: 1n },
    { status: 2, claimed: true },
  ].map((changes) =>
    guard('settleVenueDeployment', 'VenueRequestMismatch()', async () => {
      await savings.settle(await deployed(), changes)
      return pool(WORKER, 'settleVenueDeployment', 1n)
    }),
  ),
  guard('settleVenueDeployment', 'VenueRequestMismatch()', async () => {
    await savings.settle(await deployed(), { status: 2 })
    await run(WORKER, 'settleVenueDeployment', 1n)
    return pool(WORKER, 'settleVenueDeployment', 1n)
  }),
]

const deployedUntil = async (returnBy: bigint): Promise<Hex> => {
  await run(who.operator, 'deployToVenue', 10_000_000n, returnBy)
  return savings.lastRequest()
}

const RETURN: readonly Guard[] = [
  guard('recallVenueDeployment', 'Unauthorized()', () => pool(WORKER, 'recallVenueDeployment', 1n, 0n)),
  guard('recallVenueDeployment', 'VenueNotConfigured()', () => world.refusal(who.operator, 'pool', 'recallVenueDeployment', 1n, 0n)),
  guard('recallVenueDeployment', 'ZeroAmount()', () => pool(who.operator, 'recallVenueDeployment', 1n, 0n)),
  guard('recallVenueDeployment', 'VenueDeploymentNotFound()', () => pool(who.operator, 'recallVenueDeployment', 0n, 1n)),
  guard('recallVenueDeployment', 'VenueRecallAlreadyActive()', async () => {
    await recalled()
    return pool(who.operator, 'recallVenueDeployment', 9n, 10n ** 12n)
  }),
  guard('recallVenueDeployment', 'VenueRecallExceedsManaged(10000000,10000001)', async () => {
    await deployed()
    return pool(who.operator, 'recallVenueDeployment', 1n, 10_000_001n)
  }),
  guard('settleVenueRecall', 'VenueRecallNotFound()', () => pool(WORKER, 'settleVenueRecall', 1n)),
  guard('settleVenueRecall', 'VenueRequestPending()', async () => {
    await recalled()
    return pool(WORKER, 'settleVenueRecall', 1n)
  }),
  guard('settleVenueRecall', 'VenueRequestMismatch()', async () => {
    await savings.settle(await recalled(), { status: 2, kind: 0 })
    return pool(WORKER, 'settleVenueRecall', 1n)
  }),
  guard('settleVenueRecall', 'VenueRequestMismatch()', async () => {
    await savings.settle(await recalled(), { status: 3 })
    await run(WORKER, 'settleVenueRecall', 1n)
    return pool(WORKER, 'settleVenueRecall', 1n)
  }),
  ...[3_999_999n, 4_000_001n].map((payout) =>
    guard('settleVenueRecall', `VenueRecallShortfall(${payout},4000000)`, async () => {
      await savings.settle(await recalled(), { status: 2, settledAssets: 4_000_000n }, payout)
      return pool(WORKER, 'settleVenueRecall', 1n)
    }),
  ),
  guard('recordVenueReturn', 'Unauthorized()', () => pool(WORKER, 'recordVenueReturn', zeroHash, 0n)),
  guard('recordVenueReturn', 'ZeroAmount()', () => pool(savings.at.venue, 'recordVenueReturn', zeroHash, 0n)),
  guard('recordVenueReturn', 'VenueDeploymentNotFound()', async () => pool(savings.at.venue, 'recordVenueReturn', await recalled(), 1n)),
  guard('writeOffVenueLoss', 'VenueNotConfigured()', () => world.refusal(who.owner, 'pool', 'writeOffVenueLoss', 1n, 0n)),
  guard('writeOffVenueLoss', 'Unauthorized()', () => pool(who.operator, 'writeOffVenueLoss', 1n, 0n)),
  guard('writeOffVenueLoss', 'ZeroAmount()', () => pool(who.owner, 'writeOffVenueLoss', 1n, 0n)),
  guard('writeOffVenueLoss', 'VenueDeploymentNotFound()', () => pool(who.owner, 'writeOffVenueLoss', 1n, 1n)),
  guard('writeOffVenueLoss', 'VenueLossExceedsOutstanding(9000000,9000001)', async () => {
    await savings.run(who.owner, 'venue', 'release', savings.at.pool, await deployed(), 1_000_000n)
    return pool(who.owner, 'writeOffVenueLoss', 1n, 9_000_001n)
  }),
]

const born = async (...args: readonly unknown[]): Promise<string> => {
  const deployment = savings.create('DepositPoolV2', ...args)
  return deployment.then(() => 'it passed').catch((error: Error) => error.message)
}
const CONSTRUCTOR: readonly Guard[] = [
  ...[0, 1, 3].map((zero) =>
    guard('constructor', 'ZeroAddress()', () =>
      born(...[savings.at.token, who.operator, zeroAddress, who.stranger].map((one, index) => (index === zero ? zeroAddress : one))),
    ),
  ),
  guard('constructor', 'InvalidAssetDecimals()', async () =>
    born(await savings.create('MockPoolToken', 18), who.operator, who.stranger, who.stranger),
  ),
  guard('constructor', 'InvalidVenueAdapter()', () => born(savings.at.token, who.operator, who.stranger, who.stranger)),
  guard('constructor', 'InvalidVenueAdapter()', async () =>
    born(savings.at.token, who.operator, await savings.create('MockVenueAdapter', world.at.token, who.owner), who.stranger),
  ),
  guard('constructor', 'InvalidVenueAdapter()', async () =>
    born(savings.at.token, who.operator, await savings.create('MockVenueAdapter', savings.at.token, zeroAddress), who.stranger),
  ),
]

const LOCKED: readonly (readonly [string, Hex, readonly unknown[]])[] = [
  ['deposit', WORKER, [0n, WORKER]],
  ['mint', WORKER, [0n, WORKER]],
  ['contributeOperatorPrincipal', who.operator, [0n]],
  ['redeem', WORKER, [0n, WORKER, WORKER]],
  ['fulfilRedeem', WORKER, [1n]],
  ['deployToVenue', who.operator, [0n, 0n]],
  ['settleVenueDeployment', WORKER, [1n]],
  ['recallVenueDeployment', who.operator, [1n, 0n]],
  ['settleVenueRecall', WORKER, [1n]],
  ['recordVenueReturn', WORKER, [zeroHash, 0n]],
  ['writeOffVenueLoss', WORKER, [1n, 0n]],
]
/** Pretends that a call is running: the flag is the first byte of storage. */
const hold = () => world.rpc('anvil_setStorageAt', savings.at.pool, '0x0', toHex(1n, { size: 32 }))
const REENTRY: readonly Guard[] = [
  ...LOCKED.map(([name, from, args]) =>
    guard(name, 'ReentrantCall()', async () => {
      await hold()
      return pool(from, name, ...args)
    }),
  ),
  guard('seize', 'ReentrantCall()', async () => {
    await hold()
    return pool(savings.at.credit, 'seize', zeroHash, zeroAddress)
  }),
  // The strict transfer hides the reason. Without the lock anybody may fulfil the request, a token too.
  guard('a token that calls back', 'TransferFailed()', async () => {
    await run(who.poster, 'requestRedeem', 1n, who.poster, 0)
    await world.pass(WEEK)
    const data = encodeFunctionData({ abi: depositPoolAbi, functionName: 'fulfilRedeem', args: [1n] })
    await savings.run(WORKER, 'token', 'misbehave', 0n, false, data)
    return pool(WORKER, 'redeem', 2n, WORKER, WORKER)
  }),
]

const GUARDS = [...ENTRY, ...EXIT, ...PLEDGE, ...DEPLOY, ...RETURN, ...CONSTRUCTOR, ...REENTRY]

describe('the deposit pool refuses', () => {
  test.each(GUARDS.map((row, index) => [index + 1, row.of, row.refused, row] as const))('%i: %s with %s', async (_, __, refused, row) => {
    expect(await row.by()).toBe(refused)
  })

  test('a notice one second early and pays it on the second', async () => {
    await world.nextBlockAt(2_000_000_000)
    await run(WORKER, 'requestRedeem', 1_000_000n, who.stranger, 1)
    await world.nextBlockAt(2_002_591_999)
    expect(await pool(who.poster, 'fulfilRedeem', 1n)).toBe('NoticeNotElapsed(2002592000)')
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
    const errors = depositPoolAbi.flatMap((item) => (item.type === 'error' ? [item.name as string] : []))
    const provoked = new Set([...GUARDS.map(({ refused }) => refused), 'NoticeNotElapsed('].map((text) => text.split('(')[0]))
    expect(errors.filter((name) => !provoked.has(name))).toEqual([])
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
