// Receipts of paid runs, and the same with one thing altered.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Audit } from '../../../activities/audit/context.ts'
import { runCheck } from '../../../activities/audit/run.ts'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import { loadSigningKey } from '../../../activities/common/document-signing.ts'
import type { Database } from '../../../activities/database/database.ts'
import { createCapture } from '../../../activities/paid-verification/payment/capture.ts'
import type { Verdict } from '../../../schemas/paid-verification/profiles/execution.ts'
import { makePem } from '../../support/api.ts'
import { usePayments } from '../paid-verification/support/payments.ts'
import { type Journal, operator, startJournal } from '../support/journal-world.ts'
import { checkWithFault } from '../support/planted-faults.ts'

const OTHER_KEY = (await loadSigningKey(makePem(), 'other')).jwk

let journal: Journal
const payments = usePayments(() => journal)

const bill = async (verdict: Verdict, isPaid = true): Promise<void> => {
  const { deps } = journal
  const transactions = createTransactions({ ...deps, signers: { settler: operator } })
  const capture = createCapture({ ...deps, transactions, confirmations: 0, moveRun: payments.moveRun })
  const account = await payments.payer()
  const run = await payments.record(await payments.sign(account), verdict)
  if (!isPaid) await payments.moveAway(account)
  await (verdict === 'inconclusive' ? capture.release(run) : capture.take(run))
}

beforeAll(async () => {
  journal = await startJournal()
  for (const verdict of ['approved', 'rejected', 'inconclusive'] as const) await bill(verdict)
  await bill('approved', false)
  const account = await payments.payer()
  await payments.record(await payments.sign(account), 'rejected')
})
afterAll(() => journal?.stop())

const audit = ({ rows }: Database) => runCheck('run_receipts', { rows } as Audit, null)

const altered = (path: string, value: string): string => `update run_receipt set document = replace(document, '${path}', '${value}')`

describe('the audit of the receipts of paid runs', () => {
  test('passes for runs that were paid, not billed, uncollectable and not over', async () => {
    const states = await journal.database.rows.selectFrom('verification_run').select('state').orderBy('state').execute()
    expect(states.map(({ state }) => state)).toEqual(['captured', 'captured', 'executed', 'not_billed', 'uncollectable'])
    expect(await audit(journal.database)).toMatchObject({ outcome: 'passed' })
  })

  test('passes for the receipts of runs that were deleted', async () => {
    expect(await checkWithFault(journal.database, 'delete from verification_run', audit)).toMatchObject({ outcome: 'passed' })
  })

  test.each<[string, string, number, string]>([
    ['another amount of a run', `update verification_run set amount_raw = amount_raw + 1 where state = 'captured'`, 2, 'amount 5000000'],
    ['another payer of a run', `update verification_run set payer = '0x' || repeat('1', 40) where state = 'not_billed'`, 1, 'payer 0x'],
    [
      'another transaction of a run',
      `update verification_run set tx_hash = '0x' || repeat('1', 64) where verdict = 'approved' and state = 'captured'`,
      1,
      'tx 0x',
    ],
    ['another request of a run', `update verification_run set request_hash = '0x' where state = 'not_billed'`, 1, 'requestHash 0x'],
    ['another profile of a run', `update verification_run set profile_digest = '0x' where state = 'not_billed'`, 1, 'profileDigest 0x'],
    [
      'another result of a run',
      `update verification_run set result = jsonb_set(result, '{checks}', '[]') where state = 'not_billed'`,
      1,
      'result 0x',
    ],
    [
      'the receipt of another run',
      `update verification_run set receipt_id = (select receipt_id from verification_run where state = 'not_billed') where verdict = 'rejected' and state = 'captured'`,
      1,
      'verdict inconclusive',
    ],
    [
      'a run without its receipt',
      `alter table verification_run drop constraint shown_run_has_receipt; update verification_run set receipt_id = null where state = 'not_billed'`,
      1,
      'none',
    ],
    [
      'a receipt of a run that cannot be collected',
      `alter table verification_run drop constraint shown_run_has_receipt; update verification_run set receipt_id = (select min(receipt_id) from run_receipt) where state = 'uncollectable'`,
      1,
      'a receipt',
    ],
    ['an altered amount of receipts', altered('"amountRaw":"5000000","asset"', '"amountRaw":"4000000","asset"'), 4, 'amount 4000000'],
    ['an altered detail of receipts', altered('Found.', 'Sought.'), 3, 'the id is not the hash'],
    ['an altered signature', altered('"alg":"ES256"', '"alg":"ES512"'), 3, 'expected'],
    ['other bytes', `update run_receipt set document = document || ' '`, 3, 'other bytes'],
    ['a text that is no receipt', `update run_receipt set document = 'x'`, 3, ''],
    ['another public key', `update signing_key set (x, y) = ('${OTHER_KEY.x}', '${OTHER_KEY.y}')`, 3, ''],
    [
      'another key of the row',
      `insert into signing_key select 'badge-9', purpose, 'f', x, y, valid_from, valid_from, null from signing_key; update run_receipt set kid = 'badge-9'`,
      3,
      'kid badge-1',
    ],
  ])('finds %s', async (_what, statements, findings, found) => {
    const result = await checkWithFault(journal.database, statements, audit)
    expect(result).toMatchObject({ outcome: 'failed', findings })
    expect(result.examples.map((example) => example.found).join(' ')).toContain(found)
  })
})
