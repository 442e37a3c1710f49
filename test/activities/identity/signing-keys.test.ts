import { beforeEach, describe, expect, test } from '@jest/globals'
import { loadSigningKey, type SigningKey, signDocument } from '../../../activities/common/document-signing.ts'
import { createCurrentKey, insertCurrentKey, listKeyRecords, lockKeyRecords } from '../../../activities/identity/key-records.ts'
import { createDocumentSigner, createKeySource, findForgery } from '../../../activities/identity/signing-keys.ts'
import { iso } from '../../../domain/common/instants.ts'
import { makePem } from '../../support/api.ts'
import { untilLocksWait } from '../../support/postgres/waiting-locks.ts'
import { useOwnDatabase } from '../support/own-database.ts'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const HOUR = 3_600_000

const own = useOwnDatabase()
let now = NOW
const clock = { now: () => now }
beforeEach(async () => {
  now = NOW
  await own.rows().deleteFrom('signing_key').execute()
})

const signerOf = (key: SigningKey) => createDocumentSigner({ database: own.database(), clock, readKey: async () => key })
const newKey = () => loadSigningKey(makePem(), 'badge')
const records = () => listKeyRecords(own.rows(), 'receipt')
const DOCUMENT = { b: [1, 'two'], a: null }
const signed = async (key: SigningKey, document: object = DOCUMENT) => ({ ...document, signature: await signerOf(key)(document) })

describe('the records of the signing keys', () => {
  test('get the first key as current, and a new key retires it', async () => {
    const [first, second] = [await newKey(), await newKey()]
    await signed(first)
    now += HOUR
    expect((await signed(second)).signature).toMatchObject({ kid: 'badge-2', signedAt: new Date(NOW + HOUR).toISOString() })
    expect(await records()).toMatchObject([
      { kid: 'badge-1', fingerprint: first.fingerprint, validFrom: NOW, retiredAt: NOW + HOUR },
      { kid: 'badge-2', fingerprint: second.fingerprint, validFrom: NOW + HOUR, retiredAt: null },
    ])
  })

  test('get one entry for a key that several processes use for the first time', async () => {
    const key = await newKey()
    const signatures = await Promise.all(Array.from({ length: 6 }, () => signed(key)))
    expect(new Set(signatures.map(({ signature }) => signature.kid))).toEqual(new Set(['badge-1']))
    expect(await records()).toHaveLength(1)
  })

  test('let a retired key sign nothing more', async () => {
    const [first, second] = [await newKey(), await newKey()]
    await signed(first)
    await signed(second)
    await expect(signed(first)).rejects.toMatchObject({ name: 'BlockedStepError', code: 'receipt_key_unavailable' })
  })

  test('let a signer wait for a rotation that has begun: nothing is dated after the end of its key', async () => {
    const [first, second] = [await newKey(), await newKey()]
    await signed(first)
    let file = first
    const sign = createDocumentSigner({ database: own.database(), clock, readKey: async () => file })
    let signing: ReturnType<typeof sign> | undefined
    await own.database().transaction(async (rows) => {
      await lockKeyRecords(rows)
      await insertCurrentKey(rows, 'receipt', second, clock)
      now += HOUR
      signing = sign(DOCUMENT)
      await Promise.race([signing, untilLocksWait(own.database(), 1)])
      file = second
    })
    const signature = await signing
    expect(signature).toMatchObject({ kid: 'badge-2', signedAt: iso(NOW + HOUR) })
    expect(await findForgery(await records(), { ...DOCUMENT, signature })).toBeNull()
  })

  test('keep token keys and keys of documents apart', async () => {
    const key = await newKey()
    const document = await signed(key)
    const readKey = async () => key
    const asToken = createCurrentKey({ database: own.database(), clock, purpose: 'jwt', readKey })
    await expect(asToken()).rejects.toThrow('the key is badge-1, which serves another purpose')
    const other = await newKey()
    expect((await createCurrentKey({ database: own.database(), clock, purpose: 'jwt', readKey: async () => other })()).record.kid).toBe(
      'jwt-1',
    )
    expect(await records()).toMatchObject([{ kid: 'badge-1', retiredAt: null }])
    const forged = await signDocument({ ...other, kid: 'jwt-1' }, DOCUMENT, iso(now))
    expect(await findForgery(await records(), { ...document, signature: forged })).toBe('an unknown key')
  })

  test('cannot have two current keys', async () => {
    const row = { purpose: 'receipt' as const, fingerprint: 'f', x: 'x', y: 'y', validFrom: NOW, retiredAt: null, verifiesUntil: null }
    await signed(await newKey())
    await expect(
      own
        .rows()
        .insertInto('signing_key')
        .values({ kid: 'badge-7', ...row })
        .execute(),
    ).rejects.toThrow('signing_key_current')
  })
})

describe('a key', () => {
  const settings = { RECEIPT_KEY: undefined, RECEIPT_KEY_FILE: undefined, RECEIPT_KEY_FINGERPRINT: undefined }

  test.each([
    ['of a file that is missing', { RECEIPT_KEY: makePem(), RECEIPT_KEY_FILE: '/none/key' }],
    ['that is no key', { RECEIPT_KEY: 'no key' }],
    ['that is not set', {}],
    ['of another fingerprint', { RECEIPT_KEY: makePem(), RECEIPT_KEY_FINGERPRINT: 'ab'.repeat(32) }],
  ])('%s blocks the step that needs it', async (_name, changes) => {
    const readKey = createKeySource({ ...settings, ...changes })
    await expect(readKey()).rejects.toMatchObject({ name: 'BlockedStepError', code: 'receipt_key_unavailable' })
  })
})

describe('a document', () => {
  test('is authentic by the record of the key that it names, also after the key was retired', async () => {
    const first = await newKey()
    const document = await signed(first)
    now += HOUR
    await signed(await newKey())
    expect(await findForgery(await records(), document)).toBeNull()
  })

  test.each<[string, object, string]>([
    ['another content', { a: 1 }, 'another content or key'],
    ['an unknown key', { signature: { kid: 'badge-7' } }, 'an unknown key'],
    ['another key', { signature: { kid: 'badge-2' } }, 'a date before the key was valid'],
    ['no signature', { signature: undefined }, 'an unknown key'],
    ['a date before its key', { signature: { signedAt: iso(NOW - 1) } }, 'a date before the key was valid'],
    ['a date after its key', { signature: { signedAt: iso(NOW + 2 * HOUR) } }, 'a date after the key was retired'],
    ['another date in the window', { signature: { signedAt: iso(NOW + 1) } }, 'another content or key'],
    ['a date that is none', { signature: { signedAt: 'now' } }, 'a date that is no instant'],
    ['a date without milliseconds', { signature: { signedAt: '2999-01-01T00:00:00Z' } }, 'a date that is no instant'],
    ['a date as a number', { signature: { signedAt: NOW } }, 'a date that is no instant'],
  ])('with %s is a forgery', async (_name, changes, problem) => {
    const document = await signed(await newKey())
    now += HOUR
    await signed(await newKey())
    const { signature = {} } = changes as { signature?: object }
    const changed = 'signature' in changes && changes.signature === undefined ? undefined : { ...document.signature, ...signature }
    expect(await findForgery(await records(), { ...document, ...changes, signature: changed })).toBe(problem)
  })

  test('that a retired key signed for a date after its end is a forgery', async () => {
    const old = await newKey()
    await signed(old)
    now += HOUR
    await signed(await newKey())
    const signature = await signDocument({ ...old, kid: 'badge-1' }, DOCUMENT, new Date(now + 1).toISOString())
    expect(await findForgery(await records(), { ...DOCUMENT, signature })).toBe('a date after the key was retired')
  })
})
