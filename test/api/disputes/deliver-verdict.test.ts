import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { storeContent } from '../../../activities/content/records.ts'
import { insertDecision, updateDecision } from '../../../activities/disputes/rows.ts'
import { createRoundEnd, endRound, openDispute } from '../../../activities/disputes/writes.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { storeHumanVerdict } from '../../../activities/verification/human-verdict.ts'
import { createContentHandlers } from '../../../api/content/handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createDisputeHandlers } from '../../../api/disputes/handlers.ts'
import { createReviewHandlers } from '../../../api/disputes/review-handlers.ts'
import type { Outcome } from '../../../api/temporal/engine.ts'
import { sha256Of } from '../../../domain/common/hashes.ts'
import { disputeId } from '../../../domain/common/ids.ts'
import { rationaleBlob } from '../../../domain/disputes/evidence.ts'
import { getContent } from '../../../schemas/content/operations.ts'
import { decideDispute, getDispute, listDisputes, submitDisputeStatement } from '../../../schemas/disputes/operations.ts'
import type { RoundDecision } from '../../../schemas/disputes/record.ts'
import { decideReview, overturnSession } from '../../../schemas/disputes/review-operations.ts'
import { testChain } from '../../support/api.ts'
import { BASE_URL, inputOf, NOW, refusal } from '../support/account-world.ts'
import { listJob } from '../support/listed-job.ts'
import { useDatabase } from '../support/own-database.ts'
import { addSessionOf } from '../support/work-rows.ts'

const WORKER: Hex = `0x${'b2'.repeat(20)}`
const DECIDER: Hex = `0x${'a1'.repeat(20)}`
const OTHER: Hex = `0x${'c3'.repeat(20)}`
const RATIONALE = 'The work was read against the whole task.'

const database = useDatabase()

/** Words that were handed to the engine, by their ids; what it answers to each, after what happens meanwhile. */
let words: string[] = []
let outcome: Outcome<unknown> = { kind: 'pending' }
let meanwhile: (decisionRequestId: string) => Promise<unknown> = async () => undefined
beforeEach(() => {
  words = []
  outcome = { kind: 'pending' }
  meanwhile = async () => undefined
})
const deps = () => {
  const engine = {
    updateOrStart: async (_update: unknown, { updateId: decisionRequestId }: { updateId: string }) => {
      words.push(decisionRequestId)
      await meanwhile(decisionRequestId)
      return outcome
    },
    readResult: async (_workflowId: string, decisionRequestId: string) => (words.includes(decisionRequestId) ? outcome : null),
  }
  const clock = { now: () => NOW }
  return { database, engine, chain: testChain, clients: {}, clock, baseUrl: BASE_URL } as unknown as ApiDeps
}
const arbitrate = (sessionId: string, body: object) =>
  createDisputeHandlers(deps()).decideDispute(
    inputOf(decideDispute, {
      wallet: DECIDER,
      roles: ['arbitrator' as const],
      params: { id: disputeId(sessionId) },
      idempotencyKey: 'verdict',
      body: { rationale: RATIONALE, ...body },
    }),
  )
const review = (sessionId: string, verdict: string) =>
  createReviewHandlers(deps()).decideReview(
    inputOf(decideReview, {
      wallet: DECIDER,
      params: { id: sessionId },
      idempotencyKey: `review of ${sessionId}`,
      body: { verdict, rationale: RATIONALE },
    }),
  )

let number = 0
const disputed = async (stage: 'review' | 'arbitration', operatorOverturn: object | null = null): Promise<string> => {
  number += 1
  const { jobSnapshot: pinned } = await listJob(database, `contested-${number}`)
  const jobSnapshot = { ...pinned, outputSchema: { ref: 'x' }, verifierConfigSnapshot: {}, specHash: '0x' }
  const evidence = { verifierMode: 'benchmark', assetDecimals: 6, gasRetainedRaw: '0', submitFailedAt: null }
  const chainState = stage === 'review' ? 'submitted' : 'disputed'
  const times = { submittedAt: NOW, rejectedAt: NOW, disputedAt: NOW }
  const changes = { status: 'disputed', chainState, ...times, jobSnapshot, evidence, operatorOverturn }
  const sessionId = await addSessionOf(database, WORKER, `contested-${number}`, NOW, changes as never)
  const session = await getSession(database.rows, sessionId)
  const about = { session, stage, origin: 'review', reasonCode: 'X', rewardRaw: 1_000_000n } as const
  const opening = { ...about, at: NOW, actor: 'system:test', arbitrator: null } as const
  await database.transaction((rows) => openDispute(rows, opening))
  return sessionId
}

const decision = (decisionRequestId: string, changes: Partial<RoundDecision> = {}): RoundDecision => ({
  round: 1,
  source: 'arbitrator',
  verdict: 'upheld',
  reasonCode: 'DISPUTE_LOST',
  workerPayoutRaw: 0n,
  payoutSource: null,
  reasoningHash: null,
  verificationId: null,
  decidedBy: DECIDER,
  decisionRequestId,
  decidedAt: NOW,
  preparation: null,
  observed: null,
  ...changes,
})
const PREPARED = {
  preparation: { preparationId: 'p1', preparedAt: new Date(NOW).toISOString(), transaction: { to: '0x1', data: '0x' } },
} as unknown as Partial<RoundDecision>

describe('a decision without an outcome in time', () => {
  test('is not answered with another decision of the same arbitrator', async () => {
    const sessionId = await disputed('arbitration')
    await insertDecision(database.rows, disputeId(sessionId), decision('before', PREPARED))
    const word = { verdict: 'dismissed', supersedes: 'p1' }
    expect(await refusal(arbitrate(sessionId, word))).toBe('upstream_failure')

    meanwhile = (decisionRequestId) =>
      updateDecision(
        database.rows,
        { disputeId: disputeId(sessionId), round: 1 },
        { verdict: 'dismissed', decisionRequestId, preparation: { ...PREPARED.preparation, preparationId: 'p2' } as never },
      )
    expect((await arbitrate(sessionId, word)).body).toMatchObject({ verdict: 'dismissed', preparation: { preparationId: 'p2' } })
    expect(new Set(words).size).toBe(1)
  })

  test('of a review is answered once it is recorded, and not by a decision under another key', async () => {
    const sessionId = await disputed('review')
    const session = await getSession(database.rows, sessionId)
    const verdict = {
      verdict: 'approved',
      rationale: RATIONALE,
      by: DECIDER,
      at: NOW,
      reasoningHash: null,
      publicBaseUrl: BASE_URL,
    } as const
    const decided = (decisionRequestId: string) =>
      ({ source: 'reviewer', verdict: 'approved', decisionRequestId, verificationId: `v-${number}` }) as const
    meanwhile = () =>
      database.transaction(async (rows) => {
        await storeHumanVerdict(rows, session, { ...verdict, id: `v-${number}` } as never)
        await insertDecision(rows, disputeId(sessionId), decision('other', decided('other')))
      })
    expect(await refusal(review(sessionId, 'approve'))).toBe('upstream_failure')
  })

  test('to overturn is not answered by a dispute that the worker opened', async () => {
    const sessionId = await disputed('arbitration')
    const rows = database.rows.updateTable('session').where('sessionId', '=', sessionId)
    await rows.set({ status: 'rejected' }).execute()
    const overturn = (idempotencyKey: string) =>
      createReviewHandlers(deps()).overturnSession(
        inputOf(overturnSession, {
          wallet: DECIDER,
          idempotencyKey,
          body: { sessionId, note: 'The terms were read wrong.' },
        }),
      )
    meanwhile = () => rows.set({ status: 'disputed' }).execute()
    expect(await refusal(overturn('one'))).toBe('upstream_failure')
    await rows.set({ status: 'rejected' }).execute()
    meanwhile = () =>
      rows.set({ status: 'disputed', operatorOverturn: { by: DECIDER, note: 'Wrong.', at: new Date(NOW).toISOString() } }).execute()
    expect((await overturn('two')).body).toMatchObject({ session: { status: 'disputed' } })
  })
})

test('a recorded review is answered to its own key after the worker has opened the next round', async () => {
  const sessionId = await disputed('review')
  const session = await getSession(database.rows, sessionId)
  const [id, by] = [`v-${number}`, DECIDER]
  meanwhile = (decisionRequestId) =>
    database.transaction(async (rows) => {
      const given = { id, verdict: 'rejected', rationale: RATIONALE, by, at: NOW, reasoningHash: null, publicBaseUrl: BASE_URL }
      await storeHumanVerdict(rows, session, given as never)
      const changes = { source: 'reviewer', verdict: 'rejected', verificationId: id } as const
      await insertDecision(rows, disputeId(sessionId), decision(decisionRequestId, changes))
      await rows.updateTable('dispute').set({ round: 2, stage: 'arbitration' }).where('sessionId', '=', sessionId).execute()
    })
  expect(await refusal(review(sessionId, 'reject'))).toBe('upstream_failure')
  outcome = { kind: 'done', value: { round: 1, state: 'settled', status: 'rejected' } }
  expect((await review(sessionId, 'reject')).body).toMatchObject({ outcome: 'rejected' })
  expect(new Set(words).size).toBe(1)
})

describe('a decided dispute', () => {
  test('shows the rationale to its readers; the blob stays with its owners', async () => {
    const sessionId = await disputed('arbitration')
    const id = disputeId(sessionId)
    const payload = rationaleBlob({ disputeId: id, verdict: 'upheld', workerPayout: null, rationale: RATIONALE })
    const blob = { contentType: 'dispute_rationale', payload, owners: [WORKER, DECIDER], at: NOW } as const
    const reasoningHash = await storeContent(database.rows, blob)
    const handlers = createDisputeHandlers(deps())
    const verifier = { wallet: OTHER, roles: ['verifier' as const] }
    const read = async () => (await handlers.getDispute(inputOf(getDispute, { ...verifier, params: { id } }))).body
    expect(await read()).not.toHaveProperty('rationale')
    await insertDecision(database.rows, id, decision('word', { reasoningHash }))
    expect(await read()).toMatchObject({ verdict: 'upheld', rationale: RATIONALE, reasoningHash })
    const content = createContentHandlers(deps())
    expect(await refusal(content.getContent(inputOf(getContent, { ...verifier, params: { hash: reasoningHash } })))).toBe(
      'content_not_found',
    )
  })

  test.each([
    ['that the chain carried out is public', 'upheld', true],
    ['that the chain overruled stays private', 'dismissed', false],
    ['that waits for the chain stays private', null, false],
  ] as const)('has a rationale: one %s', async (_what, onChain, isPublic) => {
    const sessionId = await disputed('arbitration')
    const id = disputeId(sessionId)
    const payload = rationaleBlob({ disputeId: id, verdict: 'upheld', workerPayout: null, rationale: RATIONALE })
    const owners = [WORKER, DECIDER]
    const hash = await storeContent(database.rows, { contentType: 'dispute_rationale', payload, owners, at: NOW })
    await insertDecision(database.rows, id, decision('word', { reasoningHash: hash }))
    const session = await getSession(database.rows, sessionId)
    const payout = onChain === 'dismissed' ? 1_000_000n : 0n
    const end = onChain && createRoundEnd({ txHash: `0x${'7'.repeat(64)}`, blockTime: NOW }, onChain, payout, DECIDER, 'DISPUTE_LOST')
    if (end) await database.transaction((rows) => endRound(rows, session, end, NOW))
    const read = (wallet: Hex) => createContentHandlers(deps()).getContent(inputOf(getContent, { params: { hash }, wallet }))
    if (isPublic) expect((await read(OTHER)).body).toMatchObject({ visibility: 'public', payload })
    else expect(await refusal(read(OTHER))).toBe('content_not_found')
    for (const owner of owners) expect((await read(owner)).body.payload).toEqual(payload)
  })
})

describe('the statement of the worker', () => {
  const STATED = 'The third source names the term under its older spelling.'
  const POSTER: Hex = `0x${'d4'.repeat(20)}`
  const handlers = () => createDisputeHandlers(deps())
  const state = (wallet: Hex, id: string, statement = STATED, roles: ('admin' | 'arbitrator')[] = []) =>
    handlers().submitDisputeStatement(inputOf(submitDisputeStatement, { wallet, roles, params: { id }, body: { statement } }))
  const read = async (wallet: Hex, id: string, roles: 'arbitrator'[] = []) =>
    (await handlers().getDispute(inputOf(getDispute, { wallet, roles, params: { id } }))).body
  const ofPoster = async (): Promise<string> => {
    const id = disputeId(await disputed('arbitration'))
    await database.rows.updateTable('dispute').set({ respondent: POSTER }).where('disputeId', '=', id).execute()
    return id
  }

  test('is read by those who decide and by the parties, with its hash; the content stays with the parties', async () => {
    const id = await ofPoster()
    expect((await read(WORKER, id)).statement).toBeNull()
    const { statement } = (await state(WORKER, id)).body
    const hash = sha256Of({ kind: 'dispute_statement', disputeId: id, statement: STATED })
    expect(statement).toEqual({ text: STATED, hash, at: new Date(NOW).toISOString() })
    for (const shown of [await read(WORKER, id), await read(POSTER, id), await read(OTHER, id, ['arbitrator'])])
      expect([shown.statement, shown.timeline.at(-1)]).toMatchObject([
        statement,
        { actor: WORKER, action: 'statement_given', data: { statementHash: hash } },
      ])
    const content = (wallet: Hex) => createContentHandlers(deps()).getContent(inputOf(getContent, { params: { hash }, wallet }))
    for (const party of [WORKER, POSTER])
      expect((await content(party)).body).toMatchObject({ contentType: 'dispute_statement', visibility: 'owner_only' })
    expect(await refusal(content(OTHER))).toBe('content_not_found')
    const list = await handlers().listDisputes(inputOf(listDisputes, { wallet: WORKER, query: {} }))
    expect(JSON.stringify(list.body)).not.toContain(STATED)
  })

  test('is replaced by a later one, and a repeat changes nothing', async () => {
    const id = await ofPoster()
    const later = 'The task asks for three sources, and the work names three.'
    for (const statement of [STATED, STATED, later, later]) await state(WORKER, id, statement)
    const shown = await read(WORKER, id)
    expect(shown.statement?.text).toBe(later)
    expect(shown.timeline.filter(({ action }) => action === 'statement_given')).toHaveLength(2)
  })

  test.each([
    ['the poster', POSTER, [], 'dispute_statement_forbidden'],
    ['an arbitrator', OTHER, ['arbitrator'], 'dispute_statement_forbidden'],
    ['another wallet', OTHER, [], 'dispute_not_found'],
  ] as const)('is not given by %s', async (_who, wallet, roles, code) => {
    const id = await ofPoster()
    expect(await refusal(state(wallet, id, STATED, [...roles]))).toBe(code)
    expect((await read(WORKER, id)).statement).toBeNull()
  })

  test.each(['decided', 'ended'])('is refused once its round has %s', async (how) => {
    const id = await ofPoster()
    if (how === 'decided') await insertDecision(database.rows, id, decision('word'))
    else await database.rows.updateTable('dispute').set({ status: 'resolved' }).where('disputeId', '=', id).execute()
    expect(await refusal(state(WORKER, id))).toBe('dispute_already_decided')
    expect((await read(WORKER, id)).statement).toBeNull()
  })

  test.each(['', ' '.repeat(30), 'Too short.', 'x'.repeat(4_001)])('takes no text outside its bounds: %#', (statement) => {
    expect(submitDisputeStatement.body.safeParse({ statement }).success).toBe(false)
  })
})
