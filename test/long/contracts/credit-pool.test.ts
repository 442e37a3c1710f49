import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, keccak256, stringToHex, zeroAddress, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { creditPoolAbi } from '../../../activities/chain/abi/credit-pool.ts'
import { argsOf, namesOf } from '../../contracts/support/jobs.ts'
import { revertAfterEach } from '../../contracts/support/revert.ts'
import { answerTo, errorsWithout, hold, inOrder, type PoolRow, type Savings, startSavings, WEEK } from '../../contracts/support/savings.ts'
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

const CAPPED = 'TotalAssetCapExceeded(250000001,250000000)'
const LENDER_CAPPED = `LenderAssetCapExceeded(${LENDER},100000001,100000000)`
const notice = (shares = 1n) => run(LENDER, 'requestRedeem', shares, LENDER, 0)
const aWeek = () => world.pass(WEEK)
const fulfil = () => run(WORKER, 'fulfilRedeem', 1n)
const pledged = (shares = 10_000_000n) => savings.pledge(WORKER, shares)
const at2033 = () => world.nextBlockAt(2_000_000_000)
const cancelled = async () => run(WORKER, 'cancelUnusedPledge', await pledged())

type LoanChange = NonNullable<Parameters<Savings['loan']>[4]> & { shares?: bigint; amount?: bigint; vested?: bigint }
/** Arguments of a loan of 6.4 USDC, the most that the pledge allows, with changes. */
const loan = ({ shares = 10_000_000n, amount = 6_400_000n, vested = 8_000_000n, ...more }: LoanChange = {}) =>
  savings.loan(WORKER, shares, amount, vested, more)
const lent = async () => run(WORKER, 'originate', ...(await loan()))

/** Arguments of a loan whose attestation has a changed signature. */
const tampered = (change: (signature: Hex, digest: Hex) => Hex | Promise<Hex>) => async (id: Hex) => {
  const [shares, amount, vested, until, signature] = await loan()
  const digest = (await savings.read('credit', 'vestingAttestationDigest', WORKER, id, shares, amount, vested, until, 0n)) as Hex
  return [shares, amount, vested, until, await change(signature, digest)]
}
const operator = privateKeyToAccount(CREDIT_OPERATOR_KEY)

/** Rows of one call stand in the order in which it checks. */
const ROWS: readonly PoolRow[] = [
  ['deposit', 'ZeroAmount()', 'stranger', [0n, zeroAddress]],
  ['deposit', 'ZeroAddress()', 'stranger', [10n ** 12n, zeroAddress]],
  ['deposit', 'ZeroAddress()', 'stranger', () => [10n ** 12n, savings.at.credit]],
  ['deposit', CAPPED, 'stranger', [220_000_001n, LENDER]],
  ['deposit', LENDER_CAPPED, 'stranger', [70_000_001n, LENDER]],
  ['deposit', LENDER_CAPPED, 'stranger', [100_000_001n, LENDER], () => worthless()],
  ['deposit', 'ZeroShares()', 'stranger', [1n, LENDER], () => worthless()],
  ['deposit', 'TransferFailed()', 'verifier', [1n, LENDER]],
  ['deposit', 'AssetTransferAmountMismatch()', 'stranger', [5n, LENDER], () => savings.keepsUnits(LENDER, 1n)],
  ['contributeOperatorPrincipal', 'Unauthorized()', 'operator', [0n]],
  ['contributeOperatorPrincipal', 'ZeroAmount()', 'creditOperator', [0n]],
  ['contributeOperatorPrincipal', CAPPED, 'creditOperator', [220_000_001n]],
  ['contributeOperatorPrincipal', 'ZeroShares()', 'creditOperator', [1n], () => worthless()],
  ['redeem', 'ZeroShares()', 'stranger', [0n, zeroAddress, zeroAddress]],
  ['redeem', 'ZeroAddress()', 'stranger', [1n, zeroAddress, LENDER]],
  ['redeem', 'Panic(0x11)', 'worker', [1n, WORKER, LENDER]],
  ['redeem', 'InsufficientUnlockedShares()', 'stranger', [30_000_000n, LENDER, LENDER], () => notice()],
  ['redeem', 'ZeroAmount()', 'stranger', [1n, LENDER, LENDER], () => worthless()],
  ['redeem', 'InsufficientBuffer(24000000,30000000)', 'stranger', [30_000_000n, LENDER, LENDER], () => borrow()],
  ['requestRedeem', 'ZeroShares()', 'stranger', [0n, zeroAddress, 0]],
  ['requestRedeem', 'ZeroAddress()', 'stranger', [1n, zeroAddress, 0]],
  ['requestRedeem', 'InsufficientUnlockedShares()', 'stranger', [30_000_001n, LENDER, 0]],
  ['fulfilRedeem', 'RedeemRequestNotFound()', 'worker', [1n]],
  ['fulfilRedeem', 'NoticeNotElapsed(2000604800)', 'worker', [1n], inOrder(at2033, notice, () => world.nextBlockAt(2_000_604_799))],
  ['fulfilRedeem', 'RedeemRequestAlreadyFulfilled()', 'worker', [1n], inOrder(notice, aWeek, fulfil)],
  ['transfer', 'SharesNonTransferable()', 'stranger', [WORKER, 1n]],
  ['transferFrom', 'SharesNonTransferable()', 'stranger', [LENDER, WORKER, 1n]],
  ['originate', 'ZeroShares()', 'worker', () => loan({ shares: 0n, amount: 0n })],
  ['originate', 'ZeroAmount()', 'worker', () => loan({ amount: 0n })],
  ['originate', 'InvalidPledge()', 'worker', () => loan({ validUntil: 1n })],
  ['originate', 'InvalidPledge()', 'worker', () => loan(), () => pledged(10_000_001n)],
  [
    'originate',
    'VestingAttestationExpired(1999999999)',
    'worker',
    () => loan({ validUntil: 1_999_999_999n, key: OPERATOR_KEY }),
    inOrder(pledged, at2033),
  ],
  ['originate', 'it passed', 'worker', () => loan({ validUntil: 2_000_000_000n }), inOrder(pledged, at2033)],
  ['originate', 'InvalidVestingAttestation()', 'worker', () => loan({ key: OPERATOR_KEY, amount: 10n ** 12n }), pledged],
  [
    'originate',
    'InvalidVestingAttestation()',
    'worker',
    tampered((_, digest) => operator.signMessage({ message: { raw: digest } })),
    pledged,
  ],
  ['originate', 'InvalidVestingAttestation()', 'worker', tampered(highS), pledged],
  ['originate', 'InvalidVestingAttestation()', 'worker', tampered((signature) => signature.slice(0, 130) as Hex), pledged],
  ['originate', 'it passed', 'worker', tampered((_, digest) => operator.sign({ hash: digest })), pledged],
  ['originate', 'LoanLimitExceeded(6400001,6400000)', 'worker', () => loan({ amount: 6_400_001n }), pledged],
  ['originate', 'it passed', 'worker', () => loan(), pledged],
  ['originate', 'LoanLimitExceeded(1,0)', 'worker', () => loan({ amount: 1n }), inOrder(pledged, lent, pledged)],
  [
    ...(['originate', 'InsufficientBuffer(30000000,32000000)', 'worker'] as const),
    ...([() => loan({ shares: 40_000_000n, amount: 32_000_000n, vested: 40_000_000n }), () => pledged(40_000_000n)] as const),
  ],
  ['cancelUnusedPledge', 'LoanAlreadyExists()', 'stranger', (id) => [id], () => borrow()],
  ['cancelUnusedPledge', 'InvalidPledge()', 'stranger', (id) => [id], pledged],
  ['cancelUnusedPledge', 'InvalidPledge()', 'worker', [zeroHash]],
  ['originate', 'InvalidPledge()', 'worker', () => loan(), cancelled],
  ['repay', 'LoanNotActive()', 'worker', [zeroHash, 0n]],
  ['repay', 'ZeroAmount()', 'worker', (id) => [id, 0n], () => borrow()],
  ['repay', 'RepaymentExceedsOutstanding(6000001,6000000)', 'worker', (id) => [id, 6_000_001n], () => borrow()],
  ['seize', 'LoanNotActive()', 'worker', [zeroHash]],
  ['seize', 'CollateralNotImpaired(10000000,6300000)', 'worker', (id) => [id], () => borrow()],
  ['seize', 'CollateralNotImpaired(6300000,6300000)', 'worker', (id) => [id], inOrder(borrow, () => lose(37_000_000n))],
  ['setLtvBps', 'Unauthorized()', 'operator', [0n]],
  ['setLtvBps', 'InvalidSchedule()', 'creditOperator', [0n]],
  ['setLtvBps', 'InvalidSchedule()', 'creditOperator', [9_001n]],
  ['setLtvBps', 'it passed', 'creditOperator', [9_000n]],
  ['setInterestBps', 'Unauthorized()', 'operator', [0n]],
  ['setInterestBps', 'InvalidSchedule()', 'creditOperator', [2_001n]],
  ['setInterestBps', 'it passed', 'creditOperator', [2_000n]],
  ...(
    [
      ['deposit', 'stranger', [0n, LENDER]],
      ['contributeOperatorPrincipal', 'creditOperator', [0n]],
      ['redeem', 'stranger', [0n, LENDER, LENDER]],
      ['fulfilRedeem', 'stranger', [1n]],
      ['originate', 'worker', [0n, 0n, 0n, 0n, '0x']],
      ['repay', 'worker', [zeroHash, 0n]],
      ['seize', 'worker', [zeroHash]],
    ] as const
  ).map(([call, from, args]): PoolRow => [call, 'ReentrantCall()', from, args, () => hold(savings, savings.at.credit)]),
]

/** Addresses of a deployment: token, operator, deposit pool. */
const valid = () => [savings.at.token, who.operator, savings.at.pool] as const

/** Addresses with which no credit pool can be deployed. */
const DEPLOYMENTS: readonly (readonly [answer: string, what: string, addresses: () => readonly Hex[] | Promise<readonly Hex[]>])[] = [
  ['ZeroAddress()', 'no token', () => valid().with(0, zeroAddress)],
  ['ZeroAddress()', 'no operator', () => valid().with(1, zeroAddress)],
  ['ZeroAddress()', 'no deposit pool', () => valid().with(2, zeroAddress)],
  ['InvalidAssetDecimals()', 'a token of 18 decimals', async () => valid().with(0, await savings.create('MockPoolToken', 18))],
  ['InvalidDepositPool()', 'a deposit pool without code', () => valid().with(2, who.stranger)],
  ['InvalidDepositPool()', 'a deposit pool of another token', () => valid().with(2, world.at.pool)],
]

describe('the credit pool answers', () => {
  test.each(ROWS.map((row) => [row[0], row[1], row] as const))('%s with %s', async (_, answer, row) => {
    expect(await answerTo(savings, 'credit', row)).toBe(answer)
  })

  test.each(DEPLOYMENTS)('with %s to its deployment with %s', async (answer, _, addresses) => {
    expect(await savings.deployment('CreditPool', ...(await addresses()))).toBe(answer)
  })

  test('a cancelled pledge is not made again', async () => {
    const id = await pledged()
    await run(WORKER, 'cancelUnusedPledge', id)
    expect(await savings.refusal(WORKER, 'pool', 'pledge', 1n, id)).toBe('PledgeAlreadyExists()')
  })

  test('with every error of its interface at least once', () => {
    const answers = [...ROWS.map(([, answer]) => answer), ...DEPLOYMENTS.map(([answer]) => answer)]
    expect(errorsWithout(creditPoolAbi, answers)).toEqual([])
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
