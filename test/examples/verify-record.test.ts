import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type SigningKey, signDocument } from '../../activities/common/document-signing.ts'
import { canonicalJson } from '../../domain/common/canonical-json.ts'
import { buildBadge } from '../../domain/reputation/badge.ts'
import { historyFindings, publishedLog } from '../../domain/session-log/faults.ts'
import { canonical, parseStrict } from '../../examples/verify-record/encoding/json.ts'
import { checkHistory, type SavedHead } from '../../examples/verify-record/session-log.ts'
import { checkSignature } from '../../examples/verify-record/signature.ts'
import { badgeFacts } from '../domain/builders/badge.ts'
import { HISTORY, ID, rewritten, TAMPERINGS } from '../domain/builders/history.ts'
import { headsOf, newKey } from './support/records.ts'

const NOW = Date.parse('2026-08-01T00:00:00.000Z')
const DIRECTORY = mkdtempSync(join(tmpdir(), 'records-'))
afterAll(() => rmSync(DIRECTORY, { recursive: true }))

let key: SigningKey
/** The key as the key set lists it. */
const listed = () => ({ ...key.jwk, validFrom: '2019-01-01T00:00:00.000Z', retiredAt: null })
let badge: Record<string, unknown>
let keys: string
let saved: SavedHead[]

const signed = async (document: object, at: string, by = key): Promise<Record<string, unknown>> => ({
  ...document,
  signature: await signDocument(by, document, at),
})
const file = (name: string, content: unknown): string => {
  const path = join(DIRECTORY, name)
  writeFileSync(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content))
  return path
}
beforeAll(async () => {
  key = await newKey()
  keys = file('keys.json', { keys: [listed()] })
  badge = await signed(buildBadge(badgeFacts()), '2026-06-01T00:00:00.000Z')
  saved = await headsOf([HISTORY.slice(0, 2), HISTORY.slice(2)], '2026-03-30', signed)
})

/** Runs the command without a network. */
const verify = (record: unknown, ...more: string[]) => {
  const args = ['examples/verify-record/verify-record.ts', file('record.json', record), '--jwks', keys, ...more]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}` }
}

/** The same beside a server of this process. */
const run = async (record: unknown, ...more: string[]) => {
  const args = ['examples/verify-record/verify-record.ts', file('record.json', record), ...more]
  return promisify(execFile)(process.execPath, args).then(
    ({ stdout }) => ({ status: 0, text: stdout }),
    ({ code, stdout, stderr }) => ({ status: code as number, text: `${stdout}${stderr}` }),
  )
}

/** Paths of all values of a document, without its signature. */
const pathsIn = (value: unknown, path: string[] = []): string[][] =>
  typeof value !== 'object' || value === null
    ? [path]
    : Object.entries(value).flatMap(([name, member]) => (name === 'signature' ? [] : pathsIn(member, [...path, name])))

const changedAt = (document: Record<string, unknown>, path: readonly string[]): Record<string, unknown> => {
  const copy = structuredClone(document)
  const name = path.at(-1) ?? ''
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>((at, member) => at[member] as Record<string, unknown>, copy)
  const before = parent[name]
  parent[name] = typeof before === 'number' ? before + 1 : typeof before === 'boolean' ? !before : `${before ?? ''}x`
  return copy
}

describe('a badge', () => {
  test('is sound, and the command says what it proves and what not', () => {
    const { status, text } = verify(badge)
    expect({ status, text }).toEqual({
      status: 0,
      text: expect.stringContaining('Sound: a badge, signed at 2026-06-01T00:00:00.000Z with the key badge-1'),
    })
    expect(text).toContain('the worker was paid 2 USDC')
    expect(text).toContain('It does not prove:')
  })

  test('is read as UTF-8: one byte order mark is ignored, two are refused, other bytes are not readable', () => {
    const text = JSON.stringify(badge)
    expect(verify(`\uFEFF${text}`).status).toBe(0)
    expect(verify(`\uFEFF\uFEFF${text}`)).toEqual({ status: 2, text: expect.stringMatching(/^Not a record: it is not JSON/) })
    expect(verify(Buffer.from(`${text.slice(0, -1)},"note":"gr\u00fcn"}`, 'latin1'))).toEqual({
      status: 2,
      text: expect.stringContaining('record.json is not UTF-8'),
    })
    expect(verify(badge, '--jwks', file('marked.json', `\uFEFF${JSON.stringify({ keys: [listed()] })}`)).status).toBe(0)
  })

  test('is sound with its members in another order', () => {
    expect(verify(Object.fromEntries(Object.entries(badge).toReversed())).status).toBe(0)
  })

  test('with any single value changed is refused', async () => {
    const paths = pathsIn(badge)
    expect(paths.length).toBeGreaterThan(20)
    for (const path of paths)
      await expect(checkSignature(changedAt(badge, path), { keys: [listed()] }, NOW)).rejects.toThrow(/does not fit/)
    expect(verify({ ...badge, description: String(badge.description).replace('Retry', 'Other') })).toEqual({
      status: 1,
      text: expect.stringMatching(/^Not sound: its signature does not fit/),
    })
  })

  test.each<[string, () => unknown, RegExp]>([
    ['of another key', async () => signed(buildBadge(badgeFacts()), '2026-06-01T00:00:00.000Z', await newKey()), /does not fit/],
    [
      'that was signed before its work was complete',
      () => signed(buildBadge(badgeFacts()), '2020-01-01T00:00:00.000Z'),
      /before the work was complete/,
    ],
    [
      'that says another instant of its signature',
      () => ({ ...badge, signature: { ...(badge.signature as object), signedAt: '2026-07-01T00:00:00.000Z' } }),
      /does not say what the record says/,
    ],
    ['without a signature', () => ({ ...badge, signature: undefined }), /signature is missing/],
    ['with a member twice', () => JSON.stringify(badge).replace('"level":1', '"level":2,"level":1'), /the member level twice/],
    [
      'with a number beyond 2^53',
      () => JSON.stringify(badge).replace('"level":1', '"level":9007199254740993'),
      /readers round differently/,
    ],
  ])('%s is not sound', async (_what, make, reason) => {
    const { status, text } = verify(await make())
    expect({ status, text }).toEqual({ status: 1, text: expect.stringMatching(reason) })
    expect(text).toMatch(/^Not sound: /)
  })

  test('that is cut is not a record', () => {
    const { status, text } = verify(JSON.stringify(badge).slice(0, -5))
    expect({ status, text }).toEqual({ status: 2, text: expect.stringMatching(/^Not a record: it is not JSON/) })
  })

  test('with a key set that is not JSON is not checked, and the fault is that of the key set', () => {
    const { status, text } = verify(badge, '--jwks', file('cut-keys.json', '{"keys":['))
    expect({ status, text }).toEqual({ status: 2, text: expect.stringMatching(/cut-keys\.json cannot be used: it is not JSON/) })
  })
})

describe('a badge of a key that the key set does not have', () => {
  const strange = async (publicBaseUrl: string) =>
    signed(buildBadge({ ...badgeFacts(), publicBaseUrl }), '2026-06-01T00:00:00.000Z', await newKey('badge-0'))

  /** Checks such a badge, naming `names`, with the key set of a server: that of its own address when null. */
  const verifyFetched = async (names: string | null) => {
    const server = createServer((_request, response) => response.end(JSON.stringify({ keys: [listed()] }))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      return await run(await strange(names ?? base), '--jwks', `${base}/.well-known/jwks.json`)
    } finally {
      server.close()
    }
  }

  test('cannot be decided with a key set that the reader kept', async () => {
    const { status, text } = verify(await strange('https://work.example'))
    expect({ status, text }).toEqual({
      status: 3,
      text: expect.stringMatching(/^Cannot be decided: the key set has no signing key badge-0/),
    })
  })

  test('is not sound with the key set that the service of the badge answers', async () => {
    const { status, text } = await verifyFetched(null)
    expect({ status, text }).toEqual({ status: 1, text: expect.stringMatching(/^Not sound: its service has no signing key badge-0/) })
  })

  test('cannot be decided with the key set of another service', async () => {
    expect(await verifyFetched('https://work.example')).toMatchObject({ status: 3 })
  })
})

describe('the window of a key', () => {
  const AT = '2026-06-01T00:00:00.000Z'
  const at = (offset: number) => new Date(Date.parse(AT) + offset).toISOString()

  test.each<[string, object, RegExp | null]>([
    ['ends before the signature', { validFrom: at(-2), retiredAt: at(-1) }, /after the key badge-1 was retired/],
    ['begins after the signature', { validFrom: at(1), retiredAt: null }, /before the key badge-1 was valid/],
    ['holds the signature', { validFrom: at(-1), retiredAt: at(1) }, null],
    ['is open', { validFrom: AT, retiredAt: null }, null],
  ])('that %s decides whether it counts', async (_what, window, reason) => {
    const document = (await signed(buildBadge(badgeFacts()), AT)) as never
    const checked = checkSignature(document, { keys: [{ ...key.jwk, ...window }] }, NOW)
    if (reason === null) expect(await checked).toMatchObject({ kid: 'badge-1', signedAt: AT })
    else await expect(checked).rejects.toThrow(reason)
  })
})

describe('a history', () => {
  test('is sound with the heads that were kept, without a network', () => {
    const { status, text } = verify({ log: HISTORY }, '--heads', file('heads.json', saved))
    expect({ status, text }).toEqual({ status: 0, text: expect.stringContaining('Entry 5: resolved') })
    expect(text).toContain('published with the head of 2026-03-31')
  })

  test('of which nothing is published is refused, unless the reader accepts it', async () => {
    const later = rewritten(HISTORY, 0, '2026-04-02T00:00:00.000Z')
    const heads = file('heads.json', saved)
    expect(verify({ log: later }, '--heads', heads)).toEqual({
      status: 3,
      text: expect.stringContaining(
        'Cannot be decided: nothing here is published: no head has an entry of this history; --unpublished accepts that',
      ),
    })
    const { status, text } = verify({ log: later }, '--heads', heads, '--unpublished')
    expect({ status, text }).toEqual({ status: 0, text: expect.stringContaining('Nothing here is published.') })
    // What is older than the newest head must be in a head, whatever the reader accepts.
    const { text: refusal } = verify({ log: rewritten(HISTORY, 0) }, '--heads', heads, '--unpublished')
    expect(refusal).toMatch(/Not sound: its history is not sound: entry_replaced: entry 1, which no head has/)
  })

  test.each<[string, object, unknown, string[], number, RegExp]>([
    ['without heads', {}, null, [], 3, /a history needs signed heads/],
    ['with an empty list of heads', {}, [], [], 2, /the heads are no list of heads/],
    ['at a time before it', {}, 'kept', ['--now', '2026-01-01T00:00:00.000Z'], 1, /head of 2026-03-30 is dated .* --now/],
    ['at no time', {}, 'kept', ['--now', 'tomorrow'], 2, /tomorrow is no instant/],
    ['of another chain', {}, 'kept', ['--chain', '1'], 1, /heads are of another chain/],
    [
      'in a file of a later version',
      { schemaVersion: 'service.dispute-file.v2' },
      'kept',
      [],
      2,
      /Not a record: its schemaVersion is none of/,
    ],
    ['beside another record', { receipt: { forged: true } }, 'kept', ['--unpublished'], 1, /receipt is no member of this record/],
  ])('%s is refused, whatever the options say', (_what, more, heads, options, status, reason) => {
    const given = heads === null ? [] : ['--heads', file('heads.json', heads === 'kept' ? saved : heads)]
    expect(verify({ log: HISTORY, ...more }, ...given, ...options)).toEqual({ status, text: expect.stringMatching(reason) })
  })

  test('is no reason to read heads for a badge', () => {
    const { status, text } = verify(badge, '--heads', file('heads.json', saved))
    expect({ status, text }).toEqual({ status: 2, text: expect.stringContaining('heads are for a history or a dispute file') })
  })

  test.each(TAMPERINGS)('with %s has %s, as the service finds it', (_what, fault, history) => {
    const named = (findings: readonly string[]) => [...new Set(findings.map((line) => line.split(':')[0]))]
    const ours = historyFindings(ID, history, publishedLog(HISTORY), '2026-03-31T00:00:00.000Z').map((finding) => finding.fault)
    const theirs = named(checkHistory(history as never, saved))
    expect(theirs).toContain(fault)
    expect(new Set(theirs)).toEqual(new Set(ours))
  })

  test.each<[string, (heads: SavedHead[]) => SavedHead[], string]>([
    ['a head is missing', (heads) => heads.slice(1), 'head_missing'],
    [
      'a head was altered',
      ([first, second]) => [{ ...first, head: { ...first?.head, entryCount: 9 } }, second] as SavedHead[],
      'head_altered',
    ],
    ['a list was altered', ([first, second]) => [first, { ...second, entries: second?.entries.slice(1) }] as SavedHead[], 'list_altered'],
  ])('is refused when %s', (_what, change, fault) => {
    const { status, text } = verify({ log: HISTORY }, '--heads', file('heads.json', change(saved)))
    expect({ status, text }).toEqual({ status: 1, text: expect.stringContaining(fault) })
  })
})

test('the canonical text is that of the service', () => {
  for (const value of [badge, HISTORY, { b: [1, null, { ä: '€', a: -0.5 }], a: '"\\\n' }, []])
    expect(canonical(value)).toBe(canonicalJson(value))
})

test('strict JSON takes what is sound', () => {
  for (const text of ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', '"a:b,{}"', '[1.5,-7,0.1,1e-7]', '{"a\\"b":1,"a":2}'])
    expect(parseStrict(text)).toEqual(JSON.parse(text))
})
