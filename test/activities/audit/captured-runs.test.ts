// Payments of ended runs on a real chain, and the same with one thing altered.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Audit, AuditedPayments } from '../../../activities/audit/context.ts'
import { runCheck } from '../../../activities/audit/run.ts'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import type { Database } from '../../../activities/database/database.ts'
import { createCapture } from '../../../activities/paid-verification/payment/capture.ts'
import type { Verdict } from '../../../schemas/paid-verification/profiles/execution.ts'
import { usePayments } from '../paid-verification/support/payments.ts'
import { type Journal, operator, startJournal } from '../support/journal-world.ts'
import { checkWithFault } from '../support/planted-faults.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let journal: Journal
const payments = usePayments(() => journal)

/** Ends a run; `send` sends its authorisation afterwards, as its payer may. */
const bill = async (verdict: Verdict, isPaid = true) => {
  const { deps } = journal
  const transactions = createTransactions({ ...deps, signers: { settler: operator } })
  const capture = createCapture({ ...deps, transactions, confirmations: 0, moveRun: payments.moveRun })
  const account = await payments.payer()
  const signed = await payments.sign(account)
  const run = await payments.record(signed, verdict)
  if (!isPaid) await payments.moveAway(account)
  await (verdict === 'inconclusive' ? capture.release(run) : capture.take(run))
  return { account, signed, send: () => payments.sendAs(operator, signed) }
}
type Billed = Awaited<ReturnType<typeof bill>>

const ended = {} as Record<'paid' | 'unbilled' | 'uncollectable', Billed>

beforeAll(async () => {
  journal = await startJournal()
  ended.paid = await bill('approved')
  await bill('rejected')
  ended.unbilled = await bill('inconclusive')
  ended.uncollectable = await bill('approved', false)
  await payments.record(await payments.sign(await payments.payer()), 'rejected')
})
afterAll(() => journal?.stop())

const audited = (changes: Partial<AuditedPayments> = {}): AuditedPayments => {
  const { chainId, clients } = journal
  return { chainId, network: `eip155:${chainId}`, client: clients.reader, confirmations: 0, ...changes }
}
const auditOf =
  (of: AuditedPayments | null, laterMs = HOUR_MS) =>
  ({ rows }: Database) =>
    runCheck('captured_runs', { rows, payments: of, now: () => Date.now() + laterMs } as Audit, null)
/** The audit of the chain after one more act on it, which is undone. */
const auditAfter = async (act: () => Promise<unknown>, changes: Partial<AuditedPayments> = {}) => {
  const state = await journal.world.rpc('evm_snapshot')
  try {
    await act()
    return await auditOf(audited(changes))(journal.database)
  } finally {
    await journal.world.rpc('evm_revert', state)
  }
}

describe('the audit of the payments of runs', () => {
  test('passes for runs that were paid, not billed, uncollectable and not over', async () => {
    const states = await journal.database.rows.selectFrom('verification_run').select('state').orderBy('state').execute()
    expect(states.map(({ state }) => state)).toEqual(['captured', 'captured', 'executed', 'not_billed', 'uncollectable'])
    expect(await auditOf(audited())(journal.database)).toMatchObject({ outcome: 'passed' })
  })

  test.each<[string, string, string, string]>([
    [
      'another transaction of a run',
      `tx_hash = '0x' || repeat('1', 64) where verdict = 'approved' and state = 'captured'`,
      'paid by transaction 0x1111',
      'paid by transaction 0x',
    ],
    ['another price of a run', `amount_raw = amount_raw + 1 where verdict = 'approved' and state = 'captured'`, 'paid by', 'no payment'],
    [
      'another payee of a run',
      `pay_to = '0x' || repeat('1', 40) where verdict = 'approved' and state = 'captured'`,
      'paid by',
      'no payment',
    ],
    [
      'another payer of a run',
      `payer = '0x' || repeat('1', 40) where verdict = 'approved' and state = 'captured'`,
      'paid by',
      'no payment',
    ],
    [
      'another nonce of a run',
      `nonce = '0x' || repeat('1', 64) where verdict = 'approved' and state = 'captured'`,
      'paid by',
      'no payment',
    ],
    [
      'a paid run that says it was not billed',
      `state = 'not_billed', verdict = 'inconclusive', tx_hash = null where verdict = 'approved' and state = 'captured'`,
      'no payment: the run is not_billed',
      'the operator owes the price back',
    ],
  ])('finds %s', async (_what, change, expected, found) => {
    const result = await checkWithFault(journal.database, `update verification_run set ${change}`, auditOf(audited()))
    expect(result).toMatchObject({ outcome: 'failed', findings: 1 })
    expect(result.examples[0]?.expected).toContain(expected)
    expect(result.examples[0]?.found).toContain(found)
  })

  test('finds that the payer of a run that was not billed paid after its end', async () => {
    const result = await auditAfter(() => ended.unbilled.send())
    expect(result).toMatchObject({ outcome: 'failed', findings: 1 })
    expect(result.examples[0]).toMatchObject({ expected: 'no payment: the run is not_billed' })
    expect(result.examples[0]?.found).toMatch(/^paid by transaction 0x\w{64} in block \d+: the operator owes the price back$/)
  })

  test('finds that the payer of an uncollectable run paid after its end', async () => {
    const { account, send } = ended.uncollectable
    const result = await auditAfter(() => payments.refill(account).then(send))
    expect(result.examples).toMatchObject([{ expected: 'no payment: the run is uncollectable' }])
  })

  test('passes for an authorisation that its payer cancelled, and for a nonce that was used for another transfer', async () => {
    const { account, signed } = ended.unbilled
    expect(await auditAfter(() => payments.cancel(account, signed.nonce))).toMatchObject({ outcome: 'passed' })
    const elsewhere = async () => {
      const to = `0x${'9'.repeat(40)}` as const
      await payments.sendAs(operator, await payments.sign(account, { to, nonce: signed.nonce }))
    }
    expect(await auditAfter(elsewhere)).toMatchObject({ outcome: 'passed' })
  })

  test('counts a payment from the block that has its confirmations', async () => {
    const confirmations = 3
    const mine = async (blocks: number) => {
      await ended.unbilled.send()
      await journal.world.rpc('anvil_mine', `0x${blocks.toString(16)}`)
    }
    // The payments of the paid runs lie deep enough below.
    await journal.world.rpc('anvil_mine', '0x5')
    expect(await auditAfter(() => mine(confirmations - 1), { confirmations })).toMatchObject({ outcome: 'passed' })
    expect(await auditAfter(() => mine(confirmations), { confirmations })).toMatchObject({ outcome: 'failed', findings: 1 })
  })

  test.each([
    ['has just ended', 0],
    ['ended more than thirty days ago', 31 * DAY_MS],
  ])('leaves out a run that %s', async (_what, laterMs) => {
    const fault = `update verification_run set tx_hash = '0x' where state = 'captured'`
    expect(await checkWithFault(journal.database, fault, auditOf(audited(), laterMs))).toMatchObject({ outcome: 'passed' })
    expect(await checkWithFault(journal.database, fault, auditOf(audited()))).toMatchObject({ outcome: 'failed', findings: 2 })
  })

  test('leaves out runs of another chain, and reads nothing where no payments are configured', async () => {
    const fault = `update verification_run set tx_hash = '0x' where state = 'captured'`
    expect(await checkWithFault(journal.database, fault, auditOf(audited({ network: 'eip155:1' })))).toMatchObject({ outcome: 'passed' })
    expect(await checkWithFault(journal.database, fault, auditOf(null))).toMatchObject({ outcome: 'passed' })
  })

  test('is unread where the node serves another chain', async () => {
    expect(await auditOf(audited({ chainId: 1 }))(journal.database)).toMatchObject({ outcome: 'unread' })
  })

  test('asks for the logs of all runs of a page at once', async () => {
    const { client } = audited()
    const asked: string[] = []
    const request = (sent: { method: string }) => {
      asked.push(sent.method)
      return client.request(sent as never)
    }
    await auditOf(audited({ client: { ...client, request } as never }))(journal.database)
    expect(asked).toEqual(['eth_getLogs'])
  })
})
