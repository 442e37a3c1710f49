import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { insertCursor, readCursor } from '../../../activities/chain/follower/cursor.ts'
import { createChainEvents } from '../../../activities/chain/follower/events.ts'
import type { BlockRef } from '../../../activities/chain/node/answers.ts'
import type { Database } from '../../../activities/database/database.ts'
import { vestingRecorder } from '../../../activities/pool/chain-recorder.ts'
import { readVesting } from '../../../activities/pool/records.ts'
import { createVestingSteps } from '../../../activities/pool/vesting-steps.ts'
import type { ChainLogRecord } from '../../../domain/chain/log.ts'
import { poolEventsOf } from '../../../domain/pool/events.ts'
import { foldPoolEvents, NO_VESTING } from '../../../domain/pool/vesting.ts'
import { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { FIRST, seededInts } from '../../domain/builders/pool-history.ts'
import { testChain } from '../../support/api.ts'
import { movesProcess } from '../support/chain-events.ts'
import { useOwnDatabase } from '../support/own-database.ts'

const address = (byte: string) => `0x${byte.repeat(20)}`
const POOL = address('b1')
const CREDIT = address('b2')
const DEPOSIT_POOL = { address: POOL, version: '2', shareName: 'Shares', shareSymbol: 'SH' }
const CHAIN = ChainFile.parse({
  ...testChain,
  confirmations: 0,
  contracts: { ...testChain.contracts, depositPool: DEPOSIT_POOL, creditPool: { address: CREDIT, riskDisclosure: '' } },
})
const { chainId } = CHAIN
const WALLETS = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`)
const HOUR = 3_600_000

const own = useOwnDatabase()
let database: Database
beforeAll(() => {
  database = own.database()
})

interface Block extends BlockRef {
  logs: ChainLogRecord[]
}
type Change = Pick<ChainLogRecord, 'txHash' | 'contract' | 'address' | 'event' | 'args'>

/** A chain of random deposits, withdrawals and loans that forks; what a fork removes may come back in a later block. */
const createModel = (int: (bound: number) => number) => {
  const blocks: Block[] = [{ number: 0n, hash: '0x0', time: FIRST, logs: [] }]
  let made = 0
  let pending: Change[] = []
  const openLoans: string[] = []

  const change = (): Change => {
    made += 1
    const wallet = WALLETS[int(WALLETS.length)]
    const own = { txHash: `0x${made}`, contract: 'pool' as const, address: POOL }
    const kind = int(10)
    if (kind < 5) return { ...own, event: 'Deposit', args: { owner: wallet, assets: `${1 + int(20)}`, shares: '2' } }
    if (kind < 7) return { ...own, event: 'Withdraw', args: { owner: wallet, assets: `${1 + int(30)}`, shares: `${2 * (1 + int(3))}` } }
    const loan = { txHash: own.txHash, contract: 'credit' as const, address: CREDIT }
    if (kind === 7 || openLoans.length === 0) {
      openLoans.push(own.txHash)
      return { ...loan, event: 'LoanOriginated', args: { borrower: wallet, loanId: own.txHash } }
    }
    return { ...loan, event: 'LoanClosed', args: { loanId: openLoans.splice(int(openLoans.length), 1)[0] } }
  }

  return {
    blocks,
    head: () => blocks.at(-1) as Block,
    mine: (): void => {
      const { number: parent, time: before } = blocks.at(-1) as Block
      const number = parent + 1n
      const hash: Hex = `0x${number}-${made}-${int(1e9)}`
      const time = before + int(4) * 7 * HOUR
      const changes = [...pending.splice(0, int(2)), ...Array.from({ length: int(3) }, change)]
      const placed = { blockNumber: number, blockHash: hash, blockTime: time }
      blocks.push({ number, hash, time, logs: changes.map((one, logIndex) => ({ ...one, ...placed, logIndex })) })
    },
    /** Takes the newest blocks away; returns the block that stays. */
    fork: (depth: number): Block => {
      const gone = blocks.splice(Math.max(1, blocks.length - depth))
      pending = [...pending, ...gone.flatMap(({ logs }) => logs).filter(() => int(6) > 0)]
      return blocks.at(-1) as Block
    },
  }
}

const recordedOf = async (wallet: string, upTo: bigint) => {
  const rows = await database.rows.selectFrom('chain_event').selectAll().execute()
  const logs = rows
    .map((row) => ({ ...row, blockNumber: BigInt(row.blockNumber) }))
    .filter(({ blockNumber, removedAt }) => blockNumber <= upTo && removedAt === null)
  // A closing names no borrower. Without a recorded loan it closes nothing.
  const loans = new Set(logs.filter(({ args }) => args.borrower === wallet).map(({ args }) => args.loanId))
  return poolEventsOf(
    wallet,
    logs.filter(({ event, args }) => event !== 'LoanClosed' || loans.has(args.loanId)),
  )
}

const followerWith = (now: () => number, own = database) => ({
  events: createChainEvents({
    database,
    chainId,
    contracts: new Set<string>(),
    escrows: new Set<string>(),
    now,
    recorders: [vestingRecorder],
    movesProcess,
  }),
  steps: createVestingSteps({ database: own, chain: CHAIN, clock: { now }, checkpointEvents: 1 }),
})
const cursorOf = async () => (await readCursor(database.rows, chainId)) ?? Promise.reject(new Error('no cursor'))
const [WALLET = ''] = WALLETS
const START = { number: 0n, hash: '0x0' }
beforeEach(() => insertCursor(database.rows, chainId, START))
afterEach(async () => {
  for (const table of ['vesting_checkpoint', 'vested_tranche', 'event', 'chain_event', 'chain_mark', 'chain_cursor'] as const)
    await database.rows.deleteFrom(table).execute()
})

type Events = ReturnType<typeof followerWith>['events']
type PoolChange = Pick<ChainLogRecord, 'txHash' | 'event' | 'args' | 'blockTime'>
/** Records a page with changes of the pool, one a block, of which the last one is in the block `to`. */
const recordPoolPage = async (events: Events, to: number, changes: PoolChange[]): Promise<void> => {
  const logs = changes.map((change, index): ChainLogRecord => {
    const number = to - changes.length + 1 + index
    return { contract: 'pool', address: POOL, logIndex: 0, blockNumber: BigInt(number), blockHash: `0x${number}`, ...change }
  })
  const end = { number: BigInt(to), hash: `0x${to}` as const }
  const cursor = await cursorOf()
  await events.recordPage({ cursor, span: { from: cursor.number + 1n, to: end.number }, logs, end, headNumber: end.number })
}
/** Records deposits of the wallet, one a block, an hour apart. */
const recordDeposits = (events: Events, from: number, to: number): Promise<void> => {
  const depositAt = (number: number): PoolChange => ({
    txHash: `0x${number}`,
    blockTime: FIRST + number * HOUR,
    event: 'Deposit',
    args: { owner: WALLET, assets: '1', shares: '1' },
  })
  return recordPoolPage(
    events,
    to,
    Array.from({ length: to - from + 1 }, (_, index) => depositAt(from + index)),
  )
}
const listAnnounced = () => database.rows.selectFrom('event').select('data').where('topic', '=', 'pool.tranche_vested').execute()

test('a deposit that a fork moves to a later block counts once', async () => {
  const { events, steps } = followerWith(() => FIRST + HOUR)
  const record = async (number: number) => {
    await recordPoolPage(events, number, [
      { txHash: '0xaa', event: 'Deposit', args: { owner: WALLET, assets: '10', shares: '10' }, blockTime: FIRST },
    ])
    await steps.advanceVesting({ wallet: WALLET })
    const { state } = await readVesting(database.rows, CHAIN, WALLET, { number: BigInt(number), hash: `0x${number}`, time: FIRST })
    return state?.tranches.map(({ blockNumber, remainingRaw }) => [blockNumber, remainingRaw])
  }
  expect(await record(1)).toEqual([[1n, 10n]])
  expect(await database.rows.selectFrom('vesting_checkpoint').select('upToBlock').execute()).toHaveLength(1)
  await events.rewind(await cursorOf(), START)
  expect(await record(3)).toEqual([[3n, 10n]])
})

test('a checkpoint counts nothing in another pool of the same chain', async () => {
  const { events, steps } = followerWith(() => FIRST + 1_000 * HOUR)
  await recordDeposits(events, 1, 60)
  await steps.advanceVesting({ wallet: WALLET })
  const block: BlockRef = { number: 60n, hash: '0x60', time: FIRST + 60 * HOUR }
  const vestedOf = async (chain: ChainFile) => {
    const { state } = await readVesting(database.rows, chain, WALLET, block)
    return [state?.maturedRaw, state?.tranches.length]
  }
  const depositPool = { ...DEPOSIT_POOL, address: address('b6') }
  expect(await vestedOf(CHAIN)).toEqual([12n, 48])
  expect(await vestedOf(ChainFile.parse({ ...CHAIN, contracts: { ...CHAIN.contracts, depositPool } }))).toEqual([0n, 0])
})

describe('the announcement of vested deposits', () => {
  test('counts deposits that the follower records while a checkpoint is stored', async () => {
    const { events } = followerWith(() => FIRST)
    await recordDeposits(events, 1, 2)
    let transactions = 0
    const between: Database = {
      ...database,
      transaction: async (work) => {
        transactions += 1
        if (transactions === 2) await recordDeposits(events, 3, 200)
        return database.transaction(work)
      },
    }
    const { steps } = followerWith(() => FIRST + 1_000 * HOUR, between)
    for (const _round of [1, 2]) await steps.advanceVesting({ wallet: WALLET })
    expect([transactions > 1, (await listAnnounced()).length]).toEqual([true, 200])
  })

  test('takes thousands at once, each once', async () => {
    await recordDeposits(followerWith(() => FIRST).events, 1, 9_000)
    const steps = createVestingSteps({ database, chain: CHAIN, clock: { now: () => FIRST + 20_000 * HOUR } })
    const [first, second] = [await steps.advanceVesting({ wallet: WALLET }), await steps.advanceVesting({ wallet: WALLET })]
    expect(first).toMatchObject({ kind: 'vesting', waiting: 0, vested: '0.009 USDC' })
    expect(second).toEqual(first)
    expect(await listAnnounced()).toHaveLength(9_000)
  })
})

test('a reading from a checkpoint equals one of all recorded events, over forks, returned and missed logs', async () => {
  const int = seededInts(26)
  const model = createModel(int)
  const { events, steps } = followerWith(() => model.head().time)
  let missed: ChainLogRecord[] = []
  let checkpoints = 0
  let continued = 0

  const follow = async (): Promise<void> => {
    const cursor = await cursorOf()
    const end = model.blocks[Number(cursor.number) + 1 + int(4)] ?? model.head()
    if (end.number <= cursor.number) return
    const logs = model.blocks.filter(({ number }) => number > cursor.number && number <= end.number).flatMap((block) => block.logs)
    const left = logs.filter(() => int(12) === 0)
    missed.push(...left)
    const span = { from: cursor.number + 1n, to: end.number }
    const page = { cursor, span, logs: logs.filter((log) => !left.includes(log)), end, headNumber: model.head().number }
    expect(await events.recordPage(page)).not.toBeNull()
  }
  const fork = async (): Promise<void> => {
    const to = model.fork(1 + int(4))
    const cursor = await cursorOf()
    missed = missed.filter(({ blockNumber }) => blockNumber <= to.number)
    if (cursor.number > to.number) expect(await events.rewind(cursor, to)).toBe(true)
  }
  const addMissed = async (): Promise<void> => {
    await events.addMissed(await cursorOf(), missed.splice(0))
  }

  for (let round = 0; round < 60; round++) {
    model.mine()
    await follow()
    if (int(6) === 0) await fork()
    if (int(5) === 0) await addMissed()
    for (const wallet of WALLETS) {
      await steps.advanceVesting({ wallet })
      const cursor = await cursorOf()
      for (const number of [cursor.number, cursor.number > 3n ? cursor.number - BigInt(int(3)) : cursor.number]) {
        const block = model.blocks[Number(number)] as Block
        const { state } = await readVesting(database.rows, CHAIN, wallet, block)
        // A gap that was found makes the records incomplete until they are whole again.
        if (state !== null)
          expect({ round, number, state }).toEqual({
            round,
            number,
            state: foldPoolEvents(NO_VESTING, await recordedOf(wallet, number), block.time),
          })
      }
    }
    const stored = await database.rows.selectFrom('vesting_checkpoint').selectAll().execute()
    checkpoints = Math.max(checkpoints, stored.length)
    continued += stored.length
  }
  expect([checkpoints, continued > 75]).toEqual([WALLETS.length, true])
})

test('a deposit is announced only as far as the records reach, so that a withdrawal before its instant counts', async () => {
  const wallet = WALLET
  const vested = FIRST + 48 * HOUR
  let now = vested + 5_000
  const { events, steps } = followerWith(() => now)
  const caughtUp = (secondsAgo: number) =>
    sql`update chain_cursor set caught_up_at = clock_timestamp() - ${`${secondsAgo} seconds`}::interval`.execute(database.rows)
  await recordPoolPage(events, 1, [
    { txHash: '0xd', event: 'Deposit', args: { owner: wallet, assets: '10', shares: '10' }, blockTime: FIRST },
  ])
  await caughtUp(61)
  expect(await steps.advanceVesting({ wallet })).toEqual({ kind: 'unread', reason: 'chain_events_behind' })
  await caughtUp(30)
  expect(await steps.advanceVesting({ wallet })).toMatchObject({ waiting: 1, next: { at: new Date(vested).toISOString() } })
  expect(await listAnnounced()).toEqual([])
  const withdrawal = { txHash: '0xw', event: 'Withdraw', args: { owner: wallet, assets: '4', shares: '4' }, blockTime: vested - 1_000 }
  await recordPoolPage(events, 2, [withdrawal])
  // The withdrawal came to the records before they reach its instant: no checkpoint may sum it up.
  await caughtUp(30)
  await steps.advanceVesting({ wallet })
  const checkpoint = await database.rows.selectFrom('vesting_checkpoint').select('upToBlock').executeTakeFirst()
  expect(String(checkpoint?.upToBlock)).toBe('1')
  await caughtUp(0)
  now += 1_000
  expect(await steps.advanceVesting({ wallet })).toMatchObject({ waiting: 0, next: null })
  expect(await listAnnounced()).toMatchObject([{ data: { remaining: { raw: '6' } } }])
})
