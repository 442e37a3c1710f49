import { ServiceError } from '../../schemas/errors.ts'

const RETRY_SECONDS = 5

interface Limits {
  all: number
  perKey: number
  /** What a key is, as the refusal names it. */
  keyName: 'address' | 'wallet'
}

/** Counts what is open, in all and by key; a null key counts nothing. `open` throws 503 `too_many_waits` above a limit. */
export const createOpenCounter = ({ all: limit, perKey, keyName }: Limits) => {
  const byKey = new Map<string, number>()
  let all = 0
  return {
    open(key: string | null): void {
      if (key === null) return
      const own = byKey.get(key) ?? 0
      if (all >= limit || own >= perKey)
        throw new ServiceError('too_many_waits', { retryAfterSeconds: RETRY_SECONDS, reason: all >= limit ? 'service' : keyName })
      byKey.set(key, own + 1)
      all += 1
    },
    close(key: string | null): void {
      if (key === null) return
      const own = (byKey.get(key) ?? 1) - 1
      if (own === 0) byKey.delete(key)
      else byKey.set(key, own)
      all -= 1
    },
  }
}
