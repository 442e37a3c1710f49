// Receipts of paid runs, on a real chain and a real database.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import { BlockedStepError } from '../../../activities/common/blocked.ts'
import { loadSigningKey } from '../../../activities/common/document-signing.ts'
import { insertCurrentKey, listKeyRecords } from '../../../activities/identity/key-records.ts'
import { findForgery, keyView } from '../../../activities/identity/signing-keys.ts'
import { createCapture } from '../../../activities/paid-verification/payment/capture.ts'
import { createRunReceipts } from '../../../activities/paid-verification/receipts.ts'
import { createMoveRun, deleteRuns, findRun, lockRun, type MoveRun, type RunRecord } from '../../../activities/paid-verification/records.ts'
import { findRunReceipt } from '../../../activities/receipts/records.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { requestHash } from '../../../domain/paid-verification/request-hash.ts'
import { checkRecord } from '../../../examples/verify-record/check.ts'
import { RECORD_SCHEMAS } from '../../../schemas/operations/record-schemas.ts'
import type { Verdict } from '../../../schemas/paid-verification/profiles/execution.ts'
import type { RunReceipt } from '../../../schemas/receipts/run.ts'
import { MCP_FAILURE } from '../../domain/paid-verification/builders/requests.ts'
import { makePem } from '../../support/api.ts'
import { expectSchema } from '../../support/signed-documents.ts'
import { type Journal, operator, startJournal } from '../support/journal-world.ts'
import { PRICE, RECEIPTS_BASE, usePayments } from './support/payments.ts'

let journal: Journal
beforeAll(async () => {
  journal = await startJournal()
})
afterAll(() => journal?.stop())
const payments = usePayments(() => journal)

const captureWith = (moveRun: MoveRun = payments.moveRun) => {
  const { deps } = journal
  return createCapture({
    ...deps,
    transactions: createTransactions({ ...deps, signers: { settler: operator } }),
    confirmations: 0,
    moveRun,
  })
}
const executed = async (verdict: Verdict, changes: Partial<RunRecord> = {}) => {
  const account = await payments.payer()
  return { account, run: await payments.record(await payments.sign(account), verdict, changes) }
}
const runOf = async ({ runKey }: RunRecord): Promise<RunRecord> => {
  const run = await findRun(journal.database.rows, runKey)
  if (run === null) throw new Error('no run')
  return run
}
const receiptOf = async (run: RunRecord): Promise<{ text: string; receipt: RunReceipt }> => {
  const { receiptId } = await runOf(run)
  const row = await findRunReceipt(journal.database.rows, String(receiptId))
  if (row === null) throw new Error('no receipt')
  return { text: row.document, receipt: JSON.parse(row.document) }
}
const bill = (run: RunRecord, capture = captureWith()) => (run.verdict === 'inconclusive' ? capture.release(run) : capture.take(run))
const count = async (): Promise<number> => (await journal.database.rows.selectFrom('run_receipt').select('receiptId').execute()).length

describe('the receipt of a paid run', () => {
  test.each<[Verdict, string, string]>([
    ['approved', 'captured', String(PRICE)],
    ['rejected', 'captured', String(PRICE)],
    ['inconclusive', 'not_billed', '0'],
  ])('of a run that is %s is stored with its end, and the offline checker finds it sound', async (verdict, status, amountRaw) => {
    const { run } = await executed(verdict)
    expect((await runOf(run)).receiptId).toBeNull()
    expect(await bill(run)).toMatchObject({ state: status })
    const { text, receipt } = await receiptOf(run)
    const { txHash, payer, submittedAt, result } = await runOf(run)
    expect(receipt).toMatchObject({
      worker: payer,
      intent: { specHash: run.requestHash, poster: payer, deadline: new Date(submittedAt + 30_000).toISOString() },
      execution: { provider: payer, evidenceHash: keccakOf(result), sourceBinding: { verified: true } },
      verdict: { outcome: verdict },
      billing: { status },
      payment: { network: run.network, asset: run.asset, amountRaw, transactionHash: txHash },
      canonicalUrl: `${RECEIPTS_BASE}/receipts/${receipt.receiptId}`,
    })
    expectSchema(RECORD_SCHEMAS.get('work-receipt-v1') ?? {}, receipt)
    const keySet = { keys: (await listKeyRecords(journal.database.rows, 'receipt')).map(keyView) }
    await checkRecord(JSON.parse(text), { keySet, heads: [], chainId: journal.chainId, now: Date.now(), unpublished: false })
  })

  test('states a payment that another account sent for an inconclusive run, and that it is owed back', async () => {
    const account = await payments.payer()
    const signed = await payments.sign(account)
    const run = await payments.record(signed, 'inconclusive')
    const txHash = await payments.sendAs(await payments.payer(), signed)
    await bill(run)
    const { receipt } = await receiptOf(run)
    expect(receipt).toMatchObject({ billing: { status: 'captured', reason: 'sent_by_another' }, payment: { transactionHash: txHash } })
  })

  test('shows no secret of its run: no key, nonce, signature, address of an artefact, query or credential', async () => {
    const target = { endpoint: 'https://user:hidden1@mcp.example/mcp?key=hidden2#hidden3', transport: 'streamable_http' }
    const auth = { scheme: 'bearer', credentialRef: 'hidden4' }
    const request = { profile: 'mcp-failure-semantics-v1', profileVersion: 1, target: { ...target, auth }, inputs: MCP_FAILURE.inputs }
    const changes = { profileRef: 'mcp-failure-semantics-v1@1', target: request.target, inputs: {}, requestHash: requestHash(request) }
    const runs = [await executed('approved'), await executed('rejected', changes)]
    for (const { run } of runs) {
      await bill(run)
      const { text } = await receiptOf(run)
      expect(text).not.toMatch(/hidden|files\.example|locator|credentialRef/)
      for (const secret of [run.runKey, run.nonce, String(run.signature)]) expect(text).not.toContain(secret.replace(/^0x/, ''))
    }
    const { receipt } = await receiptOf(runs[1]?.run as RunRecord)
    const expected = { endpoint: 'https://mcp.example/mcp', transport: 'streamable_http', auth: { scheme: 'bearer' } }
    expect(receipt.execution.target).toEqual(expected)
  })

  test('is not made of a run that cannot be collected: it would give the verdict away', async () => {
    const { account, run } = await executed('approved')
    await payments.moveAway(account)
    const before = await count()
    expect(await bill(run)).toMatchObject({ state: 'uncollectable' })
    expect([await runOf(run), await count()]).toMatchObject([{ receiptId: null, verdict: 'approved' }, before])
  })

  test('and the end of its run are one: a run whose receipt cannot be signed does not end, and ends later', async () => {
    const { run } = await executed('inconclusive')
    const sign = () => Promise.reject(new BlockedStepError('receipt_key_unavailable', 'no key'))
    const unsigned = createMoveRun(createRunReceipts({ sign, publicBaseUrl: RECEIPTS_BASE, assetSymbol: 'USDC' }))
    await expect(bill(run, captureWith(unsigned))).rejects.toThrow('no key')
    expect(await runOf(run)).toMatchObject({ state: 'executed', endedAt: null, receiptId: null })
    expect(await bill(run)).toMatchObject({ state: 'not_billed' })
  })

  test.each<[string, Partial<RunRecord>]>([
    ['ends unbilled without it', { state: 'not_billed', endedAt: 1, signature: null }],
    ['ends paid without it', { state: 'captured', endedAt: 1, signature: null, txHash: `0x${'1'.repeat(64)}` }],
    ['names one that is not stored', { state: 'not_billed', endedAt: 1, signature: null, receiptId: `0x${'1'.repeat(64)}` }],
  ])('is held by the database: it refuses a run that %s', async (_what, changes) => {
    const { run } = await executed('inconclusive')
    const update = journal.database.rows.updateTable('verification_run').set(changes).where('runKey', '=', run.runKey).execute()
    await expect(update).rejects.toThrow(/shown_run_has_receipt|receipt_id_fkey/)
  })

  test('is held by the database: a run that is not over, or cannot be collected, has none', async () => {
    const [ended, open] = [await executed('inconclusive'), await executed('approved')]
    await bill(ended.run)
    const { receiptId } = await runOf(ended.run)
    for (const changes of [{}, { state: 'uncollectable', uncollectable: 'expired', endedAt: 1, signature: null } as const]) {
      const update = journal.database.rows
        .updateTable('verification_run')
        .set({ ...changes, receiptId })
        .where('runKey', '=', open.run.runKey)
        .execute()
      await expect(update).rejects.toThrow(/shown_run_has_receipt/)
    }
  })

  test('stays, byte for byte, when its run is deleted after thirty days', async () => {
    const { run } = await executed('approved')
    await bill(run)
    const { text, receipt } = await receiptOf(run)
    await deleteRuns(journal.database.rows, run.expiresAt + 1)
    expect(await findRun(journal.database.rows, run.runKey)).toBeNull()
    expect((await findRunReceipt(journal.database.rows, receipt.receiptId))?.document).toBe(text)
  })

  test('is one for two runs of which everything is equal', async () => {
    const account = await payments.payer()
    const [first, second] = [await payments.sign(account), await payments.sign(account)]
    const at = { submittedAt: 1_700_000_000_000, executedAt: 1_700_000_001_000 }
    const runs = [await payments.record(first, 'inconclusive', at), await payments.record(second, 'inconclusive', at)]
    for (const run of runs) await bill(run)
    const ids = await Promise.all(runs.map(async (run) => (await runOf(run)).receiptId))
    expect(ids[0]).toBe(ids[1])
  })

  test('is not made twice when two steps end a run at once', async () => {
    const { run } = await executed('inconclusive')
    const before = await count()
    await Promise.all([bill(run), bill(run), bill(run)])
    expect(await count()).toBe(before + 1)
    await journal.database.transaction(async (rows) => {
      const locked = await lockRun(rows, run.runKey)
      await expect(payments.moveRun(rows, locked, 'not_billed', {}, 1)).rejects.toThrow(/does not become/)
    })
  })

  test('keeps its key valid until its own date when another key takes over', async () => {
    const ahead = Date.now() + 3_600_000
    const { run } = await executed('inconclusive', { executedAt: ahead })
    await bill(run)
    const { receipt } = await receiptOf(run)
    const next = await loadSigningKey(makePem(), 'next')
    await journal.database.transaction(async (rows) => void (await insertCurrentKey(rows, 'receipt', next, journal.deps.clock)))
    const keys = await listKeyRecords(journal.database.rows, 'receipt')
    expect(keys.find(({ kid }) => kid === receipt.signature.kid)?.retiredAt).toBe(ahead)
    expect(await findForgery(keys, receipt)).toBeNull()
  })
})
