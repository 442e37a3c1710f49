// What becomes of a payment when something goes wrong before, during and after it: billed at most once, and never called unbilled where it was paid.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { PrivateKeyAccount } from 'viem'
import { createReplacement } from '../../../../activities/chain/journal/replacement.ts'
import { createTransactions } from '../../../../activities/chain/journal/send.ts'
import { findRun, type RunRecord } from '../../../../activities/paid-verification/records.ts'
import { createRunSecrets } from '../../../../activities/paid-verification/secrets.ts'
import { createRunSteps } from '../../../../activities/paid-verification/steps.ts'
import { isFinal } from '../../../../domain/paid-verification/run-states.ts'
import type { Verdict } from '../../../../schemas/paid-verification/profiles/execution.ts'
import type { RunState } from '../../../../schemas/paid-verification/record.ts'
import { away, type Journal, operator, startJournal, withoutSends } from '../../support/journal-world.ts'
import { dyingWorker } from '../support/dying-worker.ts'
import { PRICE, resultOf, usePayments } from '../support/payments.ts'

let journal: Journal
beforeAll(async () => {
  journal = await startJournal()
})
afterAll(() => journal?.stop())
const payments = usePayments(() => journal)
const secrets = createRunSecrets('a secret of thirty-two characters')
const CONFIRMATIONS = 1

afterEach(() => journal.mining(true))

type Parts = Pick<Journal['deps'], 'database' | 'clients'>
const stepsWith = (verdict: Verdict, parts: Partial<Parts> = {}) => {
  const deps = { pause: () => new Promise<void>((resolve) => setImmediate(resolve)), ...journal.deps, ...parts }
  return createRunSteps({
    ...deps,
    transactions: createTransactions({ ...deps, signers: { settler: operator } }),
    confirmations: CONFIRMATIONS,
    moveRun: payments.moveRun,
    executionOf: () => async () => resultOf(verdict),
    secrets,
    logger: { error: () => undefined },
    heartbeat: () => undefined,
    stopping: new AbortController().signal,
  })
}

const start = async (verdict: Verdict, seconds = 900) => {
  const account = await payments.payer()
  const signed = await payments.sign(account, { seconds })
  const { runKey } = await payments.record(signed, null)
  const read = async (): Promise<RunRecord> => {
    const run = await findRun(journal.database.rows, runKey)
    if (run === null) throw new Error('no run')
    return run
  }
  const execute = (parts?: Partial<Parts>) => stepsWith(verdict, parts).executeRun({ runKey })
  const bill = (parts?: Partial<Parts>) => stepsWith(verdict, parts).billRun({ runKey })
  /** States that the run shows until it ends; when nothing happens any more, time passes that ends its authorisation. */
  const finish = async (): Promise<RunState[]> => {
    const seen: RunState[] = []
    for (let looks = 0; looks < 10; looks += 1) {
      const { state } = await read()
      if (seen.at(-1) !== state) seen.push(state)
      if (isFinal(state)) return seen
      if (looks === 5) await journal.world.rpc('evm_increaseTime', 2_000)
      await journal.mine()
      if (state === 'authorized' || state === 'running') await execute()
      else await bill()
    }
    throw new Error(`the run stays ${seen.at(-1)}`)
  }
  return { account, signed, runKey, read, execute, bill, finish }
}
type Run = Awaited<ReturnType<typeof start>>

/** `before`: admitted. `executed`: it has a result. `signed`: its transaction is recorded, and its worker is lost before it leaves. `after`: it is over. */
const MOMENTS = ['before', 'executed', 'signed', 'after'] as const
type Moment = (typeof MOMENTS)[number]

const reach = async (run: Run, moment: Moment): Promise<void> => {
  if (moment === 'before') return
  await run.execute()
  if (moment === 'executed') return
  if (moment === 'after') return void (await run.finish())
  await expect(run.bill({ clients: withoutSends(journal.clients, away) })).rejects.toThrow('the node is away')
  expect((await run.read()).state).toBe('capturing')
}

type Fault = 'cancels' | 'moves its money away' | 'uses the nonce elsewhere' | 'sends the payment itself' | 'lets it expire'
const strike = async (fault: Fault, { account, signed }: Run): Promise<void> => {
  const friend = `0x${'6'.repeat(40)}` as const
  const act: Record<Fault, (payer: PrivateKeyAccount) => Promise<unknown>> = {
    cancels: (payer) => payments.cancel(payer, signed.nonce),
    'moves its money away': (payer) => payments.moveAway(payer),
    'uses the nonce elsewhere': async (payer) => payments.sendAs(payer, await payments.sign(payer, { to: friend, nonce: signed.nonce })),
    'sends the payment itself': (payer) => payments.sendAs(payer, signed),
    'lets it expire': () => journal.world.rpc('evm_increaseTime', 2_000).then(() => journal.mine()),
  }
  // After its payment the payer's own transaction reverts.
  await act[fault](account).catch(() => undefined)
}

type End = [state: RunState, reason: string | null, paid: bigint]
const LOST = (reason: string): End => ['uncollectable', reason, 0n]
const PAID: End = ['captured', null, PRICE]
const FREE: End = ['not_billed', null, 0n]

/** Ends of a run whose payer does something: decisive and inconclusive results, by the moment. Inconclusive runs sign no transaction. */
const TABLE: readonly [Fault, Record<Moment, End>, Record<Exclude<Moment, 'signed'>, End>][] = [
  [
    'cancels',
    { before: LOST('cancelled'), executed: LOST('cancelled'), signed: LOST('cancelled'), after: PAID },
    { before: LOST('cancelled'), executed: FREE, after: FREE },
  ],
  [
    'moves its money away',
    { before: LOST('insufficient_funds'), executed: LOST('insufficient_funds'), signed: LOST('insufficient_funds'), after: PAID },
    { before: LOST('insufficient_funds'), executed: FREE, after: FREE },
  ],
  [
    'uses the nonce elsewhere',
    { before: LOST('used_elsewhere'), executed: LOST('used_elsewhere'), signed: LOST('used_elsewhere'), after: PAID },
    { before: LOST('used_elsewhere'), executed: FREE, after: FREE },
  ],
  [
    'sends the payment itself',
    { before: PAID, executed: PAID, signed: PAID, after: PAID },
    // After the end the payer pays by an act of its own: the audit shows it.
    { before: PAID, executed: PAID, after: ['not_billed', null, PRICE] },
  ],
  [
    'lets it expire',
    { before: LOST('expired'), executed: LOST('expired'), signed: LOST('expired'), after: PAID },
    { before: LOST('expired'), executed: FREE, after: FREE },
  ],
]
const rowsOf = (verdict: Verdict, ends: (row: (typeof TABLE)[number]) => Partial<Record<Moment, End>>) =>
  TABLE.flatMap((row) =>
    Object.entries(ends(row)).map(([moment, end]): [Verdict, Fault, Moment, End] => [verdict, row[0], moment as Moment, end]),
  )

describe('the payment of a run', () => {
  test.each([
    ...rowsOf('approved', ([, decisive]) => decisive),
    ...rowsOf('rejected', ([, decisive]) => decisive),
    ...rowsOf('inconclusive', ([, , open]) => open),
  ])('of a result that is %s, when its payer %s (%s), ends %j', async (verdict, fault, moment, [state, reason, paid]) => {
    const before = await payments.balanceOf(payments.payTo)
    const run = await start(verdict)
    await reach(run, moment)
    await strike(fault, run)
    const seen = await run.finish()
    const found = await run.read()
    expect([found.state, found.uncollectable, (await payments.balanceOf(payments.payTo)) - before]).toEqual([state, reason, paid])
    expect([found.signature, seen.filter((one) => isFinal(one))]).toEqual([null, [state]])
    // A further look changes nothing.
    expect(await run.bill()).toMatchObject({ state, isOver: true })
  })

  test('is captured once when the base fee rises before its transaction is mined', async () => {
    const run = await start('approved')
    await run.execute()
    await journal.mining(false)
    const taking = run.bill()
    const row = await journal.untilStatus(`verification/${run.runKey}/0`, 'broadcast')
    await journal.world.rpc('anvil_setNextBlockBaseFeePerGas', `0x${(50n * 10n ** 9n).toString(16)}`)
    await journal.mine()
    const replacement = createReplacement({ ...journal.deps, signers: { settler: operator } })
    expect(await replacement.replace('settler', row.nonce)).toMatchObject({ done: true })
    await journal.mining(true)
    await journal.mine()
    await taking
    await journal.world.rpc('anvil_setNextBlockBaseFeePerGas', '0x0')
    expect((await run.finish()).at(-1)).toBe('captured')
    expect(await payments.balanceOf(run.account.address)).toBe(0n)
  })

  test('is taken by the same bytes when a reorganisation undoes it before it counts', async () => {
    const run = await start('approved')
    await run.execute()
    const fork = await journal.world.rpc('evm_snapshot')
    expect(await run.bill()).toMatchObject({ state: 'capturing', isOver: false })
    const sent = await journal.rowOf(`verification/${run.runKey}/0`)
    await journal.world.rpc('evm_revert', fork)
    expect(await payments.balanceOf(run.account.address)).toBe(PRICE)
    expect((await run.finish()).at(-1)).toBe('captured')
    expect(await run.read()).toMatchObject({ txHash: sent.txHash })
    expect(await payments.balanceOf(run.account.address)).toBe(0n)
  })

  test('is taken by the same bytes once an operator resends it when a deep reorganisation undoes a captured one', async () => {
    const run = await start('approved')
    await run.execute()
    const fork = await journal.world.rpc('evm_snapshot')
    await run.finish()
    const { nonce, txHash } = await journal.rowOf(`verification/${run.runKey}/0`)
    await journal.world.rpc('evm_revert', fork)
    const replacement = createReplacement({ ...journal.deps, signers: { settler: operator } })
    expect(await replacement.resend('settler', nonce)).toMatchObject({ done: true, act: 'resent' })
    await journal.mine()
    expect([(await run.read()).txHash, await payments.balanceOf(run.account.address)]).toEqual([txHash, 0n])
  })

  test.each<[Verdict, RunState, bigint]>([
    ['approved', 'captured', 0n],
    ['inconclusive', 'not_billed', PRICE],
  ])('of a result that is %s is decided once, at whichever call its workers are lost', async (verdict, state, left) => {
    for (let calls = 0; calls < 60; calls += 3) {
      const run = await start(verdict)
      await run.execute(dyingWorker(journal.deps, calls)).catch(() => undefined)
      if ((await run.read()).state !== 'executed') await run.execute()
      await run.bill(dyingWorker(journal.deps, calls)).catch(() => undefined)
      await run.finish()
      const { state: found } = await run.read()
      expect({ calls, found, left: await payments.balanceOf(run.account.address) }).toEqual({ calls, found: state, left })
    }
  })

  test.each<Verdict>(['approved', 'inconclusive'])(
    'of a result that is %s is not decided while the chain does not answer',
    async (verdict) => {
      const run = await start(verdict)
      await run.execute()
      const dead = dyingWorker(journal.deps, 0).clients
      for (const _ of [1, 2]) await expect(run.bill({ clients: dead })).rejects.toThrow()
      expect(await run.read()).toMatchObject({ state: 'executed', endedAt: null })
      await run.finish()
      expect((await run.read()).state).toBe(verdict === 'approved' ? 'captured' : 'not_billed')
    },
  )
})
