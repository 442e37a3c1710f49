import type { RequestListener, ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { answerText } from '../../../activities/ingestion/http/content.ts'
import { faultOf, json, MAX_BYTES, PAGE, type ScriptedSource, startScriptedSource } from './support/source-world.ts'

const HUGE_BYTES = 100 * 1024 * 1024
/** Bytes that the source has handed over to connections that still read. */
let sentBytes = 0

let source: ScriptedSource
beforeAll(async () => {
  source = await startScriptedSource()
})
afterAll(() => source.stop())
beforeEach(() => {
  sentBytes = 0
  source.reset()
})

/** Writes `total` bytes, as fast as the connection takes them. */
const pour = (response: ServerResponse, total: number): void => {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const more = (): void => {
    while (sentBytes < total && !response.destroyed) {
      sentBytes += chunk.length
      if (!response.write(chunk)) {
        response.once('drain', more)
        return
      }
    }
    response.end()
  }
  more()
}

describe('the body of an answer', () => {
  test.each<[string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is decoded from %s', async (coding, encode) => {
    source.respond = json({ 'content-encoding': coding }, 200, encode(PAGE))
    expect((await source.run().getJson(source.ask())).value).toEqual(JSON.parse(PAGE))
  })

  test.each<[string, string, Buffer, unknown]>([
    [
      'the charset of another alphabet',
      'application/json; charset=ISO-8859-1',
      Buffer.from('{"name":"caf\xe9"}', 'latin1'),
      { name: 'café' },
    ],
    ['a byte order mark', 'application/json', Buffer.from('\ufeff{"a":1}'), { a: 1 }],
    ['a type with a suffix', 'application/vnd.example+json; charset="utf-8"', Buffer.from('{"a":1}'), { a: 1 }],
  ])('is read with %s', async (_kind, type, body, value) => {
    source.respond = json({ 'content-type': type }, 200, body)
    expect((await source.run().getJson(source.ask())).value).toEqual(value)
  })

  test('is JSON under plain text only where the request allows it', async () => {
    source.respond = json({ 'content-type': 'text/plain' })
    expect((await source.run().getJson(source.ask('/page', { types: ['text/plain'] }))).value).toEqual(JSON.parse(PAGE))
    expect(await faultOf(source.run().getJson(source.ask()))).toEqual(['source_unreadable'])
  })

  test('is text by its charset', async () => {
    source.respond = json({ 'content-type': 'text/html; charset=windows-1252' }, 200, Buffer.from([0x93, 0x61, 0x94]))
    expect(answerText(await source.run().get(source.ask('/page', { types: ['text/html'] })))).toBe('“a”')
  })

  const HTML = '<!doctype html><title>Sign in</title>'
  test.each<[string, RequestListener, string]>([
    ['HTML under the type of JSON', json({}, 200, HTML), 'source_unreadable'],
    ['HTML under its own type', json({ 'content-type': 'text/html' }, 200, HTML), 'source_unreadable'],
    ['no type', (_request, response) => response.end(PAGE), 'source_unreadable'],
    ['half of its JSON', json({}, 200, PAGE.slice(0, 9)), 'source_unreadable'],
    ['nothing', json({}, 200, ''), 'source_unreadable'],
    ['an unknown charset', json({ 'content-type': 'application/json; charset=klingon' }), 'source_unreadable'],
    ['bytes that are no UTF-8', json({}, 200, Buffer.from([0x22, 0xff, 0x22])), 'source_unreadable'],
    ['a coding that was not asked for', json({ 'content-encoding': 'zstd' }), 'source_unreadable'],
    ['plain text under a coding', json({ 'content-encoding': 'gzip' }), 'source_unreadable'],
    ['half of its coding', json({ 'content-encoding': 'gzip' }, 200, gzipSync(PAGE).subarray(0, 20)), 'source_unreadable'],
    ['less than its length', json({ 'content-length': '12' }), 'source_unreadable'],
    ['a bomb', json({ 'content-encoding': 'gzip' }, 200, gzipSync(Buffer.alloc(20 * 1024 * 1024))), 'source_too_large'],
    ['one byte too many', json({}, 200, JSON.stringify('x'.repeat(MAX_BYTES - 1))), 'source_too_large'],
  ])('is a fault with %s', async (_kind, answer, fault) => {
    source.respond = answer
    expect(await faultOf(source.run().getJson(source.ask()))).toEqual([fault])
    expect(source.seen).toHaveLength(1)
  })

  test.each<[string, Record<string, string>]>([
    ['', {}],
    [' and no coding ends', { 'content-encoding': 'gzip' }],
  ])('of 100 MB is cut while it streams%s', async (_kind, headers) => {
    source.respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      if (headers['content-encoding'] === undefined) return pour(response, HUGE_BYTES)
      // Members of the coding that hold nothing: no byte comes out, whatever goes in.
      const empty = Buffer.concat(Array.from({ length: 3_000 }, () => gzipSync('')))
      const more = (): void => {
        while (!response.destroyed && response.write(empty)) sentBytes += empty.length
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }
    expect(await faultOf(source.run().getJson(source.ask()))).toEqual(['source_too_large'])
    expect(sentBytes).toBeLessThan(HUGE_BYTES / 4)
  })
})
