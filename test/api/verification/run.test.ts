import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Hex, HttpRequestError } from 'viem'
import { moveSession } from '../../../activities/sessions/records.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createWaits, type WaitEnd } from '../../../api/sessions/waits.ts'
import type { Outcome } from '../../../api/temporal/engine.ts'
import { createVerificationHandlers } from '../../../api/verification/handlers.ts'
import type { SessionStatus } from '../../../schemas/sessions/record.ts'
import type { ArbitrationVerdict } from '../../../schemas/sessions/verdicts.ts'
import { getVerificationResult, runVerifier } from '../../../schemas/verification/operations.ts'
import type { RunResult } from '../../../schemas/verification/process.ts'
import { aSession } from '../../domain/builders/session.ts'
import { eventually } from '../../support/eventually.ts'
import { endWithReceipt } from '../../support/records/receipt-rows.ts'
import { ask, BASE_URL, NOW, refusal } from '../support/account-world.ts'
import { useDatabase } from '../support/own-database.ts'
import { addSession, addVerdict, approvedAt, HASH, type SessionRow } from '../support/work-rows.ts'

const VERIFIER: Hex = `0x${'a1'.repeat(20)}`
const WORKER: Hex = `0x${'b2'.repeat(20)}`

const database = useDatabase()

let asked = 0
/** Updates that the engine was asked to run, and those it was asked about, in order. */
let updates: string[] = []
let lookedUp: string[] = []
let outcome: Outcome<RunResult> = { kind: 'pending' }
/** Waits that were begun, in order. */
let waits: Promise<WaitEnd>[] = []
const handlers = () => {
  const engine = {
    updateOrStart: async (_update: unknown, { updateId }: { updateId: string }) => {
      asked += 1
      updates.push(updateId)
      return outcome
    },
    readResult: async (_workflowId: string, updateId: string) => {
      lookedUp.push(updateId)
      return updates.includes(updateId) ? outcome : null
    },
  }
  const wait = createWaits({
    database,
    events: { onNewEvents: () => () => undefined },
    settings: { OPEN_WAITS: 10, OPEN_WAITS_PER_WALLET: 10, OPEN_WAITS_PER_ADDRESS: 10 },
  })
  const observed: typeof wait = (...wanted) => {
    const ended = wait(...wanted)
    waits.push(ended)
    return ended
  }
  return createVerificationHandlers({
    database,
    engine,
    waits: observed,
    clock: { now: () => NOW },
    baseUrl: BASE_URL,
  } as unknown as ApiDeps)
}

let number = 0
const disputed = (status: SessionStatus, chainState: string): Promise<string> => {
  number += 1
  const changes = { status, chainState, submittedAt: NOW, disputedAt: NOW, jobSnapshot: { specDefinition: { title: 'A job' } } }
  return addSession(database, WORKER, `disputed-${number}`, NOW, changes)
}
const run = async (sessionId: string, idempotencyKey?: string) =>
  refusal(
    ask(runVerifier, handlers().runVerifier, {
      wallet: VERIFIER,
      body: { sessionId },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    }),
  )

describe('a verifier', () => {
  test('is refused a session whose dispute the chain’s arbitrator decides', async () => {
    asked = 0
    expect(await run(await disputed('disputed', 'disputed'))).toBe('invalid_session_transition')
    expect(asked).toBe(0)
  })

  test.each<[SessionStatus]>([['disputed'], ['submitted']])(
    'is asked about a %s session while the escrow still waits for a verdict',
    async (status) => {
      asked = 0
      expect(await run(await disputed(status, 'submitted'))).toBe('upstream_failure')
      expect(asked).toBe(1)
    },
  )
})

test('other evidence than the submission is evaluated in a preview only', async () => {
  const sessionId = await disputed('submitted', 'submitted')
  asked = 0
  for (const more of [{}, { preview: false }]) {
    const body = { sessionId, evidence: { summary: 'Another one.' }, ...more }
    await expect(ask(runVerifier, handlers().runVerifier, { wallet: VERIFIER, body })).rejects.toThrow('is judged in a preview only')
  }
  expect(asked).toBe(0)
})

describe('requests of one key', () => {
  beforeEach(() => {
    updates = []
    lookedUp = []
    outcome = { kind: 'pending' }
  })

  test('share one run, and start another after an unavailable one', async () => {
    const sessionId = await disputed('submitted', 'submitted')
    for (const key of ['one', 'one', 'another']) expect(await run(sessionId, key)).toBe('upstream_failure')
    outcome = { kind: 'done', value: { kind: 'unavailable', reasonCode: 'NOT_NOW', detail: 'Later.' } }
    for (const key of ['one', 'one']) expect(await run(sessionId, key)).toBe('upstream_failure NOT_NOW')
    const [first, second, another, third, fourth] = updates
    expect([second, third]).toEqual([first, first])
    expect(new Set([first, another, fourth]).size).toBe(3)
  })

  test('are answered by their run when it has already changed the session; other requests are refused', async () => {
    const sessionId = await disputed('submitted', 'submitted')
    await run(sessionId, 'moved')
    await database.rows.updateTable('session').set({ status: 'rejected' }).where('sessionId', '=', sessionId).execute()
    expect(await run(sessionId, 'moved')).toBe('upstream_failure')
    expect(lookedUp).toEqual(updates)
    expect(await run(sessionId, 'new')).toBe('invalid_session_transition')
    expect(await run(sessionId)).toBe('invalid_session_transition')
    expect(updates).toHaveLength(1)
  })

  test('are refused when their run did not receive them', async () => {
    const sessionId = await disputed('submitted', 'submitted')
    await run(sessionId, 'lost')
    updates = []
    await database.rows.updateTable('session').set({ status: 'rejected' }).where('sessionId', '=', sessionId).execute()
    expect(await run(sessionId, 'lost')).toBe('invalid_session_transition')
  })
})

describe('a reader of a verdict that a dispute replaced', () => {
  const judged = async (changes: Partial<SessionRow>): Promise<string> => {
    const sessionId = await disputed('disputed', 'submitted')
    if (changes.disputeResolution == null)
      await database.rows.updateTable('session').set(changes).where('sessionId', '=', sessionId).execute()
    else await endWithReceipt(database, sessionId, changes)
    await addVerdict(database, sessionId, { outcome: 'rejected', reasonCode: 'DETERMINISTIC_MISMATCH' })
    return sessionId
  }
  const read = async (sessionId: string) =>
    (await ask(getVerificationResult, handlers().getVerificationResult, { query: { sessionId } })).body
  const END = new Date(NOW + 60_000).toISOString()
  const ended = (verdict: ArbitrationVerdict, reasonCode: string) => ({
    disputeResolution: {
      disputeId: 'd',
      verdict,
      reasonCode,
      workerPayout: { asset: 'USDC', raw: '1', decimals: 6, display: '0.000001' },
      txHash: HASH('d'),
      decidedAt: END,
      ...({ kind: verdict === 'timeout' ? 'timeout' : 'arbitration', workerShareBps: 4_000 } as const),
    },
  })
  const own = { outcome: 'rejected', reasonCode: 'DETERMINISTIC_MISMATCH', resolvedAt: new Date(NOW).toISOString() }

  test.each([
    ['dismissed it', { ...approvedAt(NOW), ...ended('dismissed', 'DISPUTE_OVERTURNED') }, 'approved', 'DISPUTE_OVERTURNED'],
    ['split the money', { ...approvedAt(NOW), ...ended('split', 'DISPUTE_PARTIAL') }, 'approved', 'DISPUTE_PARTIAL'],
  ])('sees how it stands and what it was when the dispute %s', async (_how, changes, outcome, reasonCode) => {
    const { kind, verdict, workerShareBps } = changes.disputeResolution
    expect(await read(await judged(changes))).toMatchObject({
      status: 'decided',
      outcome,
      reasonCode,
      resolvedAt: END,
      replacedVerdict: own,
      resolution: { kind, verdict, workerShareBps },
    })
  })

  test('sees that people have it while an overturned rejection is open', async () => {
    const overturned = { operatorOverturn: { by: VERIFIER, note: 'Wrong.', at: END }, chainState: 'rejected' }
    const result = await read(await judged(overturned))
    expect(result).toMatchObject({
      status: 'with_people',
      outcome: 'disputed',
      reasonCode: 'operator_overturn',
      replacedVerdict: own,
      awaitingSince: new Date(NOW).toISOString(),
    })
    for (const absent of ['resolvedAt', 'resolution']) expect(result).not.toHaveProperty(absent)
  })

  test.each([
    ['upheld it', { status: 'rejected', ...ended('upheld', 'DISPUTE_LOST') }],
    ['ended by time-out', { status: 'closed', ...ended('timeout', 'ARB_TIMEOUT') }],
  ])('sees it as it was when the dispute %s', async (_how, changes) => {
    const result = await read(await judged(changes))
    const { kind, verdict, workerShareBps } = changes.disputeResolution
    expect(result).toMatchObject({ status: 'decided', ...own, resolution: { kind, verdict, workerShareBps } })
    expect(result).not.toHaveProperty('replacedVerdict')
  })
})

describe('the result that waits for people', () => {
  const waiting = async (verdict: { outcome: string; reasonCode: string }, chainState = 'submitted'): Promise<string> => {
    const sessionId = await disputed('disputed', chainState)
    await addVerdict(database, sessionId, verdict)
    return sessionId
  }
  const read = async (sessionId: string, wallet?: Hex) =>
    ask(getVerificationResult, handlers().getVerificationResult, { query: { sessionId }, ...(wallet !== undefined && { wallet }) })

  test.each([
    ['a review', { outcome: 'disputed', reasonCode: 'HUMAN_REVIEW_REQUIRED' }, 'submitted', 'reviewer'],
    ['an arbitration', { outcome: 'rejected', reasonCode: 'DETERMINISTIC_MISMATCH' }, 'disputed', 'arbitrator'],
  ])('says so during %s, and tells its owner who has to decide', async (_stage, verdict, chainState, waitingFor) => {
    const sessionId = await waiting(verdict, chainState)
    const { body, headers } = await read(sessionId)
    expect(body).toMatchObject({ status: 'with_people', ...verdict })
    for (const own of ['waitingFor', 'score', 'disposition']) expect(body).not.toHaveProperty(own)
    expect(headers).toBeUndefined()
    const toOwner = await read(sessionId, WORKER)
    expect(toOwner.body).toMatchObject({ status: 'with_people', waitingFor, score: 0, disposition: 'human_review' })
    expect(toOwner.headers).toEqual({ 'cache-control': 'private, no-store' })
  })

  test('is decided once a reviewer has approved', async () => {
    const { body } = await read(await waiting({ outcome: 'approved', reasonCode: 'HUMAN_REVIEW_APPROVED' }))
    expect(body).toMatchObject({ status: 'decided', outcome: 'approved' })
  })

  test('of a submission tells its owner when people get it', async () => {
    const sessionId = await disputed('submitted', 'submitted')
    expect((await read(sessionId)).body).not.toHaveProperty('deadline')
    const deadline = new Date(NOW + 48 * 3_600_000).toISOString()
    const { body, headers } = await read(sessionId, WORKER)
    expect(body).toMatchObject({ status: 'verifying', waitingFor: 'verifier', deadline })
    expect(headers).toEqual({ 'cache-control': 'private, no-store' })
  })
})

describe('the result of a rejection that can still be disputed', () => {
  const FEE = 2_000_000_000n
  const BALANCE = 5n * 10n ** 14n
  const asked = async (reader: object, wallet?: Hex) => {
    number += 1
    const { jobSnapshot } = aSession()
    const changes = {
      status: 'rejected',
      chainState: 'rejected',
      submittedAt: NOW,
      rejectedAt: NOW,
      jobSnapshot: { ...jobSnapshot },
    } as const
    const sessionId = await addSession(database, WORKER, `disputable-${number}`, NOW, changes)
    await addVerdict(database, sessionId, { outcome: 'rejected', reasonCode: 'DETERMINISTIC_MISMATCH' })
    const chain = { nativeSymbol: 'ETH', nativeDecimals: 18 }
    const deps = { database, clock: { now: () => NOW }, baseUrl: BASE_URL, chain, clients: { reader } } as unknown as ApiDeps
    const { getVerificationResult: handle } = createVerificationHandlers(deps)
    return (await ask(getVerificationResult, handle, { query: { sessionId }, ...(wallet !== undefined && { wallet }) })).body
  }
  const reader = { estimateFeesPerGas: async () => ({ maxFeePerGas: FEE }), getBalance: async () => BALANCE }
  const UNTIL = new Date(NOW + 7 * 86_400_000).toISOString()

  test('tells everybody until when, and its worker the transaction with its gas and the wallet’s balance', async () => {
    const resolution = { kind: 'verifier', verdict: 'rejected', workerShareBps: 0 }
    const toAll = await asked(reader)
    expect(toAll).toMatchObject({ status: 'decided', disputableUntil: UNTIL, resolution })
    expect(toAll).not.toHaveProperty('nextActions')
    const [action] = (await asked(reader, WORKER)).nextActions ?? []
    expect(action).toMatchObject({
      kind: 'transaction',
      transaction: { function: 'openDispute(bytes32)' },
      gasRequired: {
        gas: '250000',
        cost: { asset: 'ETH', raw: (250_000n * FEE).toString(), display: '0.0005' },
        nativeBalance: { asset: 'ETH', raw: BALANCE.toString(), display: '0.0005' },
      },
    })
  })

  test('names the bound of the gas alone when the chain cannot be read', async () => {
    const failing = async () => {
      throw new HttpRequestError({ url: 'http://node.example' })
    }
    const [action] = (await asked({ estimateFeesPerGas: failing, getBalance: failing }, WORKER)).nextActions ?? []
    expect(action?.gasRequired).toEqual({ gas: '250000' })
  })
})

test('the result of a session that ended without a verdict is not pending', async () => {
  const sessionId = await disputed('submitted', 'submitted')
  const read = async () => (await ask(getVerificationResult, handlers().getVerificationResult, { query: { sessionId } })).body
  expect(await read()).toMatchObject({ status: 'verifying', awaitingSince: new Date(NOW).toISOString() })
  const end = { sessionId, to: 'closed', reason: 'operator_closed', at: NOW + 5_000, metadata: {} } as const
  await database.transaction((rows) => moveSession(rows, end))
  const result = await read()
  expect(result).toMatchObject({ status: 'decided', reasonCode: 'operator_closed', resolvedAt: new Date(NOW + 5_000).toISOString() })
  for (const absent of ['awaitingSince', 'outcome']) expect(result).not.toHaveProperty(absent)
})

describe('a reader who waits for a verdict', () => {
  const read = (sessionId: string) =>
    ask(getVerificationResult, handlers().getVerificationResult, { query: { sessionId, waitSeconds: '20' } })

  test('is answered at once when there will be none, and as soon as the work is submitted', async () => {
    const [ended, claimed] = [await disputed('closed', 'closed'), await disputed('claimed', 'claimed')]
    await database.rows.updateTable('session').set({ submittedAt: null }).where('sessionId', '=', claimed).execute()
    waits = []
    await read(ended)
    expect(waits).toEqual([])
    const waiting = read(claimed)
    await eventually('the wait has begun', () => waits.length === 1)
    await database.rows.updateTable('session').set({ submittedAt: NOW, status: 'submitted' }).where('sessionId', '=', claimed).execute()
    expect((await waiting).body).toMatchObject({ status: 'verifying' })
    expect(await waits[0]).toBe('change')
  })

  test('is answered as soon as the session ends without one', async () => {
    const sessionId = await disputed('submitted', 'submitted')
    waits = []
    const waiting = read(sessionId)
    await eventually('the wait has begun', () => waits.length === 1)
    const end = { sessionId, to: 'closed', reason: 'operator_closed', at: NOW, metadata: {} } as const
    await database.transaction((rows) => moveSession(rows, end))
    expect((await waiting).body).toMatchObject({ status: 'decided', reasonCode: 'operator_closed' })
    expect(await waits[0]).toBe('change')
  })
})
