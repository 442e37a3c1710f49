// Payments that a facilitator sends over HTTP, on a real chain: its answer decides nothing.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { PrivateKeyAccount } from 'viem'
import { createTransactions } from '../../../../activities/chain/journal/send.ts'
import { createGuardedFetch } from '../../../../activities/outbound/guarded-fetch.ts'
import { createCapture } from '../../../../activities/paid-verification/payment/capture.ts'
import { paymentTerms } from '../../../../activities/paid-verification/payment/chain.ts'
import { createFacilitator } from '../../../../activities/paid-verification/payment/facilitator.ts'
import { findRun, type RunRecord } from '../../../../activities/paid-verification/records.ts'
import { PaymentChainFile } from '../../../../schemas/paid-verification/chain-file.ts'
import { PaymentRequirementsShape } from '../../../../schemas/paid-verification/payment.ts'
import { type Journal, startJournal } from '../../support/journal-world.ts'
import { type Behaviour, type FacilitatorServer, startFacilitator } from '../support/facilitator.ts'
import { PRICE, usePayments } from '../support/payments.ts'

let journal: Journal
let sender: PrivateKeyAccount
let server: FacilitatorServer | undefined
beforeAll(async () => {
  journal = await startJournal()
  sender = await payments.payer()
})
afterEach(async () => {
  await server?.stop()
  server = undefined
})
afterAll(() => journal?.stop())
const payments = usePayments(() => journal)

const termsOf = () => {
  const { chainId, asset } = journal.world.deployment
  const place = { caip2: `eip155:${chainId}`, name: 'test', local: true, rpc: { primary: 'http://127.0.0.1' }, nativeSymbol: 'DOT' }
  // Today's price and payee are others than those of the run.
  return paymentTerms(PaymentChainFile.parse({ chainId, asset, ...place }), { payTo: `0x${'5'.repeat(40)}`, priceRaw: 9n })
}
const captureBy = (url: string, host: string) => {
  const { deps } = journal
  const fetch = createGuardedFetch({ allowedHosts: [host] })
  const facilitator = createFacilitator({ fetch, url: `${url}/`, token: 'a token', terms: termsOf(), timeoutMs: 500 })
  // It holds no key: the facilitator signs.
  return createCapture({
    ...deps,
    transactions: createTransactions({ ...deps, signers: {} }),
    confirmations: 1,
    moveRun: payments.moveRun,
    facilitator,
  })
}
const runOf = async ({ runKey }: RunRecord): Promise<RunRecord> => {
  const run = await findRun(journal.database.rows, runKey)
  if (run === null) throw new Error('no run')
  return run
}
/** A run whose payment a facilitator with these answers is asked for; the last one repeats. */
const asked = async (...behaviours: Behaviour[]) => {
  const place = await startFacilitator(
    { send: (body) => payments.sendAs(sender, payments.signedOf(body.paymentPayload.payload)) },
    (index) => {
      return behaviours[Math.min(index, behaviours.length) - 1] ?? 'settles'
    },
  )
  server = place
  const account = await payments.payer()
  const run = await payments.record(await payments.sign(account), 'approved', { requestHash: `0x${'7'.repeat(64)}` })
  const capture = captureBy(place.url, place.host)
  const look = async () => {
    await journal.mine()
    return capture.take(await runOf(run))
  }
  return { account, run, look, asked: place.asked, capture }
}
const expire = async (): Promise<void> => {
  await journal.world.rpc('evm_increaseTime', 900)
  await journal.mine()
  await journal.mine()
}

describe('the payment that a facilitator is asked for', () => {
  test('is asked with what the payer signed, the requirement of the run and the token of the operator', async () => {
    const { run, asked: requests, look } = await asked('settles')
    await look()
    const [{ body, authorization, path } = { body: undefined, authorization: '', path: '' }] = requests
    expect([authorization, path]).toEqual(['Bearer a token', '/settle'])
    expect(body?.paymentPayload.accepted).toEqual(body?.paymentRequirements)
    expect(PaymentRequirementsShape.parse(body?.paymentRequirements)).toMatchObject({
      amount: PRICE.toString(),
      payTo: run.payTo,
      network: run.network,
    })
    expect(body?.paymentPayload).toMatchObject({
      x402Version: 2,
      payload: { signature: run.signature, authorization: { nonce: run.nonce } },
    })
  })

  test.each<[Behaviour, number]>([
    ['settles', 1],
    ['loses', 1],
    ['fails_after', 1],
    ['doubts', 1],
    ['stalls', 1],
    ['denies', 1],
  ])('is captured once by the log of the chain when it %s', async (behaviour, requests) => {
    const before = await payments.balanceOf(payments.payTo)
    const { account, run, look, asked: sent } = await asked(behaviour)
    expect(await look()).toMatchObject({ state: 'capturing', isOver: false })
    expect(await look()).toMatchObject({ state: 'captured', isOver: true })
    expect(await runOf(run)).toMatchObject({ signature: null, txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    expect([sent.length, await payments.balanceOf(account.address)]).toEqual([requests, 0n])
    expect((await payments.balanceOf(payments.payTo)) - before).toBe(PRICE)
  })

  test.each<Behaviour>(['lies', 'breaks', 'fails', 'delays', 'garbles'])(
    'stays pending when it %s, is asked again, and is captured once it is paid',
    async (behaviour) => {
      const { account, run, look, asked: sent } = await asked(behaviour, behaviour, 'settles')
      for (const _ of [1, 2]) expect(await look()).toMatchObject({ state: 'capturing', isOver: false })
      expect(await runOf(run)).toMatchObject({ txHash: null, uncollectable: null, signature: run.signature })
      await look()
      expect(await look()).toMatchObject({ state: 'captured' })
      expect([sent.length, await payments.balanceOf(account.address)]).toEqual([3, 0n])
    },
  )

  test.each<Behaviour>(['lies', 'breaks', 'fails', 'delays', 'garbles'])(
    'is given up only after its end when it always %s',
    async (behaviour) => {
      const { account, run, look, asked: sent } = await asked(behaviour)
      await look()
      await expire()
      expect(await look()).toMatchObject({ state: 'uncollectable', isOver: true })
      expect(await runOf(run)).toMatchObject({ uncollectable: 'expired', signature: null, txHash: null })
      expect([sent.length, await payments.balanceOf(account.address)]).toEqual([1, PRICE])
    },
  )

  test('stays pending while the facilitator is down, before and after it has paid', async () => {
    const { run, look, asked: sent } = await asked('settles')
    await server?.stop()
    for (const _ of [1, 2]) expect(await look()).toMatchObject({ state: 'capturing', isOver: false })
    expect(sent).toHaveLength(0)
    const signed = { ...payments.signedOf({ signature: run.signature as `0x${string}`, authorization: authorizationOf(run) }) }
    await payments.sendAs(sender, signed)
    expect(await look()).toMatchObject({ state: 'captured' })
  })

  test('is recorded before the facilitator is asked, and is not given up while the payer holds too little', async () => {
    const { account, run, look } = await asked('fails', 'settles')
    await look()
    await payments.moveAway(account)
    expect(await look()).toMatchObject({ state: 'capturing', isOver: false })
    await payments.refill(account)
    await look()
    expect(await look()).toMatchObject({ state: 'captured' })
    expect((await runOf(run)).uncollectable).toBeNull()
  })

  test('is asked once more after a reorganisation took it back', async () => {
    const { account, run, look, asked: sent } = await asked('settles')
    const snapshot = await journal.world.rpc('evm_snapshot')
    expect(await look()).toMatchObject({ state: 'capturing' })
    await journal.world.rpc('evm_revert', snapshot)
    expect(await payments.balanceOf(account.address)).toBe(PRICE)
    await look()
    expect(await look()).toMatchObject({ state: 'captured' })
    expect([sent.length, await payments.balanceOf(account.address)]).toEqual([2, 0n])
    expect((await runOf(run)).state).toBe('captured')
  })
})

const authorizationOf = ({ payer, payTo, amountRaw, validBefore, nonce }: RunRecord) => ({
  from: payer,
  to: payTo,
  value: String(amountRaw),
  validAfter: '0',
  validBefore: String(validBefore),
  nonce,
})
