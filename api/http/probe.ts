import { setTimeout as sleep } from 'node:timers/promises'

/** Result of a probe of something that this process depends on. */
export type Probed<T> = { ok: true; value: T } | { ok: false }

const TIME_OUT_MS = 450
const TRIES = 3

const timeOut = async (): Promise<never> => {
  await sleep(TIME_OUT_MS, undefined, { ref: false })
  throw new Error(`no answer in ${TIME_OUT_MS} ms`)
}

/** Probes up to three times: one failed read does not mark a dependency as down. */
export const probe = async <T>(check: () => Promise<T>, onFailure: (error: unknown) => void): Promise<Probed<T>> => {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    try {
      return { ok: true, value: await Promise.race([check(), timeOut()]) }
    } catch (error) {
      onFailure(error)
    }
  }
  return { ok: false }
}
