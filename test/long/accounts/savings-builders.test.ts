// Every builder of both pools in random states: what it expects happens, and what it refuses reverts.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Hex, maxUint256 } from 'viem'
import { createCreditHandlers } from '../../../api/credit/handlers.ts'
import { createPoolHandlers } from '../../../api/pool/handlers.ts'
import * as credit from '../../../schemas/credit/operations.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import * as pool from '../../../schemas/pool/operations.ts'
import { ask, mint, type Stage, startStage } from '../../api/support/account-world.ts'
import { createFollowing } from '../../api/support/following.ts'
import type { ContractKey } from '../../contracts/support/world.ts'
import { seededInts } from '../../domain/builders/pool-history.ts'
import { PLAYS_ALL } from '../../support/cases/sample.ts'

const STATES = PLAYS_ALL ? 500 : 200
const WALLETS = [1, 2, 3].map((index): Hex => `0x${(0xbeaa_0000 + index).toString(16).padStart(40, '0')}`)
const HOUR = 3_600

let stage: Stage
let savings: ReturnType<typeof createPoolHandlers> & ReturnType<typeof createCreditHandlers>
let readEvents: () => Promise<void>
beforeAll(async () => {
  stage = await startStage()
  savings = { ...createPoolHandlers(stage.deps), ...createCreditHandlers(stage.deps) }
  readEvents = createFollowing(stage)
})
afterAll(() => stage?.stop())

const below = seededInts(27)
const upTo = (raw: bigint): bigint => 1n + (raw * BigInt(below(1_000))) / 1_000n
/** An amount around its bound: often less, at times all, at times one more. */
const around = (bound: bigint): bigint => [upTo(bound), upTo(bound), bound === 0n ? 1n : bound, bound + 1n][below(4)] ?? 1n

const KINDS: Record<string, readonly [ContractKey, string]> = {
  wallet: ['token', 'balanceOf'],
  'pool.shares': ['pool', 'balanceOf'],
  'pool.pledged': ['pool', 'pledgedShares'],
  'credit.shares': ['credit', 'balanceOf'],
  'credit.debt': ['credit', 'outstandingDebt'],
}
const held = async (kind: string, holder: Hex): Promise<bigint> => {
  const [contract, read] = KINDS[kind] ?? (['token', 'balanceOf'] as const)
  return (await stage.world.read(contract, read, holder)) as bigint
}
/** Every balance of the wallets, by kind and holder. */
const balances = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      WALLETS.flatMap((holder) => Object.keys(KINDS).map(async (kind) => [`${kind} ${holder}`, String(await held(kind, holder))])),
    ),
  )

interface Built {
  templates: readonly { to: string; data: string }[]
  expected: readonly { kind: string; holder: string; before: { raw: string }; after: { raw: string } }[]
}
type Call = readonly [ContractKey, string, ...unknown[]]
interface Builder {
  name: string
  /** A request of a wallet, and the calls that it asks for; no calls where they need the attestation. */
  request: (wallet: Hex) => Promise<{ body: Record<string, unknown>; calls: readonly Call[] | null }>
  route: 'pool' | 'credit'
}

const spend = (contract: ContractKey, raw: bigint, ...call: unknown[]): Call[] => [
  ['token', 'approve', stage.world.at[contract], raw],
  [contract, ...call] as unknown as Call,
]
const loans = new Map<Hex, string>()

const BUILDERS: readonly Builder[] = [
  {
    name: 'pool deposit',
    route: 'pool',
    request: async (wallet) => {
      const raw = around(await held('wallet', wallet))
      return { body: { direction: 'deposit', amount: `${raw}` }, calls: spend('pool', raw, 'deposit', raw, wallet) }
    },
  },
  {
    name: 'pool withdrawal by shares',
    route: 'pool',
    request: async (wallet) => {
      const raw = around(await held('pool.shares', wallet))
      return { body: { direction: 'withdraw', shares: `${raw}` }, calls: [['pool', 'redeem', raw, wallet, wallet]] }
    },
  },
  {
    name: 'pool withdrawal by assets',
    route: 'pool',
    request: async (wallet) => {
      const raw = around((await stage.world.read('pool', 'assetsOf', wallet)) as bigint)
      return { body: { direction: 'withdraw', assets: `${raw}` }, calls: null }
    },
  },
  {
    name: 'credit deposit',
    route: 'credit',
    request: async (wallet) => {
      const raw = around(await held('wallet', wallet))
      return { body: { direction: 'deposit', amount: `${raw}` }, calls: spend('credit', raw, 'deposit', raw, wallet) }
    },
  },
  {
    name: 'credit withdrawal',
    route: 'credit',
    request: async (wallet) => {
      const raw = around(await held('credit.shares', wallet))
      return { body: { direction: 'withdraw', shares: `${raw}` }, calls: [['credit', 'redeem', raw, wallet, wallet]] }
    },
  },
  {
    name: 'loan',
    route: 'credit',
    request: async (wallet) => {
      const shares = around((await held('pool.shares', wallet)) / 2n)
      return { body: { direction: 'borrow', pledgeShares: `${shares}`, amount: `${around((shares * 8n) / 10n)}` }, calls: null }
    },
  },
  {
    name: 'repayment',
    route: 'credit',
    request: async (wallet) => {
      const loanId = loans.get(WALLETS[below(WALLETS.length)] ?? wallet) ?? `0x${'7'.repeat(64)}`
      const [, , principal = 0n, interest = 0n] = (await stage.world.read('credit', 'loans', loanId)) as bigint[]
      const raw = around(BigInt(principal) + BigInt(interest))
      return { body: { direction: 'repay', loanId, amount: `${raw}` }, calls: spend('credit', raw, 'repay', loanId, raw) }
    },
  },
]

const build = async ({ route }: Builder, wallet: Hex, body: Record<string, unknown>): Promise<Built & { preview: unknown }> => {
  await readEvents()
  const { body: answer } =
    route === 'pool'
      ? await ask(pool.buildPoolTransactions, savings.buildPoolTransactions, { wallet, body })
      : await ask(credit.buildCreditTransactions, savings.buildCreditTransactions, { wallet, body })
  if (!answer.available) throw new Error(answer.reason)
  return answer
}

/** Error names of contracts where they differ from the reason: a token says less. */
const NAMED: Readonly<Record<string, string>> = {
  InsufficientBalance: 'TransferFailed',
  InsufficientUnlockedShares: 'InsufficientUnlockedShares',
}
const nameOf = (error: string | undefined): string | undefined => error?.replace(/\(.*\)$/, '').replaceAll('"', '')

const outcomes = new Map<string, number>()
const count = (builder: Builder, outcome: string): void => {
  outcomes.set(`${builder.name}: ${outcome}`, (outcomes.get(`${builder.name}: ${outcome}`) ?? 0) + 1)
}

const revertOf = async (wallet: Hex, calls: readonly Call[]): Promise<string | undefined> => {
  for (const [contract, name, ...args] of calls) {
    const { error } = await stage.world.attempt(wallet, contract, name, ...args)
    if (error !== undefined) return nameOf(error)
  }
  return undefined
}

/** Builds once, sends what was built as it stands, and compares every balance. */
const play = async (builder: Builder, wallet: Hex): Promise<void> => {
  const { body, calls } = await builder.request(wallet)
  const answer = await build(builder, wallet, body).catch((error: unknown) => {
    if (!isServiceError(error)) throw error
    return error.info.reason ?? error.code
  })
  if (typeof answer === 'string') {
    if (calls !== null)
      expect([builder.name, body, await stage.world.undone(() => revertOf(wallet, calls))]).toEqual([
        builder.name,
        body,
        // The contract would take it: only the service bounds the loss.
        answer === 'LossTooHigh' ? undefined : (NAMED[answer] ?? answer),
      ])
    return count(builder, answer)
  }
  const expected = await balances()
  for (const { kind, holder, before, after } of answer.expected) {
    expect([kind, holder, expected[`${kind} ${holder}`]]).toEqual([kind, holder, before.raw])
    expected[`${kind} ${holder}`] = after.raw
  }
  for (const { to, data } of answer.templates) expect(await stage.world.attemptAt(wallet, to as Hex, data as Hex)).toHaveProperty('events')
  expect([builder.name, body, await balances()]).toEqual([builder.name, body, expected])
  const { loanId } = { loanId: '', ...(answer.preview as object) }
  if (builder.name === 'loan') loans.set(wallet, loanId)
  count(builder, 'as expected')
}

test('a built transaction changes exactly what was expected, and a refused one reverts with the named error', async () => {
  const { world } = stage
  for (const wallet of WALLETS) {
    for (const contract of ['pool', 'credit'] as const) await world.run(wallet, 'token', 'approve', world.at[contract], 0n)
    await mint(world, wallet, 40_000_000n)
  }
  for (let state = 0; state < STATES; state += 1) {
    const wallet = WALLETS[below(WALLETS.length)] ?? (WALLETS[0] as Hex)
    if (below(3) === 0) await world.pass(below(30) * HOUR)
    if (below(4) === 0) await mint(world, wallet, upTo(5_000_000n))
    if (below(10) === 0) await mint(world, world.at[below(2) === 0 ? 'pool' : 'credit'], upTo(100_000n))
    if (below(8) === 0) await world.run(wallet, 'token', 'approve', world.at[below(2) === 0 ? 'pool' : 'credit'], maxUint256)
    for (let times = 0; times < 2; times += 1) await play(BUILDERS[below(BUILDERS.length)] as Builder, wallet)
  }
})

test('the random states reached every builder, as expected and refused', () => {
  for (const { name } of BUILDERS) {
    const seen = [...outcomes].filter(([key]) => key.startsWith(`${name}: `))
    const built = outcomes.get(`${name}: as expected`) ?? 0
    const refusals = seen.reduce((sum, [, times]) => sum + times, -built)
    expect([name, built > STATES * 0.03, refusals > STATES * 0.01, seen]).toEqual([name, true, true, seen])
  }
})
