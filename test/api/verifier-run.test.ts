import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import type { Database } from '../../activities/records/database.ts'
import type { WorkDeps } from '../../api/deps-work.ts'
import { createVerifierHandlers } from '../../api/verifier.ts'
import { getVerificationResult, runVerifier } from '../../schemas/operations/verifier.ts'
import type { SessionStatus } from '../../schemas/session-record.ts'
import { ask, BASE_URL, NOW, openOwnDatabase, refusal } from './account-world.ts'
import { addSession } from './work-rows.ts'

const VERIFIER: Hex = `0x${'a1'.repeat(20)}`
const WORKER: Hex = `0x${'b2'.repeat(20)}`

let database: Database
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openOwnDatabase())
})
afterAll(() => close())

let asked = 0
const handlers = () => {
  const engine = {
    verify: async () => {
      asked += 1
      return { kind: 'pending' }
    },
  }
  return createVerifierHandlers({ database, engine, clock: { now: () => NOW }, baseUrl: BASE_URL } as unknown as WorkDeps)
}

let number = 0
const disputed = (status: SessionStatus, chainState: string): Promise<string> => {
  number += 1
  const changes = { status, chainState, submittedAt: NOW, disputedAt: NOW, jobSnapshot: { specDefinition: { title: 'A job' } } }
  return addSession(database, WORKER, `disputed-${number}`, NOW, changes)
}
const run = async (sessionId: string) => refusal(ask(runVerifier, handlers().runVerifier, { wallet: VERIFIER, body: { sessionId } }))

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

describe('a reader who waits for a verdict', () => {
  const read = (sessionId: string) =>
    ask(getVerificationResult, handlers().getVerificationResult, { query: { sessionId, waitSeconds: '20' } })

  test('is answered at once when there will be none, and as soon as the work is submitted', async () => {
    const [ended, claimed] = [await disputed('closed', 'closed'), await disputed('claimed', 'claimed')]
    await database.rows.updateTable('session').set({ submittedAt: null }).where('sessionId', '=', claimed).execute()
    const began = performance.now()
    await read(ended)
    expect(performance.now() - began).toBeLessThan(1_000)
    const waiting = read(claimed)
    await database.rows.updateTable('session').set({ submittedAt: NOW, status: 'submitted' }).where('sessionId', '=', claimed).execute()
    expect((await waiting).body).toMatchObject({ status: 'verifying' })
    expect(performance.now() - began).toBeLessThan(3_000)
  })
})
