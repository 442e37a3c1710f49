import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, keccak256, stringToHex, toHex, zeroAddress, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { creditPoolAbi } from '../../../activities/chain/abi/credit-pool.ts'
import { argsOf, namesOf } from '../../contracts/support/jobs.ts'
import { type Savings, startSavings, WEEK } from '../../contracts/support/savings.ts'
import { revertAfterEach } from '../../contracts/support/shared-chain.ts'
import { highS } from '../../contracts/support/signing.ts'
import { CREDIT_OPERATOR_KEY, OPERATOR_KEY, startWorld, type World, who } from '../../contracts/support/world.ts'

let world: World
let savings: Savings

beforeAll(async () => {
  world = await startWorld()
  savings = await startSavings(world)
  await savings.enter('pool', who.worker, 50_000_000n)
  await savings.enter('pool', who.poster, 50_000_000n)
  await savings.enter('credit', who.stranger, 30_000_000n)
})
revertAfterEach(() => world)

const WORKER = who.worker
const LENDER = who.stranger
const credit = (from: Hex, name: string, ...args: readonly unknown[]) => savings.refusal(from, 'credit', name, ...args)
const run = (from: Hex, name: string, ...args: readonly unknown[]) => savings.run(from, 'credit', name, ...args)

/** Pledges all shares of 10 USDC and borrows. */
const borrow = async (amount = 6_000_000n): Promise<Hex> => {
  const id = await savings.pledge(WORKER, 10_000_000n)
  await run(WORKER, 'originate', ...(await savings.loan(WORKER, 10_000_000n, amount, 8_000_000n)))
  await savings.run(WORKER, 'token', 'approve', savings.at.credit, 2n ** 255n)
  return id
}
/** A deployment of the deposit pool is lost: a share is worth less. */
const lose = async (assets: bigint): Promise<void> => {
  await savings.run(who.operator, 'pool', 'deployToVenue', assets, BigInt((await world.now()) + 1_000))
  await savings.run(who.owner, 'pool', 'writeOffVenueLoss', 1n, assets)
}
const worthless = () => savings.run(savings.at.credit, 'token', 'transfer', who.poster, 30_000_000n)

interface Guard {
  readonly of: string
  readonly refused: string
  readonly by: () => Promise<string>
}
const guard = (of: string, refused: string, by: () => Promise<string>): Guard => ({ of, refused, by })

const LENDERS: readonly Guard[] = [
  guard('deposit', 'ZeroAmount()', () => credit(LENDER, 'deposit', 0n, zeroAddress)),
  guard('deposit', 'ZeroAddress()', () => credit(LENDER, 'deposit', 10n ** 12n, zeroAddress)),
  guard('deposit', 'ZeroAddress()', () => credit(LENDER, 'deposit', 10n ** 12n, savings.at.credit)),
  guard('deposit', 'TotalAssetCapExceeded(250000001,250000000)', () => credit(LENDER, 'deposit', 220_000_001n, LENDER)),
  guard('deposit', `LenderAssetCapExceeded(${LENDER},100000001,100000000)`, () => credit(LENDER, 'deposit', 70_000_001n, LENDER)),
  guard('deposit', `LenderAssetCapExceeded(${LENDER},100000001,100000000)`, async () => {
    await worthless()
    return credit(LENDER, 'deposit', 100_000_001n, LENDER)
  }),
  guard('deposit', 'ZeroShares()', async () => {
    await worthless()
    return credit(LENDER, 'deposit', 1n, LENDER)
  }),
  guard('deposit', 'TransferFailed()', () => credit(who.verifier, 'deposit', 1n, LENDER)),
  guard('deposit', 'AssetTransferAmountMismatch()', async () => {
    await savings.run(LENDER, 'token', 'mint', LENDER, 10n)
    await savings.run(LENDER, 'token', 'misbehave', 1n, false, '0x')
    return credit(LENDER, 'deposit', 5n, LENDER)
  }),
  guard('contributeOperatorPrincipal', 'Unauthorized()', () => credit(who.operator, 'contributeOperatorPrincipal', 0n)),
  guard('contributeOperatorPrincipal', 'ZeroAmount()', () => credit(who.creditOperator, 'contributeOperatorPrincipal', 0n)),
  guard('contributeOperatorPrincipal', 'TotalAssetCapExceeded(250000001,250000000)', () =>
    credit(who.creditOperator, 'contributeOperatorPrincipal', 220_000_001n),
  ),
  guard('contributeOperatorPrincipal', 'ZeroShares()', async () => {
    await worthless()
    return credit(who.creditOperator, 'contributeOperatorPrincipal', 1n)
  }),
  guard('redeem', 'ZeroShares()', () => credit(LENDER, 'redeem', 0n, zeroAddress, zeroAddress)),
  guard('redeem', 'ZeroAddress()', () => credit(LENDER, 'redeem', 1n, zeroAddress, LENDER)),
  guard('redeem', 'Panic(0x11)', () => credit(WORKER, 'redeem', 1n, WORKER, LENDER)),
  guard('redeem', 'InsufficientUnlockedShares()', async () => {
    await run(LENDER, 'requestRedeem', 1n, LENDER, 0)
    return credit(LENDER, 'redeem', 30_000_000n, LENDER, LENDER)
  }),
  guard('redeem', 'ZeroAmount()', async () => {
    await worthless()
    return credit(LENDER, 'redeem', 1n, LENDER, LENDER)
  }),
  guard('redeem', 'InsufficientBuffer(24000000,30000000)', async () => {
    await borrow()
    return credit(LENDER, 'redeem', 30_000_000n, LENDER, LENDER)
  }),
  guard('requestRedeem', 'ZeroShares()', () => credit(LENDER, 'requestRedeem', 0n, zeroAddress, 0)),
  guard('requestRedeem', 'ZeroAddress()', () => credit(LENDER, 'requestRedeem', 1n, zeroAddress, 0)),
  guard('requestRedeem', 'InsufficientUnlockedShares()', () => credit(LENDER, 'requestRedeem', 30_000_001n, LENDER, 0)),
  guard('fulfilRedeem', 'RedeemRequestNotFound()', () => credit(WORKER, 'fulfilRedeem', 1n)),
  guard('fulfilRedeem', 'NoticeNotElapsed(2000604800)', async () => {
    await world.nextBlockAt(2_000_000_000)
    await run(LENDER, 'requestRedeem', 1n, LENDER, 0)
    await world.nextBlockAt(2_000_604_799)
    return credit(WORKER, 'fulfilRedeem', 1n)
  }),
  guard('fulfilRedeem', 'RedeemRequestAlreadyFulfilled()', async () => {
    await run(LENDER, 'requestRedeem', 1n, LENDER, 0)
    await world.pass(WEEK)
    await run(WORKER, 'fulfilRedeem', 1n)
    return credit(WORKER, 'fulfilRedeem', 1n)
  }),
  guard('transfer', 'SharesNonTransferable()', () => credit(LENDER, 'transfer', WORKER, 1n)),
  guard('transferFrom', 'SharesNonTransferable()', () => credit(LENDER, 'transferFrom', LENDER, WORKER, 1n)),
]

type LoanChange = NonNullable<Parameters<Savings['loan']>[4]>
/** The refusal of a loan of 6.4 USDC, the most that the pledge allows, unless something else is said. */
const loan = async (changes: LoanChange & { shares?: bigint; amount?: bigint; vested?: bigint } = {}): Promise<string> => {
  const { shares = 10_000_000n, amount = 6_400_000n, vested = 8_000_000n, ...more } = changes
  return credit(WORKER, 'originate', ...(await savings.loan(WORKER, shares, amount, vested, more)))
}
const pledged = (shares = 10_000_000n) => savings.pledge(WORKER, shares)

/** An attestation whose signature was changed. */
const tampered = async (change: (signature: Hex, digest: Hex) => Hex | Promise<Hex>): Promise<string> => {
  const id = await pledged()
  const [shares, amount, vested, until, signature] = await savings.loan(WORKER, 10_000_000n, 6_400_000n, 8_000_000n)
  const digest = (await savings.read('credit', 'vestingAttestationDigest', WORKER, id, shares, amount, vested, until, 0n)) as Hex
  return credit(WORKER, 'originate', shares, amount, vested, until, await change(signature, digest))
}

const BORROWERS: readonly Guard[] = [
  guard('originate', 'ZeroShares()', () => loan({ shares: 0n, amount: 0n })),
  guard('originate', 'ZeroAmount()', () => loan({ amount: 0n })),
  guard('originate', 'InvalidPledge()', () => loan({ validUntil: 1n })),
  guard('originate', 'InvalidPledge()', async () => {
    await pledged(10_000_001n)
    return loan()
  }),
  guard('originate', 'VestingAttestationExpired(1999999999)', async () => {
    await pledged()
    await world.nextBlockAt(2_000_000_000)
    return loan({ validUntil: 1_999_999_999n, key: OPERATOR_KEY })
  }),
  guard('originate in the second it expires', 'it passed', async () => {
    await pledged()
    await world.nextBlockAt(2_000_000_000)
    return loan({ validUntil: 2_000_000_000n })
  }),
  guard('originate', 'InvalidVestingAttestation()', async () => {
    await pledged()
    return loan({ key: OPERATOR_KEY, amount: 10n ** 12n })
  }),
  guard('originate wrapped twice', 'InvalidVestingAttestation()', () =>
    tampered((_, digest) => privateKeyToAccount(CREDIT_OPERATOR_KEY).signMessage({ message: { raw: digest } })),
  ),
  guard('originate with the high twin', 'InvalidVestingAttestation()', () => tampered(highS)),
  guard('originate with 64 bytes', 'InvalidVestingAttestation()', () => tampered((signature) => signature.slice(0, 130) as Hex)),
  guard('originate with the digest itself signed', 'it passed', () =>
    tampered((_, digest) => privateKeyToAccount(CREDIT_OPERATOR_KEY).sign({ hash: digest })),
  ),
  guard('originate', 'LoanLimitExceeded(6400001,6400000)', async () => {
    await pledged()
    return loan({ amount: 6_400_001n })
  }),
  guard('originate at the limit', 'it passed', async () => {
    await pledged()
    return loan()
  }),
  guard('originate twice for one vested amount', 'LoanLimitExceeded(1,0)', async () => {
    await pledged()
    await run(WORKER, 'originate', ...(await savings.loan(WORKER, 10_000_000n, 6_400_000n, 8_000_000n)))
    await pledged()
    return loan({ amount: 1n })
  }),
  guard('originate', 'InsufficientBuffer(30000000,32000000)', async () => {
    await pledged(40_000_000n)
    return loan({ shares: 40_000_000n, amount: 32_000_000n, vested: 40_000_000n })
  }),
  guard('cancelUnusedPledge', 'LoanAlreadyExists()', async () => credit(LENDER, 'cancelUnusedPledge', await borrow())),
  guard('cancelUnusedPledge', 'InvalidPledge()', async () => credit(LENDER, 'cancelUnusedPledge', await pledged())),
  guard('cancelUnusedPledge', 'InvalidPledge()', () => credit(WORKER, 'cancelUnusedPledge', zeroHash)),
  guard('originate after a cancellation', 'InvalidPledge()', async () => {
    await run(WORKER, 'cancelUnusedPledge', await pledged())
    return loan()
  }),
  guard('pledge after a cancellation', 'PledgeAlreadyExists()', async () => {
    const id = await pledged()
    await run(WORKER, 'cancelUnusedPledge', id)
    return savings.refusal(WORKER, 'pool', 'pledge', 1n, id)
  }),
  guard('repay', 'LoanNotActive()', () => credit(WORKER, 'repay', zeroHash, 0n)),
  guard('repay', 'ZeroAmount()', async () => credit(WORKER, 'repay', await borrow(), 0n)),
  guard('repay', 'RepaymentExceedsOutstanding(6000001,6000000)', async () => credit(WORKER, 'repay', await borrow(), 6_000_001n)),
  guard('seize', 'LoanNotActive()', () => credit(WORKER, 'seize', zeroHash)),
  guard('seize', 'CollateralNotImpaired(10000000,6300000)', async () => credit(WORKER, 'seize', await borrow())),
  guard('seize at the threshold', 'CollateralNotImpaired(6300000,6300000)', async () => {
    const id = await borrow()
    await lose(37_000_000n)
    return credit(WORKER, 'seize', id)
  }),
]

const born = (...args: readonly unknown[]): Promise<string> =>
  savings
    .create('CreditPool', ...args)
    .then(() => 'it passed')
    .catch((error: Error) => error.message)
const TERMS: readonly Guard[] = [
  guard('setLtvBps', 'Unauthorized()', () => credit(who.operator, 'setLtvBps', 0n)),
  guard('setLtvBps', 'InvalidSchedule()', () => credit(who.creditOperator, 'setLtvBps', 0n)),
  guard('setLtvBps', 'InvalidSchedule()', () => credit(who.creditOperator, 'setLtvBps', 9_001n)),
  guard('setLtvBps at the maximum', 'it passed', () => credit(who.creditOperator, 'setLtvBps', 9_000n)),
  guard('setInterestBps', 'Unauthorized()', () => credit(who.operator, 'setInterestBps', 0n)),
  guard('setInterestBps', 'InvalidSchedule()', () => credit(who.creditOperator, 'setInterestBps', 2_001n)),
  guard('setInterestBps at the maximum', 'it passed', () => credit(who.creditOperator, 'setInterestBps', 2_000n)),
  ...[0, 1, 2].map((zero) =>
    guard('constructor', 'ZeroAddress()', () =>
      born(...[savings.at.token, who.operator, savings.at.pool].map((one, index) => (index === zero ? zeroAddress : one))),
    ),
  ),
  guard('constructor', 'InvalidAssetDecimals()', async () => born(await savings.create('MockPoolToken', 18), who.operator, who.stranger)),
  guard('constructor', 'InvalidDepositPool()', () => born(savings.at.token, who.operator, who.stranger)),
  guard('constructor', 'InvalidDepositPool()', () => born(savings.at.token, who.operator, world.at.pool)),
]

const LOCKED: readonly (readonly [string, Hex, readonly unknown[]])[] = [
  ['deposit', LENDER, [0n, LENDER]],
  ['contributeOperatorPrincipal', who.creditOperator, [0n]],
  ['redeem', LENDER, [0n, LENDER, LENDER]],
  ['fulfilRedeem', LENDER, [1n]],
  ['originate', WORKER, [0n, 0n, 0n, 0n, '0x']],
  ['repay', WORKER, [zeroHash, 0n]],
  ['seize', WORKER, [zeroHash]],
]
const REENTRY = LOCKED.map(([name, from, args]) =>
  guard(name, 'ReentrantCall()', async () => {
    await world.rpc('anvil_setStorageAt', savings.at.credit, '0x0', toHex(1n, { size: 32 }))
    return credit(from, name, ...args)
  }),
)

const GUARDS = [...LENDERS, ...BORROWERS, ...TERMS, ...REENTRY]

describe('the credit pool answers', () => {
  test.each(GUARDS.map((row, index) => [index + 1, row.of, row.refused, row] as const))('%i: %s with %s', async (_, __, refused, row) => {
    expect(await row.by()).toBe(refused)
  })

  test('with every error of its interface at least once', () => {
    const errors = creditPoolAbi.flatMap((item) => (item.type === 'error' ? [item.name as string] : []))
    const provoked = new Set(GUARDS.map(({ refused }) => refused.split('(')[0]))
    expect(errors.filter((name) => !provoked.has(name))).toEqual([])
  })
})

describe('a loan', () => {
  test('is repaid interest first and releases its pledge with the last payment', async () => {
    await run(who.creditOperator, 'setInterestBps', 1_000n)
    const id = await savings.pledge(WORKER, 10_000_000n)
    const opened = await run(WORKER, 'originate', ...(await savings.loan(WORKER, 10_000_000n, 6_000_000n, 8_000_000n)))
    expect(namesOf(opened)).toEqual(['TOK.Transfer', 'CREDIT.LoanOriginated'])
    await run(who.creditOperator, 'setInterestBps', 0n)
    expect(await savings.number('credit', 'outstandingDebt', WORKER)).toBe(6_600_000n)
    await savings.run(LENDER, 'token', 'mint', LENDER, 6_600_000n)
    const part = await run(LENDER, 'repay', id, 700_000n)
    expect(argsOf(part, 'CREDIT.LoanRepaid')).toMatchObject({ amount: 700_000n, outstanding: 5_900_000n })
    expect(await savings.number('credit', 'principalOutstanding')).toBe(5_900_000n)
    const last = await run(LENDER, 'repay', id, 5_900_000n)
    expect(namesOf(last)).toEqual(['TOK.Transfer', 'CREDIT.LoanRepaid', 'POOL.SharesReleased', 'CREDIT.LoanClosed'])
    expect(await savings.number('credit', 'totalAssets')).toBe(30_600_000n)
    expect(await savings.number('pool', 'availableShares', WORKER)).toBe(50_000_000n)
  })

  test('is seized below its threshold, for the lenders alone', async () => {
    const id = await borrow()
    await lose(37_000_001n)
    const events = await run(who.verifier, 'seize', id)
    expect(namesOf(events)).toEqual([
      'POOL.Transfer',
      'TOK.Transfer',
      'POOL.Withdraw',
      'POOL.SharesSeized',
      'CREDIT.PledgeSeized',
      'CREDIT.LoanClosed',
    ])
    expect(argsOf(events, 'CREDIT.PledgeSeized')).toMatchObject({ value: 6_299_999n })
    expect(await savings.read('credit', 'loans', id)).toEqual([WORKER, 6_000_000n, 0n, 0n, 10_000_000n, 8_000_000n, 0, 3])
    expect(await savings.number('credit', 'defaults')).toBe(1n)
    expect(await savings.number('credit', 'totalAssets')).toBe(30_299_999n)
  })

  test('at the maximum can be seized at once when its interest is not covered', async () => {
    await run(who.creditOperator, 'setLtvBps', 9_000n)
    await run(who.creditOperator, 'setInterestBps', 1_000n)
    const id = await savings.pledge(WORKER, 20_000_000n)
    await run(WORKER, 'originate', ...(await savings.loan(WORKER, 20_000_000n, 18_000_000n, 20_000_000n)))
    expect(namesOf(await run(who.verifier, 'seize', id)).at(-1)).toBe('CREDIT.LoanClosed')
  })
})

describe('the published digests', () => {
  const at = '0x903B318586A3772c99185000676f4AC356DD6E4B'
  const borrower = who.owner
  const LOAN = '0x9ca9a3c68fa6dbda63eefda7c10b0a3bb3f6ded02f9513f9d0125f37195e725d'

  test('are those of the contract at the published address', async () => {
    await world.rpc('anvil_setCode', at, await world.rpc('eth_getCode', savings.at.credit, 'latest'))
    const call = { address: at, abi: creditPoolAbi } as const
    const loanId = await world.client.readContract({ ...call, functionName: 'previewLoanId', args: [borrower] })
    expect(loanId).toBe(LOAN)
    const args = [borrower, LOAN, 10_000_000n, 6_000_000n, 8_000_000n, 1_900_000_000n, 0n] as const
    expect(await world.client.readContract({ ...call, functionName: 'vestingAttestationDigest', args })).toBe(
      '0x329a22bfe2b13bb1407953297416b4c164aa69e2202336c02f92d1d814c6ac1b',
    )
    const type =
      'VestingAttestation(address borrower,bytes32 loanId,uint256 pledgeShares,uint256 amount,uint256 vestedRaw,uint64 validUntil,uint256 nonce,uint256 chainId,address creditPool)'
    expect(await savings.read('credit', 'VESTING_ATTESTATION_TYPEHASH')).toBe(keccak256(stringToHex(type)))
    expect(keccak256(stringToHex(type))).toBe('0x943fc620214566a822f85c2977cc829a7ee8948e1dab213ad2a89a3e1d1be8a4')
  })
})
