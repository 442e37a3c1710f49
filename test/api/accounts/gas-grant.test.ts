import { beforeAll, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { createTestClient, type Hex, http, toHex } from 'viem'
import { createGasGrantSteps } from '../../../activities/accounts/gas-grant.ts'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import { openDatabase } from '../../../activities/database/database.ts'
import { createAccountHandlers } from '../../../api/accounts/handlers.ts'
import { GAS_GRANT_RAW } from '../../../domain/common/constants.ts'
import type { GasGrantInput } from '../../../schemas/accounts/process.ts'
import { useStarted } from '../../support/started.ts'
import { account, ask, deposit, freshWallet, grantEngine, NOW, operator, startStage } from '../support/account-world.ts'

const stage = useStarted(startStage, ({ stop }) => stop())
beforeAll(async () => {
  // Gas costs nothing on this chain, so the operator may have no coin of its own.
  const node = createTestClient({ mode: 'anvil', transport: http(stage.world.rpcUrl) })
  await node.setBalance({ address: operator, value: 100n * GAS_GRANT_RAW })
})

/** An unused wallet with as much in its account as a grant needs. */
const earner = async (liquidRaw = 250_000n): Promise<Hex> => {
  const wallet = freshWallet()
  await deposit(stage.world, wallet, liquidRaw)
  return wallet
}

const withdraw = (wallet: Hex, body: Record<string, unknown> = {}, accounts = stage.accounts) =>
  ask(account.buildAccountWithdrawTransactions, accounts.buildAccountWithdrawTransactions, {
    wallet,
    body: { amount: '1', requestGasGrant: true, ...body },
  })
const reasonOf = async (...asked: Parameters<typeof withdraw>): Promise<string> =>
  (await withdraw(...asked)).body.firstWithdrawalGasGrant.reason.replace('first_withdrawal_gas_grant_', '')

const balanceOf = (address: Hex) => stage.deps.clients.reader.getBalance({ address })
const grants = () => stage.database.rows.selectFrom('gas_grant').selectAll()
const transfersTo = (wallet: Hex) =>
  stage.database.rows
    .selectFrom('chain_transaction')
    .selectAll()
    .where('functionName', '=', 'grantGas')
    .where('toAddress', '=', wallet)
    .execute()
const eventsOf = (wallet: Hex) =>
  stage.database.rows
    .selectFrom('event')
    .selectAll()
    .where('topic', '=', 'operator_gas.first_withdrawal_granted')
    .execute()
    .then((events) => events.filter(({ wallets: readers }) => readers.includes(wallet)))

const inputOf = (wallet: Hex, changes: Partial<GasGrantInput> = {}): GasGrantInput => ({
  v: 1,
  wallet,
  destination: wallet,
  amountRaw: '1',
  liquidRaw: '250000',
  requestId: 'a request',
  ...changes,
})

/** Handlers and steps of another process at another instant, with another cap. */
const processAt = (now: number, cap = 25) => {
  const deps = { ...stage.deps, clock: { now: () => now }, settings: { ...stage.deps.settings, FIRST_WITHDRAWAL_GAS_GRANT_DAILY_CAP: cap } }
  const steps = createGasGrantSteps(deps)
  return { deps, steps, accounts: createAccountHandlers({ ...deps, engine: grantEngine(steps) }) }
}

/** Bytecode of a contract that refuses every call. */
const REFUSES_ALL: Hex = '0x60006000fd'
const lost = async (): Promise<never> => {
  throw new Error('the process ended')
}
/** Clients of a node that takes no transaction. */
const refusingClients = () => ({
  ...stage.deps.clients,
  writers: stage.deps.clients.writers.map((writer) => ({ ...writer, sendRawTransaction: lost })),
})

/** The wallet has exactly one grant, and one event reports it. */
const expectOneTransfer = async (wallet: Hex): Promise<void> => {
  expect(await balanceOf(wallet)).toBe(GAS_GRANT_RAW)
  expect((await transfersTo(wallet)).map(({ status, value }) => [status, value])).toEqual([['mined', GAS_GRANT_RAW]])
  expect(await eventsOf(wallet)).toMatchObject([{ data: { wallet, countedAsPayout: false, countedAsRevenue: false } }])
}

describe('a withdrawal that asks for the gas grant', () => {
  test('gets it once, and asking again only reports it', async () => {
    const wallet = await earner()
    const before = await balanceOf(operator)
    const { body } = await withdraw(wallet)
    expect(body.firstWithdrawalGasGrant).toMatchObject({ eligible: true, status: 'granted', reason: 'first_withdrawal_gas_grant_sent' })
    expect(body.firstWithdrawalGasGrant.priorGrant?.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(body.gas).toMatchObject({ sufficient: true, walletBalance: { raw: GAS_GRANT_RAW.toString() } })
    expect(await reasonOf(wallet)).toBe('sent')
    expect(await reasonOf(wallet, { amount: '2' })).toBe('already_granted')
    await expectOneTransfer(wallet)
    const spent = before - (await balanceOf(operator))
    expect(spent >= GAS_GRANT_RAW && spent < 2n * GAS_GRANT_RAW).toBe(true)
    expect(await grants().where('wallet', '=', wallet).executeTakeFirst()).toMatchObject({
      status: 'granted',
      day: '2026-01-15',
      amountRaw: GAS_GRANT_RAW,
      balanceBeforeRaw: 0n,
      balanceAfterRaw: GAS_GRANT_RAW,
    })
  })

  test('sends nothing without asking, below the floor or without a key of the operator', async () => {
    const [wallet, poor] = [await earner(), await earner(249_999n)]
    expect(await reasonOf(wallet, { requestGasGrant: false })).toBe('available')
    expect(await reasonOf(poor)).toBe('balance_below_floor')
    const { deps } = processAt(NOW)
    const keyless = createAccountHandlers({ ...deps, transactions: createTransactions({ ...deps, signers: {} }) })
    expect(await reasonOf(wallet, {}, keyless)).toBe('unavailable')
    expect([await balanceOf(wallet), await balanceOf(poor)]).toEqual([0n, 0n])
  })

  test('sends nothing that the operator cannot pay, which would block its nonce', async () => {
    const wallet = await earner()
    const before = await balanceOf(operator)
    await stage.world.rpc('anvil_setBalance', operator, toHex(GAS_GRANT_RAW))
    try {
      expect(await reasonOf(wallet)).toBe('unavailable')
      expect(await grants().where('wallet', '=', wallet).execute()).toEqual([])
    } finally {
      await stage.world.rpc('anvil_setBalance', operator, toHex(before))
    }
    expect(await reasonOf(wallet)).toBe('sent')
  })

  test('is shown in the position, which is no withdrawal', async () => {
    const wallet = await earner()
    const { body } = await ask(account.getAccountPosition, stage.accounts.getAccountPosition, { wallet })
    expect(body).toMatchObject({
      withdrawal: { gas: { firstWithdrawalGrant: { eligible: false, reason: 'first_withdrawal_gas_grant_withdrawal_intent_required' } } },
    })
  })

  test('is one transfer for fifty requests to two processes', async () => {
    const wallet = await earner()
    const others = processAt(NOW).accounts
    const reasons = await Promise.all(
      Array.from({ length: 50 }, (_, index) => reasonOf(wallet, {}, index % 2 === 0 ? stage.accounts : others)),
    )
    expect(reasons.every((reason) => ['sent', 'in_progress'].includes(reason))).toBe(true)
    await expectOneTransfer(wallet)
  })
})

describe('the reason at the route', () => {
  /** Handlers of a process in which the balance changes after the withdrawal is built. */
  const moved = (wallet: Hex) => {
    const { deps } = processAt(NOW)
    const requestGasGrant: typeof deps.engine.requestGasGrant = async (input) => {
      await deposit(stage.world, wallet, 1n)
      return deps.engine.requestGasGrant(input)
    }
    return createAccountHandlers({ ...deps, engine: { ...deps.engine, requestGasGrant } })
  }

  const expectNothingSent = async (wallet: Hex, reason: string, accounts: typeof stage.accounts) => {
    const { body } = await withdraw(wallet, {}, accounts)
    expect(body.firstWithdrawalGasGrant).toMatchObject({ eligible: false, reason: `first_withdrawal_gas_grant_${reason}` })
    expect([body.templates.length, await balanceOf(wallet)]).toEqual([1, 0n])
    return body.firstWithdrawalGasGrant
  }

  test('is a changed balance', async () => {
    const wallet = await earner()
    await expectNothingSent(wallet, 'withdrawal_intent_stale', moved(wallet))
    expect(await reasonOf(wallet)).toBe('sent')
  })

  test('is a failed read of the records, beside templates that need none', async () => {
    const wallet = await earner()
    const database = openDatabase({ url: stage.deps.settings.DATABASE_URL, poolSize: 2, statementTimeoutMs: 300 })
    try {
      const accounts = createAccountHandlers({ ...processAt(NOW).deps, database })
      const shown = await stage.database.transaction(async (rows) => {
        await sql`lock table gas_grant`.execute(rows)
        return expectNothingSent(wallet, 'status_read_failed', accounts)
      })
      expect([shown.daily, shown.priorGrant]).toEqual([null, undefined])
    } finally {
      await database.close()
    }
  })

  test('comes with the true figures of the day: before, during and after', async () => {
    const { accounts, steps } = processAt(NOW + 3 * 86_400_000, 2)
    const [first, second, third] = [await earner(), await earner(), await earner()]
    const figures = async (wallet: Hex, asks: boolean) => {
      const { reason, amount, daily } = (await withdraw(wallet, { requestGasGrant: asks }, accounts)).body.firstWithdrawalGasGrant
      expect([amount.raw, daily?.day, daily?.resetAt]).toEqual(['30000000000000000', '2026-01-18', '2026-01-19T00:00:00.000Z'])
      return [reason.replace('first_withdrawal_gas_grant_', ''), daily?.reservedCount, daily?.remainingCount]
    }
    expect(await figures(first, false)).toEqual(['available', 0, 2])
    await steps.reserveGasGrant(inputOf(first))
    expect(await figures(first, false)).toEqual(['in_progress', 1, 1])
    expect(await figures(first, true)).toEqual(['sent', 1, 1])
    await steps.reserveGasGrant(inputOf(second))
    expect(await figures(third, true)).toEqual(['daily_cap_reached', 2, 0])
  })
})

describe('the number of grants of a day', () => {
  test('is kept to by wallets that ask two processes at once', async () => {
    const day = NOW + 9 * 86_400_000
    const processes = [processAt(day, 4), processAt(day, 4)]
    const wallets: Hex[] = []
    while (wallets.length < 7) wallets.push(await earner())
    const outcomes = await Promise.all(wallets.map((wallet, index) => processes[index % 2]?.steps.reserveGasGrant(inputOf(wallet))))
    expect(outcomes.filter((outcome) => outcome?.kind === 'reserved')).toHaveLength(4)
    expect(outcomes.filter((outcome) => outcome?.kind === 'refused')).toEqual(
      Array(3).fill({ kind: 'refused', reason: 'first_withdrawal_gas_grant_daily_cap_reached' }),
    )
    expect((await grants().where('day', '=', '2026-01-24').execute()).map(({ dailyCap }) => dailyCap)).toEqual([4, 4, 4, 4])
  })
})

describe('the process of a gas grant', () => {
  test('refuses a withdrawal that was built at another balance', async () => {
    const wallet = await earner()
    const { steps } = processAt(NOW)
    const reason = 'first_withdrawal_gas_grant_withdrawal_intent_stale'
    expect(await steps.reserveGasGrant(inputOf(wallet, { liquidRaw: '250001' }))).toEqual({ kind: 'refused', reason })
    expect(await grants().where('wallet', '=', wallet).executeTakeFirst()).toBeUndefined()
    expect(await reasonOf(wallet)).toBe('sent')
  })

  test('counts exactly to the cap, up to the last millisecond of a UTC day', async () => {
    const midnight = Date.UTC(2026, 1, 1)
    const [last, next] = [processAt(midnight - 1, 3), processAt(midnight, 3)]
    const takers: Hex[] = []
    for (let index = 0; index < 7; index += 1) takers.push(await earner())
    const kindsOf = async (process: typeof last, asking: Hex[]) => {
      const reserved = await Promise.all(asking.map((wallet) => process.steps.reserveGasGrant(inputOf(wallet))))
      return reserved.map((one) => (one.kind === 'refused' ? one.reason.replace('first_withdrawal_gas_grant_', '') : one.kind)).sort()
    }
    expect(await kindsOf(last, takers.slice(0, 5))).toEqual(['daily_cap_reached', 'daily_cap_reached', 'reserved', 'reserved', 'reserved'])
    expect(await reasonOf(takers[5] as Hex, {}, last.accounts)).toBe('daily_cap_reached')
    // Both that were refused get a place of the new day, and so does one more.
    expect(await kindsOf(next, takers.slice(0, 6))).toEqual(Array.from({ length: 6 }, () => 'reserved'))
    expect(await kindsOf(next, takers.slice(6))).toEqual(['daily_cap_reached'])
    const days = await grants().where('day', 'in', ['2026-01-31', '2026-02-01']).execute()
    expect(days.map(({ day }) => day).sort()).toEqual([...Array(3).fill('2026-01-31'), ...Array(3).fill('2026-02-01')])
  })

  test.each([
    ['before the transfer was signed', 'signed'],
    ['after it was signed and before it was sent', 'sent'],
    ['after it was mined and before it was recorded', 'mined'],
  ] as const)('ended %s, sends one transfer when it is tried again', async (_name, lostBefore) => {
    const wallet = await earner()
    const { deps, steps } = processAt(NOW + 86_400_000)
    await steps.reserveGasGrant(inputOf(wallet))
    expect(await reasonOf(wallet, { requestGasGrant: false })).toBe('in_progress')
    const clients = lostBefore === 'sent' ? refusingClients() : deps.clients
    const database = lostBefore === 'signed' || lostBefore === 'mined' ? { ...deps.database, transaction: lost } : deps.database
    // The journal keeps its database where only the record is lost.
    const journal = lostBefore === 'signed' ? database : deps.database
    const transactions = stage.transactionsWith({ database: journal, clients })
    await expect(createGasGrantSteps({ ...deps, clients, database, transactions }).sendGasGrant({ wallet })).rejects.toThrow()
    expect(await reasonOf(wallet, { requestGasGrant: false })).toBe('in_progress')
    const again = await Promise.all([steps.sendGasGrant({ wallet }), steps.sendGasGrant({ wallet })])
    expect(new Set(again.map(({ txHash }) => txHash)).size).toBe(1)
    await expectOneTransfer(wallet)
  })

  test('whose transfer the wallet refuses ends as failed, once and for all', async () => {
    const wallet = await earner()
    await stage.world.rpc('anvil_setCode', wallet, REFUSES_ALL)
    const { steps } = processAt(NOW)
    await steps.reserveGasGrant(inputOf(wallet))
    for (const _repeat of [1, 2])
      await expect(steps.sendGasGrant({ wallet })).rejects.toMatchObject({
        code: 'blockchain_revert',
        info: { reason: 'gas_grant_transfer_failed', details: { transferOutcome: 'reverted' } },
      })
    const [sent] = await transfersTo(wallet)
    const { firstWithdrawalGasGrant: shown } = (await withdraw(wallet)).body
    expect(shown).toMatchObject({ eligible: false, status: 'failed', reason: 'first_withdrawal_gas_grant_unavailable' })
    expect(shown.priorGrant?.txHash).toBe(sent?.txHash)
    expect((await transfersTo(wallet)).map(({ status }) => status)).toEqual(['reverted'])
    expect([await balanceOf(wallet), await eventsOf(wallet)]).toEqual([0n, []])
  })

  test('whose transfer lost its nonce to another transaction sends one under the next', async () => {
    const wallet = await earner()
    const { deps, steps } = processAt(NOW)
    await steps.reserveGasGrant(inputOf(wallet))
    const clients = refusingClients()
    const refused = createGasGrantSteps({ ...deps, clients, transactions: stage.transactionsWith({ clients }) })
    await expect(refused.sendGasGrant({ wallet })).rejects.toThrow()
    await stage.world.run(operator, 'token', 'approve', wallet, 0n)
    await expect(steps.sendGasGrant({ wallet })).rejects.toThrow('can never be mined')
    expect([await reasonOf(wallet, { requestGasGrant: false }), await balanceOf(wallet)]).toEqual(['in_progress', 0n])
    expect(await reasonOf(wallet)).toBe('sent')
    expect((await transfersTo(wallet)).map(({ status }) => status).sort()).toEqual(['dead', 'mined'])
    expect([await balanceOf(wallet), (await eventsOf(wallet)).length]).toEqual([GAS_GRANT_RAW, 1])
  })

  test('that was stopped is begun again by the next withdrawal that asks, and finds its transfer', async () => {
    const wallet = await earner()
    const { deps, steps } = processAt(NOW)
    await steps.reserveGasGrant(inputOf(wallet))
    const stopped = createGasGrantSteps({ ...deps, database: { ...deps.database, transaction: lost } })
    await expect(stopped.sendGasGrant({ wallet })).rejects.toThrow()
    expect(await reasonOf(wallet)).toBe('sent')
    await expectOneTransfer(wallet)
  })
})
