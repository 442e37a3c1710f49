// Many equal requests at the same moment, half of them at each of two doors.

import type { FleetWorld } from '../../support/fleet/world.ts'
import type { Reply } from './http.ts'

/** Even, as two contents share them. */
const TWINS_PER_DOOR = 4
const DOORS = 2
/** A twin is sent away only after it has waited; a little less than the wait itself, for clocks that differ. */
const TWIN_WAITS_MS = 4_500

export interface Call {
  path: string
  body: object
  token: string | undefined
  key: string | undefined
}

const send = (world: FleetWorld, door: number, { path, body, token, key }: Call): Promise<Reply> =>
  world.apiAt(door).call(path, { body, token, ...(key !== undefined && { headers: { 'idempotency-key': key } }) })

/** A twin that waited as long as the rules say may be sent away, and come again. */
const waitedInVain = (reply: Reply, tookMs: number): boolean => reply.body?.code === 'idempotency_key_in_flight' && tookMs > TWIN_WAITS_MS

/** A service that has too much to do, or whose node has, decides nothing, and says so. */
const isBusy = ({ status, body }: Reply): boolean => body?.retryable === true && (status === 503 || body.code === 'blockchain_unavailable')

/** Answers a caller may be told to come back after, beside a 202. */
export interface Patience {
  codes: readonly string[]
}
const NONE: Patience = { codes: [] }

/** Far more than a loaded machine needs, and an end for a service that only says “later”. */
const MOST_REPEATS = 60

/** Repeats what is not final: 202, a busy service, a twin that waited in vain, and what the caller is patient with. Any other answer is the answer. */
export const finalAnswer = async (world: FleetWorld, door: number, call: Call, { codes }: Patience = NONE): Promise<Reply> => {
  for (let busy = 0; ; busy += 1) {
    if (busy > MOST_REPEATS) throw new Error(`${call.path} does not come to an answer`)
    const began = performance.now()
    const reply = await send(world, door, call)
    const sentAway = waitedInVain(reply, performance.now() - began) || codes.includes(reply.body?.code)
    if (reply.status !== 202 && !sentAway && !isBusy(reply)) return reply
    await new Promise((done) => setTimeout(done, (reply.body.retryAfterSeconds ?? 1) * 1000))
  }
}

/** Final answers of a crowd; caller number `index` at each door says what it wants. */
export const crowd = (world: FleetWorld, callOf: (index: number) => Call, patience?: Patience): Promise<Reply[]> =>
  Promise.all(
    Array.from({ length: TWINS_PER_DOOR * DOORS }, (_, index) => finalAnswer(world, index, callOf(Math.floor(index / DOORS)), patience)),
  )

export const isReplay = ({ headers }: Reply): boolean => headers.get('idempotent-replayed') === 'true'

/** What was answered, each once: status and body byte for byte, or status and code of a problem. */
export const distinct = (replies: readonly Reply[]): string[] => [
  ...new Set(replies.map(({ status, text, body }) => (status < 300 ? `${status} ${text}` : `${status} ${body.code}`))),
]
