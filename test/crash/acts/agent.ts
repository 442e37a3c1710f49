import { types } from 'node:util'
import type { Agent, CallInit, Reply } from '../../e2e/support/http.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'

const GIVE_UP_MS = 150_000
const NO_ANSWER_WAIT_MS = 250
const AGAIN_MS = 100
const IN_WORK = ['claimed', 'submitted']

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** The connection was refused or broke off: nothing is known of what became of the request. */
const gotNoAnswer = (error: unknown): boolean => types.isNativeError(error) && error.name === 'TypeError'

export type PatientAgent = ReturnType<typeof createPatientAgent>

/**
 * An agent that repeats what was not answered, was put off (202) or may be repeated, unchanged and with the same key. An agent with
 * `isRoaming` calls the next API after a broken connection.
 */
export const createPatientAgent = (
  world: FleetWorld,
  agent: Agent,
  { apiIndex: first, isRoaming }: { apiIndex: number; isRoaming: boolean },
) => {
  let apiIndex = first
  const repeated: string[] = []

  const once = async (path: string, init: CallInit): Promise<Reply | undefined> => {
    try {
      return await world.apiAt(apiIndex).call(path, { token: agent.token(), ...init })
    } catch (error) {
      if (!gotNoAnswer(error)) throw error
      if (isRoaming) apiIndex += 1
      return undefined
    }
  }

  /** Signs in again; where nothing answers, the repeated request tries it once more. */
  const renewToken = async (): Promise<void> => {
    try {
      await agent.signInAgain()
    } catch (error) {
      if (!gotNoAnswer(error)) throw error
      await sleep(NO_ANSWER_WAIT_MS)
    }
  }

  /** The first answer that is final. `finalCodes` are those of refusals that ask for more than a repeat. */
  const call = async (path: string, init: CallInit = {}, finalCodes: readonly string[] = []): Promise<Reply> => {
    for (const end = Date.now() + GIVE_UP_MS; Date.now() < end; ) {
      const reply = await once(path, init)
      // Another run has moved time past the token of this one.
      if (reply?.body?.code === 'token_expired') {
        await renewToken()
        continue
      }
      const mayBeRepeated = reply?.body?.retryable === true && !finalCodes.includes(reply.body.code)
      if (reply !== undefined && reply.status !== 202 && !mayBeRepeated) return reply
      repeated.push(reply === undefined ? 'no answer' : `${reply.status} ${reply.body.code ?? reply.body.stage}`)
      await sleep(reply === undefined ? NO_ANSWER_WAIT_MS : 1000 * (reply.body.retryAfterSeconds ?? 1))
    }
    throw new Error(`${path} has no final answer after ${GIVE_UP_MS / 1000} s: ${repeated.slice(-5).join(', ')}`)
  }

  const post = (path: string, key: string, body: unknown): Promise<Reply> => call(path, { body, headers: { 'idempotency-key': key } })

  /** The session once this holds of it. */
  const until = async (sessionId: string, holds: (session: Reply['body']) => boolean): Promise<Reply['body']> => {
    for (const end = Date.now() + GIVE_UP_MS; Date.now() < end; await sleep(AGAIN_MS)) {
      const { status, body } = await call(`/session?sessionId=${encodeURIComponent(sessionId)}&waitSeconds=5`)
      if (status !== 200) throw new Error(`the session is answered with ${status} ${body.code}`)
      if (holds(body)) return body
    }
    throw new Error(`${sessionId} has not come so far after ${GIVE_UP_MS / 1000} s`)
  }

  return {
    account: agent.account,
    /** Index of the API that it calls now. */
    apiIndex: (): number => apiIndex,
    /** What came before the final answers. */
    repeated: (): readonly string[] => repeated,
    call,
    post,
    /** After time has moved. */
    signInAgain: agent.signInAgain,
    claim: (jobId: string, key: string): Promise<Reply> => post('/jobs/claim', key, { jobId }),
    submit: (sessionId: string, key: string, submission: unknown): Promise<Reply> => post('/jobs/submit', key, { sessionId, submission }),

    /** Waits until the worker has no work left on the session, and returns it. */
    untilDecided: (sessionId: string): Promise<Reply['body']> => until(sessionId, ({ status }) => !IN_WORK.includes(status)),
    until,
  }
}
