import { createPrivateKey, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals'
import { decodeProtectedHeader, SignJWT } from 'jose'
import { insertAuthSession } from '../../../activities/identity/auth-sessions.ts'
import { replaceKeyFile } from '../../../activities/identity/key-files.ts'
import { listKeyRecords } from '../../../activities/identity/key-records.ts'
import { type Rotation, retireTokenKey, rotateKey } from '../../../activities/identity/key-rotation.ts'
import { createDocumentSigner, createKeySource } from '../../../activities/identity/signing-keys.ts'
import { createTokenKeyRecords } from '../../../api/identity/token-keys.ts'
import { type Api, accounts, makePem, signIn, startApi, tokenOf } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { verifyDetached } from '../../support/signed-documents.ts'
import { useStarted } from '../../support/started.ts'
import { openStream } from '../support/event-stream.ts'

const DAY_MS = 86_400_000
const directory = mkdtempSync(join(tmpdir(), 'key-rotation-'))
const keyFile = join(directory, 'jwt.pem')
const receiptFile = join(directory, 'receipt.pem')
afterAll(() => rmSync(directory, { recursive: true, force: true }))
for (const path of [keyFile, receiptFile]) writeFileSync(path, makePem())

const startProcesses = async () => {
  const { url: databaseUrl, drop } = await createTestDatabase()
  const wide = { limit: 9999 }
  const settings = {
    JWT_KEY: '',
    JWT_KEY_FILE: keyFile,
    RECEIPT_KEY_FILE: receiptFile,
    // A ping would end the stream of an ended key too, but later than a test lasts.
    EVENT_PING_SECONDS: '60',
    RATE_LIMITS: JSON.stringify({ auth_nonce: wide, auth_verify: wide, auth_refresh: wide }),
  }
  const one = await startApi({ databaseUrl, settings })
  return { one, two: await startApi({ databaseUrl, settings }), drop }
}
/** Two processes with one database and one key file. */
const processes = useStarted(startProcesses, async ({ one, two, drop }) => {
  await Promise.all([one.close(), two.close()])
  await drop()
})
const both = (): Api[] => [processes.one, processes.two]
const rows = () => processes.one.deps.database.rows
const { worker } = accounts

const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? ''
/** What each process answers to a token: its code, or 200. */
const answersTo = async (token: string): Promise<(string | number)[]> =>
  Promise.all(
    both().map(async (api) => {
      const { status, body } = await api.call('/auth/session', { token })
      return body.code ?? status
    }),
  )
const rotate = async (purpose: 'jwt' | 'receipt' = 'jwt', retireNow = false): Promise<Rotation> => {
  const rotation = await rotateKey(processes.one.deps, purpose, { retireNow })
  if (typeof rotation === 'string') throw new Error(rotation)
  return rotation
}
const keySet = async (api = processes.one) => (await api.call('/.well-known/jwks.json')).body
const kids = async (): Promise<string[]> => (await keySet()).keys.map(({ kid }: { kid: string }) => kid)
const setClocks = (at: number | null): void => {
  for (const api of both()) api.clock.at = at
}
/** Lets both processes read the keys anew, which they would do within a second. */
const forget = (): void => {
  for (const api of both()) api.deps.tokens.forgetKeys()
}
/** A wallet's token of an instant (epoch ms), signed with any key. */
const forge = async (pem: string, kid: string, { at }: { at: number }): Promise<string> => {
  const [iat, sid, jti, subject] = [Math.floor(at / 1000), randomUUID(), randomUUID(), worker.address.toLowerCase()]
  const times = { signedInAt: iat * 1000, issuedAt: iat * 1000, expiresAt: iat * 1000 + DAY_MS }
  await insertAuthSession(rows(), { id: sid, subject, lastJti: jti, network: '198.51.100.0/24', ...times })
  return new SignJWT({ roles: [], sid, auth_time: iat })
    .setProtectedHeader({ alg: 'ES256', typ: 'service-auth+jwt', kid })
    .setIssuer('agent-work-service')
    .setAudience('agent-work-service')
    .setSubject(subject)
    .setIssuedAt(iat)
    .setNotBefore(iat)
    .setExpirationTime(iat + 86_400)
    .setJti(jti)
    .sign(createPrivateKey(pem))
}

beforeEach(() => setClocks(null))

describe('a rotation of the token key', () => {
  test('keeps every token of before, during and after it good at both processes', async () => {
    const before = await tokenOf(processes.one, worker)
    const during = both().flatMap((api) => Array.from({ length: 10 }, () => tokenOf(api, worker)))
    const { record, retired } = await rotate()
    const tokens = [before, ...(await Promise.all(during)), ...(await Promise.all(both().map((api) => tokenOf(api, worker))))]
    for (const token of tokens) expect(await answersTo(token)).toEqual([200, 200])
    expect(retired?.kid).toBe(kidOf(before))
    expect(tokens.slice(-2).map(kidOf)).toEqual([record.kid, record.kid])
    expect(new Set(tokens.map(kidOf))).toEqual(new Set([retired?.kid, record.kid]))
  })

  test('lists both keys with their windows, and no private part, at both processes', async () => {
    const { record, retired } = await rotate()
    for (const api of both()) {
      const listed = (await keySet(api)).keys.slice(-2)
      expect(listed).toMatchObject([
        { kid: retired?.kid, retiredAt: new Date(record.validFrom).toISOString() },
        { kid: record.kid, validFrom: new Date(record.validFrom).toISOString(), retiredAt: null },
      ])
      for (const key of listed) expect(key).not.toHaveProperty('d')
    }
  })

  test('happens as well when a file is put in place, and the other process accepts the first token at once', async () => {
    expect(await answersTo(await tokenOf(processes.two, worker))).toEqual([200, 200])
    const [last] = (await kids()).slice(-1)
    await replaceKeyFile(keyFile, makePem())
    const token = await tokenOf(processes.one, worker)
    expect(kidOf(token)).not.toBe(last)
    expect(await answersTo(token)).toEqual([200, 200])
  })

  test('leaves a file that its owner alone can read', async () => {
    writeFileSync(keyFile, makePem(), { mode: 0o644 })
    const before = readFileSync(keyFile, 'utf8')
    await rotate()
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(keyFile, 'utf8')).not.toBe(before)
  })

  test('records nothing when the file cannot be replaced', async () => {
    const records = await listKeyRecords(rows(), 'jwt')
    const settings = { ...processes.one.deps.settings, JWT_KEY_FILE: join(directory, 'none') }
    await expect(rotateKey({ ...processes.one.deps, settings }, 'jwt', { retireNow: true })).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await listKeyRecords(rows(), 'jwt')).toEqual(records)
  })
})

describe('a token', () => {
  test('is refused when it is dated outside the window of its key by more than the clock difference', async () => {
    const oldPem = readFileSync(keyFile, 'utf8')
    await tokenOf(processes.one, worker)
    const { record, retired } = await rotate()
    const newPem = readFileSync(keyFile, 'utf8')
    const turn = Math.floor(record.validFrom / 1000) * 1000
    setClocks(turn + 3_600_000)
    forget()
    const cases: [string, string, number, string | number][] = [
      [oldPem, retired?.kid ?? '', turn + 60_000, 200],
      [oldPem, retired?.kid ?? '', turn + 62_000, 'claims_mismatch'],
      [newPem, record.kid, turn - 59_000, 200],
      [newPem, record.kid, turn - 62_000, 'claims_mismatch'],
    ]
    for (const [pem, kid, at, code] of cases)
      expect([at - turn, await answersTo(await forge(pem, kid, { at }))]).toEqual([at - turn, [code, code]])
  })

  test('of a retired key is good for 30 days and no longer, and then the key set drops the key', async () => {
    const pem = readFileSync(keyFile, 'utf8')
    const [iat, sub] = [Math.floor(Date.now() / 1000), worker.address.toLowerCase()]
    const service = { sub, grantId: `grant-${'a'.repeat(12)}`, scope: null, iat, exp: iat + 30 * 86_400 }
    const { token } = await processes.one.deps.tokens.issueService(service)
    const { retired } = await rotate()
    const { kid = '', retiredAt } = retired ?? {}
    expect(kidOf(token)).toBe(kid)
    const end = Number(retiredAt) + 30 * DAY_MS
    setClocks(end - 1)
    expect(await processes.two.deps.tokens.verify(token, end - 1)).toMatchObject({ sub, kind: 'service' })
    expect(await kids()).toContain(kid)
    setClocks(end)
    forget()
    await expect(processes.two.deps.tokens.verify(token, end)).rejects.toMatchObject({ code: 'unknown_kid' })
    expect(await answersTo(await forge(pem, kid, { at: end }))).toEqual(['unknown_kid', 'unknown_kid'])
    expect(await kids()).not.toContain(kid)
  })

  test('of an older key is refused by both processes after a rotation that ends older keys, and its open stream ends', async () => {
    const [oldest, older] = [await tokenOf(processes.one, worker), (await rotate()) && (await tokenOf(processes.two, worker))]
    for (const token of [oldest, older]) expect(await answersTo(token)).toEqual([200, 200])
    const stream = await openStream(`${processes.two.url}/events`, { token: older })
    await stream.until(() => stream.frames.length > 0)
    const { record, ended } = await rotate('jwt', true)
    await stream.ended
    expect(ended).toEqual(expect.arrayContaining([kidOf(oldest), kidOf(older)]))
    processes.one.deps.tokens.forgetKeys()
    for (const token of [oldest, older]) expect(await answersTo(token)).toEqual(['unknown_kid', 'unknown_kid'])
    expect((await kids()).filter((kid) => kid.startsWith('jwt'))).toEqual([record.kid])
    expect(await answersTo(await tokenOf(processes.two, worker))).toEqual([200, 200])
  })

  test('of one retired key is refused after that key alone was ended; a current key is not ended', async () => {
    const token = await tokenOf(processes.one, worker)
    expect(await retireTokenKey(processes.one.deps, kidOf(token))).toBe(false)
    await rotate()
    expect(await retireTokenKey(processes.one.deps, kidOf(token))).toBe(true)
    forget()
    expect(await answersTo(token)).toEqual(['unknown_kid', 'unknown_kid'])
  })
})

describe('tokens that name an unknown key', () => {
  test('are refused', async () => {
    expect(await answersTo(await forge(makePem(), 'jwt-999', { at: Date.now() }))).toEqual(['unknown_kid', 'unknown_kid'])
  })

  test('cost one reading for any number of them, which finds a key that was recorded meanwhile', async () => {
    let readings = 0
    const pauses: (() => void)[] = []
    const records = createTokenKeyRecords({
      read: () => {
        readings += 1
        return listKeyRecords(rows(), 'jwt')
      },
      pause: () => new Promise<void>((resolve) => void pauses.push(resolve)),
    })
    expect(await records.find('jwt-998')).toBeUndefined()
    const asked = Array.from({ length: 50 }, (_, place) => records.find(`jwt-${1_000 + place}`))
    const next = `jwt-${(await listKeyRecords(rows(), 'jwt')).length + 1}`
    const wanted = records.find(next)
    const { record } = await rotate()
    await new Promise(setImmediate)
    expect([readings, pauses.length, record.kid]).toEqual([1, 1, next])
    for (const resume of pauses) resume()
    expect((await wanted)?.kid).toBe(next)
    expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]))
    expect(readings).toBe(2)
  })
})

describe('a token key file', () => {
  const logged = (text: string): number => processes.one.log.filter((line) => line.includes(text)).length

  test('that cannot be read leaves the last key in use, and the log says so once', async () => {
    const stored = readFileSync(keyFile, 'utf8')
    const kid = kidOf(await tokenOf(processes.one, worker))
    for (const broken of ['', 'no key', stored.slice(0, 60)]) {
      writeFileSync(keyFile, broken)
      expect(kidOf(await tokenOf(processes.one, worker))).toBe(kid)
    }
    rmSync(keyFile)
    const earlier = logged('the token key cannot be read')
    for (const _ of [1, 2, 3]) expect(kidOf(await tokenOf(processes.one, worker))).toBe(kid)
    expect(logged('the token key cannot be read') - earlier).toBe(1)
    writeFileSync(keyFile, stored)
    expect(kidOf(await tokenOf(processes.one, worker))).toBe(kid)
    expect(logged('is read from its file again')).toBe(1)
  })

  test('with a retired key signs within the clock difference, and then no token is issued', async () => {
    const stored = readFileSync(keyFile, 'utf8')
    await tokenOf(processes.one, worker)
    const { record } = await rotate()
    const current = readFileSync(keyFile, 'utf8')
    writeFileSync(keyFile, stored)
    setClocks(record.validFrom + 50_000)
    expect(await answersTo(await tokenOf(processes.one, worker))).toEqual([200, 200])
    setClocks(record.validFrom + 62_000)
    const refused = await signIn(processes.one, worker)
    expect([refused.status, refused.body.code]).toEqual([503, 'token_key_unavailable'])
    writeFileSync(keyFile, current)
    expect(kidOf(await tokenOf(processes.one, worker))).toBe(record.kid)
  })
})

describe('a rotation of the key of badges and receipts', () => {
  test('leaves every document of before and after it good for a reader offline', async () => {
    const { database, clock, settings } = processes.one.deps
    const sign = createDocumentSigner({ database, clock, readKey: createKeySource(settings) })
    const documents: { place: number; signature: Awaited<ReturnType<typeof sign>> }[] = []
    for (const place of [0, 1, 2]) {
      const signing = Array.from({ length: 20 }, async () => documents.push({ place, signature: await sign({ place }) }))
      await Promise.all([...signing, place === 0 ? undefined : rotate('receipt')])
    }
    const saved = await keySet()
    for (const document of documents) await verifyDetached(document, saved)
    expect(new Set(documents.map(({ signature }) => signature.kid)).size).toBeGreaterThan(1)
    const tokenKid = (await kids()).find((kid) => kid.startsWith('jwt'))
    expect(documents.some(({ signature }) => signature.kid === tokenKid)).toBe(false)
  })
})
