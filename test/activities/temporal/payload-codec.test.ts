import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { Payload } from '@temporalio/common'
import { ENCRYPTED, encryptedPayloads } from '../../../activities/temporal/payload-codec.ts'
import { payloadKeys } from '../../../schemas/temporal/payload-keys.ts'
import { readablePayloads } from '../../../workers/temporal/payload-guard.ts'

const keyText = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`
const [OLD, NEW] = [keyText('old'), keyText('new')]
const codecOf = (text: string) => encryptedPayloads(payloadKeys.parse(text))
const PLAIN: Payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"wallet":"0x1"}') }
const shown = ({ metadata, data }: Payload) => [Buffer.from(metadata?.encoding ?? []).toString(), Buffer.from(data ?? []).toString()]
const sealed = async (text: string): Promise<Payload> => (await codecOf(text).encode([PLAIN]))[0] ?? {}

describe('encrypted payloads', () => {
  test('come back as they were, and never look the same twice', async () => {
    const [one, other] = [await sealed(OLD), await sealed(OLD)]
    expect(Buffer.from(one.metadata?.encoding ?? []).toString()).toBe(ENCRYPTED)
    expect(Buffer.from(one.data ?? []).equals(Buffer.from(other.data ?? []))).toBe(false)
    expect(Buffer.from(one.data ?? []).includes('wallet')).toBe(false)
    expect((await codecOf(OLD).decode([one, PLAIN])).map(shown)).toEqual([shown(PLAIN), shown(PLAIN)])
  })

  test('are read with every key and written with the first', async () => {
    const both = `${NEW},${OLD}`
    const read = await codecOf(both).decode([await sealed(OLD), await sealed(NEW)])
    expect(read.map(shown)).toEqual([shown(PLAIN), shown(PLAIN)])
    expect(Buffer.from((await sealed(both)).metadata?.['encryption-key-id'] ?? []).toString()).toBe('new')
  })

  test.each([OLD.replace('old', 'lost'), ''])('of a key that is missing stop their reader (%#)', async (keys) => {
    await expect(codecOf(keys).decode([await sealed(OLD)])).rejects.toThrow('PAYLOAD_KEYS: has no key "old"')
  })

  test.each([0, 11, 20, -1])('that were changed at byte %i are unreadable, and never something else', async (place) => {
    const payload = await sealed(OLD)
    const data = Buffer.from(payload.data ?? [])
    data.writeUInt8((data.at(place) ?? 0) ^ 1, (place + data.length) % data.length)
    const opened = await codecOf(OLD).decode([{ ...payload, data }])
    expect((await readablePayloads.decode(opened)).map(shown)).toEqual([['binary/null', '']])
  })

  test('are plain without a key', async () => {
    expect((await codecOf('').encode([PLAIN])).map(shown)).toEqual([shown(PLAIN)])
  })
})

test.each([
  ['one', 'must be a list of <id>:<32 bytes in base64>'],
  ['one:c2hvcnQ=', 'must be a list of <id>:<32 bytes in base64>'],
  [`${OLD},${OLD}`, 'must not name a key twice'],
])('PAYLOAD_KEYS %s are refused', (text, message) => {
  expect(payloadKeys.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message])
})
