import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createGuardedFetch } from '../../../../activities/outbound/guarded-fetch.ts'
import { judgeInThread } from '../../../../activities/paid-verification/profiles/bounded-judge.ts'
import {
  createStructuredOutputProfile,
  type StructuredOutputDeps,
} from '../../../../activities/paid-verification/profiles/structured-output.ts'
import type { JsonValue } from '../../../../schemas/catalogue/job-definition.ts'
import type { ArtefactReference } from '../../../../schemas/paid-verification/profiles/execution.ts'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'

const QUOTE = 'carries two lanes of traffic over the river'
const TEXT = `The bridge ${QUOTE}, and has done so since 1894.`
const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')
const OUTPUT = { lanes: 2, citations: [{ source: sha256Of(TEXT), quote: QUOTE, claim: '/lanes' }] }

let server: HttpServer
const files = new Map<string, string | RequestListener>()
let runs = 0

beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (typeof file === 'function') file(request, response)
    else response.writeHead(file === undefined ? 404 : 200).end(file)
  })
})
afterAll(() => server.stop())

interface Given {
  output?: string
  schema?: string
  /** What the server sends in place of a source. */
  source?: RequestListener
  change?: (inputs: Record<string, JsonValue>) => Record<string, JsonValue>
  deps?: Partial<StructuredOutputDeps>
  signal?: AbortSignal
  heartbeat?: () => void
}

const serve = (name: string, content: string, listener?: RequestListener): ArtefactReference & Record<string, JsonValue> => {
  const path = `/${runs}/${name}`
  files.set(path, listener ?? content)
  const bytes = Buffer.byteLength(content)
  return { sha256: sha256Of(content), bytes, locator: { kind: 'https', url: `${server.url}${path}` }, format: 'text' }
}

const run = ({
  output = JSON.stringify(OUTPUT),
  schema = '{"required":["lanes"]}',
  source,
  change = (inputs) => inputs,
  deps,
  ...rest
}: Given) => {
  runs += 1
  const inputs = change({
    output: serve('output', output),
    schema: serve('schema', schema),
    sources: [serve('source', TEXT, source)],
  })
  const execute = createStructuredOutputProfile({ fetch: createGuardedFetch({ allowedHosts: [server.host] }), ...deps })
  const { signal = new AbortController().signal, heartbeat = () => undefined } = rest
  return execute({ target: {}, inputs, key: 'a-run', targetAuthorization: null }, signal, heartbeat)
}

describe('a structured output', () => {
  test('is approved on its evidence', async () => {
    let beats = 0
    const result = await run({ heartbeat: () => (beats += 1) })
    expect(result).toMatchObject({ verdict: 'approved', reason: null, evidence: { citations: 1 } })
    expect(result.artefacts).toEqual([
      { role: 'output', sha256: sha256Of(JSON.stringify(OUTPUT)), bytes: JSON.stringify(OUTPUT).length },
      { role: 'schema', sha256: sha256Of('{"required":["lanes"]}'), bytes: 22 },
      { role: 'sources/0', sha256: sha256Of(TEXT), bytes: TEXT.length },
    ])
    expect(beats).toBeGreaterThan(0)
  })

  test.each<[string, string]>([
    ['a value that its schema rejects', JSON.stringify({ ...OUTPUT, lanes: undefined })],
    ['an invented quote', JSON.stringify({ ...OUTPUT, citations: [{ ...OUTPUT.citations[0], quote: 'carries three lanes of traffic' }] })],
    ['no JSON', 'lanes: 2'],
  ])('is rejected for %s', async (_name, output) => {
    expect(await run({ output })).toMatchObject({ verdict: 'rejected', reason: null })
  })

  test.each<[string, Given, string]>([
    ['its source is gone', { source: (_request, response) => response.writeHead(404).end() }, 'artefact_unavailable'],
    ['its source sends other bytes', { source: (_request, response) => response.end('x'.repeat(TEXT.length)) }, 'artefact_mismatch'],
    ['its source stalls', { source: () => undefined, deps: { fetchMs: 300 } }, 'artefact_unavailable'],
    ['its source closes early', { source: (_request, response) => response.destroy() }, 'artefact_unavailable'],
    [
      'its source redirects inside',
      { source: (_request, response) => response.writeHead(302, { location: 'https://192.168.0.1/' }).end() },
      'artefact_unavailable',
    ],
    ['its source is not public', { deps: { fetch: createGuardedFetch({ allowedHosts: [] }) } }, 'artefact_unavailable'],
    ['its schema leads elsewhere', { schema: '{"$ref":"https://evil.example/a.json"}' }, 'ambiguous_evidence'],
    ['its inputs lack a source', { change: (inputs) => ({ ...inputs, sources: [] }) }, 'runner_fault'],
    [
      'its artefacts are longer than 8 MiB together',
      { change: ({ sources, ...inputs }) => ({ ...inputs, sources: Array(5).fill({ ...(sources as [object])[0], bytes: 2_000_000 }) }) },
      'artefact_unavailable',
    ],
  ])('has no verdict when %s', async (_name, given, reason) => {
    const result = await run(given)
    expect(result).toMatchObject({ verdict: 'inconclusive', reason })
    expect(result.checks).toHaveLength(5)
  })

  test('has no verdict when a pattern of its schema takes too long', async () => {
    const output = JSON.stringify({ ...OUTPUT, lanes: `${'a'.repeat(60)}!` })
    const result = await run({ output, schema: '{"properties":{"lanes":{"pattern":"^(a+)+$"}}}', deps: { judgeMs: 2_000 } })
    expect(result).toMatchObject({ verdict: 'inconclusive', reason: 'ambiguous_evidence' })
    expect(result.checks[0]?.detail).toBe('Not judged: no judgement within 2000 ms.')
  })

  test('has no verdict when its schema takes too much memory or time', async () => {
    const names = Array.from({ length: 28 }, (_, index) => `s${index}`)
    const defs = names.map((name, index) => [
      name,
      index === 27 ? { minimum: 0 } : { allOf: Array(2).fill({ $ref: `#/$defs/s${index + 1}` }) },
    ])
    const schema = JSON.stringify({ $ref: '#/$defs/s0', $defs: Object.fromEntries(defs) })
    expect(await run({ schema, deps: { judgeMs: 1_000 } })).toMatchObject({ verdict: 'inconclusive', reason: 'ambiguous_evidence' })
  })

  test('has no result when its run is ended', async () => {
    const ended = new AbortController()
    const stalled: RequestListener = () => ended.abort(new Error('the run was ended'))
    await expect(run({ source: stalled, signal: ended.signal })).rejects.toThrow('the run was ended')
  })
})

describe('the thread of a judgement', () => {
  const judged = { output: Buffer.from('{}'), schema: Buffer.from('{}'), sources: [], citationsPointer: '/citations' }

  test('ends with its run', async () => {
    const ended = new AbortController()
    const judging = judgeInThread(judged, 60_000, ended.signal)
    ended.abort()
    expect(await judging).toMatchObject({ ok: false, kind: 'ended' })
    expect(await judgeInThread(judged, 60_000, ended.signal)).toMatchObject({ ok: false, kind: 'ended' })
  })

  test('is a fault of the service when it breaks', async () => {
    const broken = { ...judged, sources: null as never, output: Buffer.from('{"citations":[1]}') }
    expect(await judgeInThread(broken, 60_000, new AbortController().signal)).toMatchObject({ ok: false, kind: 'fault' })
  })
})
