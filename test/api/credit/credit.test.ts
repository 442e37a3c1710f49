import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { KyselyPlugin, RawNode } from 'kysely'
import { type Hex, zeroAddress } from 'viem'
import { createChainClients } from '../../../activities/chain/clients.ts'
import { createChainReads } from '../../../activities/chain/reads.ts'
import { createCreditHandlers } from '../../../api/credit/handlers.ts'
import { loadArtifact } from '../../../contracts/artifact.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import * as credit from '../../../schemas/credit/operations.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { readSettings, type Settings } from '../../../schemas/settings.ts'
import { OPERATOR_KEY, who } from '../../contracts/support/world.ts'
import { eventually } from '../../support/eventually.ts'
import { ask, mint, operator, refusal, type Stage, startStage, worker } from '../support/account-world.ts'
import { createFollowing } from '../support/following.ts'

let stage: Stage
let handlers: ReturnType<typeof createCreditHandlers>
let readEvents: () => Promise<void>
const HOUR = 3_600

beforeAll(async () => {
  stage = await startStage()
  handlers = createCreditHandlers(stage.deps)
  readEvents = createFollowing(stage)
})
afterAll(() => stage?.stop())

let wallets = 0
const freshWallet = (): Hex => {
  wallets += 1
  return `0x${(0xcaa0_0000 + wallets).toString(16).padStart(40, '0')}`
}

const getCredit = async (wallet: Hex) => {
  await readEvents()
  const { body } = await ask(credit.getCredit, handlers.getCredit, { wallet })
  if (!body.available) throw new Error(body.reason)
  return body
}
const build = async (wallet: Hex, body: Record<string, unknown>, from = handlers) => {
  await readEvents()
  const { body: answer } = await ask(credit.buildCreditTransactions, from.buildCreditTransactions, { wallet, body })
  if (!answer.available) throw new Error(answer.reason)
  return answer
}
type Answer = Awaited<ReturnType<typeof build>>
const borrowOf = (answer: Answer) => {
  if (answer.direction !== 'borrow') throw new Error('no loan')
  return answer
}

/** Sends one template as it stands; answers the contract's error. */
const sendOne = async ({ from, to, data }: Answer['templates'][number]): Promise<string | null> =>
  (await stage.world.attemptAt(from as Hex, to as Hex, data as Hex)).error ?? null
const sendAll = async ({ templates }: Pick<Answer, 'templates'>): Promise<void> => {
  for (const template of templates) expect(await sendOne(template)).toBeNull()
}

const lend = async (amountRaw: bigint, lender = freshWallet()): Promise<Hex> => {
  await mint(stage.world, lender, amountRaw)
  await sendAll(await build(lender, { direction: 'deposit', amount: amountRaw.toString() }))
  return lender
}
/** A wallet with a deposit of 10 in the pool that has vested. */
const vestedWallet = async (): Promise<Hex> => {
  const wallet = freshWallet()
  const { world } = stage
  await mint(world, wallet, 10_000_000n)
  await world.run(wallet, 'token', 'approve', world.at.pool, 10_000_000n)
  await world.run(wallet, 'pool', 'deposit', 10_000_000n, wallet)
  await world.pass(48 * HOUR)
  return wallet
}
const LOAN = { direction: 'borrow', pledgeShares: '5000000', amount: '3000000' }
const borrow = async (wallet: Hex, body = LOAN): Promise<string> => {
  const answer = borrowOf(await build(wallet, body))
  await sendAll(answer)
  return answer.preview.loanId
}

/** Balances as `expected` names them. */
const balancesOf = async (holder: Hex): Promise<Record<string, string>> => {
  const { world } = stage
  const named = {
    wallet: world.read('token', 'balanceOf', holder),
    'credit.shares': world.read('credit', 'balanceOf', holder),
    'credit.debt': world.read('credit', 'outstandingDebt', holder),
    'pool.pledged': world.read('pool', 'pledgedShares', holder),
  }
  return Object.fromEntries(await Promise.all(Object.entries(named).map(async ([kind, raw]) => [kind, String(await raw)])))
}

/** Sends what was built and compares every balance that it may change with the expected one. */
const sendAndCompare = async (wallet: Hex, answer: Answer, borrower = wallet): Promise<void> => {
  const holders = [...new Set([wallet, borrower])]
  const expected = Object.fromEntries(await Promise.all(holders.map(async (holder) => [holder, await balancesOf(holder)] as const)))
  for (const { kind, holder, before, after } of answer.expected) {
    expect([kind, expected[holder]?.[kind]]).toEqual([kind, before.raw])
    expected[holder] = { ...expected[holder], [kind]: after.raw }
  }
  await sendAll(answer)
  for (const holder of holders) expect(await balancesOf(holder)).toEqual(expected[holder])
}

interface Parts {
  chain?: ChainFile
  settings?: Partial<Settings>
  warn?: (where: object, message: string) => void
}
const withParts = ({ chain = stage.chain, settings = {}, warn = () => undefined }: Parts) => {
  const clients = createChainClients(chain)
  const read = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused', OPERATOR_KEY, ...settings } as never)
  return createCreditHandlers({
    ...stage.deps,
    logger: { warn } as never,
    settings: read,
    chain,
    clients,
    reads: createChainReads(chain, clients, operator),
  })
}

describe('the credit pool', () => {
  test('without a lender has nothing for a loan within the limit', async () => {
    expect(await refusal(build(await vestedWallet(), LOAN))).toBe('invalid_request InsufficientBuffer')
  })

  test('shows its terms, and what a wallet has pledged, owes and may borrow', async () => {
    await lend(20_000_000n)
    const wallet = await vestedWallet()
    expect(await getCredit(wallet)).toMatchObject({
      supply: { cap: { raw: '250000000' }, perLenderCap: { raw: '100000000' } },
      schedule: {
        ltvBps: 8000,
        maxLtvBps: 9000,
        interestBps: 0,
        platformFeeBps: 0,
        impairmentTrigger: { numerator: 105, denominator: 100 },
      },
      wallet: { vestedAssets: { raw: '10000000' }, vestingAvailable: true, pledgedShares: { raw: '0' }, loanable: { raw: '0' } },
      disclosure: { statement: stage.chain.contracts.creditPool?.riskDisclosure },
    })
    await borrow(wallet)
    expect((await getCredit(wallet)).wallet).toMatchObject({
      assetBalance: { raw: '3000000' },
      outstanding: { raw: '3000000' },
      pledgedShares: { raw: '5000000' },
      grossWalletLimit: { raw: '4000000' },
      loanable: { raw: '1000000' },
      availableDepositPoolShares: { raw: '5000000' },
    })
  })

  test('a chain without it, and a node without an answer, say why', async () => {
    const { creditPool: _credit, ...contracts } = stage.chain.contracts
    const without = withParts({ chain: { ...stage.chain, contracts: contracts as ChainFile['contracts'] } })
    const silent = withParts({ chain: { ...stage.chain, rpc: { ...stage.chain.rpc, primary: 'http://127.0.0.1:9' } } })
    const body = { direction: 'deposit', amount: '1' }
    const notConfigured = { schemaVersion: 1, available: false, reason: 'credit_pool_not_configured' }
    expect((await ask(credit.getCredit, without.getCredit, { wallet: worker })).body).toEqual(notConfigured)
    expect((await ask(credit.buildCreditTransactions, without.buildCreditTransactions, { wallet: worker, body })).body).toEqual(
      notConfigured,
    )
    expect((await ask(credit.getCredit, silent.getCredit, { wallet: worker })).body).toMatchObject({ reason: 'credit_pool_read_failed' })
    expect(await refusal(build(worker, body, silent))).toBe('blockchain_unavailable')
  })

  test('is not offered with another risk than the contract states', async () => {
    const { creditPool } = stage.chain.contracts
    if (creditPool === undefined) throw new Error('no credit pool')
    const contracts = { ...stage.chain.contracts, creditPool: { ...creditPool, riskDisclosure: 'No risk at all.' } }
    const other = withParts({ chain: { ...stage.chain, contracts } })
    for (const body of [{ direction: 'deposit', amount: '1' }, LOAN])
      expect(await refusal(build(worker, body, other))).toBe('credit_disclosure_mismatch')
    await mint(stage.world, worker, 1n)
    const way = [
      { direction: 'withdraw', shares: '1' },
      { direction: 'repay', loanId: `0x${'7'.repeat(64)}`, amount: '1' },
    ]
    const reasons = ['InsufficientUnlockedShares', 'LoanNotActive']
    for (const [index, body] of way.entries()) expect(await refusal(build(worker, body, other))).toBe(`invalid_request ${reasons[index]}`)
  })
})

test.each(['creditPool', 'depositPool'] as const)('nothing is built while the %s is below its seed', async (below) => {
  const { world, chain } = stage
  const { creditPool, depositPool } = chain.contracts
  if (creditPool === undefined || depositPool === undefined) throw new Error('no pools')
  const address =
    below === 'creditPool'
      ? await world.create(who.owner, await loadArtifact('CreditPool'), world.at.token, who.creditOperator, world.at.pool)
      : await world.create(who.owner, await loadArtifact('DepositPoolV2'), world.at.token, who.operator, zeroAddress, world.at.credit)
  const pools = below === 'creditPool' ? { creditPool: { ...creditPool, address } } : { depositPool: { ...depositPool, address } }
  const unseeded = withParts({ chain: { ...chain, contracts: { ...chain.contracts, ...pools } } })
  const wallet = freshWallet()
  await mint(world, wallet, 79_000_000n)
  for (const body of [
    { direction: 'deposit', amount: '79000000' },
    { direction: 'withdraw', shares: '1' },
    LOAN,
    { direction: 'repay', loanId: `0x${'7'.repeat(64)}`, amount: '1' },
  ])
    expect(await refusal(build(wallet, body, unseeded))).toBe('invalid_request PoolBelowSeed')
})

test('a quote of the credit pool that loses more than 0.1 % to rounding is refused', async () => {
  const { world } = stage
  await world.undone(async () => {
    const lender = await lend(2_000_000n)
    await mint(world, world.at.credit, 1_000_001n)
    await mint(world, lender, 5_000n)
    for (const body of [
      { direction: 'deposit', amount: '5' },
      { direction: 'withdraw', shares: '1' },
    ])
      expect(await refusal(build(lender, body))).toBe('invalid_request LossTooHigh')
    expect(await refusal(build(lender, { direction: 'withdraw', shares: '2000000' }))).toBe('answered')
  })
})

describe('transactions of the credit pool change what was expected', () => {
  test('a deposit, and a withdrawal at another price', async () => {
    const lender = freshWallet()
    await mint(stage.world, lender, 9_000_000n)
    const deposit = await build(lender, { direction: 'deposit', amount: '2000001' })
    expect(deposit.templates.map(({ step }) => step)).toEqual(['approve', 'deposit'])
    await sendAndCompare(lender, deposit)
    await mint(stage.world, stage.world.at.credit, 777_777n)
    await sendAndCompare(lender, await build(lender, { direction: 'withdraw', shares: '1000003' }))
  })

  test('a loan, its partial and its full repayment by another wallet', async () => {
    await lend(20_000_000n)
    const wallet = await vestedWallet()
    const loan = borrowOf(await build(wallet, LOAN))
    expect(loan.templates.map(({ step, gasEstimate }) => [step, gasEstimate.status])).toEqual([
      ['pledge', 'estimated'],
      ['originate', 'requires_prerequisite'],
    ])
    expect(loan.preview).toMatchObject({ maximumLoan: { raw: '4000000' }, repaymentAmount: { raw: '3000000' }, seizableAtOnce: false })
    await sendAndCompare(wallet, loan)
    const { loanId } = loan.preview
    const part = await build(wallet, { direction: 'repay', loanId, amount: '1000000' })
    expect(part.preview).toMatchObject({ outstandingAfter: { raw: '2000000' }, pledgeReleased: false })
    await sendAndCompare(wallet, part)
    const other = freshWallet()
    await mint(stage.world, other, 5_000_000n)
    const rest = await build(other, { direction: 'repay', loanId, amount: '2000000' })
    expect(rest.preview).toMatchObject({ outstandingAfter: { raw: '0' }, pledgeReleased: true })
    await sendAndCompare(other, rest, wallet)
  })

  test('a loan whose pledge is mined already is built again without a second pledge', async () => {
    await lend(20_000_000n)
    const wallet = await vestedWallet()
    const [pledge] = (await build(wallet, LOAN)).templates
    if (pledge === undefined) throw new Error('no pledge')
    expect(await sendOne(pledge)).toBeNull()
    const again = borrowOf(await build(wallet, LOAN))
    expect(again.templates.map(({ step, gasEstimate }) => [step, gasEstimate.status])).toEqual([['originate', 'estimated']])
    expect(again.preview).toMatchObject({ aggregatePledgedAssetValue: { raw: '5000000' }, maximumLoan: { raw: '4000000' } })
    await sendAndCompare(wallet, again)
  })

  test('the attestation is for its wallet, its loan and five minutes', async () => {
    await lend(20_000_000n)
    const wallet = await vestedWallet()
    const loan = borrowOf(await build(wallet, LOAN))
    const { eligibilityAttestation: signed, preview } = loan
    const digest = await stage.world.read(
      ...(['credit', 'vestingAttestationDigest', wallet, preview.loanId, 5_000_000n, 3_000_000n, 10_000_000n] as const),
      ...[BigInt(signed.validUntil), BigInt(signed.nonce)],
    )
    expect([digest, signed.signer]).toEqual([signed.digest, who.creditOperator.toLowerCase()])
    const [pledge, originate] = loan.templates
    if (pledge === undefined || originate === undefined) throw new Error('no loan')
    expect(await sendOne(pledge)).toBeNull()
    const thief = await vestedWallet()
    expect(await sendOne({ ...originate, from: thief })).toMatch(/^InvalidPledge/)
    await stage.world.pass(301)
    expect(await sendOne(originate)).toMatch(/^VestingAttestationExpired/)
    await sendAll(await build(wallet, LOAN))
  })

  test('a loan on the pledge of another one can be seized at once, and says so', async () => {
    await lend(20_000_000n)
    const wallet = await vestedWallet()
    await borrow(wallet, { direction: 'borrow', pledgeShares: '9000000', amount: '1000000' })
    const loan = borrowOf(await build(wallet, { direction: 'borrow', pledgeShares: '1', amount: '5000000' }))
    expect(loan.preview).toMatchObject({ seizableAtOnce: true, maximumLoan: { raw: '6200000' } })
    expect(loan.instructions.join(' ')).toContain('any caller could seize it at once')
    await sendAndCompare(wallet, loan)
    await stage.world.run(worker, 'credit', 'seize', loan.preview.loanId)
    const { lifecycle, wallet: own } = await getCredit(wallet)
    expect([lifecycle.defaults, own.outstanding.raw, own.pledgedShares.raw]).toEqual([1, '1000000', '9000000'])
  })
})

describe('a transaction that the contract would refuse', () => {
  const nothing = async () => undefined
  const tokens = (amountRaw: bigint) => (wallet: Hex) => mint(stage.world, wallet, amountRaw)
  const unknownLoan = `0x${'7'.repeat(64)}`

  test.each<[string, (wallet: Hex) => Promise<unknown>, Record<string, string>]>([
    ['TotalAssetCapExceeded', tokens(1n), { direction: 'deposit', amount: '250000001' }],
    ['LenderAssetCapExceeded', tokens(200_000_000n), { direction: 'deposit', amount: '120000000' }],
    ['InsufficientBalance', tokens(1n), { direction: 'deposit', amount: '2' }],
    ['InsufficientUnlockedShares', nothing, { direction: 'withdraw', shares: '1' }],
    ['InsufficientUnlockedShares', nothing, { ...LOAN }],
    ['LoanNotActive', tokens(5n), { direction: 'repay', loanId: unknownLoan, amount: '1' }],
  ])('%s is refused by name', async (reason, prepare, body) => {
    const wallet = freshWallet()
    await prepare(wallet)
    expect(await refusal(build(wallet, body))).toBe(`invalid_request ${reason}`)
  })

  test.each<[string, Record<string, string>]>([
    ['LoanLimitExceeded', { direction: 'borrow', pledgeShares: '5000000', amount: '4000001' }],
    ['LoanLimitExceeded', { direction: 'borrow', pledgeShares: '10000000', amount: '8000001' }],
    ['InsufficientUnlockedShares', { direction: 'borrow', pledgeShares: '10000001', amount: '1' }],
  ])('%s of a wallet with 10 vested is refused by name', async (reason, body) => {
    await stage.world.undone(async () => {
      await lend(20_000_000n)
      expect(await refusal(build(await vestedWallet(), body))).toBe(`invalid_request ${reason}`)
    })
  })

  test('RepaymentExceedsOutstanding and InsufficientBalance of a repayment', async () => {
    await lend(20_000_000n)
    const wallet = await vestedWallet()
    const loanId = await borrow(wallet)
    await mint(stage.world, wallet, 1_000_000n)
    expect(await refusal(build(wallet, { direction: 'repay', loanId, amount: '3000001' }))).toBe(
      'invalid_request RepaymentExceedsOutstanding',
    )
    await stage.world.run(wallet, 'token', 'transfer', worker, 3_500_000n)
    expect(await refusal(build(wallet, { direction: 'repay', loanId, amount: '3000000' }))).toBe('invalid_request InsufficientBalance')
  })

  test.each<[string, Partial<Settings>, number]>([
    ['no key', {}, 0],
    ['a key that the contract does not name, which it logs', { CREDIT_OPERATOR_KEY: OPERATOR_KEY }, 1],
  ])('VestingAttestorUnavailable: the service has %s', async (_name, settings, warnings) => {
    const logged: string[] = []
    const other = withParts({ settings, warn: (_where, message) => logged.push(message) })
    expect(await refusal(build(await vestedWallet(), LOAN, other))).toBe('invalid_request VestingAttestorUnavailable')
    expect(logged).toHaveLength(warnings)
  })

  test('VestingReadUnavailable: the records are behind the chain', async () => {
    await lend(20_000_000n)
    const wallet = await vestedWallet()
    await readEvents()
    await mint(stage.world, wallet, 1n)
    const answer = ask(credit.buildCreditTransactions, handlers.buildCreditTransactions, { wallet, body: LOAN })
    expect(await refusal(answer)).toBe('invalid_request VestingReadUnavailable')
  })

  test('a loan waits for records that come within two seconds', async () => {
    await lend(20_000_000n)
    const wallet = await vestedWallet()
    await readEvents()
    await mint(stage.world, wallet, 1n)
    let looks = 0
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (node.kind === 'RawNode' && (node as RawNode).sqlFragments.join('').includes('chain_cursor')) looks += 1
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const database = { ...stage.database, rows: stage.database.rows.withPlugin(counting) }
    const { buildCreditTransactions } = createCreditHandlers({ ...stage.deps, database })
    const asking = ask(credit.buildCreditTransactions, buildCreditTransactions, { wallet, body: LOAN })
    await Promise.race([asking, eventually('a second look at the records', () => looks > 1)])
    await readEvents()
    expect((await asking).body).toMatchObject({ available: true, direction: 'borrow' })
  })

  test('PledgeAlreadyExists: a released pledge blocks the wallet for good', async () => {
    await lend(20_000_000n)
    const wallet = await vestedWallet()
    const loan = borrowOf(await build(wallet, LOAN))
    const [pledge] = loan.templates
    if (pledge === undefined) throw new Error('no pledge')
    expect(await sendOne(pledge)).toBeNull()
    await stage.world.run(wallet, 'credit', 'cancelUnusedPledge', loan.preview.loanId)
    expect(await refusal(build(wallet, LOAN))).toBe('invalid_request PledgeAlreadyExists')
    expect(loan.instructions.join(' ')).toContain('cancelUnusedPledge')
  })

  test.each([
    ['shares of a deposit', { direction: 'deposit', shares: '1' }],
    ['zero', { direction: 'deposit', amount: '0' }],
    ['a loan without a pledge', { direction: 'borrow', amount: '1' }],
    ['a short loan id', { direction: 'repay', loanId: '0x1', amount: '1' }],
    ['a direction that is not offered', { direction: 'cash_consent', amount: '1' }],
  ])('the body takes no %s', (_name, body) => {
    expect(credit.buildCreditTransactions.body.safeParse(body).success).toBe(false)
  })
})

test('every event of a loan is announced to its borrower alone', async () => {
  await lend(20_000_000n)
  const wallet = await vestedWallet()
  const loanId = await borrow(wallet)
  await sendAll(await build(wallet, { direction: 'repay', loanId, amount: '3000000' }))
  await readEvents()
  const rows = await stage.database.rows.selectFrom('event').select(['topic', 'wallets', 'blockNumber', 'txHash']).orderBy('id').execute()
  const own = rows.filter(({ wallets: parties }) => parties.includes(wallet))
  expect(own.map(({ topic, wallets: parties }) => [topic, parties])).toEqual(
    [
      'pool.deposited',
      'pool.shares_pledged',
      'credit.loan_originated',
      'credit.loan_repaid',
      'pool.shares_released',
      'credit.loan_closed',
    ].map((topic) => [topic, [wallet]]),
  )
  expect(own.every(({ blockNumber, txHash }) => blockNumber !== null && txHash !== null)).toBe(true)
})

describe('own loans', () => {
  const repay = (wallet: Hex, body: Record<string, unknown>) => build(wallet, { direction: 'repay', ...body })
  const refused = async (wallet: Hex, body: Record<string, unknown>) => {
    const error = await repay(wallet, body).catch((cause: unknown) => cause)
    if (!isServiceError(error)) throw error
    return error.info
  }

  test('are listed with id, debt and pledge, newest first, and leave the list with their last payment', async () => {
    await stage.world.undone(async () => {
      await lend(20_000_000n)
      const wallet = await vestedWallet()
      expect((await getCredit(wallet)).loans).toEqual([])
      const first = await borrow(wallet, { direction: 'borrow', pledgeShares: '4000000', amount: '1000000' })
      const second = await borrow(wallet, { direction: 'borrow', pledgeShares: '4000000', amount: '2000000' })
      const { loans, wallet: own } = await getCredit(wallet)
      expect(loans.map(({ loanId, principal, pledgedShares }) => [loanId, principal.display, pledgedShares.display])).toEqual([
        [second, '2', '4'],
        [first, '1', '4'],
      ])
      expect(loans.reduce((sum, { outstanding }) => sum + BigInt(outstanding.raw), 0n)).toBe(BigInt(own.outstanding.raw))
      await mint(stage.world, wallet, 1_000_000n)
      await sendAll(await repay(wallet, { loanId: second, amount: loans[0]?.outstanding.raw }))
      expect((await getCredit(wallet)).loans.map(({ loanId }) => loanId)).toEqual([first])
    })
  })

  test('a repayment without an id pays the only one', async () => {
    await stage.world.undone(async () => {
      await lend(20_000_000n)
      const wallet = await vestedWallet()
      const loanId = await borrow(wallet)
      const built = await repay(wallet, { amount: '500000' })
      expect(built).toMatchObject({ direction: 'repay', preview: { loanId } })
      await sendAll(built)
      expect((await getCredit(wallet)).loans).toMatchObject([{ loanId }])
    })
  })

  test('a repayment without an id is refused for several loans, which it names, and for none', async () => {
    await stage.world.undone(async () => {
      await lend(20_000_000n)
      const wallet = await vestedWallet()
      expect(await refused(wallet, { amount: '1' })).toMatchObject({ reason: 'LoanNotActive' })
      const ids = [
        await borrow(wallet, { direction: 'borrow', pledgeShares: '4000000', amount: '1000000' }),
        await borrow(wallet, { direction: 'borrow', pledgeShares: '4000000', amount: '1000000' }),
      ]
      const { reason, details } = await refused(wallet, { amount: '1' })
      expect(reason).toBe('LoanNotNamed')
      expect(Object.keys(details ?? {})).toEqual(expect.arrayContaining(ids))
    })
  })

  test('the refusal of a loan from an empty pool advises the borrower, and that of a withdrawal the lender', async () => {
    await stage.world.undone(async () => {
      const lender = await lend(4_000_000n)
      const wallet = await vestedWallet()
      await borrow(wallet)
      const other = await vestedWallet()
      const { credit: pool } = stage.world.at
      const held = BigInt((await stage.world.read('token', 'balanceOf', pool)) as bigint)
      await stage.world.run(pool as Hex, 'token', 'transfer', who.stranger, held - 1n)
      const informed = async (work: Promise<unknown>) => {
        const error = await work.catch((cause: unknown) => cause)
        if (!isServiceError(error)) throw error
        return error.info
      }
      const loan = await informed(build(other, LOAN))
      expect([loan.reason, loan.details?.remedy]).toEqual(['InsufficientBuffer', expect.stringContaining('Borrow at most')])
      expect(JSON.stringify(loan)).not.toContain('requestRedeem')
      const withdrawal = await informed(build(lender, { direction: 'withdraw', shares: '4000000' }))
      expect(withdrawal).toMatchObject({
        reason: 'InsufficientBuffer',
        nextActions: [{ kind: 'transaction', transaction: { to: stage.world.at.credit.toLowerCase() } }],
      })
    })
  })
})
