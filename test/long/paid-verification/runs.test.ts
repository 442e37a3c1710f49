// Random lives of paid runs: workers are lost at any call, payers cancel, empty their account or pay themselves, facilitators fail and lie. The sums of the
// records are those of the chain.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { parseAbiItem } from 'viem'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import { createGuardedFetch } from '../../../activities/outbound/guarded-fetch.ts'
import { paymentTerms } from '../../../activities/paid-verification/payment/chain.ts'
import { createFacilitator } from '../../../activities/paid-verification/payment/facilitator.ts'
import { findRun, type RunRecord } from '../../../activities/paid-verification/records.ts'
import { createRunSecrets } from '../../../activities/paid-verification/secrets.ts'
import { createRunSteps } from '../../../activities/paid-verification/steps.ts'
import { isFinal } from '../../../domain/paid-verification/run-states.ts'
import { PaymentChainFile } from '../../../schemas/paid-verification/chain-file.ts'
import type { RunState } from '../../../schemas/paid-verification/record.ts'
import { dyingWorker } from '../../activities/paid-verification/support/dying-worker.ts'
import {
  BEHAVIOURS,
  type Behaviour,
  type FacilitatorServer,
  startFacilitator,
} from '../../activities/paid-verification/support/facilitator.ts'
import { PRICE, resultOf, usePayments } from '../../activities/paid-verification/support/payments.ts'
import { type Journal, operator, startJournal } from '../../activities/support/journal-world.ts'
import { randomOf } from '../../crash/random.ts'
import { CASES_SEED, PLAYS_ALL } from '../../support/cases/sample.ts'

/** Numbers of the runs: some of all with a range, such as `PAID=300-399`; otherwise all, or those of a gate. */
const [FIRST = 0, LAST = PLAYS_ALL ? 999 : 39] = process.env.PAID?.split('-').map(Number) ?? []
/** Runs at a time, with one settler. */
const AT_ONCE = 8
/** Steps of a run before time passes that ends every authorisation. */
const STEPS = 14
/** Calls that a worker makes before it is lost, at most. A whole run takes some 80. */
const MOST_CALLS = 60

const FAULTS = ['none', 'none', 'none', 'cancel', 'empty', 'paid_by_payer', 'expiry'] as const
const MOMENTS: readonly RunState[] = ['authorized', 'running', 'executed', 'capturing']
const VERDICTS = ['approved', 'approved', 'rejected', 'inconclusive'] as const
const USED = parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)')
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 amount)')

let journal: Journal
let server: FacilitatorServer
/** Behaviours of the facilitator for a nonce, the next first; the last one repeats. */
const behaviours = new Map<string, Behaviour[]>()
const payments = usePayments(() => journal)
const secrets = createRunSecrets('a secret of thirty-two characters')

beforeAll(async () => {
  journal = await startJournal()
  server = await startFacilitator(
    { send: async ({ paymentPayload }) => payments.sendAs(await payments.payer(0n), payments.signedOf(paymentPayload.payload)) },
    (_asked, { paymentPayload }) => {
      const left = behaviours.get(paymentPayload.payload.authorization.nonce) ?? []
      return (left.length > 1 ? left.shift() : left[0]) ?? 'settles'
    },
  )
})
afterAll(async () => {
  await server?.stop()
  await journal?.stop()
})

const termsOf = () => {
  const { chainId, asset } = journal.world.deployment
  const place = { caip2: `eip155:${chainId}`, name: 'test', local: true, rpc: { primary: 'http://127.0.0.1' }, nativeSymbol: 'DOT' }
  return paymentTerms(PaymentChainFile.parse({ chainId, asset, ...place }), { payTo: payments.payTo as `0x${string}`, priceRaw: PRICE })
}

const life = async (number: number) => {
  const random = randomOf(CASES_SEED, 'paid runs', number)
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const [verdict, fault, moment] = [oneOf(VERDICTS), oneOf(FAULTS), oneOf(MOMENTS)]
  const isFacilitated = random() < 0.4
  const account = await payments.payer()
  const signed = await payments.sign(account, { seconds: fault === 'expiry' ? 45 : 1_800 })
  behaviours.set(signed.nonce, [oneOf(BEHAVIOURS), oneOf(BEHAVIOURS), oneOf([...BEHAVIOURS, 'settles', 'settles'] as const)])
  const { runKey } = await payments.record(signed, null, { requestHash: signed.nonce })
  let isFaulty = fault !== 'none' && fault !== 'expiry'

  const read = async (): Promise<RunRecord> => {
    const run = await findRun(journal.database.rows, runKey)
    if (run === null) throw new Error('no run')
    return run
  }
  /** One step of one worker, which may be lost at any of its calls. */
  const step = async (state: RunState, calls: number): Promise<void> => {
    const deps = dyingWorker(journal.deps, calls)
    const fetch = createGuardedFetch({ allowedHosts: [server.host] })
    const steps = createRunSteps({
      ...deps,
      transactions: createTransactions({ ...deps, signers: { settler: operator } }),
      confirmations: 1,
      moveRun: payments.moveRun,
      facilitator: isFacilitated
        ? createFacilitator({ fetch, url: server.url, token: undefined, terms: termsOf(), timeoutMs: 1_000 })
        : null,
      executionOf: () => async () => resultOf(verdict),
      secrets,
      logger: { error: () => undefined },
      heartbeat: () => undefined,
      stopping: new AbortController().signal,
    })
    if (state === 'authorized' || state === 'running') await steps.executeRun({ runKey })
    else await steps.billRun({ runKey })
  }
  const strike = async (): Promise<void> => {
    isFaulty = false
    // Where the payment was faster, the payer's own transaction reverts.
    if (fault === 'cancel') await payments.cancel(account, signed.nonce).catch(() => undefined)
    if (fault === 'empty') await payments.moveAway(account).catch(() => undefined)
    if (fault === 'paid_by_payer') await payments.sendAs(account, signed).catch(() => undefined)
  }
  /** Plays until the run ends, or for so many steps. */
  const play = async (steps: number, isLosing: boolean): Promise<RunRecord> => {
    let run = await read()
    for (let count = 0; count < steps && !isFinal(run.state); count += 1) {
      if (isFaulty && (run.state === moment || count > 4)) await strike()
      const { state } = run
      const workers = random() < 0.2 ? 2 : 1
      const calls = () => (isLosing && random() < 0.6 ? Math.floor(random() * MOST_CALLS) : Number.POSITIVE_INFINITY)
      await Promise.allSettled(Array.from({ length: workers }, () => step(state, calls())))
      await journal.mine()
      run = await read()
    }
    return run
  }
  return { number, fault, account, play }
}
type Life = Awaited<ReturnType<typeof life>>

/** Whether the chain shows the payment of a run: the use of its nonce, and the transfer of the price in the same transaction. */
const isPaidOnChain = async ({ asset, payer, payTo, nonce }: RunRecord): Promise<boolean> => {
  const request = { address: asset as `0x${string}`, fromBlock: 0n }
  const { reader } = journal.clients
  const [used, moved] = await Promise.all([
    reader.getLogs({ ...request, event: USED, args: { authorizer: payer as `0x${string}`, nonce: nonce as `0x${string}` } }),
    reader.getLogs({ ...request, event: TRANSFER, args: { from: payer as `0x${string}`, to: payTo as `0x${string}` } }),
  ])
  expect(moved.length).toBeLessThanOrEqual(1)
  expect(moved.map(({ args }) => args.amount)).toEqual(moved.map(() => PRICE))
  return used.some(({ transactionHash }) => moved.some((transfer) => transfer.transactionHash === transactionHash))
}

const check = async ({ number, fault, account }: Life, run: RunRecord): Promise<boolean> => {
  const isPaid = await isPaidOnChain(run)
  const place = { number, fault, verdict: run.verdict }
  expect({ ...place, state: run.state, isPaid, signature: run.signature }).toEqual({
    ...place,
    state: isPaid ? 'captured' : run.verdict === 'inconclusive' ? 'not_billed' : 'uncollectable',
    isPaid,
    signature: null,
  })
  // Only its payer can have sent the payment of an inconclusive run.
  if (isPaid && run.verdict === 'inconclusive') expect({ ...place, fault }).toEqual({ ...place, fault: 'paid_by_payer' })
  const left = await payments.balanceOf(account.address)
  expect({ ...place, left }).toEqual({ ...place, left: isPaid || (fault === 'empty' && left === 0n) ? 0n : PRICE })
  return isPaid
}

test(`the records of ${LAST - FIRST + 1} paid runs whose workers are lost at any call add up to what the chain moved`, async () => {
  const before = await payments.balanceOf(payments.payTo)
  const counts: Partial<Record<RunState, number>> = {}
  let captured = 0n
  for (let from = FIRST; from <= LAST; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, LAST - from + 1) }, (_, index) => from + index)
    const lives = await Promise.all(numbers.map(life))
    await Promise.all(lives.map((one) => one.play(STEPS, true)))
    // Ends every authorisation: what is still open is decided by the chain alone.
    await journal.world.rpc('evm_increaseTime', 2_000)
    for (const _ of [1, 2]) await journal.mine()
    const runs = await Promise.all(lives.map((one) => one.play(10, false)))
    for (const [index, one] of lives.entries()) {
      const run = runs[index] as RunRecord
      if (await check(one, run)) captured += 1n
      counts[run.state] = (counts[run.state] ?? 0) + 1
    }
  }
  expect((await payments.balanceOf(payments.payTo)) - before).toBe(captured * PRICE)
  expect(counts.captured).toBe(Number(captured))
  if (LAST - FIRST >= 39) expect(Object.keys(counts).toSorted()).toEqual(['captured', 'not_billed', 'uncollectable'])
}, 1_800_000)
