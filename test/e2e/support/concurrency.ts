// Many equal requests at the same moment, half of them at each of two APIs.
import { untilFinal } from '../../support/eventually.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'
import type { Reply } from './http.ts'

/** Even, as two contents share them. */
const REQUESTS_PER_API = 4
const APIS = 2
/** A service refuses a repeated request only after this wait; a little less than the wait itself, for clocks that differ. */
const REPEAT_WAITS_MS = 4_500

export interface Call {
  path: string
  body: object
  token: string | undefined
  key: string | undefined
}

const send = (world: FleetWorld, index: number, { path, body, token, key }: Call): Promise<Reply> =>
  world.apiAt(index).call(path, { body, token, ...(key !== undefined && { headers: { 'idempotency-key': key } }) })

/** Whether the service refused a repeated request after the wait that the rules state: the caller may send it again. */
const waitedInVain = (reply: Reply, tookMs: number): boolean => reply.body?.code === 'idempotency_key_in_flight' && tookMs > REPEAT_WAITS_MS

/** Whether the service or its node has too much to do and decided nothing. */
const isBusy = ({ status, body }: Reply): boolean => body?.retryable === true && (status === 503 || body.code === 'blockchain_unavailable')

/** Codes, beside a 202, after which a caller repeats its request. */
export interface Patience {
  codes: readonly string[]
}
const NONE: Patience = { codes: [] }

/** Repeats a request until its answer is none of these: 202, a busy service, a repeated request that waited, a code of `Patience`. */
export const finalAnswer = (world: FleetWorld, index: number, call: Call, { codes }: Patience = NONE): Promise<Reply> => {
  let tookMs = 0
  const sendTimed = async (): Promise<Reply> => {
    const began = performance.now()
    const reply = await send(world, index, call)
    tookMs = performance.now() - began
    return reply
  }
  const isFinal = (reply: Reply): boolean =>
    reply.status !== 202 && !waitedInVain(reply, tookMs) && !codes.includes(reply.body?.code) && !isBusy(reply)
  return untilFinal(`${call.path} is decided`, sendTimed, isFinal)
}

/** Final answers of a crowd; `callOf` gives the request of caller number `index` at each API. */
export const crowd = (world: FleetWorld, callOf: (index: number) => Call, patience?: Patience): Promise<Reply[]> =>
  Promise.all(
    Array.from({ length: REQUESTS_PER_API * APIS }, (_, index) => finalAnswer(world, index, callOf(Math.floor(index / APIS)), patience)),
  )

export const isReplay = ({ headers }: Reply): boolean => headers.get('idempotent-replayed') === 'true'

/** The body byte for byte, or without the members that only one of several equal answers has. */
const comparable = ({ text, body }: Reply, shownOnce: readonly string[]): string =>
  shownOnce.length === 0 ? text : JSON.stringify(Object.entries(body).filter(([name]) => !shownOnce.includes(name)))

/** Each different answer once: status and body, or status and code of a problem. */
export const distinct = (replies: readonly Reply[], shownOnce: readonly string[] = []): string[] => [
  ...new Set(replies.map((reply) => `${reply.status} ${reply.status < 300 ? comparable(reply, shownOnce) : reply.body.code}`)),
]
