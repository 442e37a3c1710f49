import { parseAbi, toFunctionSelector } from 'viem'
import { runKeyOf } from '../../../../activities/paid-verification/secrets.ts'
import { encodePaymentHeader } from '../../../../domain/paid-verification/payment-headers.ts'
import { publishEvidence } from '../../../../local/demo/paid/artefacts.ts'
import { signPayment } from '../../../../local/demo/paid/payment.ts'
import { type VerificationActivities, verificationWorkflowId } from '../../../../schemas/paid-verification/process.ts'
import { readCommonEnd, shapeOf } from '../end-state.ts'
import type { OutsideEffect, ProcessRow, Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'

const PRICE_RAW = 5_000_000n
const [TRANSFER] = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])

const INSTANTS = ['result', 'txHash', 'blockNumber', 'receiptId', 'submittedAt', 'executedAt', 'endedAt', 'expiresAt', 'wokenAt']
/** What another purchase has otherwise, and how often the profile was begun. */
const OF_THE_RUN = ['runKey', 'requestHash', 'inputs', 'payer', 'nonce', 'validBefore', 'admittedBlock', 'attempts']

/** A purchase of a run by a new wallet. One is played at a time: the engine knows no text of the run but its key, which follows from the payment. */
const bought = async (stage: Stage, isGone: boolean): Promise<Scenario> => {
  const buyer = await stage.saver(0n)
  const { account } = buyer
  await stage.view.fund(account.address, PRICE_RAW)
  const quote = 'carries two lanes of traffic over the river'
  const body = await publishEvidence(stage.artefacts, { lanes: 2, quote, ...(isGone && { isGone }) })
  let runKey = ''
  return {
    key: '',
    acts: {
      buy: async () => {
        const { body: challenge } = await buyer.call('/verify/runs', { body }, ['verification_payment_required'])
        const payment = await signPayment(stage.view, account, challenge.accepts[0])
        const reply = await buyer.call('/verify/runs', { body, headers: { 'payment-signature': encodePaymentHeader(payment) } })
        if (reply.status !== 200) throw new Error(`the run is answered with ${reply.status}: ${reply.text.slice(0, 500)}`)
        runKey = runKeyOf(new URL(reply.body.runUrl).pathname.split('/').at(-1) ?? '')
      },
    },
    readEnd: async () => {
      const run = await stage.database.rows.selectFrom('verification_run').selectAll().where('runKey', '=', runKey).executeTakeFirst()
      const of = { workflowId: verificationWorkflowId(runKey), wallet: account.address, key: runKey }
      return { ...(await readCommonEnd(stage, of)), run: shapeOf(run ?? {}, INSTANTS, OF_THE_RUN) }
    },
  }
}

const during = { scenario: 'billed', act: 'buy' } as const
const update = (...of: string[]) => ({ call: '^update "verification_run"', of })
const beside = (service: OutsideEffect['in'], effect: OutsideEffect['effect']): OutsideEffect => ({ ...during, in: service, effect })

export const verificationRun: ProcessRow<VerificationActivities> = {
  scenarios: {
    billed: {
      create: (stage) => bought(stage, false),
      leaves: {
        process: 'COMPLETED',
        transactions: [['transferWithAuthorization', 'mined']],
        run: { state: 'captured', verdict: 'approved', signature: null, txHash: true, receiptId: true },
        money: { tokens: '0' },
      },
    },
    unbilled: {
      create: (stage) => bought(stage, true),
      leaves: {
        process: 'COMPLETED',
        transactions: [],
        run: { state: 'not_billed', verdict: 'inconclusive', signature: null, txHash: false, receiptId: true },
        money: { tokens: String(PRICE_RAW) },
      },
    },
  },
  steps: {
    executeRun: [
      { name: 'begin', ...during, isMidway: true, record: update('running') },
      // Each update names the column of the time of the result.
      { name: 'result', ...during, record: update('approved') },
    ],
    billRun: [
      { name: 'due', ...during, isMidway: true, record: update('capturing') },
      {
        name: 'payment',
        ...during,
        record: update('captured'),
        transaction: [toFunctionSelector(TRANSFER).slice(2)],
        result: ['captured'],
      },
      { name: 'release', scenario: 'unbilled', act: 'buy', record: update('not_billed'), result: ['not_billed'] },
    ],
  },
  outside: {
    startVerificationRun: [beside('api', { call: '^insert into "verification_run"', of: [] })],
    wakeRuns: [
      { ...beside('worker', { on: 'engine', call: '/SignalWithStartWorkflowExecution$', of: ['verification/'] }), name: 'start' },
      { ...beside('worker', { call: '^update "verification_run" set "woken_at"', of: [], isAlone: true }), name: 'woken' },
    ],
  },
}
