import { sql } from 'kysely'
import type { Hex } from 'viem'
import { readCursor } from '../../activities/chain/follower/cursor.ts'
import { createChainEvents } from '../../activities/chain/follower/events.ts'
import { vestingRecorder } from '../../activities/pool/chain-recorder.ts'
import { createPoolReads } from '../../activities/pool/reads.ts'
import { readVesting } from '../../activities/pool/records.ts'
import { createVestingSteps } from '../../activities/pool/vesting-steps.ts'
import { createPoolHandlers } from '../../api/pool/handlers.ts'
import type { ChainLogRecord } from '../../domain/chain/log.ts'
import { getPool } from '../../schemas/pool/operations.ts'
import { inputOf, mint, NOW, type Stage, startStage } from '../api/support/account-world.ts'
import { createFollowing } from '../api/support/following.ts'
import setUp from '../global-setup.ts'
import tearDown from '../global-teardown.ts'
import { inTurns, median, ratio, timed } from './figures.ts'

/** What the deposit pool costs a wallet with a long history. Times in milliseconds. */
export interface SavingsFigures {
  /** Time of `GET /pool` for a wallet of 200 tranches by the time of its reads of the chain alone. Target: 1.5 at most. */
  poolReadRatio: number
  /** Time to read the vesting of a wallet with 10,000 events by the time of one with 100. Target: 1.2 at most. */
  vestingGrowth: number
  poolReadMs: number
  bareReadMs: number
  longVestingMs: number
  shortVestingMs: number
}

const TRANCHES = 200
const READS = 60
const VESTING_READS = 200
const EVENTS = { short: 100, long: 10_000 }
const PER_PAGE = 50
const HOUR_MS = 3_600_000

const SAVER: Hex = `0x${'5a'.repeat(20)}`

/** A wallet with many deposits on the real chain, recorded and followed by its process. */
const saveOften = async (stage: Stage): Promise<void> => {
  const { world, chain, database } = stage
  await mint(world, SAVER, 1_000_000n)
  await world.run(SAVER, 'token', 'approve', world.at.pool, 1_000_000n)
  for (let index = 0; index < TRANCHES; index += 1) await world.run(SAVER, 'pool', 'deposit', 1_000n, SAVER)
  await createFollowing(stage)()
  const { timestamp } = await world.client.getBlock()
  const clock = { now: () => Number(timestamp) * 1000 + HOUR_MS }
  await createVestingSteps({ database, chain, clock }).advanceVesting({ wallet: SAVER })
}

/** Records a history of deposits and withdrawals page by page, as the follower does, and lets the process of the wallet follow it. */
const recordHistory = async ({ chain, database }: Stage, wallet: Hex, events: number): Promise<void> => {
  const { chainId, contracts } = chain
  const recorded = createChainEvents({
    database,
    chainId,
    contracts: new Set<string>(),
    escrows: new Set<string>(),
    now: () => NOW,
    recorders: [vestingRecorder],
    movesProcess: () => false,
  })
  const steps = createVestingSteps({ database, chain, clock: { now: () => NOW } })
  for (let from = 0; from < events; from += PER_PAGE) {
    const cursor = await readCursor(database.rows, chainId)
    if (cursor === null) throw new Error('nothing is followed')
    const number = cursor.number + 1n
    const hash = `0x${number.toString(16).padStart(64, '0')}`
    const logs = Array.from(
      { length: Math.min(PER_PAGE, events - from) },
      (_, index): ChainLogRecord => ({
        txHash: `${wallet}-${from + index}`,
        logIndex: index,
        blockNumber: number,
        blockHash: hash,
        blockTime: NOW - HOUR_MS + from,
        address: contracts.depositPool?.address.toLowerCase() ?? '',
        contract: 'pool',
        event: index % 2 === 0 ? 'Deposit' : 'Withdraw',
        args: { owner: wallet, assets: '100', shares: '100' },
      }),
    )
    await recorded.recordPage({ cursor, span: { from: number, to: number }, logs, end: { number, hash }, headNumber: number })
    await steps.advanceVesting({ wallet })
  }
}

const measurePool = async (stage: Stage) => {
  const { getPool: handler } = createPoolHandlers(stage.deps)
  const pool = stage.chain.contracts.depositPool
  if (pool === undefined) throw new Error('the chain has no pool')
  const reads = createPoolReads(stage.chain, pool, stage.deps.clients, stage.deps.reads)
  const input = inputOf(getPool, { wallet: SAVER })
  const served = async () => {
    const { body } = await handler(input)
    if (!body.available || body.wallet?.vesting.available !== true) throw new Error('the pool was not read')
  }
  return inTurns(READS, { served: () => timed(served), bare: () => timed(() => reads.confirmed(SAVER, async () => null)) })
}

const measureVesting = async (stage: Stage) => {
  const wallets = { short: `0x${'51'.repeat(20)}`, long: `0x${'52'.repeat(20)}` } as const
  for (const name of ['short', 'long'] as const) await recordHistory(stage, wallets[name], EVENTS[name])
  await sql`analyze chain_event`.execute(stage.database.rows)
  const cursor = await readCursor(stage.database.rows, stage.chain.chainId)
  if (cursor === null) throw new Error('nothing is followed')
  const block = { number: cursor.number, hash: cursor.hash as Hex, time: NOW }
  const read = (wallet: Hex) => timed(() => readVesting(stage.database.rows, stage.chain, wallet, block))
  return inTurns(VESTING_READS, { short: () => read(wallets.short), long: () => read(wallets.long) })
}

/** Measures both on a chain with its contracts and a database of their own. */
export const benchSavings = async (): Promise<SavingsFigures> => {
  setUp()
  const stage = await startStage()
  try {
    await saveOften(stage)
    const pool = await measurePool(stage)
    const vesting = await measureVesting(stage)
    return {
      poolReadRatio: ratio(pool.served, pool.bare),
      vestingGrowth: ratio(vesting.long, vesting.short),
      poolReadMs: median(pool.served),
      bareReadMs: median(pool.bare),
      longVestingMs: median(vesting.long),
      shortVestingMs: median(vesting.short),
    }
  } finally {
    await stage.stop()
    await tearDown()
  }
}

if (import.meta.main) console.log(JSON.stringify(await benchSavings()))
