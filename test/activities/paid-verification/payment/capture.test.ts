import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createTransactions } from '../../../../activities/chain/journal/send.ts'
import { createCapture } from '../../../../activities/paid-verification/payment/capture.ts'
import { findRun, type RunRecord } from '../../../../activities/paid-verification/records.ts'
import type { VerificationProgress } from '../../../../schemas/paid-verification/process.ts'
import { type Journal, operator, startJournal } from '../../support/journal-world.ts'
import { PRICE, usePayments } from '../support/payments.ts'

let journal: Journal
beforeAll(async () => {
  journal = await startJournal()
})
afterAll(() => journal?.stop())
const payments = usePayments(() => journal)

const CONFIRMATIONS = 1
const captureWith = () => {
  const { deps } = journal
  const transactions = createTransactions({ ...deps, signers: { settler: operator } })
  return createCapture({ ...deps, transactions, confirmations: CONFIRMATIONS, moveRun: payments.moveRun })
}
/** Looks again until the payment is decided; each look finds a block more. */
const settle = async (run: RunRecord): Promise<VerificationProgress> => {
  let progress = await captureWith().take(run)
  for (let looks = 0; !progress.isOver && looks < 5; looks += 1) {
    await journal.mine()
    progress = await captureWith().take((await findRun(journal.database.rows, run.runKey)) ?? run)
  }
  return progress
}
const ended = async ({ runKey }: RunRecord) => {
  const run = await findRun(journal.database.rows, runKey)
  return { state: run?.state, uncollectable: run?.uncollectable, signature: run?.signature, txHash: run?.txHash }
}
/** Transactions that the settler has signed for a run. */
const sent = async ({ runKey }: RunRecord): Promise<number> =>
  (await journal.database.rows.selectFrom('chain_transaction').select('intentKey').where('requestId', '=', runKey).execute()).length

describe('the payment of a decisive result', () => {
  test.each(['approved', 'rejected'] as const)('is taken once when the result is %s, and its signature is erased', async (verdict) => {
    const account = await payments.payer()
    const before = await payments.balanceOf(payments.payTo)
    const run = await payments.record(await payments.sign(account), verdict)
    expect(await settle(run)).toMatchObject({ state: 'captured', isOver: true })
    expect(await ended(run)).toEqual({ state: 'captured', uncollectable: null, signature: null, txHash: expect.stringMatching(/^0x/) })
    expect([await payments.balanceOf(account.address), await payments.balanceOf(payments.payTo)]).toEqual([0n, before + PRICE])
    expect(await sent(run)).toBe(1)
  })

  test('is taken once by two workers at once', async () => {
    const account = await payments.payer(3n * PRICE)
    const run = await payments.record(await payments.sign(account), 'approved')
    await Promise.all([settle(run), settle(run), settle(run)])
    expect((await ended(run)).state).toBe('captured')
    expect([await payments.balanceOf(account.address), await sent(run)]).toEqual([2n * PRICE, 1])
  })

  test('counts when another account sends what was signed', async () => {
    const [account, stranger] = [await payments.payer(), await payments.payer()]
    const signed = await payments.sign(account)
    const run = await payments.record(signed, 'approved')
    const txHash = await payments.sendAs(stranger, signed)
    expect(await settle(run)).toMatchObject({ state: 'captured' })
    expect(await ended(run)).toMatchObject({ txHash })
    expect(await sent(run)).toBe(0)
  })

  test('waits for its confirmations, and says nothing before', async () => {
    const account = await payments.payer()
    const run = await payments.record(await payments.sign(account), 'approved')
    expect(await captureWith().take(run)).toMatchObject({ state: 'capturing', isOver: false })
    expect((await ended(run)).signature).not.toBeNull()
    expect(await settle(run)).toMatchObject({ state: 'captured' })
  })
})

describe('a payment that can never be taken', () => {
  test('is named cancelled when the payer cancels it', async () => {
    const account = await payments.payer()
    const signed = await payments.sign(account)
    const run = await payments.record(signed, 'approved')
    await payments.cancel(account, signed.nonce)
    expect(await settle(run)).toMatchObject({ state: 'uncollectable' })
    expect(await ended(run)).toEqual({ state: 'uncollectable', uncollectable: 'cancelled', signature: null, txHash: null })
    expect([await payments.balanceOf(account.address), await sent(run)]).toEqual([PRICE, 0])
  })

  test('is named when the payer uses its nonce for another transfer, also of the price and beside a payment of another run', async () => {
    const account = await payments.payer(2n * PRICE)
    const signed = await payments.sign(account)
    const run = await payments.record(signed, 'approved')
    const friend = privateKeyToAccount(generatePrivateKey()).address
    await payments.sendAs(account, await payments.sign(account, { to: friend, nonce: signed.nonce }))
    expect(await settle(run)).toMatchObject({ state: 'uncollectable' })
    expect((await ended(run)).uncollectable).toBe('used_elsewhere')
  })

  test('is named when the payer moves the money away', async () => {
    const account = await payments.payer()
    const run = await payments.record(await payments.sign(account), 'rejected')
    await payments.moveAway(account)
    expect(await settle(run)).toMatchObject({ state: 'uncollectable' })
    expect([(await ended(run)).uncollectable, await sent(run)]).toEqual(['insufficient_funds', 0])
  })

  test('is named expired when its end is past, by the time of blocks, and is not sent in its last minute', async () => {
    const account = await payments.payer()
    const run = await payments.record(await payments.sign(account, { seconds: 59 }), 'approved')
    expect(await captureWith().take(run)).toMatchObject({ state: 'executed', isOver: false })
    await journal.world.rpc('evm_increaseTime', 60)
    expect(await settle(run)).toMatchObject({ state: 'uncollectable' })
    expect([(await ended(run)).uncollectable, await payments.balanceOf(account.address)]).toEqual(['expired', PRICE])
  })
})
