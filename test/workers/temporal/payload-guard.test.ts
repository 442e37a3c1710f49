import { describe, expect, test } from '@jest/globals'
import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import { readablePayloads } from '../../../workers/temporal/payload-guard.ts'

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const payload = (encoding: Uint8Array, data: Uint8Array): Payload => ({ metadata: { encoding }, data })
const json = (data: Uint8Array): Payload => payload(bytes('json/plain'), data)

const decoded = async (given: Payload): Promise<unknown> => {
  const [read] = await readablePayloads.decode([given])
  if (read === undefined) throw new Error('a payload was lost')
  return defaultPayloadConverter.fromPayload(read)
}

describe('a payload that a workflow decodes', () => {
  test.each([
    ['a value', { sessionId: 'job:0xabc', amount: '7' }],
    ['nothing', null],
    ['half a megabyte less a few bytes', 'x'.repeat(512 * 1024 - 2)],
  ])('is %s unchanged', async (_what, value) => {
    expect(await decoded(defaultPayloadConverter.toPayload(value) as Payload)).toEqual(value)
  })

  // The converter inside the workflow reads every other payload, and fails the task for ever when it cannot.
  test.each([
    ['an unknown encoding', payload(bytes('binary/secret'), bytes('{}'))],
    ['no encoding', { data: bytes('{}') }],
    ['an encoding behind a byte order mark', payload(Uint8Array.from([...BYTE_ORDER_MARK, ...bytes('json/plain')]), bytes('{}'))],
    ['an encoding that is no text', payload(Uint8Array.from([0xff]), bytes('{}'))],
    ['broken JSON', json(bytes('{"a":'))],
    ['no bytes', json(new Uint8Array())],
    ['JSON behind a byte order mark', json(Uint8Array.from([...BYTE_ORDER_MARK, ...bytes('{}')]))],
    ['bytes that are no text', json(Uint8Array.from([0x22, 0xff, 0x22]))],
    ['more than half a megabyte', json(bytes(`"${'x'.repeat(512 * 1024 - 1)}"`))],
  ])('is undefined for %s', async (_what, given) => {
    expect(await decoded(given as Payload)).toBeUndefined()
  })
})

test('a step with a result over the limit fails', async () => {
  await expect(readablePayloads.encode([json(bytes(`"${'x'.repeat(512 * 1024)}"`))])).rejects.toThrow('524290 bytes')
})
