import { createPublicKey, type KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyRecord } from '../../activities/identity/key-records.ts'
import { jwkOf } from '../../activities/identity/signing-keys.ts'

/** A record that is older is read again; a token with an unknown key waits as long at most. */
const RECORDS_MS = 1_000

interface RecordsDeps {
  /** Reads the records of all token keys. */
  read: () => Promise<KeyRecord[]>
  pause?: (ms: number) => Promise<unknown>
}

interface Reading {
  startedAt: number
  records: Promise<KeyRecord[]>
}

/**
 * Records of the token keys for the verification of tokens. A reading serves a second. Tokens that name an unknown key share the next
 * reading, so any number of them costs one query a second, and a key that another process has just recorded is found.
 */
export const createTokenKeyRecords = ({ read, pause = (ms) => sleep(ms, undefined, { ref: false }) }: RecordsDeps) => {
  const publicKeys = new Map<string, KeyObject>()
  let last: Reading | null = null
  let next: Promise<Reading> | null = null

  const start = (): Reading => {
    const reading = { startedAt: performance.now(), records: read() }
    last = reading
    reading.records.catch(() => {
      if (last === reading) last = null
    })
    return reading
  }
  const recent = (): Reading => (last !== null && performance.now() - last.startedAt < RECORDS_MS ? last : start())
  const awaitNext = ({ startedAt }: Reading): Promise<Reading> => {
    next ??= pause(Math.max(0, startedAt + RECORDS_MS - performance.now())).then(() => {
      next = null
      return start()
    })
    return next
  }
  const findIn = async ({ records }: Reading, kid: string): Promise<KeyRecord | undefined> =>
    (await records).find((record) => record.kid === kid)

  const find = async (kid: string): Promise<KeyRecord | undefined> => {
    const askedAt = performance.now()
    const reading = recent()
    const found = await findIn(reading, kid)
    return found !== undefined || reading.startedAt >= askedAt ? found : findIn(await awaitNext(reading), kid)
  }

  return {
    find,
    /** The public half of a recorded key. */
    publicKey: (record: KeyRecord): KeyObject => {
      const known = publicKeys.get(record.kid) ?? createPublicKey({ key: jwkOf(record), format: 'jwk' })
      publicKeys.set(record.kid, known)
      return known
    },
    /** The next token is verified with records that are read after this call. */
    forget: (): void => {
      last = null
    },
  }
}
export type TokenKeyRecords = ReturnType<typeof createTokenKeyRecords>
