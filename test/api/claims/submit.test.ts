// Refusals of a submission whose workflow, engine or chain changed before the answer.
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { findJob } from '../../../activities/catalogue/jobs.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { createSubmitWork } from '../../../api/claims/submit.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { getOwnSession } from '../../../api/sessions/pending.ts'
import type { Engine } from '../../../api/temporal/engine.ts'
import { checkPinnedSubmission } from '../../../domain/claims/pinned-submission.ts'
import { acceptanceTime, isAcceptedLate } from '../../../domain/claims/submission-refusal.ts'
import { captureSnapshot } from '../../../domain/sessions/snapshot.ts'
import { submitWork } from '../../../schemas/claims/operations.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { errorsOf } from '../../../schemas/operations/operation.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { BASE_URL, inputOf, NOW, refusal } from '../support/account-world.ts'
import { listJob } from '../support/listed-job.ts'
import { useDatabase } from '../support/own-database.ts'
import { addSessionOf } from '../support/work-rows.ts'

const WALLET: Hex = `0x${'a1'.repeat(20)}`
const WORK = { summary: 'A retry policy.', output: 'Use jitter.', status: 'complete' }

const database = useDatabase()

let sessionId = ''
let number = 0
beforeEach(async () => {
  number += 1
  const { jobId } = await listJob(database, `submitted-${number}`)
  const job = await findJob(database.rows, jobId)
  const facts = { decimals: 6, capturedAt: NOW, chainId: 31337, escrowAddress: `0x${'ab'.repeat(20)}`, claimEconomics: {} }
  const jobSnapshot = job && captureSnapshot({ job, ...facts, specSource: 'chain_verified' })
  if (!jobSnapshot) throw new Error('the job was not pinned')
  sessionId = await addSessionOf(database, WALLET, jobId, NOW, { jobSnapshot: { ...jobSnapshot } })
})

const changeSession = (changes: object): Promise<unknown> =>
  database.rows.updateTable('session').set(changes).where('sessionId', '=', sessionId).execute()

const submitTo = async (engine: Partial<Engine>, idempotencyKey?: string, id = sessionId): Promise<string> => {
  const settings = readSettings({ DATABASE_URL: 'postgres://unused', CHAIN_FILE: 'unused' })
  const goesOn = { watchOutages: <T>(work: (gone: AbortSignal) => Promise<T>) => work(new AbortController().signal) }
  const deps = { database, settings, clock: { now: () => NOW }, baseUrl: BASE_URL, engine: { ...goesOn, ...engine } }
  const asked = { wallet: WALLET, body: { sessionId: id, submission: WORK }, ...(idempotencyKey !== undefined && { idempotencyKey }) }
  const code = await refusal(createSubmitWork(deps as unknown as ApiDeps)(inputOf(submitWork, asked)))
  expect(['answered', ...errorsOf(submitWork)]).toContain(code)
  return code
}

describe('a submission whose claim ended on chain meanwhile', () => {
  const lapsed = async (): Promise<never> => {
    throw new ServiceError('claim_expired', { details: { sessionId } })
  }

  test('is refused as expired', async () => {
    expect(await submitTo({ submit: lapsed })).toBe('claim_expired')
  })

  test('is refused as diverged when it was in time and the chain was too slow', async () => {
    const submit = async (): Promise<never> => {
      await changeSession({ status: 'chain_state_diverged', chainStateDivergence: { observedState: 'expired' } })
      return lapsed()
    }
    expect(await submitTo({ submit })).toBe('chain_state_diverged')
  })

  test('gets the same refusal again, under a key too, once both are recorded', async () => {
    const submit = async (): Promise<never> => {
      const { evidenceHash } = checkPinnedSubmission(await getSession(database.rows, sessionId), WORK)
      const submission = { kind: 'structured', structured: WORK, evidenceText: '' }
      await changeSession({ submission, evidenceHash, status: 'chain_state_diverged', chainStateDivergence: { observedState: 'expired' } })
      return lapsed()
    }
    const codes = [await submitTo({ submit }, 'a'), await submitTo({}, 'a'), await submitTo({})]
    expect(codes).toEqual(Array(3).fill('chain_state_diverged'))
  })
})

describe('a repeat under a key whose first request was in time and did not reach the workflow', () => {
  const outage = async (): Promise<never> => {
    throw new ServiceError('workflow_engine_unavailable')
  }

  test('is delivered as in time after its claim has ended', async () => {
    const acceptedTimes: (string | undefined)[] = []
    const submit: Engine['submit'] = async (_target, { acceptedAt }) => {
      acceptedTimes.push(acceptedAt)
      return outage()
    }
    expect(await submitTo({ submit: outage }, 'repeated')).toBe('workflow_engine_unavailable')
    const claimExpiresAt = NOW - 1_000
    await changeSession({ claimExpiresAt })
    expect(await submitTo({ submit }, 'another')).toBe('claim_expired')
    for (const _again of [1, 2]) expect(await submitTo({ submit }, 'repeated')).toBe('workflow_engine_unavailable')
    expect(acceptedTimes).toHaveLength(2)
    for (const acceptedAt of acceptedTimes) {
      expect(acceptanceTime(acceptedAt, NOW)).toBeLessThanOrEqual(claimExpiresAt)
      expect(isAcceptedLate(acceptedAt, claimExpiresAt)).toBe(false)
    }
  })
})

describe('a submission that no run accepted', () => {
  test('is refused as retryable when the run had ended and the session is unchanged', async () => {
    expect(await submitTo({ submit: async () => null })).toBe('workflow_engine_unavailable')
  })

  test('is refused as retryable when the run ended while no worker was running', async () => {
    expect(await submitTo({ submit: async () => ({ kind: 'pending' }), offer: async () => false })).toBe('workflow_engine_unavailable')
  })

  test('is accepted when the run has it', async () => {
    expect(await submitTo({ submit: async () => ({ kind: 'pending' }), offer: async () => true })).toBe('answered')
  })
})

test('a submission is not passed to an engine that goes down during the checks', async () => {
  let handed = 0
  const submit = async () => {
    handed += 1
    return null
  }
  const gone = AbortSignal.abort(new ServiceError('workflow_engine_unavailable'))
  const watchOutages = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => work(gone)
  expect(await submitTo({ submit, watchOutages }, 'one-key')).toBe('workflow_engine_unavailable')
  expect(handed).toBe(0)
})

describe('the id of a next attempt', () => {
  const running = (runId: string) => ({ findClaimRun: async () => ({ wallet: WALLET, runId }) })
  const next = () => `${sessionId}:2`
  const runOfSession = async (): Promise<string> => (await getSession(database.rows, sessionId)).runId

  test.each(['claimed', 'submitted', 'rejected'])('names no session while the process of a %s session runs', async (status) => {
    await changeSession({ status })
    const engine = running(await runOfSession())
    expect(await refusal(getOwnSession({ database, engine }, next(), WALLET))).toBe('session_not_found')
    expect(await submitTo(engine, undefined, next())).toBe('session_not_found')
  })

  test.each([':3', ':1', ':0', ':02', ':2:2', ':-2', ':99999999999999999999', ':x'])(
    'is no other than the next one, such as %s',
    async (suffix) => {
      await changeSession({ status: 'expired' })
      const engine = running('another run')
      expect(await refusal(getOwnSession({ database, engine }, `${sessionId}${suffix}`, WALLET))).toBe('session_not_found')
      expect(await submitTo(engine, undefined, `${sessionId}${suffix}`)).toBe('session_not_found')
    },
  )

  test('is not that of another wallet, whose process runs', async () => {
    await changeSession({ status: 'expired' })
    const engine = { findClaimRun: async () => ({ wallet: `0x${'d'.repeat(40)}`, runId: 'another run' }) }
    expect(await refusal(getOwnSession({ database, engine }, next(), WALLET))).toBe('session_not_found')
  })

  test('names the pending claim while a process without a session runs', async () => {
    await changeSession({ status: 'expired' })
    const engine = running('another run')
    expect(await getOwnSession({ database, engine }, next(), WALLET)).toMatchObject({ sessionId: next(), stage: 'admitting' })
    expect(await submitTo(engine, undefined, next())).toBe('claim_in_progress')
  })
})
