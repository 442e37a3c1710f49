import { beforeAll, describe, expect, jest, test } from '@jest/globals'
import type { KyselyPlugin } from 'kysely'
import type { Hex } from 'viem'
import { moveSession } from '../../../activities/sessions/records.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createSessionHandlers } from '../../../api/sessions/handlers.ts'
import { createWaits } from '../../../api/sessions/waits.ts'
import { createVerificationHandlers } from '../../../api/verification/handlers.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import { getSession } from '../../../schemas/sessions/operations.ts'
import { getVerificationResult } from '../../../schemas/verification/operations.ts'
import { eventually } from '../../support/eventually.ts'
import { useStarted } from '../../support/started.ts'
import { BASE_URL, inputOf, NOW, openOwnDatabase, worker as WORKER } from '../support/account-world.ts'
import { listJob } from '../support/listed-job.ts'
import { addSession, addSessionOf } from '../support/work-rows.ts'

const own = useStarted(openOwnDatabase, ({ close }) => close())
const setVersion = (version: number, sessionId: string) =>
  own.database.rows.updateTable('session').set({ version }).where('sessionId', '=', sessionId).execute()
let sessions: string[] = []
/** A session that can be shown. */
let shown = ''
beforeAll(async () => {
  const { database } = own
  const jobs = Array.from({ length: 20 }, (_, index) => `waited-for-${index}`)
  sessions = await Promise.all(jobs.map((jobId) => addSession(database, WORKER, jobId, NOW)))
  const { jobId, jobSnapshot } = await listJob(database, 'shown')
  const evidence = { claimFeeRetainedOnSuccess: false, gasRetainedRaw: '50000', submitFailedAt: null }
  shown = await addSessionOf(database, WORKER, jobId, NOW, { jobSnapshot, evidence })
})

let statements = 0
const counting: KyselyPlugin = {
  transformQuery: ({ node }) => {
    statements += 1
    return node
  },
  transformResult: async ({ result }) => result,
}

/** Notifies its listeners of new events at each call of `announce`. */
const createEventSource = () => {
  const listeners = new Set<() => void>()
  const onNewEvents = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const announce = () => {
    for (const listener of listeners) listener()
  }
  return { events: { onNewEvents }, listeners, announce }
}

const start = ({
  plugin = counting,
  lookMs = 1_000,
  ...limits
}: {
  all?: number
  own?: number
  wallet?: number
  lookMs?: number
  plugin?: KyselyPlugin
} = {}) => {
  const settings = {
    OPEN_WAITS: limits.all ?? 1_000,
    OPEN_WAITS_PER_WALLET: limits.wallet ?? 1_000,
    OPEN_WAITS_PER_ADDRESS: limits.own ?? 1_000,
  }
  const { events, ...source } = createEventSource()
  const wait = createWaits({ database: { rows: own.database.rows.withPlugin(plugin) }, events, settings, lookMs })
  const request = (ip: string, seconds: number, signal = new AbortController().signal, wallet: string | null = null) => ({
    holder: { wallet, ip },
    seconds,
    signal,
  })
  return { wait, request, ...source }
}

const reasonOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work
  } catch (error) {
    if (!isServiceError(error)) throw error
    return [error.code, error.info.reason, error.info.retryAfterSeconds]
  }
}

const never = () => false
/** So long that only an event leads to a read. */
const NO_LOOK_MS = 3_600_000
/** Answers 200 when its client leaves. */
const asking = <Spec extends Parameters<typeof inputOf>[0]>(spec: Spec, signal: AbortSignal, wallet?: Hex) => {
  const input = inputOf(spec, { query: { sessionId: shown, waitSeconds: '20' }, ...(wallet && { wallet }) })
  return { ...input, request: { ...input.request, signal } }
}

describe('waits for changes', () => {
  test('share one read, however many callers and sessions there are', async () => {
    const { wait, request, listeners } = start({ lookMs: 60 })
    statements = 0
    const waiting = Array.from({ length: 600 }, (_, index) => wait(sessions[index % 20] ?? '', request('a', 20), () => statements === 3))
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['change']))
    await eventually('no wait reads', () => listeners.size === 0)
    expect(statements).toBe(3)
  })

  test('end for the session that has changed, and for no other', async () => {
    const { wait, request } = start()
    const [changed = '', same = ''] = sessions
    const gone = new AbortController()
    const waitFor = (sessionId: string) => wait(sessionId, request('a', 20, gone.signal), ({ version }) => version?.version !== 0)
    await Promise.all([changed, same].map((session) => setVersion(0, session)))
    const [first, second, other] = [waitFor(changed), waitFor(changed), waitFor(same)]
    await setVersion(1, changed)
    expect(await Promise.all([first, second])).toEqual(['change', 'change'])
    gone.abort()
    expect(await other).toBe('client')
  })

  test('end at the event of a change, and listen to none without a wait', async () => {
    const { wait, request, listeners, announce } = start({ lookMs: NO_LOOK_MS })
    const [session = ''] = sessions
    await setVersion(0, session)
    const ended = wait(session, request('a', 20), ({ version }) => version?.version !== 0)
    await setVersion(1, session)
    announce()
    expect(await ended).toBe('change')
    await eventually('no wait listens', () => listeners.size === 0)
  })

  test('are bounded for each address and in all; a wait that ends makes room', async () => {
    const { wait, request } = start({ own: 2, all: 3 })
    const session = sessions[0] ?? ''
    const [gone, others] = [new AbortController(), new AbortController()]
    const open = [wait(session, request('a', 20, others.signal), never), wait(session, request('a', 20, gone.signal), never)]
    expect(await reasonOf(wait(session, request('a', 1), never))).toEqual(['too_many_waits', 'address', 5])
    open.push(wait(session, request('b', 20, others.signal), never))
    expect(await reasonOf(wait(session, request('b', 1), never))).toEqual(['too_many_waits', 'service', 5])
    gone.abort()
    expect(await open[1]).toBe('client')
    expect(await wait(session, request('a', 0.1), never)).toBe('time')
    others.abort()
    await Promise.all(open)
    await Promise.all(['c', 'c', 'd'].map((ip) => wait(session, request(ip, 0.1), never)))
  })

  test('are bounded for each wallet too, from whatever address it asks', async () => {
    const { wait, request } = start({ wallet: 2 })
    const session = sessions[0] ?? ''
    const gone = new AbortController()
    const open = ['a', 'b'].map((ip) => wait(session, request(ip, 20, gone.signal, 'one'), never))
    expect(await reasonOf(wait(session, request('c', 1, undefined, 'one'), never))).toEqual(['too_many_waits', 'wallet', 5])
    expect(await wait(session, request('a', 0.1, undefined, 'two'), never)).toBe('time')
    expect(await wait(session, request('a', 0.1), never)).toBe('time')
    gone.abort()
    await Promise.all(open)
  })

  test.each([
    ['GET /session', (deps: ApiDeps, signal: AbortSignal) => createSessionHandlers(deps).getSession(asking(getSession, signal, WORKER))],
    [
      'GET /verifier/result',
      (deps: ApiDeps, signal: AbortSignal) => createVerificationHandlers(deps).getVerificationResult(asking(getVerificationResult, signal)),
    ],
  ])('of %s are counted for the address of their caller', async (_route, read) => {
    const { wait, request } = start({ own: 1 })
    const deps = { database: own.database, waits: wait, clock: { now: () => NOW }, baseUrl: BASE_URL } as unknown as ApiDeps
    const gone = new AbortController()
    const both = [read(deps, gone.signal), read(deps, gone.signal)].map(reasonOf)
    expect(await Promise.race(both)).toEqual(['too_many_waits', 'address', 5])
    await wait(shown, request('another address', 0.1), never)
    gone.abort()
    expect(await Promise.all(both)).toContainEqual(expect.objectContaining({ status: 200 }))
  })

  test('are not begun by a reader of a session that has ended', async () => {
    const { jobId, jobSnapshot } = await listJob(own.database, 'ended')
    const evidence = { claimFeeRetainedOnSuccess: false, gasRetainedRaw: '50000', submitFailedAt: null }
    const ended = await addSessionOf(own.database, WORKER, jobId, NOW, { jobSnapshot, evidence })
    const move = { sessionId: ended, to: 'expired', reason: 'claim_expired', at: NOW, metadata: {} } as const
    await own.database.transaction((rows) => moveSession(rows, move))
    const waits = jest.fn()
    const deps = { database: own.database, waits, clock: { now: () => NOW }, baseUrl: BASE_URL } as unknown as ApiDeps
    const input = inputOf(getSession, { query: { sessionId: ended, waitSeconds: '20' }, wallet: WORKER })
    expect((await createSessionHandlers(deps).getSession(input)).body).toMatchObject({ status: 'expired' })
    expect(waits).not.toHaveBeenCalled()
  })

  test('fail with the records', async () => {
    const failing: KyselyPlugin = {
      transformQuery: () => {
        throw new Error('the records are away')
      },
      transformResult: async ({ result }) => result,
    }
    const { wait, request } = start({ plugin: failing, own: 1 })
    for (const _again of [1, 2]) await expect(wait(sessions[0] ?? '', request('a', 5), never)).rejects.toThrow('the records are away')
  })
})
