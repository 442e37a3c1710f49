// Calls of the storm's callers, by the API that takes them, so that a kill can choose an API with an open call.

import type { Random } from '../crash/random.ts'
import type { Reply } from '../e2e/support/http.ts'
import { eventually } from '../support/eventually.ts'
import type { ApiMember } from '../support/fleet/fleet.ts'
import { sleep } from './sleep.ts'

interface Call {
  text: string
  api: ApiMember
  /** Whether its API was asked to end while the call was open. */
  isEnding: boolean
}

export interface Sent {
  token: string
  body?: object
  headers?: Record<string, string>
}

/** A call that an API took and did not answer; a refused connection was not taken. */
const isCut = (error: unknown): boolean => (error as { cause?: { code?: string } }).cause?.code !== 'ECONNREFUSED'

/** Pause before a call is repeated, seconds. */
const REPEAT_SECONDS = 0.15

export type Traffic = ReturnType<typeof createTraffic>

export const createTraffic = (apis: readonly ApiMember[], random: Random) => {
  const open = new Set<Call>()
  const unlisted = new Set<ApiMember>()
  /** Calls that an API took and did not answer though it was asked to end in order. */
  const lost: string[] = []
  let cut = 0

  const choose = (): ApiMember => {
    const listed = apis.filter((api) => !unlisted.has(api))
    const chosen = listed[Math.floor(random() * listed.length)]
    if (chosen === undefined) throw new Error('no API is listed')
    return chosen
  }

  /** Sends a call to an API by chance; null without an answer. */
  const send = async (path: string, { token, body, headers }: Sent): Promise<Reply | null> => {
    const api = choose()
    const call: Call = { text: `${body === undefined ? 'GET' : 'POST'} ${path.split('?')[0]}`, api, isEnding: false }
    open.add(call)
    try {
      const response = await fetch(`${api.base}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
    } catch (error) {
      if (isCut(error)) cut += 1
      if (isCut(error) && call.isEnding) lost.push(`${call.text} at ${api.name}`)
      return null
    } finally {
      open.delete(call)
    }
  }

  return {
    send,
    /** Repeats a call until `isFinal` holds for its answer; fails with an answer that is not to be repeated. */
    settle: (path: string, sent: Sent, isFinal: (reply: Reply) => boolean = ({ status }) => status === 200): Promise<Reply> =>
      eventually(
        path,
        async () => {
          const reply = await send(path, sent)
          if (reply !== null && isFinal(reply)) return reply
          const isRepeated = reply === null || reply.status < 300 || reply.body.retryable === true
          if (!isRepeated) throw new Error(`${path} is refused: ${reply.text.slice(0, 500)}`)
          await sleep(REPEAT_SECONDS)
          return null
        },
        (reply) => reply !== null,
      ) as Promise<Reply>,
    /** A call that is open at an API. */
    openAt: (api: ApiMember): string | undefined => [...open].find((call) => call.api === api)?.text,
    /** APIs that take new calls. */
    listed: (): readonly ApiMember[] => apis.filter((api) => api.isUp() && !unlisted.has(api)),
    /** Lets an API end while it gets no new calls; its open ones must be answered. */
    without: async <T>(api: ApiMember, act: () => Promise<T>): Promise<T> => {
      unlisted.add(api)
      for (const call of open) if (call.api === api) call.isEnding = true
      try {
        return await act()
      } finally {
        unlisted.delete(api)
      }
    },
    lost: (): readonly string[] => lost,
    cut: (): number => cut,
  }
}
