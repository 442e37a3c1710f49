import { beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createSettlementAdminHandlers } from '../../../api/settlement/admin-handlers.ts'
import { getSessionMoney, listPaymentDays, listPayments } from '../../../schemas/settlement/admin-operations.ts'
import { approve, create, DAY, decide, dispute, fund, hashOf, holdingOf, reject, submit, TTL } from '../../contracts/support/jobs.ts'
import { who } from '../../contracts/support/world.ts'
import { addSigned } from '../../support/records/journal-rows.ts'
import { useStarted } from '../../support/started.ts'
import { ask, lower, refusal, startStage } from '../support/account-world.ts'
import { createFollowing } from '../support/following.ts'
import { addSession } from '../support/work-rows.ts'

const stage = useStarted(startStage, ({ stop }) => stop())
const worker = lower(who.worker)
const idOf = (name: string): Hex => hashOf(`money ${name}`)

const act = {
  claim: (jobId: Hex) => stage.world.run(who.operator, 'escrow', 'claimJobFor', jobId, who.worker),
  timeOut: async (jobId: Hex) => {
    await stage.world.pass(TTL + 1)
    await stage.world.run(who.stranger, 'escrow', 'handleClaimTimeout', jobId)
  },
  disputed: async (jobId: Hex) => {
    await submit(stage.world, { jobId })
    await dispute(stage.world, jobId)
  },
}

/** What the chain does for each kind of end. */
const ENDS: Record<string, (jobId: Hex) => Promise<unknown>> = {
  claimed: act.claim,
  submitted: (jobId) => submit(stage.world, { jobId }),
  approved: async (jobId) => {
    await submit(stage.world, { jobId })
    await approve(stage.world, jobId)
  },
  rejected: async (jobId) => {
    await submit(stage.world, { jobId })
    await reject(stage.world, jobId)
  },
  final: async (jobId) => {
    await ENDS.rejected?.(jobId)
    await stage.world.pass(7 * DAY + 1)
    await stage.world.run(who.stranger, 'escrow', 'finalizeRejectedJob', jobId)
  },
  disputed: act.disputed,
  upheld: async (jobId) => {
    await act.disputed(jobId)
    await decide(stage.world, 0n, 'DISPUTE_LOST', jobId)
  },
  split: async (jobId) => {
    await act.disputed(jobId)
    await decide(stage.world, 300_001n, 'DISPUTE_PARTIAL', jobId)
  },
  dismissed: async (jobId) => {
    await act.disputed(jobId)
    await decide(stage.world, 1_000_003n, 'DISPUTE_OVERTURNED', jobId)
  },
  timeout: async (jobId) => {
    await act.disputed(jobId)
    await stage.world.pass(14 * DAY)
    await stage.world.run(who.stranger, 'escrow', 'autoResolveOnTimeout', jobId)
  },
  expired: async (jobId) => {
    await act.claim(jobId)
    await act.timeOut(jobId)
  },
  cancelled: async (jobId) => {
    await act.claim(jobId)
    await act.timeOut(jobId)
    await stage.world.run(who.poster, 'escrow', 'cancelOpenJob', jobId)
  },
  'expired-then-paid-to-another': async (jobId) => {
    await act.claim(jobId)
    await act.timeOut(jobId)
    await stage.world.run(who.stranger, 'escrow', 'claimJob', jobId)
    await stage.world.run(who.stranger, 'escrow', 'submitWork', jobId, hashOf('evidence'))
    await approve(stage.world, jobId)
  },
}
/** Those after which the escrow still holds money of the session. */
const OPEN = ['claimed', 'submitted', 'rejected', 'disputed']

const addClaimed = async (name: string): Promise<void> => {
  const { database } = stage
  const chainJobId = idOf(name)
  const claim = await database.rows
    .selectFrom('chain_event')
    .selectAll()
    .where('chainJobId', '=', chainJobId)
    .where('event', '=', 'JobClaimed')
    .orderBy('blockNumber')
    .executeTakeFirstOrThrow()
  const found = { chainJobId, claimTxHash: claim.txHash, claimBlock: BigInt(claim.blockNumber) }
  const jobSnapshot = { specDefinition: { title: `Title of ${name}` } }
  const evidence = { ...{ assetDecimals: 6, claimFeeRetainedOnSuccess: false, gasRetentionSupported: true, gasRetainedRaw: '0' } }
  await addSession(database, worker, name, claim.blockTime, { ...found, jobSnapshot, evidence, rewardRaw: 1_000_003n })
}

let handlers: ReturnType<typeof createSettlementAdminHandlers>
beforeAll(async () => {
  const { world } = stage
  await fund(world, who.poster, 100_000_000n)
  await fund(world, who.worker, 50_000_000n)
  await fund(world, who.stranger, 5_000_000n)
  await world.run(who.owner, 'escrow', 'setFeeSchedule', 50_000n, 2_000, 700, 60_000n)
  for (const [name, end] of Object.entries(ENDS)) {
    await create(world, { jobId: idOf(name), reward: 1_000_003n, ops: 11n, contingency: 7n })
    await end(idOf(name))
  }
  await createFollowing(stage)()
  for (const name of Object.keys(ENDS)) await addClaimed(name)
  handlers = createSettlementAdminHandlers({ ...stage.deps, clock: { now: () => now } })
  now = (await world.now()) * 1000
})
let now = 0

const moneyOf = async (name: string) => {
  const { sessionId } = await stage.database.rows
    .selectFrom('session')
    .select('sessionId')
    .where('jobId', '=', name)
    .executeTakeFirstOrThrow()
  return (await ask(getSessionMoney, handlers.getSessionMoney, { wallet: worker, query: { sessionId } })).body
}
const raw = ({ raw }: { raw: string }): bigint => BigInt(raw)
const total = (...amounts: { raw: string }[]): bigint => amounts.reduce((sum, one) => sum + raw(one), 0n)
describe('the money of a session', () => {
  test.each(Object.keys(ENDS))('is conserved: %s', async (name) => {
    const { received, locked, paid, returned, slashed, refunded } = await moneyOf(name)
    const out = total(
      locked.bond,
      locked.funding,
      paid.worker,
      paid.protocolFee,
      paid.gasRetention,
      returned,
      slashed.poster,
      slashed.treasury,
      slashed.verifier,
      refunded,
    )
    expect(total(received.bond, received.funding)).toBe(out)
    expect(raw(received.bond)).toBeGreaterThan(0n)
    const isOpen = OPEN.includes(name)
    expect([name, raw(locked.bond) > 0n, raw(locked.funding) > 0n]).toEqual([name, isOpen, isOpen])
  })

  test('stands in the escrow for the open sessions alone', async () => {
    const { stake } = await holdingOf(stage.world, who.worker)
    const bonds = await Promise.all(OPEN.map(async (name) => raw((await moneyOf(name)).locked.bond)))
    expect(bonds.reduce((sum, bond) => sum + bond, 0n)).toBe(stake)
  })

  test.each([
    ['approved', { worker: 950_003n, protocolFee: 70_000n, gasRetention: 50_000n }, 18n],
    ['split', { worker: 300_001n, protocolFee: 21_000n, gasRetention: 0n }, 749_020n],
    ['dismissed', { worker: 1_000_003n, protocolFee: 70_000n, gasRetention: 0n }, 18n],
    ['timeout', { worker: 500_001n, protocolFee: 35_000n, gasRetention: 0n }, 535_020n],
    ['final', { worker: 0n, protocolFee: 0n, gasRetention: 0n }, 1_070_021n],
    ['expired', { worker: 0n, protocolFee: 0n, gasRetention: 0n }, 0n],
    ['cancelled', { worker: 0n, protocolFee: 0n, gasRetention: 0n }, 1_070_021n],
    ['expired-then-paid-to-another', { worker: 0n, protocolFee: 0n, gasRetention: 0n }, 0n],
  ])('went where the contract sent it: %s', async (name, expected, refundedRaw) => {
    const { paid, refunded, received, reward } = await moneyOf(name)
    expect({ worker: raw(paid.worker), protocolFee: raw(paid.protocolFee), gasRetention: raw(paid.gasRetention) }).toEqual(expected)
    expect([raw(refunded), raw(reward)]).toEqual([refundedRaw, 1_000_003n])
    expect(raw(received.funding)).toBe(name.startsWith('expired') ? 0n : 1_070_021n)
  })

  test('names its transactions in the order of the chain, and those that no block has', async () => {
    const { sessionId } = await moneyOf('split')
    const unsent = await addSigned(stage.database, {
      chainId: stage.chain.chainId,
      sessionId,
      functionName: 'resolveDispute',
      at: now + 1_000,
    })
    const { transactions, workflow } = await moneyOf('split')
    expect(transactions.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      ...['fund mined', 'claim mined', 'submit mined', 'verdict mined', 'dispute mined', 'payout mined', 'resolution signed'],
    ])
    expect(transactions.at(-1)).toMatchObject({ txHash: unsent, blockNumber: null })
    expect(workflow).toEqual({ claim: 'claim/split' })
    const kindsOf = async (name: string) => (await moneyOf(name)).transactions.map(({ kind }) => kind)
    expect(await kindsOf('cancelled')).toEqual(['fund', 'claim', 'timeout', 'cancellation'])
    expect(await kindsOf('final')).toEqual(['fund', 'claim', 'submit', 'verdict', 'finalisation'])
    expect(await kindsOf('expired-then-paid-to-another')).toEqual(['fund', 'claim', 'timeout'])
  })

  test('is not found without a session', async () => {
    expect(await refusal(ask(getSessionMoney, handlers.getSessionMoney, { wallet: worker, query: { sessionId: 'none' } }))).toBe(
      'session_not_found',
    )
  })
})

describe('payments', () => {
  const days = async (query: Record<string, string> = {}) =>
    (await ask(listPaymentDays, handlers.listPaymentDays, { wallet: worker, query })).body
  const list = async (query: Record<string, string> = {}) =>
    (await ask(listPayments, handlers.listPayments, { wallet: worker, query })).body
  type Payments = Awaited<ReturnType<typeof list>>['payments']
  const pages = async (query: Record<string, string>): Promise<Payments> => {
    const rows: Payments = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ ...query, limit: '1', ...(cursor !== null && { cursor }) })
      rows.push(...page.payments)
      cursor = page.nextCursor
    } while (cursor !== null)
    return rows
  }

  test('stand in the list newest first, each with the verdict that paid', async () => {
    const { payments } = await list()
    expect(payments.map(({ jobId, kind, paid }) => [jobId, kind, paid.raw])).toEqual([
      ['timeout', 'timeout', '500001'],
      ['dismissed', 'dismissed', '1000003'],
      ['split', 'split', '300001'],
      ['approved', 'approved', '950003'],
    ])
    for (const { jobId, jobTitle } of payments) expect(jobTitle).toBe(`Title of ${jobId}`)
    expect(await pages({})).toEqual(payments)
    expect(await pages({ wallet: who.worker })).toEqual(payments)
    expect(await pages({ wallet: who.poster })).toEqual([])
  })

  test('of a day add up to the row of the day', async () => {
    const last = new Date(now).toISOString().slice(0, 10)
    const { days: rows } = await days({ to: last, from: new Date(now - 100 * 86_400_000).toISOString().slice(0, 10) })
    expect(rows).toHaveLength(101)
    let seen = 0
    for (const row of rows) {
      const mine = await pages({ day: row.day })
      // The other wallet's payment has no session here.
      const others = row.payments - mine.length
      seen += others
      if (others !== 0) continue
      const sums = { worker: total(...mine.map(({ paid }) => paid)), protocolFee: total(...mine.map(({ protocolFee }) => protocolFee)) }
      expect([row.day, raw(row.worker), raw(row.protocolFee)]).toEqual([row.day, sums.worker, sums.protocolFee])
      expect([row.day, raw(row.gasRetention), row.wallets]).toEqual([
        row.day,
        total(...mine.map(({ gasRetention }) => gasRetention)),
        Math.min(mine.length, 1),
      ])
    }
    expect(seen).toBe(1)
    const names = ['final', 'upheld', 'timeout', 'expired', 'cancelled', 'expired-then-paid-to-another']
    const lost = await Promise.all(names.map(async (name) => Object.values((await moneyOf(name)).slashed)))
    expect(total(...rows.map(({ slashed }) => slashed))).toBe(total(...lost.flat()))
  })

  test('leave with a fork and return with it', async () => {
    const { rows } = stage.database
    const before = await days({ from: new Date(now - 100 * 86_400_000).toISOString().slice(0, 10) })
    const sumOf = ({ days: found }: typeof before) => found.reduce((sum, { payments }) => sum + payments, 0)
    const mark = (removedAt: number | null) =>
      rows.updateTable('chain_event').set({ removedAt }).where('chainJobId', '=', idOf('split')).execute()
    await mark(now)
    expect((await list()).payments.map(({ jobId }) => jobId)).toEqual(['timeout', 'dismissed', 'approved'])
    expect(sumOf(await days({ from: before.from }))).toBe(sumOf(before) - 1)
    await mark(null)
    expect(await days({ from: before.from })).toEqual(before)
  })

  test.each([
    [{}, 30],
    [{ from: '2026-01-02', to: '2026-01-02' }, 1],
    [{ from: '2024-01-01', to: '2024-12-31' }, 366],
  ])('by day have a row for each day of %j', async (query, count) => {
    const { days: rows, to } = await days(query)
    expect([rows.length, rows[0]?.day]).toEqual([count, to])
  })

  test.each([
    { from: '2024-01-01', to: '2025-01-01' },
    { from: '2026-01-03', to: '2026-01-02' },
  ])('by day refuse %j', async (query) => {
    expect(await refusal(days(query))).toBe('invalid_request')
  })
})
