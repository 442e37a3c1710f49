// Runs that are bought at the API and played by the steps of a worker, on a real chain and a real database.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import { createRunSecrets, runKeyOf } from '../../../activities/paid-verification/secrets.ts'
import { createRunSteps } from '../../../activities/paid-verification/steps.ts'
import { createPaidVerificationHandlers } from '../../../api/paid-verification/handlers.ts'
import { decodePaymentHeader, encodePaymentHeader } from '../../../domain/paid-verification/payment-headers.ts'
import { isServiceError, type ServiceError } from '../../../schemas/errors.ts'
import * as operations from '../../../schemas/paid-verification/operations.ts'
import type { Verdict } from '../../../schemas/paid-verification/profiles/execution.ts'
import type { RunView } from '../../../schemas/paid-verification/shapes.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { resultOf, usePayments } from '../../activities/paid-verification/support/payments.ts'
import { type Journal, operator, startJournal } from '../../activities/support/journal-world.ts'
import { QUOTED_RUN as BODY } from '../../domain/paid-verification/builders/requests.ts'
import { ask, BASE_URL } from '../support/account-world.ts'

const SECRET = 'a secret of thirty-two characters'
let journal: Journal
type Handlers = ReturnType<typeof createPaidVerificationHandlers>
let handlers: Handlers
/** Chain file of a node that does not answer. */
let deadChain: string
/** Handlers of a process with these settings on top. */
let handlersWith: (settings: Record<string, string>) => Handlers
const payments = usePayments(() => journal)

beforeAll(async () => {
  journal = await startJournal()
  const { world, chainId, database, deps } = journal
  const file = join(mkdtempSync(join(tmpdir(), 'payment-chain-')), 'chain.json')
  const place = { chainId, caip2: `eip155:${chainId}`, name: 'test', local: true, rpc: { primary: world.rpcUrl }, nativeSymbol: 'DOT' }
  const content = { ...place, confirmations: 0, asset: world.deployment.asset }
  writeFileSync(file, JSON.stringify(content))
  deadChain = `${file}.dead`
  writeFileSync(deadChain, JSON.stringify({ ...content, rpc: { primary: 'http://127.0.0.1:9' } }))
  const base = {
    ...{ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused', VERIFICATION_CHAIN_FILE: file, VERIFICATION_SECRET: SECRET },
    SETTLER_KEY: `0x${'7'.repeat(64)}`,
  }
  const logger = { warn: () => undefined, error: () => undefined } as never
  const engine = { readRunners: async () => ({ ready: 1, unable: [] }) }
  handlersWith = (changes) => {
    const settings = readSettings({ ...base, VERIFICATION_PAY_TO: payments.payTo, ...changes })
    return createPaidVerificationHandlers({ settings, logger, clock: deps.clock, baseUrl: BASE_URL, database, engine })
  }
  handlers = handlersWith({})
})
afterAll(() => journal?.stop())

/** `ask` names the type of a 200; an open run is answered with 202. */
const start = (headers: Record<string, string>, body: Record<string, unknown> = BODY, at: Handlers = handlers) =>
  ask(operations.startVerificationRun, at.startVerificationRun, { body, headers }) as Promise<{
    status: number
    body: RunView
    headers?: Record<string, string>
  }>
const read = (runId: string) => ask(operations.getVerificationRun, handlers.getVerificationRun, { params: { runId } })

const refused = async (call: Promise<unknown>): Promise<ServiceError> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!isServiceError(error)) throw error ?? new Error('it was not refused')
  return error
}

/** What the 402 of a request demands, and a payment of it by this account. */
const pay = async (account: PrivateKeyAccount, body: Record<string, unknown> = BODY) => {
  const { info } = await refused(start({}, body))
  const [accepted] = (info.members?.accepts ?? []) as { payTo: `0x${string}`; amount: string; maxTimeoutSeconds: number }[]
  if (accepted === undefined) throw new Error('nothing is demanded')
  const signed = await payments.sign(account, { to: accepted.payTo, value: BigInt(accepted.amount), seconds: accepted.maxTimeoutSeconds })
  const { signature, from, to, value, validAfter, validBefore, nonce } = signed
  const authorization = { from, to, value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}`, nonce }
  return { 'payment-signature': encodePaymentHeader({ x402Version: 2, accepted, payload: { signature, authorization } }) }
}

const stepsThat = (verdict: Verdict) =>
  createRunSteps({
    ...journal.deps,
    transactions: createTransactions({ ...journal.deps, signers: { settler: operator } }),
    confirmations: 0,
    moveRun: payments.moveRun,
    executionOf: () => async () => resultOf(verdict),
    secrets: createRunSecrets(SECRET),
    logger: { error: () => undefined },
    heartbeat: () => undefined,
    stopping: new AbortController().signal,
  })
const play = async (runId: string, verdict: Verdict): Promise<void> => {
  const steps = stepsThat(verdict)
  await steps.executeRun({ runKey: runKeyOf(runId) })
  await steps.billRun({ runKey: runKeyOf(runId) })
}
const rowCount = async (): Promise<number> => (await journal.database.rows.selectFrom('verification_run').select('runKey').execute()).length

describe('a request for a run', () => {
  test('without a payment is 402 with what the quote says, in body and headers, and writes nothing', async () => {
    const before = await rowCount()
    const { code, info } = await refused(start({}))
    const quote = await ask(operations.quoteVerificationRun, handlers.quoteVerificationRun, { body: BODY })
    expect(code).toBe('verification_payment_required')
    expect(info.members).toMatchObject({ x402Version: 2, accepts: quote.body.accepts, resource: { url: `${BASE_URL}/verify/runs` } })
    expect(decodePaymentHeader(info.headers?.['PAYMENT-REQUIRED'] ?? '')).toEqual(info.members)
    expect(info.headers?.['X-PAYMENT-REQUIRED']).toBe(info.headers?.['PAYMENT-REQUIRED'])
    expect(await rowCount()).toBe(before)
  })

  test('with a payment is 202 with its address, and the same request gives the same run', async () => {
    const headers = await pay(await payments.payer())
    const first = await start(headers)
    expect(first).toMatchObject({ status: 202, body: { status: 'queued', billing: { status: 'authorized' } } })
    expect(first.headers?.location).toBe(first.body.runUrl)
    const again = await Promise.all([start(headers), start(headers)])
    expect(again.map(({ body }) => body.runId)).toEqual([first.body.runId, first.body.runId])
    const { code } = await refused(start(headers, { ...BODY, target: { ...BODY.target, endpoint: 'https://other.example/mcp' } }))
    expect(code).toBe('payment_requirements_mismatch')
  })

  test('that was paid before gives its run after the price and the payee have changed, and while no other is sold', async () => {
    const headers = await pay(await payments.payer())
    const { runId } = (await start(headers)).body
    const dearer = handlersWith({ VERIFICATION_PRICE_RAW: '7000000', VERIFICATION_PAY_TO: `0x${'4'.repeat(40)}` })
    expect((await start(headers, BODY, dearer)).body).toMatchObject({ runId })
    const unpaid = await pay(await payments.payer())
    expect((await refused(start(unpaid, BODY, dearer))).code).toBe('payment_requirements_mismatch')
    const closed = handlersWith({ VERIFICATION_CHAIN_FILE: deadChain })
    expect((await start(headers, BODY, closed)).body).toMatchObject({ runId })
    for (const other of [unpaid, {}]) expect((await refused(start(other, BODY, closed))).code).toBe('verification_profile_unavailable')
  })

  test('is refused from a payer without the price, and says so beside the price', async () => {
    const { code, info } = await refused(start(await pay(await payments.payer(1n))))
    expect(code).toBe('payment_insufficient_funds')
    expect(info.members).toMatchObject({ error: 'invalid_exact_evm_insufficient_balance', accepts: [{ amount: '5000000' }] })
  })

  test('is refused from a payer with three runs that are not over, also when all come at once', async () => {
    const account = await payments.payer(30_000_000n)
    const headers = await Promise.all(Array.from({ length: 6 }, () => pay(account)))
    const outcomes = await Promise.allSettled(headers.map((one) => start(one)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as ServiceError).code] : []))
    expect(codes).toEqual(Array(3).fill('payment_payer_blocked'))
  })
})

describe('a run', () => {
  test.each<[Verdict, string, bigint]>([
    ['approved', 'captured', 0n],
    ['rejected', 'captured', 0n],
    ['inconclusive', 'not_billed', 5_000_000n],
  ])('that is %s shows its verdict when it is %s, and not before', async (verdict, billing, left) => {
    const account = await payments.payer()
    const { body } = await start(await pay(account))
    await stepsThat(verdict).executeRun({ runKey: runKeyOf(body.runId) })
    const hidden = await read(body.runId)
    expect(hidden.body).toMatchObject({ status: 'executed' })
    expect(hidden.body).not.toHaveProperty('verdict')
    expect(hidden.body).not.toHaveProperty('execution')
    await play(body.runId, verdict)
    const shown = await read(body.runId)
    expect(shown.body).toMatchObject({ status: 'complete', verdict, billing: { status: billing } })
    const response = decodePaymentHeader((shown.headers?.['PAYMENT-RESPONSE'] as string | undefined) ?? '')
    expect(hidden.body).not.toHaveProperty('receiptId')
    expect(shown.body.receiptUrl).toBe(`${BASE_URL}/receipts/${shown.body.receiptId}`)
    if (billing === 'captured') expect(response).toMatchObject({ success: true, transaction: shown.body.billing.transactionHash })
    else expect(response).toBeNull()
    expect(await payments.balanceOf(account.address)).toBe(left)
  })

  test('that cannot be collected keeps its verdict', async () => {
    const account = await payments.payer()
    const { body } = await start(await pay(account))
    await stepsThat('approved').executeRun({ runKey: runKeyOf(body.runId) })
    await payments.moveAway(account)
    await play(body.runId, 'approved')
    const { body: shown } = await read(body.runId)
    expect(shown).toMatchObject({ status: 'complete', billing: { status: 'uncollectable', reason: 'insufficient_funds' } })
    expect(shown).not.toHaveProperty('verdict')
    expect(shown).not.toHaveProperty('receiptId')
  })

  test('is not found under another id', async () => {
    const { code } = await refused(read('verify-00000000-0000-8000-8000-000000000000'))
    expect(code).toBe('verification_run_not_found')
  })
})
