import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import type { Database } from '../../../activities/database/database.ts'
import { createDisputeStanding } from '../../../activities/disputes/status.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createDisputeHandlers } from '../../../api/disputes/handlers.ts'
import { createReviewHandlers } from '../../../api/disputes/review-handlers.ts'
import { disputeId } from '../../../domain/common/ids.ts'
import { decideDispute, getDispute, listDisputes } from '../../../schemas/disputes/operations.ts'
import { decideReview, listPendingVerifications, overturnSession } from '../../../schemas/disputes/review-operations.ts'
import { testChain } from '../../support/api.ts'
import { ask, BASE_URL, NOW, openOwnDatabase, refusal } from '../support/account-world.ts'
import { addSession } from '../support/work-rows.ts'

const WORKER: Hex = `0x${'b2'.repeat(20)}`
const OPERATOR: Hex = `0x${'a1'.repeat(20)}`
const RATIONALE = 'The work was read against the whole task.'

let database: Database
let close: () => Promise<void>
let sessionId: string
beforeAll(async () => {
  ;({ database, close } = await openOwnDatabase())
  const jobSnapshot = { specDefinition: { title: 'A job' } }
  const evidence = { verifierMode: 'benchmark', assetDecimals: 6, gasRetainedRaw: '0' }
  const changes = { status: 'disputed', chainState: 'submitted', submittedAt: NOW, disputedAt: NOW, jobSnapshot, evidence }
  sessionId = await addSession(database, WORKER, 'disputed-long-ago', NOW, changes)
})
afterAll(() => close())

/** The engine is not asked about such a session. */
const deps = () =>
  ({
    ...{ database, engine: {}, chain: testChain, clients: {}, clock: { now: () => NOW }, baseUrl: BASE_URL },
  }) as unknown as ApiDeps
const disputes = () => createDisputeHandlers(deps())
const reviews = () => createReviewHandlers(deps())

describe('a session that was disputed before disputes had records', () => {
  test('has no dispute to read, and none to decide', async () => {
    const params = { id: disputeId(sessionId) }
    const body = { verdict: 'dismissed', rationale: RATIONALE }
    expect((await ask(listDisputes, disputes().listDisputes, { wallet: WORKER })).body.disputes).toEqual([])
    expect(await refusal(ask(getDispute, disputes().getDispute, { wallet: WORKER, params }))).toBe('dispute_not_found')
    expect(await refusal(ask(decideDispute, disputes().decideDispute, { wallet: OPERATOR, params, body }))).toBe('dispute_not_found')
  })

  test('is refused to people and to operators, as not theirs to decide', async () => {
    const review = { wallet: OPERATOR, params: { id: sessionId }, body: { verdict: 'approve', rationale: RATIONALE } }
    expect(await refusal(ask(decideReview, reviews().decideReview, review))).toBe('invalid_session_transition')
    const overturn = { wallet: OPERATOR, body: { sessionId, note: 'The terms were read wrong.' } }
    expect(await refusal(ask(overturnSession, reviews().overturnSession, overturn))).toBe('invalid_session_transition')
  })

  test('waits among the undecided, without the id of a dispute that nobody would find', async () => {
    const { body } = await ask(listPendingVerifications, reviews().listPendingVerifications, { wallet: OPERATOR })
    expect(body.pending).toEqual([expect.objectContaining({ sessionId, disposition: 'human_review' })])
    expect(body.pending[0]).not.toHaveProperty('disputeId')
  })

  test('is not final to its processes, and nothing of it is due', async () => {
    const { readEnd, disputeStanding } = createDisputeStanding({
      database,
      clock: { now: () => NOW },
      arbitrator: null,
      alarm: () => undefined,
    })
    expect(await readEnd({ sessionId })).toBeNull()
    expect(await disputeStanding({ sessionId })).toMatchObject({ stage: 'verdict', dueAt: null, round: 0, decision: 'none' })
  })
})
