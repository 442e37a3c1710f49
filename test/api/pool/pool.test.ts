import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Abi, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { creditPoolAbi } from '../../../activities/chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../../../activities/chain/abi/deposit-pool.ts'
import { createChainClients } from '../../../activities/chain/clients.ts'
import { createChainReads } from '../../../activities/chain/reads.ts'
import { createIdleReads } from '../../../activities/idle-allocation/reads.ts'
import { createVestingSteps } from '../../../activities/pool/vesting-steps.ts'
import { createPoolHandlers } from '../../../api/pool/handlers.ts'
import { loadArtifact } from '../../../contracts/artifact.ts'
import { attestationPayload } from '../../../domain/credit/attestation.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import * as pool from '../../../schemas/pool/operations.ts'
import { startNodeGate } from '../../activities/support/node-gate.ts'
import { CREDIT_OPERATOR_KEY, who } from '../../contracts/support/world.ts'
import { ask, mint, NOW, operator, refusal, type Stage, startStage, worker } from '../support/account-world.ts'
import { createFollowing } from '../support/following.ts'

let stage: Stage
let handlers: ReturnType<typeof createPoolHandlers>
let readEvents: () => Promise<void>
const HOUR = 3_600

beforeAll(async () => {
  stage = await startStage()
  handlers = createPoolHandlers(stage.deps)
  readEvents = createFollowing(stage)
})
afterAll(() => stage?.stop())

let wallets = 0
const freshWallet = (): Hex => {
  wallets += 1
  return `0x${(0xfaa0_0000 + wallets).toString(16).padStart(40, '0')}`
}

const getPool = async (wallet?: Hex) => {
  const { body } = await ask(pool.getPool, handlers.getPool, wallet ? { wallet } : {})
  if (!body.available) throw new Error(body.reason)
  return body
}
const build = async (wallet: Hex, body: Record<string, unknown>) => {
  const { body: answer } = await ask(pool.buildPoolTransactions, handlers.buildPoolTransactions, { wallet, body })
  if (!answer.available) throw new Error(answer.reason)
  return answer
}
const withChain = (chain: ChainFile) => {
  const clients = createChainClients(chain)
  return createPoolHandlers({ ...stage.deps, chain, clients, reads: createChainReads(chain, clients, operator) })
}

/** Sends templates as they stand. */
const sendAll = async ({ templates }: Awaited<ReturnType<typeof build>>): Promise<void> => {
  for (const { from, to, data } of templates)
    expect(await stage.world.attemptAt(from as Hex, to as Hex, data as Hex)).toHaveProperty('events')
}
const depositFor = async (wallet: Hex, amountRaw: bigint): Promise<void> => {
  await mint(stage.world, wallet, amountRaw)
  await sendAll(await build(wallet, { direction: 'deposit', amount: amountRaw.toString() }))
}
/** Arguments of a loan over 5 of 10 pledged USDC that have vested, with the signature of the credit pool's operator. */
const signedLoan = async (borrower: Hex, loanId: Hex) => {
  const nonce = (await stage.world.read('credit', 'vestingAttestationNonces', borrower)) as bigint
  const terms = { pledgeSharesRaw: 10_000_000n, amountRaw: 5_000_000n, vestedRaw: 10_000_000n, validUntil: 4_000_000_000 }
  const raw = attestationPayload({ borrower, loanId, nonce, ...terms }, { chainId: stage.chain.chainId, address: stage.world.at.credit })
  const signature = await privateKeyToAccount(CREDIT_OPERATOR_KEY).signMessage({ message: { raw } })
  return [terms.pledgeSharesRaw, terms.amountRaw, terms.vestedRaw, BigInt(terms.validUntil), signature] as const
}
/** Sends a call and does not wait for its block. */
const send = (from: Hex, contract: 'pool' | 'credit', functionName: string, ...args: readonly unknown[]) => {
  const abi: Abi = contract === 'pool' ? depositPoolAbi : creditPoolAbi
  const data = encodeFunctionData({ abi, functionName, args })
  return stage.world.rpc('eth_sendTransaction', { from, to: stage.world.at[contract], data, gas: '0xb71b00', gasPrice: '0x0' })
}
const sharesOf = async (wallet: Hex): Promise<string> => String(await stage.world.read('pool', 'balanceOf', wallet))
const tokensOf = async (wallet: Hex): Promise<string> => String(await stage.world.read('token', 'balanceOf', wallet))

describe('the deposit pool', () => {
  test('answers everybody with its numbers, and a wallet with its own too', async () => {
    const body = await getPool()
    expect(body).not.toHaveProperty('wallet')
    expect(body).toMatchObject({ yieldStatus: 'not_yet_earning', caps: { totalAssetCap: { raw: '1000000000' } } })
    expect(body.disclosure.statement).toMatch(/pilot.*at risk.*no depositor protection/i)
    const wallet = freshWallet()
    await mint(stage.world, wallet, 3_000_000n)
    expect((await getPool(wallet)).wallet).toMatchObject({
      address: wallet,
      assetBalance: { raw: '3000000' },
      shares: { raw: '0' },
      perAgentHeadroom: { raw: '100000000' },
      vestedAssets: { raw: '0' },
      openExposureCap: { raw: '2500000' },
    })
  })

  test('a chain without a pool and a node without an answer say why', async () => {
    const { depositPool: _pool, ...contracts } = stage.chain.contracts
    const without = withChain({ ...stage.chain, contracts: contracts as ChainFile['contracts'] })
    const silent = withChain({ ...stage.chain, rpc: { ...stage.chain.rpc, primary: 'http://127.0.0.1:9' } })
    const deposit = { wallet: worker, body: { direction: 'deposit', amount: '1' } }
    const notConfigured = { schemaVersion: 1, available: false, reason: 'deposit_pool_not_configured' }
    const missing = await ask(pool.getPool, without.getPool, {})
    expect(missing.body).toEqual(notConfigured)
    expect(await missing.page?.()).toContain('has no deposit pool')
    expect((await ask(pool.buildPoolTransactions, without.buildPoolTransactions, deposit)).body).toEqual(notConfigured)
    const unread = await ask(pool.getPool, silent.getPool, {})
    expect(unread.body).toMatchObject({ available: false, reason: 'pool_read_failed' })
    expect(await unread.page?.()).toContain('The chain did not answer')
    expect(await refusal(ask(pool.buildPoolTransactions, silent.buildPoolTransactions, deposit))).toBe('blockchain_unavailable')
  })
})

test('GET /pool with a wallet takes at most three round trips to the node', async () => {
  const gate = await startNodeGate(stage.chain.rpc.primary)
  try {
    const measured = withChain({ ...stage.chain, rpc: { ...stage.chain.rpc, primary: gate.url } })
    let trips = 0
    gate.suffer({
      request: async () => {
        trips += 1
        return undefined
      },
    })
    const { body } = await ask(pool.getPool, measured.getPool, { wallet: worker })
    expect(body.available).toBe(true)
    expect(trips).toBeGreaterThan(0)
    expect(trips).toBeLessThanOrEqual(3)
  } finally {
    await gate.stop()
  }
})

describe('transactions of the pool', () => {
  test.each([
    ['deposit', { direction: 'deposit', amount: '2000001' }, ['approve', 'deposit']],
    ['withdraw by assets', { direction: 'withdraw', assets: '1000003' }, ['redeem']],
    ['withdraw by shares', { direction: 'withdraw', shares: '1000003' }, ['redeem']],
  ])('%s, sent as they stand, change the balances as expected', async (_name, request, steps) => {
    await stage.world.undone(async () => {
      const wallet = freshWallet()
      await depositFor(wallet, 5_000_000n)
      // A gift to the pool makes a share worth more than one unit.
      await mint(stage.world, stage.world.at.pool, 777_777n)
      await mint(stage.world, wallet, 9_000_000n)
      const before = [await tokensOf(wallet), await sharesOf(wallet)]
      const answer = await build(wallet, request)
      expect(answer.templates.map(({ step }) => step)).toEqual(steps)
      expect(answer.expected.map(({ kind, holder, before: from }) => [kind, holder, from.raw])).toEqual([
        ['wallet', wallet, before[0]],
        ['pool.shares', wallet, before[1]],
      ])
      await sendAll(answer)
      expect([await tokensOf(wallet), await sharesOf(wallet)]).toEqual(answer.expected.map(({ after }) => after.raw))
    })
  })

  test('a loss between quote and execution pays less for the same shares, as the answer says', async () => {
    const { world } = stage
    await world.undone(async () => {
      const wallet = freshWallet()
      await depositFor(wallet, 5_000_000n)
      const answer = await build(wallet, { direction: 'withdraw', shares: '2000000' })
      const [tokens, shares] = answer.expected
      await world.rpc('anvil_impersonateAccount', world.at.pool)
      const total = (await world.read('pool', 'totalAssets')) as bigint
      await world.run(world.at.pool, 'token', 'transfer', worker, total / 2n)
      await sendAll(answer)
      expect(await sharesOf(wallet)).toBe(shares?.after.raw)
      const paid = BigInt(await tokensOf(wallet))
      expect(paid).toBeLessThan(BigInt(tokens?.after.raw ?? 0))
      expect(paid).toBeGreaterThan(0n)
      expect(answer.instructions.join(' ')).toContain('A loss of the pool before execution lowers what they pay')
    })
  })

  const withTokens = (amountRaw: bigint) => async (wallet: Hex) => mint(stage.world, wallet, amountRaw)
  const withPledge = async (wallet: Hex) => {
    await depositFor(wallet, 1_000_000n)
    await stage.world.run(wallet, 'pool', 'pledge', 400_000n, await stage.world.read('credit', 'previewLoanId', wallet))
  }
  const withDearShares = async (wallet: Hex) => {
    await depositFor(wallet, 1_000_000n)
    await mint(stage.world, stage.world.at.pool, 9_000_000n)
    await mint(stage.world, wallet, 10n)
  }
  const nothing = async () => undefined

  test.each<[string, (wallet: Hex) => Promise<unknown>, Record<string, string>]>([
    ['TotalAssetCapExceeded', withTokens(1n), { direction: 'deposit', amount: '1000000001' }],
    ['AgentAssetCapExceeded', withTokens(200_000_000n), { direction: 'deposit', amount: '100000001' }],
    ['InsufficientBalance', withTokens(1n), { direction: 'deposit', amount: '2' }],
    ['ZeroShares', withDearShares, { direction: 'deposit', amount: '1' }],
    ['InsufficientUnlockedShares', nothing, { direction: 'withdraw', shares: '1' }],
    ['InsufficientUnlockedShares', withTokens(5n), { direction: 'withdraw', assets: '1' }],
    ['SharesPledged', withPledge, { direction: 'withdraw', shares: '600001' }],
    ['LossTooHigh', withDearShares, { direction: 'deposit', amount: '10' }],
    ['LossTooHigh', withDearShares, { direction: 'withdraw', shares: '1' }],
    ['LossTooHigh', withDearShares, { direction: 'withdraw', assets: '5' }],
  ])('%s is refused by name before anything is sent', async (reason, prepare, body) => {
    await stage.world.undone(async () => {
      const wallet = freshWallet()
      await prepare(wallet)
      expect(await refusal(build(wallet, body))).toBe(`invalid_request ${reason}`)
    })
  })

  const A = { deposits: 1n, gives: 40_000_000n }
  const attack = async (attacker: Hex, at: Hex): Promise<void> => {
    const { world } = stage
    await mint(world, attacker, A.deposits + A.gives)
    await world.run(attacker, 'token', 'approve', at, A.deposits)
    const data = encodeFunctionData({ abi: depositPoolAbi, functionName: 'deposit', args: [A.deposits, attacker] })
    expect(await world.attemptAt(attacker, at, data)).toHaveProperty('events')
    await world.run(attacker, 'token', 'transfer', at, A.gives)
  }
  const B = { direction: 'deposit', amount: '79000000' }

  test.each(['before', 'after'])(
    'a gift to the pool %s the quote costs the giver its money, and the depositor less than a share',
    async (moment) => {
      const { world } = stage
      await world.undone(async () => {
        const [attacker, wallet] = [freshWallet(), freshWallet()]
        await mint(world, wallet, 79_000_000n)
        if (moment === 'before') await attack(attacker, world.at.pool)
        const deposit = await build(wallet, B)
        if (moment === 'after') await attack(attacker, world.at.pool)
        await sendAll(deposit)
        await world.run(attacker, 'pool', 'redeem', 1n, attacker, attacker)
        expect(BigInt(await tokensOf(attacker))).toBeLessThan(1_000n)
        await sendAll(await build(wallet, { direction: 'withdraw', shares: await sharesOf(wallet) }))
        expect(BigInt(await tokensOf(wallet))).toBeGreaterThan(79_000_000n - 1_000n)
      })
    },
  )

  test('nothing is built on a pool below its seed, and the numbers say so', async () => {
    const { world, chain } = stage
    const { depositPool } = chain.contracts
    if (depositPool === undefined) throw new Error('no deposit pool')
    const artifact = await loadArtifact('DepositPoolV2')
    const address = await world.create(who.owner, artifact, world.at.token, who.operator, zeroAddress, world.at.credit)
    const unseededChain = { ...chain, contracts: { ...chain.contracts, depositPool: { ...depositPool, address } } }
    const unseeded = withChain(unseededChain)
    const [attacker, wallet] = [freshWallet(), freshWallet()]
    await attack(attacker, address)
    await mint(world, wallet, 79_000_000n)
    const asked = (from: Hex, body: Record<string, string>) =>
      ask(pool.buildPoolTransactions, unseeded.buildPoolTransactions, { wallet: from, body })
    await expect(asked(wallet, B)).rejects.toMatchObject({
      code: 'invalid_request',
      info: {
        reason: 'PoolBelowSeed',
        details: { required: { raw: '1000000' }, available: { raw: '0' }, meaning: expect.any(String) },
      },
    })
    for (const body of [
      { direction: 'withdraw', shares: '1' },
      { direction: 'withdraw', assets: '1' },
      { direction: 'deposit', amount: '1' },
    ])
      expect(await refusal(asked(attacker, body))).toBe('invalid_request PoolBelowSeed')
    const idle = (at: ChainFile) => createIdleReads(at, createChainClients(at), stage.deps.reads).idleReading(wallet)
    expect(await idle(chain)).toMatchObject({ allocatedRaw: 0n })
    expect(await idle(unseededChain)).toBeNull()
  })

  test.each([
    ['both forms', { direction: 'withdraw', assets: '1', shares: '1' }],
    ['no amount', { direction: 'deposit' }],
    ['zero', { direction: 'deposit', amount: '0' }],
    ['shares of a deposit', { direction: 'deposit', shares: '1' }],
    ['a receiver', { direction: 'deposit', amount: '1', receiver: worker }],
  ])('the body takes no %s', (_name, body) => {
    expect(pool.buildPoolTransactions.body.safeParse(body).success).toBe(false)
  })
})

describe('vesting of a wallet', () => {
  test('grows over 48 hours with the blocks, and withdrawals take the newest deposit first', async () => {
    const wallet = freshWallet()
    await depositFor(wallet, 10_000_000n)
    expect((await getPool(wallet)).wallet).toMatchObject({
      vestedAssets: { raw: '0' },
      vesting: { available: false, reason: 'chain_events_behind', tranches: [] },
    })
    const vested = async () => {
      await readEvents()
      const { wallet: own } = await getPool(wallet)
      if (!own?.vesting.available) throw new Error('vesting is not available')
      return { raw: own.vestedAssets.raw, tranches: own.vesting.tranches.length, raise: own.openExposureRaise.raw }
    }
    expect(await vested()).toMatchObject({ raw: '0', tranches: 1 })
    await stage.world.pass(12 * HOUR)
    expect(await vested()).toMatchObject({ raw: '2500000', tranches: 1, raise: '500000' })
    await depositFor(wallet, 4_000_000n)
    expect(await vested()).toMatchObject({ tranches: 2 })
    await sendAll(await build(wallet, { direction: 'withdraw', assets: '6000000' }))
    expect(await vested()).toMatchObject({ tranches: 1 })
    await stage.world.pass(36 * HOUR)
    expect(await vested()).toMatchObject({ raw: '8000000', tranches: 0, raise: '1000000' })
  })

  test('waits for a loan that began in the block of the deposit, and begins when the loan ends', async () => {
    const wallet = freshWallet()
    const { world } = stage
    const own = async () => {
      await readEvents()
      const { wallet: shown } = await getPool(wallet)
      if (!shown?.vesting.available) throw new Error('vesting is not available')
      const { tranches, next } = shown.vesting
      return { vested: shown.vestedAssets.raw, tranches, next }
    }
    const lender = freshWallet()
    await mint(world, lender, 20_000_000n)
    await world.run(lender, 'token', 'approve', world.at.credit, 20_000_000n)
    await world.run(lender, 'credit', 'deposit', 20_000_000n, lender)
    await depositFor(wallet, 10_000_000n)
    await world.pass(48 * HOUR)
    const loanId = (await world.read('credit', 'previewLoanId', wallet)) as Hex
    await world.run(wallet, 'pool', 'pledge', 10_000_000n, loanId)
    await mint(world, wallet, 9_000_000n)
    await world.run(wallet, 'token', 'approve', world.at.pool, 4_000_000n)
    await world.run(wallet, 'token', 'approve', world.at.credit, 9_000_000n)
    const originate = await signedLoan(wallet, loanId)
    await world.rpc('evm_setAutomine', false)
    await send(wallet, 'pool', 'deposit', 4_000_000n, wallet)
    await send(wallet, 'credit', 'originate', ...originate)
    await world.rpc('evm_mine')
    await world.rpc('evm_setAutomine', true)
    expect((await world.client.getBlock()).transactions).toHaveLength(2)
    expect(await world.read('credit', 'loans', loanId)).toContain(5_000_000n)
    const delayed = { remaining: { raw: '4000000' }, vestingStartedAt: null, debtDelayed: true }
    expect(await own()).toMatchObject({ vested: '10000000', tranches: [delayed], next: null })
    await world.pass(60 * HOUR)
    expect(await own()).toMatchObject({ vested: '10000000', tranches: [delayed], next: null })
    const [, , principal, interest] = (await world.read('credit', 'loans', loanId)) as bigint[]
    await world.run(wallet, 'credit', 'repay', loanId, (principal ?? 0n) + (interest ?? 0n))
    await world.pass(24 * HOUR)
    expect(await own()).toMatchObject({ vested: '12000000', tranches: [{ debtDelayed: true, vestingStartedAt: expect.any(String) }] })
  })

  test('forgets a deposit that a fork removed, and counts a returned one from its new block', async () => {
    const wallet = freshWallet()
    const steps = createVestingSteps({ database: stage.database, chain: stage.chain, clock: { now: () => NOW } })
    const own = async () => {
      await readEvents()
      const { wallet: shown } = await getPool(wallet)
      if (!shown?.vesting.available) throw new Error('vesting is not available')
      const { waiting, principal } = { waiting: null, principal: null, ...(await steps.advanceVesting({ wallet: wallet.toLowerCase() })) }
      return { process: [waiting, principal], tranches: shown.vesting.tranches.map(({ depositedAt }) => depositedAt) }
    }
    await depositFor(wallet, 1_000_000n)
    const [stays] = (await own()).tranches
    const fork = await stage.world.rpc('evm_snapshot')
    await depositFor(wallet, 2_000_000n)
    const both = await own()
    expect(both).toMatchObject({ process: [2, '3 USDC'], tranches: [stays, expect.any(String)] })
    await stage.world.rpc('evm_revert', fork)
    await stage.world.pass(HOUR)
    await stage.world.rpc('anvil_mine', '0x5')
    expect(await own()).toEqual({ process: [1, '1 USDC'], tranches: [stays] })
    await depositFor(wallet, 2_000_000n)
    const returned = await own()
    expect(returned).toMatchObject({ process: [2, '3 USDC'], tranches: [stays, expect.any(String)] })
    expect(Date.parse(returned.tranches[1] ?? '') - Date.parse(both.tranches[1] ?? '')).toBeGreaterThanOrEqual(HOUR * 1_000 - 2_000)
  })

  test('is not available while the records are of another block of the same height', async () => {
    const wallet = freshWallet()
    await depositFor(wallet, 1_000_000n)
    await readEvents()
    const { rows } = stage.database
    const { blockHash } = await rows.selectFrom('chain_cursor').select('blockHash').executeTakeFirstOrThrow()
    await rows
      .updateTable('chain_cursor')
      .set({ blockHash: `0x${'f'.repeat(64)}` })
      .execute()
    expect((await getPool(wallet)).wallet?.vesting).toMatchObject({ available: false, reason: 'chain_events_behind' })
    await rows.updateTable('chain_cursor').set({ blockHash }).execute()
    expect((await getPool(wallet)).wallet?.vesting).toMatchObject({ available: true })
  })

  test('is not available while recorded events are known to be incomplete', async () => {
    const wallet = freshWallet()
    await depositFor(wallet, 1_000_000n)
    await readEvents()
    await stage.database.rows.updateTable('chain_cursor').set({ gapBlock: 1n }).execute()
    expect((await getPool(wallet)).wallet?.vesting).toMatchObject({ available: false, reason: 'chain_events_incomplete' })
    await stage.database.rows.updateTable('chain_cursor').set({ gapBlock: null }).execute()
    expect((await getPool(wallet)).wallet?.vesting).toMatchObject({ available: true, trancheCount: 1 })
  })
})
