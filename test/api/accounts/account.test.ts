import { describe, expect, test } from '@jest/globals'
import { decodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { createChainClients } from '../../../activities/chain/clients.ts'
import { createChainReads } from '../../../activities/chain/reads.ts'
import { createAccountHandlers } from '../../../api/accounts/handlers.ts'
import { IDLE_STRATEGY_ID } from '../../../contracts/parameters.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { who } from '../../contracts/support/world.ts'
import { NATIVE_CHAIN } from '../../domain/identity/native/accounts.ts'
import { eventually } from '../../support/eventually.ts'
import { useStarted } from '../../support/started.ts'
import { account, ask, deposit, freshWallet, lower, mint, NOW, operator, refusal, startStage, worker } from '../support/account-world.ts'
import { addSession, approvedAt, HASH } from '../support/work-rows.ts'

const stage = useStarted(startStage, ({ stop }) => stop())
const MINUTE = 60_000
const stranger = lower(who.stranger)
const usdc = (raw: string, display: string) => ({ raw, decimals: 6, display })

/** An unused wallet with so much in its account. */
const earner = async (amountRaw: bigint): Promise<Hex> => {
  const wallet = freshWallet()
  await deposit(stage.world, wallet, amountRaw)
  return wallet
}
/** An unused wallet that holds so much itself. */
const holder = async (amountRaw: bigint): Promise<Hex> => {
  const wallet = freshWallet()
  await mint(stage.world, wallet, amountRaw)
  return wallet
}
/** A wallet with 40 USDC in its account, of which 10 are collateral for a debt of 2. */
const borrower = async (): Promise<Hex> => {
  const wallet = await earner(40_000_000n)
  await stage.world.run(wallet, 'accounts', 'lockCollateral', stage.world.at.token, 10_000_000n)
  await stage.world.run(wallet, 'accounts', 'borrow', stage.world.at.token, 2_000_000n)
  return wallet
}
const getAccount = (wallet: Hex) => ask(account.getAccount, stage.accounts.getAccount, { wallet })
const getPosition = async (wallet: Hex, query = {}) => {
  const { body } = await ask(account.getAccountPosition, stage.accounts.getAccountPosition, { wallet, query })
  if (!body.available) throw new Error('no position')
  return body
}
const buildDeposit = (wallet: Hex, body: Record<string, unknown>) =>
  ask(account.buildAccountDepositTransactions, stage.accounts.buildAccountDepositTransactions, { wallet, body })
const buildWithdrawal = (wallet: Hex, body: Record<string, unknown>) =>
  ask(account.buildAccountWithdrawTransactions, stage.accounts.buildAccountWithdrawTransactions, { wallet, body })
const fund = (wallet: Hex, body: Record<string, unknown>, idempotencyKey?: string, { fundAccount } = stage.accounts) =>
  ask(account.fundAccount, fundAccount, { wallet, body, ...(idempotencyKey && { idempotencyKey }) })

/** Handlers of a process whose node does not answer. */
const offlineHandlers = () => {
  const chain = { ...stage.chain, rpc: { ...stage.chain.rpc, primary: 'http://127.0.0.1:9' } }
  const clients = createChainClients(chain)
  return createAccountHandlers({ ...stage.deps, chain, clients, reads: createChainReads(chain, clients, operator) })
}

test('a balance, a borrow capacity and a withdrawal are refused as an outage when the chain does not answer', async () => {
  const { getAccount: balance, getBorrowCapacity: headroom, buildAccountWithdrawTransactions: withdraw } = offlineHandlers()
  for (const asked of [
    ask(account.getAccount, balance, { wallet: worker }),
    ask(account.getBorrowCapacity, headroom, { wallet: worker }),
    ask(account.buildAccountWithdrawTransactions, withdraw, { wallet: worker, body: { amount: '1' } }),
  ])
    expect(await refusal(asked)).toBe('blockchain_unavailable')
})

test('an asset that the chain file does not have is refused', async () => {
  for (const asked of [
    getPosition(worker, { asset: 'DOGE' }),
    buildWithdrawal(worker, { amount: '1', asset: 'DOGE' }),
    fund(operator, { amount: '1', asset: 'DOGE' }),
  ])
    expect(await refusal(asked)).toBe('invalid_request')
})

test.each([account.buildAccountDepositTransactions, account.buildAccountWithdrawTransactions, account.fundAccount])(
  'the body of $id takes base units as digits, for the caller alone',
  ({ body }) => {
    expect(body.safeParse({ amount: '1' }).success).toBe(true)
    const amounts = [1_000_000, '0', '0.0', '1.5', '007', '-1', '1e3', '1,5', 'abc', '9'.repeat(78)].map((amount) => ({ amount }))
    const others = [{ privateKey: HASH('1') }, { onBehalfOf: who.stranger }, { owner: who.stranger }].map((more) => ({
      amount: '1',
      ...more,
    }))
    expect([...amounts, ...others].filter((sent) => body.safeParse(sent).success)).toEqual([])
  },
)

describe('transactions of a native account', () => {
  /** Handlers of a chain that serves native accounts, of which this wallet is one or none. */
  const handlersFor = (isNative: boolean, chain = { ...stage.chain, native: NATIVE_CHAIN }) =>
    createAccountHandlers({ ...stage.deps, chain, isNativeAccount: async () => isNative })
  const build = async (wallet: Hex, handlers: ReturnType<typeof handlersFor>) => {
    const body = { amount: '2000000' }
    const { templates, instructions, broadcast } = (
      await ask(account.buildAccountDepositTransactions, handlers.buildAccountDepositTransactions, { wallet, body })
    ).body
    return { templates, instructions, broadcast }
  }

  test('have the call that it submits beside each, with limits by the gas that was measured', async () => {
    const wallet = await holder(2_000_000n)
    const { templates, instructions, broadcast } = await build(wallet, handlersFor(true))
    expect(instructions.join(' ')).not.toContain('Sign and send')
    expect(broadcast).toMatchObject({ method: 'author_submitExtrinsic', signer: null, feeAsset: { symbol: 'PAS', decimals: 10 } })
    expect(instructions[0]).toContain('submits `revive` of each template')
    expect(templates.map(({ step }) => step)).toEqual(['approve', 'deposit'])
    for (const { to, data, gasEstimate, revive } of templates) {
      expect(revive).toMatchObject({ pallet: 'Revive', call: 'call', args: { dest: to, data, value: '0' } })
      const { weightLimit, storageDepositLimit } = revive?.args ?? {}
      // The deposit cannot be estimated before the approval; its gas comes from the run of both.
      const least = BigInt(gasEstimate.gas ?? 50_000n)
      expect(BigInt(weightLimit?.refTime ?? 0)).toBeGreaterThanOrEqual(least * 25_000n)
      expect(BigInt(weightLimit?.proofSize ?? 0)).toBe((BigInt(weightLimit?.refTime ?? 0) / 25_000n) * 16n)
      expect(BigInt(storageDepositLimit ?? '0')).toBeGreaterThan(0n)
    }
  })

  test('have it for no wallet, and on no chain without native accounts', async () => {
    const wallet = await holder(2_000_000n)
    for (const handlers of [handlersFor(false), handlersFor(true, { ...stage.chain, native: undefined } as never)]) {
      const { templates, instructions } = await build(wallet, handlers)
      expect(templates.map(({ revive }) => revive)).toEqual([undefined, undefined])
      expect(instructions.join()).not.toContain('revive')
    }
  })
})

describe('the balance sheet', () => {
  test('an unused wallet has zeros of the settlement asset', async () => {
    const { body } = await getAccount(freshWallet())
    const { wallet: _wallet, source, asOf, treasuryTimeline, ...maps } = body
    expect(source).toBe('chain')
    expect(Date.parse(asOf)).not.toBeNaN()
    expect(treasuryTimeline).toEqual([])
    expect(Object.values(maps)).toEqual(Array.from({ length: 9 }, () => ({ USDC: usdc('0', '0') })))
  })

  test('tokens show as the wallet holds them, and after a deposit as liquid and withdrawable', async () => {
    const wallet = await holder(1_500_000n)
    const { body: before } = await getAccount(wallet)
    expect([before.walletBalance?.USDC, before.liquid.USDC]).toEqual([usdc('1500000', '1.5'), usdc('0', '0')])
    await stage.world.run(wallet, 'token', 'approve', stage.world.at.accounts, 1_500_000n)
    await stage.world.run(wallet, 'accounts', 'deposit', stage.world.at.token, 1_500_000n)
    const { body } = await getAccount(wallet)
    const held = usdc('1500000', '1.5')
    expect([body.liquid.USDC, body.withdrawable.USDC, body.walletBalance?.USDC]).toEqual([held, held, usdc('0', '0')])
  })

  test('the timeline shows settlements, newest first, at most fifty', async () => {
    const wallet = freshWallet()
    for (let index = 0; index < 27; index += 1) {
      const at = NOW - (60 - index) * MINUTE
      await addSession(stage.database, wallet, `timeline-${index}`, at, approvedAt(at + 30_000))
    }
    const { body } = await getAccount(wallet)
    const times = body.treasuryTimeline.map(({ at }) => Date.parse(at))
    expect(times).toHaveLength(50)
    expect(times).toEqual(times.toSorted((left, right) => right - left))
    expect(body.treasuryTimeline[0]).toMatchObject({ type: 'earnings_in', asset: 'USDC', amount: usdc('1950000', '1.95') })
    expect(new Set(body.treasuryTimeline.map(({ id }) => id)).size).toBe(50)
  })
})

describe('the position', () => {
  test('shows the six values of the contract with an ownership proof', async () => {
    const wallet = await borrower()
    const body = await getPosition(wallet, { asset: 'USDC' })
    expect(body).toMatchObject({
      liquid: usdc('32000000', '32'),
      reserved: usdc('0', '0'),
      strategyAllocated: usdc('0', '0'),
      collateralLocked: usdc('10000000', '10'),
      jobStakeLocked: usdc('0', '0'),
      debtOutstanding: usdc('2000000', '2'),
    })
    expect(body.account).toMatchObject({
      owner: wallet,
      chainLiquid: usdc('32000000', '32'),
      available: usdc('30000000', '30'),
      lockedDepositEncumbered: usdc('0', '0'),
      stakedOnOpenWork: usdc('0', '0'),
    })
    const { address, args, method, blockNumber } = body.ownershipProof
    const words = [args.account, args.asset].map((part) => part.slice(2).padStart(64, '0')).join('')
    const call = { to: address as Hex, data: `${toFunctionSelector(method)}${words}` as Hex, blockNumber: BigInt(blockNumber) }
    const { data: read = '0x' } = await stage.world.client.call(call)
    expect(BigInt(read.slice(0, 66))).toBe(32_000_000n)
  })

  test('an approval gives its earnings and its bond back; a waived claim locks nothing', async () => {
    const wallet = freshWallet()
    const approved = await addSession(stage.database, wallet, 'statement-approved', NOW, approvedAt(NOW + MINUTE))
    await addSession(stage.database, wallet, 'statement-waived', NOW - MINUTE, { claimStakeRaw: 0n, claimFeeRaw: 0n, waived: true })
    const body = await getPosition(wallet)
    const common = { sessionId: approved, jobId: 'statement-approved' }
    const paid = { ...common, direction: 'in', txHash: HASH('b'), blockNumber: '9', occurredAt: new Date(NOW + MINUTE).toISOString() }
    const locked = { ...common, direction: 'out', txHash: HASH('a'), blockNumber: '7', occurredAt: new Date(NOW).toISOString() }
    const receipt = { status: 1, protocolFee: usdc('0', '0') }
    expect(body.account.statement).toEqual([
      { ...paid, type: 'earnings_in', amount: usdc('1950000', '1.95'), receipt: { status: 1, protocolFee: usdc('50000', '0.05') } },
      { ...paid, type: 'stake_released', amount: usdc('250000', '0.25'), receipt },
      { ...locked, type: 'stake_locked', amount: usdc('250000', '0.25'), receipt },
    ])
  })

  test('a dispute that timed out pays but gives no bond back', async () => {
    const wallet = freshWallet()
    const closed = { ...approvedAt(NOW, '1000000'), status: 'closed', resolvedAt: null, closedAt: NOW }
    await addSession(stage.database, wallet, 'statement-timeout', NOW - MINUTE, closed)
    const body = await getPosition(wallet)
    expect(body.account.statement.map(({ type }) => type)).toEqual(['earnings_in', 'stake_locked'])
  })
})

test('borrow headroom is what the contract says for the collateral', async () => {
  const wallet = await earner(30_000_000n)
  await stage.world.run(wallet, 'accounts', 'lockCollateral', stage.world.at.token, 30_000_000n)
  const { body } = await ask(account.getBorrowCapacity, stage.accounts.getBorrowCapacity, { wallet })
  expect(body).toMatchObject({ wallet, asset: 'USDC', borrowCapacity: usdc('15000000', '15'), source: 'chain' })
})

describe('deposit transactions', () => {
  test('two templates without nonce and fee, sent as they stand by the named signer, credit the sender', async () => {
    const wallet = await holder(5_000_000n)
    const { body } = await buildDeposit(wallet, { amount: '2000000', asset: 'USDC' })
    const allowances = { allowanceBefore: usdc('0', '0'), allowanceAfter: usdc('2000000', '2') }
    expect(body.approval).toEqual({ required: true, reason: 'allowance_below_requested_assets', ...allowances })
    const [approve, depositStep] = body.templates
    expect(approve?.decoded).toEqual({
      function: 'approve(address,uint256)',
      args: { spender: stage.world.at.accounts, amount: '2000000', amountUnit: 'USDC raw, 6 decimals' },
    })
    expect(approve?.gasEstimate).toMatchObject({ status: 'estimated', gas: expect.stringMatching(/^[1-9][0-9]{4}$/) })
    const waiting = { status: 'requires_prerequisite', gas: null, prerequisite: 'approve_confirmed_on_chain' }
    expect(depositStep?.gasEstimate).toMatchObject(waiting)
    expect(body.broadcast).toMatchObject({ rpcUrls: [stage.world.rpcUrl], method: 'eth_sendRawTransaction', signer: wallet })
    const never = ['platformHoldsFunds', 'platformSigns', 'platformSeesKeys', 'signedTransactionRelay']
    expect(body.boundary).toMatchObject(Object.fromEntries(never.map((name) => [name, false])))
    const asset = { symbol: 'USDC', name: expect.any(String), address: lower(stage.world.at.token), assetId: 1337, decimals: 6 }
    expect(body.asset).toEqual({ ...asset, x402Payable: false })
    expect(JSON.stringify(body.templates)).not.toMatch(/nonce|maxFee|gasPrice/)
    for (const { from, to, data } of body.templates) {
      expect(from).toBe(wallet)
      expect(await stage.world.attemptAt(from as Hex, to as Hex, data as Hex)).toHaveProperty('events')
    }
    expect((await getAccount(wallet)).body.liquid).toEqual({ USDC: usdc('2000000', '2') })
  })

  test('with a sufficient allowance there is one template with its gas', async () => {
    const wallet = await holder(5_000_000n)
    await stage.world.run(wallet, 'token', 'approve', stage.world.at.accounts, 3_000_000n)
    const { body } = await buildDeposit(wallet, { amount: '3000000' })
    expect(body.approval).toMatchObject({ required: false, reason: 'allowance_already_sufficient' })
    expect(body.templates.map(({ step, gasEstimate }) => [step, gasEstimate.status])).toEqual([['deposit', 'estimated']])
    const call = decodeFunctionData({ abi: agentAccountCoreAbi, data: body.templates[0]?.data as Hex })
    expect(call).toEqual({ functionName: 'deposit', args: [stage.world.at.token, 3_000_000n] })
  })

  test.each(['1000001', '9'.repeat(77)])('of %s, more than the wallet holds, are refused with their reason', async (amount) => {
    expect(await refusal(buildDeposit(await holder(1_000_000n), { amount }))).toBe('invalid_request InsufficientBalance')
  })

  test('a deposit that would revert has no gas estimate, and so no templates', async () => {
    const wallet = await holder(1_000_000n)
    await stage.world.run(wallet, 'token', 'approve', stage.world.at.accounts, 1_000_000n)
    await stage.world.undone(async () => {
      await stage.world.run(who.owner, 'policy', 'setPaused', true)
      expect(await refusal(buildDeposit(wallet, { amount: '1000000' }))).toBe('invalid_request GasEstimateUnavailable')
    })
  })
})

describe('the places of a wallet', () => {
  const allocate = (wallet: Hex, amountRaw: bigint) =>
    stage.world.run(wallet, 'accounts', 'allocateIdleFunds', wallet, IDLE_STRATEGY_ID, amountRaw)
  const placesOf = async (wallet: Hex) => (await getPosition(wallet)).places
  const sums = async (wallet: Hex) => (await placesOf(wallet)).map(({ place, amount: { display } }) => [place, display])
  const refused = async (wallet: Hex, body: Record<string, unknown>) => {
    const error = await buildWithdrawal(wallet, body).catch((cause: unknown) => cause)
    if (!isServiceError(error)) throw error
    return error.info
  }

  test('an unused wallet has none, and a plain balance has the withdrawal', async () => {
    expect(await placesOf(freshWallet())).toEqual([])
    expect(await placesOf(await earner(1_000_000n))).toMatchObject([
      {
        place: 'available',
        id: null,
        amount: usdc('1000000', '1'),
        nextActions: [{ method: 'POST', path: '/account/withdraw/transactions' }],
      },
    ])
  })

  test('what is lent, invested, pledged to debt or in the wallet has a row each, and the rows add up', async () => {
    const wallet = await borrower()
    await mint(stage.world, wallet, 7_000_000n)
    const { pool } = stage.world.at
    await stage.world.run(wallet, 'token', 'approve', pool, 3_000_000n)
    await stage.world.run(wallet, 'pool', 'deposit', 3_000_000n, wallet)
    await stage.world.run(wallet, 'pool', 'requestRedeem', 1_000_000n, wallet, 0)
    await allocate(wallet, 5_000_000n)
    expect(await sums(wallet)).toEqual([
      ['available', '25'],
      ['account_debt', '2'],
      ['account_collateral', '10'],
      ['wallet', '4'],
      ['strategy', '5'],
      ['pool_shares', '2'],
      ['pool_notice', '1'],
    ])
  })

  test('a withdrawal above the available balance names how much is lent, where, and the builder that brings it back', async () => {
    const wallet = await earner(20_000_000n)
    await allocate(wallet, 18_000_000n)
    expect(await refused(wallet, { amount: '10000000' })).toMatchObject({
      reason: 'amount_exceeds_available',
      details: {
        available: usdc('2000000', '2'),
        elsewhere: [{ place: 'strategy', id: IDLE_STRATEGY_ID, amount: usdc('18000000', '18') }],
      },
      nextActions: [{ path: '/account/position' }, { method: 'POST', path: '/account/recall/transactions' }],
    })
  })

  test.each([
    ['collateral', async () => borrower(), ['account_debt', 'account_collateral'], 'transaction'],
    [
      'shares of the deposit pool',
      async () => {
        const wallet = await holder(2_000_000n)
        await stage.world.run(wallet, 'token', 'approve', stage.world.at.pool, 2_000_000n)
        await stage.world.run(wallet, 'pool', 'deposit', 2_000_000n, wallet)
        return wallet
      },
      ['pool_shares'],
      'http',
    ],
  ] as const)('a withdrawal above the available balance names %s too', async (_name, open, places, kind) => {
    const { details, nextActions } = await refused(await open(), { amount: '900000000' })
    expect(details?.elsewhere).toMatchObject(places.map((place) => ({ place })))
    expect(nextActions?.[1]?.kind).toBe(kind)
  })
})

describe('withdrawal transactions', () => {
  const positionOf = async (wallet: Hex) => (await getAccount(wallet)).body
  const held = async (wallet: Hex) => (await positionOf(wallet)).walletBalance?.USDC?.raw

  test.each([
    ['to the own wallet', false],
    ['and on to another address', true],
  ])('sent as they stand, they pay %s what was expected', async (_where, isForwarded) => {
    const [wallet, other] = [freshWallet(), freshWallet()]
    await deposit(stage.world, wallet, 5_000_000n)
    const { body } = await buildWithdrawal(wallet, { amount: '1500001', ...(isForwarded && { destination: other }) })
    const receiver = isForwarded ? other : wallet
    expect(body.templates.map(({ step, gasEstimate }) => [step, gasEstimate.status])).toEqual([
      ['withdraw', 'estimated'],
      ...(isForwarded ? [['transfer_to_destination', 'requires_prerequisite']] : []),
    ])
    const places = { destination: receiver, destinationIsContract: false, firstLandingAddress: wallet }
    expect(body.withdrawal).toEqual({ amount: usdc('1500001', '1.500001'), ...places })
    expect(body.account).toMatchObject({ available: usdc('5000000', '5'), availableAfter: usdc('3499999', '3.499999') })
    const asset = 'USDC'
    const change = { asset, ...usdc('1500001', '1.500001') }
    const [none, before, after] = [usdc('0', '0'), usdc('5000000', '5'), usdc('3499999', '3.499999')].map((amount) => ({
      asset,
      ...amount,
    }))
    expect(body.expected).toEqual([
      { kind: 'wallet', holder: receiver, direction: 'in', change, before: none, after: change },
      { kind: 'account.liquid', holder: wallet, direction: 'out', change, before, after },
    ])
    for (const { from, to, data } of body.templates)
      expect(await stage.world.attemptAt(from as Hex, to as Hex, data as Hex)).toHaveProperty('events')
    expect([await held(receiver), (await positionOf(wallet)).liquid.USDC?.raw]).toEqual(['1500001', '3499999'])
  })

  test('the gas of all steps is counted; without native gas the templates come all the same', async () => {
    const wallet = await earner(10n)
    await stage.world.client.request({ method: 'anvil_setBalance' as never, params: [wallet, '0x0'] as never })
    const { body } = await buildWithdrawal(wallet, { amount: '10', destination: stranger })
    if (body.gas.status !== 'measured') throw new Error('no gas')
    const { gasUnits, maxFeePerGas, estimatedFee, walletBalance, sufficient } = body.gas
    expect(BigInt(gasUnits)).toBeGreaterThan(70_000n)
    expect(estimatedFee.raw).toBe((BigInt(gasUnits) * BigInt(maxFeePerGas.raw)).toString())
    expect([walletBalance.raw, sufficient, body.templates.length]).toEqual(['0', false, 2])
  })

  test('debt is not available', async () => {
    const wallet = await borrower()
    expect(await refusal(buildWithdrawal(wallet, { amount: '30000001' }))).toBe('invalid_request amount_exceeds_available')
    expect((await buildWithdrawal(wallet, { amount: '30000000' })).body.account.availableAfter.raw).toBe('0')
  })

  test('a contract as destination is allowed, and the answer warns of it', async () => {
    const wallet = await earner(10n)
    const other: Hex = `0x${'c0'.repeat(20)}`
    await stage.world.rpc('anvil_setCode', other, '0x00')
    const { body } = await buildWithdrawal(wallet, { amount: '10', destination: other })
    expect(body.withdrawal.destinationIsContract).toBe(true)
    expect(body.instructions).toContain('The destination is a contract: tokens that it cannot send on are lost.')
  })

  test.each([
    ['more than the daily cap', 'setDailyOutflowCap', [9n], 'OutflowCapExceeded'],
    ['a pause', 'setPaused', [true], 'ProtocolPaused'],
  ] as const)('%s refuses with the name of the error and its remedy', async (_what, setting, values, customError) => {
    const wallet = await earner(10n)
    await stage.world.undone(async () => {
      await stage.world.run(who.owner, 'policy', setting, ...values)
      const error = await buildWithdrawal(wallet, { amount: '10' }).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({
        info: { reason: 'GasEstimateUnavailable', details: { customError, remedy: expect.not.stringContaining('job') } },
      })
    })
  })

  test('the zero address and the contracts of the service are no destination: the tokens would be lost', async () => {
    const { token, accounts, pool, credit, escrow, policy } = stage.world.at
    for (const destination of [`0x${'0'.repeat(40)}`, token, accounts, pool, credit, escrow, policy]) {
      const refused = await refusal(buildWithdrawal(worker, { amount: '1', destination }))
      expect([destination, refused]).toEqual([destination, 'invalid_request destination_refused'])
    }
  })

  test('the answer shows what the wallet keeps', async () => {
    const wallet = await earner(250_000n)
    const { body } = await buildWithdrawal(wallet, { amount: '1' })
    expect(body.firstWithdrawalGasGrant).toMatchObject({ eligible: true, reason: 'first_withdrawal_gas_grant_available' })
    expect(body.standing).toMatchObject({ claimTier: 'starter', badges: 0, persists: true })
  })
})

describe('test funding', () => {
  /** Resolves when every step of a funding that was begun has been handed to the node. */
  const untilSent = (prefix: string): Promise<unknown> => {
    const sent = stage.database.rows.selectFrom('chain_transaction').select('status').where('status', '=', 'broadcast')
    const read = () => sent.where('intentKey', 'like', `${prefix}%`).execute()
    return eventually('three steps are handed to the node', read, ({ length }) => length >= 3)
  }

  const liquid = async () => BigInt((await getAccount(operator)).body.liquid.USDC?.raw ?? '0')

  test('mints and deposits for the backend signer, exactly to the last digit', async () => {
    const before = await liquid()
    const { body } = await fund(operator, { amount: '100000001', asset: 'USDC' })
    expect(BigInt(body.liquid.USDC?.raw ?? '0') - before).toBe(100_000_001n)
  })

  test('a repeat of the key sends nothing and gives the first answer', async () => {
    const first = await fund(operator, { amount: '7' }, 'fund-once')
    const after = await liquid()
    const again = await fund(operator, { amount: '7' }, 'fund-once')
    expect(again.body).toEqual(first.body)
    expect(again.headers).toEqual({ 'Idempotent-Replayed': 'true' })
    expect(await liquid()).toBe(after)
    expect(await refusal(fund(operator, { amount: '8' }, 'fund-once'))).toBe('idempotency_key_reused')
  })

  test('concurrent requests to two processes mint once per key', async () => {
    const before = await liquid()
    const processes = [stage.accounts, createAccountHandlers(stage.deps)]
    const keys = ['same', 'same', 'same', 'same', 'other', 'third']
    await Promise.all(keys.map((key, index) => fund(operator, { amount: '1000000' }, key, processes[index % 2])))
    expect((await liquid()) - before).toBe(3_000_000n)
  })

  test('a funding whose answer was lost sends nothing again', async () => {
    await fund(operator, { amount: '3' }, 'fund-lost')
    const after = await liquid()
    await stage.database.rows.deleteFrom('idempotency_key').where('key', '=', 'fund-lost').execute()
    await fund(operator, { amount: '3' }, 'fund-lost')
    expect(await liquid()).toBe(after)
  })

  test('a funding that is not mined in time is an outage that holds no connection; the same key finds it later', async () => {
    const settings = { ...stage.deps.settings, CHAIN_WAIT_SECONDS: 1 }
    const impatient = createAccountHandlers({ ...stage.deps, settings })
    const request = () => fund(operator, { amount: '4000000' }, 'slow chain', impatient)
    const before = await liquid()
    const node = (method: string, ...params: unknown[]) => stage.world.client.request({ method, params } as never)
    await node('evm_setAutomine', false)
    try {
      const waiting = refusal(request())
      await untilSent('account-fund/')
      expect(stage.database.pool().inUse).toBe(0)
      expect(await waiting).toBe('blockchain_unavailable transactions_not_mined')
    } finally {
      await node('evm_setAutomine', true)
      await node('evm_mine')
    }
    expect(await refusal(request())).toBe('answered')
    expect((await liquid()) - before).toBe(4_000_000n)
  })

  test('another wallet or chain is refused', async () => {
    expect(await refusal(fund(stranger, { amount: '1' }))).toBe('funding_route_restricted not_the_backend_signer')
    const elsewhere = createAccountHandlers({ ...stage.deps, isLocal: false })
    expect(await refusal(fund(operator, { amount: '1' }, undefined, elsewhere))).toBe('funding_route_restricted chain_not_local')
  })

  test('an asset that cannot be minted is refused before anything is sent', async () => {
    const chain = { ...stage.chain, asset: { ...stage.chain.asset, address: stage.world.at.accounts } }
    const handlers = createAccountHandlers({ ...stage.deps, chain })
    const count = () => stage.world.client.getTransactionCount({ address: operator })
    const before = await count()
    expect(await refusal(fund(operator, { amount: '1' }, undefined, handlers))).toBe('asset_not_mintable')
    expect(await count()).toBe(before)
  })

  test('a contract refusal shows its error, and a fresh key tries again', async () => {
    await stage.world.run(who.owner, 'policy', 'setPaused', true)
    const info = { details: { customError: 'ProtocolPaused', selector: '0x44279255', remedy: 'Try again under a fresh key.' } }
    await expect(fund(operator, { amount: '1' }, 'while paused')).rejects.toMatchObject({ code: 'blockchain_revert', info })
    await stage.world.run(who.owner, 'policy', 'setPaused', false)
    expect(await refusal(fund(operator, { amount: '1' }, 'while paused'))).toBe('blockchain_revert ProtocolPaused')
    expect(await refusal(fund(operator, { amount: '1' }, 'after the pause'))).toBe('answered')
  })
})
