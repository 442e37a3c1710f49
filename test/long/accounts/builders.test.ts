// Every builder of the account in random states: what it expects happens, and what it refuses reverts.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { erc20Abi, type Hex, maxUint256 } from 'viem'
import { depositSteps, withdrawSteps } from '../../../activities/accounts/templates.ts'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import type { ContractCall } from '../../../activities/chain/templates.ts'
import { loadArtifact } from '../../../contracts/artifact.ts'
import { LOCAL_STRATEGY_ID } from '../../../contracts/parameters.ts'
import { type Position, spendableRaw } from '../../../domain/chain/account-position.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { account, ask, lower, mint, type Stage, startStage } from '../../api/support/account-world.ts'
import { who } from '../../contracts/support/world.ts'
import { PLAYS_ALL } from '../../support/cases/sample.ts'

const STATES = PLAYS_ALL ? 500 : 150
/** Least number of each outcome. */
const OFTEN = STATES / 50
const WALLETS = [1, 2, 3].map((index): Hex => `0x${(0xbeef_0000 + index).toString(16).padStart(40, '0')}`)
const OUTSIDE: Hex = `0x${'0d'.repeat(20)}`

let stage: Stage
let adapter: Hex
beforeAll(async () => {
  stage = await startStage()
  adapter = ((await stage.world.read('registry', 'getStrategy', LOCAL_STRATEGY_ID)) as { adapter: Hex }).adapter
  stage.world.watch(adapter, { prefix: 'YIELD', abi: (await loadArtifact('MockVDotAdapter')).abi })
})
afterAll(() => stage?.stop())

/** Repeatable random numbers (mulberry32). */
let seed = 20_260_726
const below = (bound: number): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
}
const pick = <T>(from: readonly [T, ...T[]]): T => from[below(from.length)] ?? from[0]
const upTo = (raw: bigint): bigint => 1n + (raw * BigInt(below(1_000))) / 1_000n

interface Holding extends Position {
  wallet: bigint
  allowance: bigint
}
const FIELDS = ['liquid', 'reserved', 'strategyAllocated', 'collateralLocked', 'jobStakeLocked', 'debtOutstanding'] as const

const holdingOf = async (holder: Hex): Promise<Holding> => {
  const { client, at } = stage.world
  const [words, wallet, allowance] = await Promise.all([
    client.readContract({ address: at.accounts, abi: agentAccountCoreAbi, functionName: 'positions', args: [holder, at.token] }),
    client.readContract({ address: at.token, abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
    client.readContract({ address: at.token, abi: erc20Abi, functionName: 'allowance', args: [holder, at.accounts] }),
  ])
  const [liquid, reserved, strategyAllocated, collateralLocked, jobStakeLocked, debtOutstanding] = words
  return { liquid, reserved, strategyAllocated, collateralLocked, jobStakeLocked, debtOutstanding, wallet, allowance }
}

/** Every balance of the holders, by kind and holder. */
const balancesOf = async (holders: readonly Hex[]): Promise<Map<string, string>> => {
  const found = await Promise.all(holders.map(async (holder) => [holder, await holdingOf(holder)] as const))
  return new Map(
    found.flatMap(([holder, held]) => [
      [`wallet ${holder}`, held.wallet.toString()] as const,
      ...FIELDS.map((field) => [`account.${field} ${holder}`, held[field].toString()] as const),
    ]),
  )
}

/** What may happen to an account; the contracts refuse what its state does not allow. */
const MOVES: readonly [(wallet: Hex, held: Holding) => Promise<unknown>, ...((wallet: Hex, held: Holding) => Promise<unknown>)[]] = [
  (wallet) => mint(stage.world, wallet, upTo(9_000_000n)),
  (wallet, held) => stage.world.attempt(wallet, 'token', 'approve', stage.world.at.accounts, pick([0n, upTo(held.wallet), maxUint256])),
  (wallet, held) => accounts(wallet, 'deposit', upTo(held.wallet)),
  (wallet, held) => accounts(wallet, 'lockCollateral', upTo(held.liquid)),
  (wallet, held) => accounts(wallet, 'unlockCollateral', upTo(held.collateralLocked)),
  (wallet, held) => accounts(wallet, 'borrow', upTo(held.collateralLocked / 2n)),
  (wallet, held) => accounts(wallet, 'repay', upTo(held.debtOutstanding)),
  (wallet, held) => strategy(wallet, 'allocateIdleFunds', upTo(held.liquid)),
  (wallet, held) => strategy(wallet, 'deallocateIdleFunds', upTo(held.strategyAllocated)),
]
const accounts = (wallet: Hex, name: string, raw: bigint) => stage.world.attempt(wallet, 'accounts', name, stage.world.at.token, raw)
const strategy = (wallet: Hex, name: string, raw: bigint) => stage.world.attempt(wallet, 'accounts', name, wallet, LOCAL_STRATEGY_ID, raw)

/** Cap and pause of the contracts in a state. */
const restrict = async (): Promise<boolean> => {
  const paused = below(10) === 0
  await stage.world.run(who.owner, 'policy', 'setDailyOutflowCap', below(3) === 0 ? upTo(4_000_000n) : maxUint256)
  await stage.world.run(who.owner, 'policy', 'setPaused', paused)
  return paused
}

interface Request {
  wallet: Hex
  amountRaw: bigint
  destination: Hex
  held: Holding
}
interface Built {
  templates: readonly { to: string; data: string }[]
  expected: readonly { kind: string; holder: string; before: { raw: string }; after: { raw: string } }[]
}
interface Builder {
  name: string
  /** The balance that bounds the amount. */
  bound: (held: Holding) => bigint
  build: (request: Request) => Promise<{ body: Built }>
  /** The transactions that the builder would have built, for a request that it refuses. */
  calls: (request: Request) => readonly { call: ContractCall }[]
  /** Error of the contract behind each reason that the builder finds itself. */
  reverts: Readonly<Record<string, string>>
}

const withdrawCalls = ({ wallet, amountRaw, destination }: Request) =>
  withdrawSteps(stage.chain, {
    amountRaw,
    destination,
    firstLandingAddress: wallet,
    transfers: destination !== wallet,
    availableBeforeRaw: 0n,
    availableAfterRaw: 0n,
  })
const withdraw = (body: Record<string, unknown>, wallet: Hex) =>
  ask(account.buildAccountWithdrawTransactions, stage.accounts.buildAccountWithdrawTransactions, { wallet, body })
const WITHDRAWAL = { bound: (held: Holding) => spendableRaw(held), reverts: { amount_exceeds_available: 'InsufficientLiquidity' } }

const BUILDERS: readonly Builder[] = [
  {
    name: 'deposit',
    bound: (held) => held.wallet,
    build: ({ wallet, amountRaw }) =>
      ask(account.buildAccountDepositTransactions, stage.accounts.buildAccountDepositTransactions, {
        wallet,
        body: { amount: amountRaw.toString() },
      }),
    calls: ({ amountRaw, held }) => depositSteps(stage.chain, { amountRaw, allowanceRaw: held.allowance }),
    reverts: { InsufficientBalance: 'TransferFailed' },
  },
  {
    name: 'withdrawal',
    ...WITHDRAWAL,
    build: ({ wallet, amountRaw }) => withdraw({ amount: amountRaw.toString() }, wallet),
    calls: (request) => withdrawCalls({ ...request, destination: request.wallet }),
  },
  {
    name: 'withdrawal to another address',
    ...WITHDRAWAL,
    build: ({ wallet, amountRaw, destination }) => withdraw({ amount: amountRaw.toString(), destination }, wallet),
    calls: withdrawCalls,
  },
]

/** Sends calls in their order; answers the error of the first that reverts. */
const send = async (wallet: Hex, calls: readonly { to: string; data: string }[]): Promise<string | null> => {
  for (const { to, data } of calls) {
    const { error } = await stage.world.attemptAt(wallet, to as Hex, data as Hex)
    if (error !== undefined) return error
  }
  return null
}

const nameOf = (error: string | null): string | null => error?.replace(/\(.*\)$/, '').replaceAll('"', '') ?? null

/** The refusal of a builder: the reason, and the error of the contract if it named one. */
const refusalOf = (error: unknown): { reason: string; customError: unknown } => {
  if (!isServiceError(error)) throw error
  return { reason: error.info.reason ?? error.code, customError: error.info.details?.customError }
}

const outcomes = new Map<string, number>()
const count = (builder: Builder, outcome: string): void => {
  const key = `${builder.name}: ${outcome}`
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1)
}

/** Builds once, sends what was built as it stands, and compares every balance. */
const tryBuilder = async (builder: Builder, request: Request, paused: boolean): Promise<void> => {
  const { wallet, destination } = request
  const holders = [...new Set([...WALLETS, OUTSIDE, destination])]
  const [answer, before] = await Promise.all([
    builder.build(request).then(
      ({ body }) => body,
      (error: unknown) => refusalOf(error),
    ),
    balancesOf(holders),
  ])
  if ('reason' in answer) {
    const { reason, customError } = answer
    const named = customError ?? (paused ? 'ProtocolPaused' : builder.reverts[reason])
    const error = await send(
      wallet,
      builder.calls(request).map(({ call }) => call),
    )
    expect([reason, nameOf(error)]).toEqual([reason, named])
    return count(builder, String(nameOf(error)))
  }
  const expected = new Map(before)
  for (const { kind, holder, before: was, after } of answer.expected) {
    expect([kind, before.get(`${kind} ${holder}`)]).toEqual([kind, was.raw])
    expected.set(`${kind} ${holder}`, after.raw)
  }
  expect(await send(wallet, answer.templates)).toBeNull()
  expect(await balancesOf(holders)).toEqual(expected)
  count(builder, 'as expected')
}

test('a built transaction changes exactly what was expected, and a refused one reverts with the named error', async () => {
  for (let state = 0; state < STATES; state += 1) {
    const wallet = WALLETS[state % WALLETS.length] as Hex
    for (let moves = 1 + below(3); moves > 0; moves -= 1) await pick(MOVES)(wallet, await holdingOf(wallet))
    const held = await holdingOf(wallet)
    const destination = lower(pick([OUTSIDE, WALLETS[0] as Hex, WALLETS[1] as Hex, adapter]))
    await stage.world.undone(async () => {
      const paused = await restrict()
      for (const builder of BUILDERS) {
        const bound = builder.bound(held)
        const amountRaw = pick([upTo(bound), upTo(bound), bound === 0n ? 1n : bound, bound + 1n, 1n])
        await stage.world.undone(() => tryBuilder(builder, { wallet, amountRaw, destination, held }, paused))
      }
    })
  }
})

test('the random states reached every kind of outcome', () => {
  for (const { name, reverts } of BUILDERS) {
    const withdrawals = name === 'deposit' ? [] : ['OutflowCapExceeded']
    for (const outcome of ['as expected', 'ProtocolPaused', ...Object.values(reverts), ...withdrawals])
      expect([name, outcome, (outcomes.get(`${name}: ${outcome}`) ?? 0) >= OFTEN]).toEqual([name, outcome, true])
  }
})
