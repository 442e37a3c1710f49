import type { Settings } from './settings.ts'

/** Time of the service: that of this machine, or on the local stack that of its clock, which can be moved. */
export interface ServiceClock {
  now(): Promise<number>
  /** Moves the time of the local stack to an expression such as `+1d`. Absent where the time is real. */
  move?: (to: string) => Promise<{ ok: true } | { ok: false; detail: string }>
}

const TIMEOUT_MS = 2_000
const MOVE_TIMEOUT_MS = 120_000
/** Time for which the distance between both clocks is taken as it was. */
const KEPT_MS = 1_000

export const createServiceClock = ({ LOCAL_TIME_URL: base, LOCAL_TIME_SECRET: secret }: Settings): ServiceClock => {
  if (base === undefined) return { now: async () => Date.now() }
  const url = `${base}/time`
  const headers = { authorization: `Bearer ${secret ?? ''}`, 'content-type': 'application/json' }
  let aheadMs = 0
  let readAt = Number.NEGATIVE_INFINITY
  const read = async (): Promise<void> => {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { service } = (await response.json()) as { service?: unknown }
    const at = Date.parse(String(service))
    if (!Number.isNaN(at)) aheadMs = at - Date.now()
  }
  return {
    now: async () => {
      if (performance.now() - readAt > KEPT_MS) {
        readAt = performance.now()
        // A stack that does not answer leaves the last distance: the pages say what the API answers in any case.
        await read().catch(() => undefined)
      }
      return Date.now() + aheadMs
    },
    move: async (to) => {
      const request = { method: 'POST', headers, body: JSON.stringify({ to }), signal: AbortSignal.timeout(MOVE_TIMEOUT_MS) }
      const response = await fetch(url, request).catch(() => null)
      readAt = Number.NEGATIVE_INFINITY
      if (response === null)
        return { ok: false, detail: 'The stack did not answer in time. It may still move: look at the time before you try again.' }
      if (response.ok) return { ok: true }
      const { detail } = (await response.json().catch(() => ({}))) as { detail?: unknown }
      return { ok: false, detail: typeof detail === 'string' ? detail : 'The time was not moved.' }
    },
  }
}
