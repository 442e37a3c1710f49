import { describe, expect, test } from '@jest/globals'
import { createEventStreamReader } from '../../../../domain/paid-verification/mcp-failure/event-stream.ts'
import { describeReply, parseReply, type Reply } from '../../../../domain/paid-verification/mcp-failure/reply.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('an event stream', () => {
  const STREAMS: [string, string, string[]][] = [
    ['of one event', 'data: one\n\n', ['one']],
    ['of events in several lines', 'event: message\nid: 1\ndata: one\ndata:two\n\ndata\n\n', ['one\ntwo', '']],
    ['with comments and other fields', ': hi\nretry: 5\ndatum: x\n\ndata: a: b\n\n', ['a: b']],
    ['with line ends of every kind', 'data: one\r\n\r\ndata: two\n\ndata: three\r\rdata: four\n\n', ['one', 'two', 'three', 'four']],
    ['with two lines and line ends of two characters', 'data: one\r\ndata: two\r\n\r\n', ['one\ntwo']],
    ['that ends within an event', 'data: one\n\ndata: two\n', ['one']],
    ['with other scripts', 'data: „größer“ 😀\n\n', ['„größer“ 😀']],
    ['of spaces', 'data:  one \n\n', [' one ']],
  ]
  test.each(STREAMS)('%s is read whole', (_name, text, events) => {
    expect(createEventStreamReader().read(bytesOf(text))).toEqual(events)
  })
  test.each(STREAMS)('%s is read byte by byte', (_name, text, events) => {
    const reader = createEventStreamReader()
    expect([...bytesOf(text)].flatMap((byte) => reader.read(Uint8Array.of(byte)))).toEqual(events)
  })
})

describe('the reply to request 7', () => {
  const JSON_TYPE = 'application/json; charset=utf-8'
  const STREAM = 'text/event-stream'
  test.each<[string, string, string, object]>([
    ['a result', JSON_TYPE, '{"jsonrpc":"2.0","id":7,"result":{"a":1}}', { kind: 'result', result: { a: 1 } }],
    ['a result without content type', '', '{"jsonrpc":"2.0","id":7,"result":{}}', { kind: 'result' }],
    [
      'an error',
      JSON_TYPE,
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}',
      { kind: 'error', code: -32_601, message: 'no', idMatches: true },
    ],
    [
      'an error without id',
      JSON_TYPE,
      '{"jsonrpc":"2.0","error":{"code":1.5}}',
      { kind: 'error', code: null, message: null, idMatches: false },
    ],
    ['an error that is a text', JSON_TYPE, '{"jsonrpc":"2.0","id":7,"error":"no"}', { kind: 'error', code: null }],
    ['a result for another request', JSON_TYPE, '{"jsonrpc":"2.0","id":8,"result":{}}', { kind: 'none' }],
    ['a result for its id as text', JSON_TYPE, '{"jsonrpc":"2.0","id":"7","result":{}}', { kind: 'none' }],
    ['a result that is a text', JSON_TYPE, '{"jsonrpc":"2.0","id":7,"result":"yes"}', { kind: 'none' }],
    ['JSON of another protocol', JSON_TYPE, '{"id":7,"result":{}}', { kind: 'none' }],
    ['a batch', JSON_TYPE, '[{"jsonrpc":"2.0","id":7,"result":{}}]', { kind: 'none' }],
    ['nothing', JSON_TYPE, '', { kind: 'none' }],
    ['a page', 'text/html', '<p>', { kind: 'none' }],
    ['half of a JSON text', JSON_TYPE, '{"jsonrpc":"2.0"', { kind: 'unreadable' }],
    ['a stream without an answer', STREAM, 'data: {"jsonrpc":"2.0","id":8,"result":{}}\n\n', { kind: 'unreadable' }],
    [
      'the second event of a stream',
      STREAM,
      'data: {"jsonrpc":"2.0","method":"a"}\n\ndata: {"jsonrpc":"2.0","id":7,"result":{}}\n\n',
      { kind: 'result' },
    ],
  ])('is read from %s', (_name, contentType, body, expected) => {
    expect(parseReply({ status: 200, contentType, body: bytesOf(body) }, 7)).toMatchObject({ status: 200, ...expected })
  })

  test('is an error without id where the request had none that could be read', () => {
    const answer = (id: string) =>
      parseReply({ status: 400, contentType: JSON_TYPE, body: bytesOf(`{"jsonrpc":"2.0"${id},"error":{"code":-32700}}`) }, null)
    expect([answer(',"id":null'), answer('')]).toMatchObject([{ idMatches: true }, { idMatches: true }])
    expect(answer(',"id":4')).toMatchObject({ kind: 'none' })
  })

  test.each<[Reply, string]>([
    [{ kind: 'result', status: 200, result: { secret: 1 } }, 'a result (status 200)'],
    [{ kind: 'error', status: 400, code: -1, message: 'secret', idMatches: true }, 'error -1 (status 400)'],
    [{ kind: 'error', status: 400, code: null, message: null, idMatches: true }, 'error without a code (status 400)'],
    [{ kind: 'none', status: 204 }, 'status 204 without a message of JSON-RPC'],
  ])('is described without text of the target: %j', (reply, expected) => {
    expect(describeReply(reply)).toBe(expected)
  })
})
