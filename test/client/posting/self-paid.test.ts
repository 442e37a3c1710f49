import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { encodeCall, word } from '../../../client/cli/chain/calls.ts'
import { interruptedBy } from '../../../client/cli/run.ts'
import { mine } from '../support/scripted-chain.ts'
import { ESCROW, type ScriptedPosting, startScriptedPosting } from '../support/scripted-posting.ts'
import { json, problem } from '../support/scripted-service.ts'

let chain: ScriptedPosting
afterEach(() => chain.close())

const JOB = `0x${'5c'.repeat(32)}`
const HASH = `0x${'e1'.repeat(32)}`
const OTHER = `0x${'ab'.repeat(20)}`
const OTHER_HASH = `0x${'cd'.repeat(32)}`
const CLAIM = encodeCall('claimJob(bytes32)', word(JOB))
const SUBMIT = encodeCall('submitWork(bytes32,bytes32)', word(JOB), word(HASH))
const TIME_OUT = encodeCall('handleClaimTimeout(bytes32)', word(JOB))

const transaction = (data: string, change: object = {}) => ({ to: ESCROW, chainId: 31_337, value: '0', data, ...change })
const session = () => ({
  sessionId: `${JOB}:${chain.wallet}`,
  jobId: JOB,
  status: 'claimed',
  claimExpiresAt: '2026-01-01T00:00:00.000Z',
  totalClaimLock: '0.2',
  badgeSnapshot: { rewardAsset: 'USDC' },
})

interface Asked {
  /** Transactions that the service names. */
  transactions?: unknown
  evidenceHash?: unknown
  /** Transactions that the chain takes before the service has seen the claim or the submission. */
  needed?: number
}

/** A service that asks the worker for transactions until the chain took as many as it needs. */
const start = async ({ transactions, evidenceHash = HASH, needed }: Asked): Promise<void> => {
  const list = Array.isArray(transactions) ? transactions : []
  const isDone = (): boolean => chain.node.receipts.size >= (needed ?? list.length)
  const ask = (code: string) => ({ details: { transactions, ...(code.includes('submit') && { evidenceHash }) }, retryAfterSeconds: 6 })
  chain = await startScriptedPosting({
    'POST /jobs/claim': (_request, response) => {
      const code = 'external_self_paid_claim_required'
      if (isDone()) json(response, 200, session())
      else problem(response, 409, code, ask(code))
    },
    'POST /jobs/submit': (_request, response) => {
      const code = 'external_self_paid_submit_required'
      if (isDone()) json(response, 200, { ...session(), status: 'submitted', evidenceHash: HASH })
      else problem(response, 409, code, ask(code))
    },
  })
}

const claim = (...more: string[]) => chain.run(['claim', JOB, '--yes', ...more])
const submit = () => {
  const path = join(chain.state.directory, 'work.json')
  writeFileSync(path, '{"output":"done well"}')
  return chain.run(['submit', `${JOB}:${chain.wallet}`, path, '--yes'])
}

describe('a claim of a posted job', () => {
  test('is sent by the worker, and the request is repeated', async () => {
    await start({ transactions: [transaction(CLAIM)] })
    const { exit, document } = await claim()
    expect([exit, document.transactions, document.status]).toEqual([0, [expect.objectContaining({ step: 'claim' })], 'claimed'])
    expect([chain.node.taken.length, chain.service.of('POST /jobs/claim').length, chain.record()]).toEqual([1, 2, undefined])
  })

  test('whose escrow holds an expired claim is sent after its time-out', async () => {
    await start({ transactions: [transaction(TIME_OUT), transaction(CLAIM)] })
    const { exit, document } = await claim()
    expect([exit, document.transactions.map(({ step }: { step: string }) => step)]).toEqual([0, ['time out', 'claim']])
  })

  test('is repeated until the service has seen the transaction, and sent once', async () => {
    await start({ transactions: [transaction(CLAIM)], needed: 2 })
    chain.node.onCall = (method) => {
      if (method === 'eth_sendRawTransaction') chain.service.scripts['POST /jobs/claim'] = late(chain.service.scripts['POST /jobs/claim'])
    }
    expect(await claim()).toMatchObject({ exit: 0 })
    expect([chain.node.taken.length, chain.service.of('POST /jobs/claim').length]).toEqual([1, 3])
  })

  /** Answers once as before, then with the session. */
  const late = (before: ScriptedPosting['service']['scripts'][string] | undefined) => {
    let asked = 0
    return (...given: Parameters<NonNullable<typeof before>>): void => {
      asked += 1
      if (asked === 1) void before?.(...given)
      else json(given[1], 200, session())
    }
  }

  test('that an interrupted command sent is followed, and not sent again', async () => {
    await start({ transactions: [transaction(CLAIM)] })
    chain.node.isMining = false
    const interruption = new AbortController()
    chain.node.onCall = (method) => {
      if (method === 'eth_getTransactionReceipt' && chain.node.taken.length > 0) interruption.abort(interruptedBy('SIGINT'))
    }
    expect((await chain.run(['claim', JOB, '--yes'], interruption.signal)).exit).toBe(130)
    const { hash, raw } = chain.record() ?? {}
    chain.node.refusal = () => 'already known'
    let polls = 0
    chain.node.onCall = (method) => {
      if (method !== 'eth_getTransactionReceipt') return
      polls += 1
      if (polls === 3) mine(chain.node, String(hash), String(raw))
    }
    expect(await claim()).toMatchObject({ exit: 0, document: { transactions: [{ step: 'claim', hash }] } })
    expect(chain.node.taken).toEqual([hash])
  })

  test('says what gas is missing, and sends nothing', async () => {
    await start({ transactions: [transaction(CLAIM)] })
    chain.node.bend = (method) => (method === 'eth_getBalance' ? '{"jsonrpc":"2.0","id":1,"result":"0x0"}' : undefined)
    const { exit, document } = await claim()
    expect([exit, document.detail]).toEqual([1, expect.stringMatching(/^The wallet has 0 .* can cost .* Nothing was sent\.$/)])
    expect(chain.node.taken).toEqual([])
  })

  test('is asked for, and not sent without a terminal and without --yes', async () => {
    await start({ transactions: [transaction(CLAIM)] })
    chain.service.scripts['GET /sessions'] = (_request, response) => json(response, 200, { sessions: [session()], nextCursor: null })
    const { exit, error } = await chain.runForPeople(['claim', JOB])
    expect([exit, error]).toEqual([
      2,
      expect.stringMatching(/sends the claim itself[\s\S]*claim the job 0x5c[\s\S]*gas +at most[\s\S]*--yes/),
    ])
    expect(chain.node.taken).toEqual([])
  })

  test('of a native account is shown as its call, and not sent', async () => {
    await start({ transactions: [transaction(CLAIM)] })
    chain.becomeNative()
    const { exit, document } = await claim()
    expect([exit, document.status, document.calls]).toEqual([1, 'not_sent', [expect.objectContaining({ step: 'claim' })]])
    expect([chain.node.calls, chain.service.of('POST /jobs/claim').length]).toEqual([[], 1])
  })

  test.each<[string, unknown, RegExp]>([
    ['another job', [transaction(encodeCall('claimJob(bytes32)', word(OTHER_HASH)))], /another argument 1/],
    ['another contract', [transaction(CLAIM, { to: OTHER })], /another contract than the escrow/],
    ['another call', [transaction(SUBMIT)], /is not claimJob/],
    ['another chain', [transaction(CLAIM, { chainId: 1 })], /of another chain/],
    ['native money', [transaction(CLAIM, { value: '1' })], /native money/],
    ['another call before it', [transaction(CLAIM), transaction(CLAIM)], /is not handleClaimTimeout/],
    [
      'the time-out of another job before it',
      [transaction(encodeCall('handleClaimTimeout(bytes32)', word(OTHER_HASH))), transaction(CLAIM)],
      /argument 1/,
    ],
    ['three transactions', [transaction(TIME_OUT), transaction(TIME_OUT), transaction(CLAIM)], /more transactions than asked/],
    ['no transaction', [], /names none/],
    ['none that can be read', [{ to: ESCROW }], /names none/],
  ])('with %s is refused before it is signed', async (_, transactions, reason) => {
    await start({ transactions, needed: 9 })
    const { exit, document } = await claim()
    expect([exit, document.detail, chain.node.taken]).toEqual([1, expect.stringMatching(reason), []])
  })
})

describe('a submission to a posted job', () => {
  test('is sent by the worker, and the request is repeated', async () => {
    await start({ transactions: [transaction(SUBMIT)] })
    const { exit, document } = await submit()
    expect([exit, document.transactions, document.evidenceHash]).toEqual([0, [expect.objectContaining({ step: 'submit' })], HASH])
    const bodies = chain.service.of('POST /jobs/submit').map(({ body }) => JSON.parse(body).submission)
    expect(bodies).toEqual([{ output: 'done well' }, { output: 'done well' }])
  })

  test.each<[string, unknown, unknown, RegExp]>([
    ['another hash than that of the work', [transaction(SUBMIT)], OTHER_HASH, /another argument 2/],
    ['no hash of the work', [transaction(SUBMIT)], undefined, /no hash/],
    ['another job', [transaction(encodeCall('submitWork(bytes32,bytes32)', word(OTHER_HASH), word(HASH)))], HASH, /argument 1/],
    ['another contract', [transaction(SUBMIT, { to: OTHER })], HASH, /another contract than the escrow/],
    ['a transaction before it', [transaction(TIME_OUT), transaction(SUBMIT)], HASH, /more transactions than asked/],
  ])('with %s is refused before it is signed', async (_, transactions, evidenceHash, reason) => {
    await start({ transactions, evidenceHash: evidenceHash ?? null, needed: 9 })
    const { exit, document } = await submit()
    expect([exit, document.detail, chain.node.taken]).toEqual([1, expect.stringMatching(reason), []])
  })
})
