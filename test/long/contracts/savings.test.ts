import { beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { playRuns } from '../../contracts/support/play/runs.ts'
import { ACTIONS, AGENTS, playSavings, type SavingsMove, START, setTable, type Table } from '../../contracts/support/play/savings.ts'
import { CreditModel, PoolModel, Tokens } from '../../contracts/support/play/savings-model.ts'
import { type Savings, startSavings, UNLIMITED } from '../../contracts/support/savings.ts'
import { startWorld, type World, who } from '../../contracts/support/world.ts'

const DAY = 86_400

let world: World
let savings: Savings

beforeAll(async () => {
  world = await startWorld()
  savings = await startSavings(world)
  for (const holder of [...AGENTS, who.operator, who.creditOperator, savings.at.venue])
    await savings.run(who.owner, 'token', 'mint', holder, START)
  for (const holder of [...AGENTS, who.operator, who.creditOperator])
    for (const key of ['pool', 'credit'] as const) await savings.run(holder, 'token', 'approve', savings.at[key], UNLIMITED)
})

type Line = readonly [name: string, expected: bigint | number, key: 'pool' | 'credit' | 'token', call: string, ...args: Hex[]]

/** Every number of a wallet, by the model. */
const linesOf = ({ pool, credit, tokens }: Table, agent: Hex): Line[] => [
  ['shares', pool.of(agent), 'pool', 'balanceOf', agent],
  ['locked shares', pool.locked(agent), 'pool', 'lockedShares', agent],
  ['pledged shares', pool.pledged(agent), 'pool', 'pledgedShares', agent],
  ['free shares', pool.available(agent), 'pool', 'availableShares', agent],
  ['value', pool.worth(pool.of(agent)), 'pool', 'assetsOf', agent],
  ['lender shares', credit.of(agent), 'credit', 'balanceOf', agent],
  ['locked lender shares', credit.locked(agent), 'credit', 'lockedShares', agent],
  ['debt', credit.debt(agent), 'credit', 'outstandingDebt', agent],
  ['tokens', tokens.of(agent), 'token', 'balanceOf', agent],
]

const poolLines = ({ pool, tokens, savings: { at } }: Table): Line[] => [
  ['buffer', pool.buffer(), 'pool', 'bufferAssets'],
  ['assets', pool.managed(), 'pool', 'totalAssets'],
  ['supply', pool.supply(), 'pool', 'totalSupply'],
  ['own shares', pool.of(at.pool), 'pool', 'operatorPrincipalShares'],
  ['cost basis', pool.elsewhere(), 'pool', 'venuePrincipalCostBasis'],
  ['floor', pool.floor(), 'pool', 'bufferFloor'],
  ['highest balance', pool.highest, 'pool', 'maxIssuedAgentShares'],
  ['active deployment', pool.active, 'pool', 'activeVenueDeploymentId'],
  ['active recall', pool.recalls.findIndex(({ open }) => open) + 1, 'pool', 'activeVenueRecallId'],
  ['fees', 0n, 'pool', 'earnedProtocolFees'],
  ['venue', tokens.of(at.venue), 'token', 'balanceOf', at.venue],
]

const creditLines = ({ credit, savings: { at } }: Table): Line[] => [
  ['credit buffer', credit.buffer(), 'credit', 'bufferAssets'],
  ['credit assets', credit.managed(), 'credit', 'totalAssets'],
  ['credit supply', credit.supply(), 'credit', 'totalSupply'],
  ['own credit shares', credit.of(at.credit), 'credit', 'operatorPrincipalShares'],
  ['lent', credit.elsewhere(), 'credit', 'principalOutstanding'],
  ['pledged for loans', credit.open().reduce((total, { pledged }) => total + pledged, 0n), 'credit', 'totalPledgedShares'],
  ['defaults', credit.loans.filter(({ status }) => status === 'seized').length, 'credit', 'defaults'],
]

async function expectEqual(table: Table, after: SavingsMove): Promise<void> {
  const lines = [...AGENTS.flatMap((agent) => linesOf(table, agent)), ...poolLines(table), ...creditLines(table)]
  const found = await Promise.all(lines.map(([, , key, call, ...args]) => savings.number(key, call, ...args)))
  const differences = lines.flatMap(([name, expected], index) =>
    BigInt(expected) === found[index] ? [] : [[name, expected, found[index]]],
  )
  expect([after.action, differences]).toEqual([after.action, []])
}

/** Neither pool owes more than it has, and no wallet has promised a share twice. */
function expectSound({ pool, credit, tokens, savings: { at } }: Table): void {
  const holders = [...AGENTS, who.operator, who.creditOperator, at.venue, at.pool, at.credit]
  expect(holders.reduce((total, holder) => total + tokens.of(holder), 0n)).toBe(START * 6n)
  for (const fund of [pool, credit]) {
    const owners = [...AGENTS, fund.self]
    expect(owners.reduce((total, owner) => total + fund.worth(fund.of(owner)), 0n) <= fund.managed()).toBe(true)
  }
  for (const agent of AGENTS) expect(pool.available(agent) >= 0n && credit.of(agent) >= credit.locked(agent)).toBe(true)
}

// What a loan needs, and what ends one, comes more often.
const OFTEN = [
  'deposit',
  'lend',
  'pledge',
  'originate',
  'originate',
  'repay',
  'seize',
  'setTerms',
  'deploy',
  'writeOff',
  'fulfil',
  'fulfil',
]
const action = fc.constantFrom<SavingsMove['action'][]>(...Object.keys(ACTIONS), ...OFTEN)
const move = fc.record<SavingsMove>({
  action,
  agent: fc.nat(2),
  index: fc.nat(40),
  part: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constant(1000), fc.integer({ min: 0, max: 1200 })),
  units: fc.oneof({ arbitrary: fc.constant(null), weight: 9 }, { arbitrary: fc.bigInt(0n, 30n), weight: 1 }),
  flag: fc.boolean(),
})
const opening = (['deposit', 'lend'] as const).flatMap((action) =>
  AGENTS.map((_, agent) => [{ action, agent, index: 0, part: 500, units: null, flag: true }, 0] as const),
)
const moves = fc.array(fc.tuple(move, fc.constantFrom(0, 0, 0, 3_600, DAY, 8 * DAY)), { minLength: 75, maxLength: 75 })

// Chance seldom makes a loan that is impaired, or waits for the end of a notice.
const scripted = (action: SavingsMove['action'], index = 0, flag = true, wait = 0): [SavingsMove, number] => [
  { action, agent: 0, index, part: 1000, units: null, flag },
  wait,
]
const RARE: [SavingsMove, number][] = [
  scripted('setTerms', 0, true),
  scripted('setTerms', 0, false),
  scripted('pledge'),
  scripted('originate'),
  scripted('seize'),
  scripted('request', 0, false),
  scripted('fulfil', 0, false, 8 * DAY),
]

const { parameters, timeoutMs } = playRuns(8)
const seen = new Set<string>()

async function playAll(sequence: readonly (readonly [SavingsMove, number])[]): Promise<void> {
  const table = setTable(savings)
  for (const [next, wait] of [...opening, ...sequence]) {
    const { error, expected, events } = await playSavings(table, next, wait)
    expect([next.action, error]).toEqual([next.action, expected])
    for (const name of [...events, error ?? '']) seen.add(name)
    await expectEqual(table, next)
    expectSound(table)
  }
}

test(
  'random play on both pools gives every number and refusal of a slow model',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.noBias(moves), (sequence) => world.undone(() => playAll(sequence))),
      { ...parameters, examples: [[RARE]] },
    )
  },
  timeoutMs,
)

test('the random play reached every kind of event', () => {
  const wanted = [
    ...['Deposit', 'OperatorPrincipalContributed', 'Withdraw', 'RedeemRequested', 'RedeemFulfilled'].flatMap((name) => [
      `POOL.${name}`,
      `CREDIT.${name}`,
    ]),
    ...['SharesPledged', 'SharesReleased', 'SharesSeized', 'VenueDeploymentCreated', 'VenueDeploymentSettled'].map(
      (name) => `POOL.${name}`,
    ),
    ...['VenueRecallRequested', 'VenueRecallSettled', 'VenuePrincipalReturned', 'VenueLossWrittenOff'].map((name) => `POOL.${name}`),
    ...['LoanOriginated', 'LoanRepaid', 'LoanClosed', 'PledgeSeized'].map((name) => `CREDIT.${name}`),
  ]
  expect(wanted.filter((name) => !seen.has(name))).toEqual([])
})

test('rounding never favours a caller over 10,000 entries and exits', () => {
  const tokens = new Tokens()
  const pool = new PoolModel(tokens, 'pool', 10n ** 30n)
  const credit = new CreditModel(tokens, 'credit', pool)
  const step = fc.record({
    fund: fc.constantFrom<'pool' | 'credit'>('pool', 'credit'),
    enters: fc.boolean(),
    amount: fc.oneof(fc.bigInt(1n, 30n), fc.bigInt(1n, 9_000_001n)),
    donation: fc.option(fc.bigInt(1n, 777n)),
  })
  for (const { fund, enters, amount, donation } of fc.sample(step, { numRuns: 10_000, seed: parameters.seed })) {
    const one = fund === 'pool' ? pool : credit
    if (donation !== null) tokens.make(one.self, donation)
    const [managed, supply] = [one.managed(), one.supply()]
    if (enters) one.deposit('agent', amount)
    else one.redeem('agent', amount)
    // The price, managed per share, does not fall. What is left without shares belongs to the next who enters.
    if (supply > 0n) expect(one.managed() * supply >= managed * one.supply()).toBe(true)
  }
})
