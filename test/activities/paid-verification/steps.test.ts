import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import { countUnpaid, findRun, type RunRecord } from '../../../activities/paid-verification/records.ts'
import { createRunSecrets } from '../../../activities/paid-verification/secrets.ts'
import { createRunSteps } from '../../../activities/paid-verification/steps.ts'
import type { ProfileExecution, ProfileRequest, Verdict } from '../../../schemas/paid-verification/profiles/execution.ts'
import { type Journal, operator, startJournal } from '../support/journal-world.ts'
import { PRICE, resultOf, usePayments } from './support/payments.ts'

let journal: Journal
beforeAll(async () => {
  journal = await startJournal()
})
afterAll(() => journal?.stop())
const payments = usePayments(() => journal)
const secrets = createRunSecrets('a secret of thirty-two characters')

/** What the steps logged. */
const logged: object[] = []

/** Steps whose profile ends like this, and what it was given. */
const stepsWith = (execution: ProfileExecution | undefined) => {
  const { deps } = journal
  return createRunSteps({
    ...deps,
    transactions: createTransactions({ ...deps, signers: { settler: operator } }),
    confirmations: 0,
    moveRun: payments.moveRun,
    executionOf: () => execution,
    secrets,
    logger: { error: (entry: object) => void logged.push(entry) },
    heartbeat: () => undefined,
    stopping: new AbortController().signal,
  })
}
const ending = (verdict: Verdict) => {
  const given: ProfileRequest[] = []
  const execution: ProfileExecution = async (request) => {
    given.push(request)
    return resultOf(verdict)
  }
  return { given, steps: stepsWith(execution) }
}
const runOf = async ({ runKey }: RunRecord): Promise<RunRecord> => {
  const run = await findRun(journal.database.rows, runKey)
  if (run === null) throw new Error('no run')
  return run
}
const admitted = async (changes: Partial<RunRecord> = {}, amount = PRICE) => {
  const account = await payments.payer(amount)
  const signed = await payments.sign(account)
  return { account, signed, run: await payments.record(signed, null, changes) }
}

describe('a run', () => {
  test.each<[Verdict, string, bigint]>([
    ['approved', 'captured', PRICE],
    ['rejected', 'captured', PRICE],
    ['inconclusive', 'not_billed', 0n],
  ])('that is %s ends %s', async (verdict, state, paid) => {
    const { run } = await admitted()
    const before = await payments.balanceOf(payments.payTo)
    const { steps } = ending(verdict)
    expect(await steps.executeRun({ runKey: run.runKey })).toMatchObject({ state: 'executed', isOver: false })
    expect(await steps.billRun({ runKey: run.runKey })).toMatchObject({ state, isOver: true })
    expect(await steps.billRun({ runKey: run.runKey })).toMatchObject({ state, isOver: true })
    expect((await payments.balanceOf(payments.payTo)) - before).toBe(paid)
    expect(await runOf(run)).toMatchObject({ state, verdict, signature: null, attempts: 1 })
  })

  test('that is inconclusive says so when another account has sent its payment all the same', async () => {
    const { run, signed } = await admitted()
    const { steps } = ending('inconclusive')
    await steps.executeRun({ runKey: run.runKey })
    const txHash = await payments.sendAs(await payments.payer(), signed)
    expect(await steps.billRun({ runKey: run.runKey })).toMatchObject({ state: 'captured', isOver: true })
    expect(await runOf(run)).toMatchObject({ verdict: 'inconclusive', txHash, signature: null })
  })

  test('is executed once, however often its step is repeated', async () => {
    const { run } = await admitted()
    const { given, steps } = ending('approved')
    for (const _ of [1, 2]) expect(await steps.executeRun({ runKey: run.runKey })).toMatchObject({ state: 'executed' })
    expect(given).toHaveLength(1)
  })

  test('hands the credential of its target over once, and keeps none', async () => {
    const { run } = await admitted()
    const sealedCredential = secrets.sealCredential('Bearer token', run.runKey)
    await journal.database.rows
      .updateTable('verification_run')
      .set({ hasCredential: true, sealedCredential })
      .where('runKey', '=', run.runKey)
      .execute()
    const { given, steps } = ending('approved')
    await steps.executeRun({ runKey: run.runKey })
    expect(given.map(({ targetAuthorization }) => targetAuthorization)).toEqual(['Bearer token'])
    expect((await runOf(run)).sealedCredential).toBeNull()
  })

  test('is not billed when the credential of its target is lost', async () => {
    const [lost, foreign] = [await admitted({ state: 'running', hasCredential: true }), await admitted()]
    const sealedCredential = createRunSecrets('another secret of the same length').sealCredential('Bearer token', foreign.run.runKey)
    const set = { hasCredential: true, sealedCredential }
    await journal.database.rows.updateTable('verification_run').set(set).where('runKey', '=', foreign.run.runKey).execute()
    const { given, steps } = ending('rejected')
    logged.length = 0
    for (const [{ run }, detail] of [
      [lost, 'The credential of the target was lost with its worker.'],
      [foreign, 'The credential of the target could not be read by this worker.'],
    ] as const) {
      await steps.executeRun({ runKey: run.runKey })
      expect(await steps.billRun({ runKey: run.runKey })).toMatchObject({ state: 'not_billed' })
      expect((await runOf(run)).result?.evidence).toEqual({ detail })
    }
    expect(logged).toEqual([{ err: expect.any(Error), runKey: foreign.run.runKey }])
    expect(given).toEqual([])
  })

  test.each<[string, ProfileExecution | undefined, number]>([
    ['no worker has its profile', undefined, 0],
    ['its profile cannot be run', () => Promise.reject(new Error('no sandbox')), 0],
    ['its worker was lost three times', async () => resultOf('approved'), 3],
  ])('is not billed when %s', async (why, execution, attempts) => {
    const { run, account } = await admitted(attempts === 0 ? {} : { state: 'running', attempts })
    const steps = stepsWith(execution)
    logged.length = 0
    await steps.executeRun({ runKey: run.runKey })
    expect(await steps.billRun({ runKey: run.runKey })).toMatchObject({ state: 'not_billed' })
    expect(await runOf(run)).toMatchObject({ result: { reason: 'runner_fault' }, txHash: null })
    expect(await payments.balanceOf(account.address)).toBe(PRICE)
    const { runKey, profileRef } = run
    expect(logged).toEqual(why === 'its profile cannot be run' ? [{ err: new Error('no sandbox'), runKey, profileRef }] : [])
  })

  test('is not begun when the payer has taken the money away or cancelled, and does not count against the payer', async () => {
    const { given, steps } = ending('approved')
    const [empty, cancelled] = [await admitted(), await admitted()]
    await payments.moveAway(empty.account)
    await payments.cancel(cancelled.account, cancelled.signed.nonce)
    for (const { run } of [empty, cancelled])
      expect(await steps.executeRun({ runKey: run.runKey })).toMatchObject({ state: 'uncollectable', isOver: true })
    expect(given).toEqual([])
    expect([(await runOf(empty.run)).uncollectable, (await runOf(cancelled.run)).uncollectable]).toEqual([
      'insufficient_funds',
      'cancelled',
    ])
    expect(await countUnpaid(journal.database.rows, empty.run.payer)).toEqual({ open: 0, uncollectable: 0 })
  })

  test('counts against its payer when its result cannot be collected', async () => {
    const { run, account } = await admitted()
    const { steps } = ending('approved')
    await steps.executeRun({ runKey: run.runKey })
    await payments.moveAway(account)
    expect(await steps.billRun({ runKey: run.runKey })).toMatchObject({ state: 'uncollectable' })
    expect(await countUnpaid(journal.database.rows, run.payer)).toEqual({ open: 0, uncollectable: 1 })
  })
})
