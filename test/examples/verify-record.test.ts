import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { loadSigningKey, type SigningKey, signDocument } from '../../activities/common/document-signing.ts'
import { canonicalJson } from '../../domain/common/canonical-json.ts'
import { buildBadge } from '../../domain/reputation/badge.ts'
import { headHash, historyFindings, listHash, publishedLog } from '../../domain/session-log/faults.ts'
import type { LogEntry } from '../../domain/sessions/log-entry.ts'
import { canonical, parseStrict } from '../../examples/verify-record/json.ts'
import { checkHistory, type SavedHead } from '../../examples/verify-record/session-log.ts'
import { checkSignature } from '../../examples/verify-record/signature.ts'
import { badgeFacts } from '../domain/builders/badge.ts'
import { HISTORY, ID, TAMPERINGS } from '../domain/builders/history.ts'

const DIRECTORY = mkdtempSync(join(tmpdir(), 'records-'))
afterAll(() => rmSync(DIRECTORY, { recursive: true }))

const newKey = (kid = 'badge-1'): Promise<SigningKey> =>
  loadSigningKey(String(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })), kid)

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
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
/** Heads of two days with the given history in their lists. */
const headsOf = async (history: readonly LogEntry[]): Promise<SavedHead[]> => {
  const heads: SavedHead[] = []
  for (const [day, list] of [history.slice(0, 2), history.slice(2)].entries()) {
    const entries = list.map(({ hash, previousHash }) => ({ hash, previousHash }))
    const before = heads.at(-1)
    const sealedAt = `2026-04-0${day + 1}T00:00:00.000Z`
    const previous = before === undefined ? null : headHash(before.head)
    const document = {
      day: `2026-03-3${day}`,
      chainId: 31_337,
      entryCount: entries.length,
      entriesHash: listHash(entries),
      previous,
      sealedAt,
    }
    heads.push({ head: await signed(document, sealedAt), entries })
  }
  return heads
}

beforeAll(async () => {
  key = await newKey()
  keys = file('keys.json', { keys: [listed()] })
  badge = await signed(buildBadge(badgeFacts()), '2027-01-01T00:00:00.000Z')
  saved = await headsOf(HISTORY)
})

/** Runs the command without a network. */
const verify = (record: unknown, ...more: string[]) => {
  const args = ['examples/verify-record/verify-record.ts', file('record.json', record), '--jwks', keys, ...more]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}` }
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
      text: expect.stringContaining('Sound: a badge, signed at 2027-01-01T00:00:00.000Z with the key badge-1'),
    })
    expect(text).toContain('the reward was 2 USDC')
    expect(text).toContain('It does not prove:')
  })

  test('is sound with its members in another order', () => {
    expect(verify(Object.fromEntries(Object.entries(badge).toReversed())).status).toBe(0)
  })

  test('with any single value changed is refused', async () => {
    const paths = pathsIn(badge)
    expect(paths.length).toBeGreaterThan(20)
    for (const path of paths) await expect(checkSignature(changedAt(badge, path), { keys: [listed()] })).rejects.toThrow(/does not fit/)
    expect(verify(changedAt(badge, ['service', 'category']))).toEqual({
      status: 1,
      text: expect.stringMatching(/^Refused: its signature does not fit/),
    })
  })

  test.each<[string, () => unknown, RegExp]>([
    ['of another key', async () => signed(buildBadge(badgeFacts()), '2027-01-01T00:00:00.000Z', await newKey()), /does not fit/],
    [
      'of a key that the key set does not have',
      async () => signed(buildBadge(badgeFacts()), '2027-01-01T00:00:00.000Z', await newKey('badge-0')),
      /no signing key badge-0/,
    ],
    [
      'that was signed before its work was complete',
      () => signed(buildBadge(badgeFacts()), '2020-01-01T00:00:00.000Z'),
      /before the work was complete/,
    ],
    [
      'that says another instant of its signature',
      () => ({ ...badge, signature: { ...(badge.signature as object), signedAt: '2026-06-01T00:00:00.000Z' } }),
      /does not say what the record says/,
    ],
    ['without a signature', () => ({ ...badge, signature: undefined }), /signature is no object/],
    ['with a member twice', () => JSON.stringify(badge).replace('"level":1', '"level":2,"level":1'), /the member level twice/],
    [
      'with a number beyond 2^53',
      () => JSON.stringify(badge).replace('"level":1', '"level":9007199254740993'),
      /readers round differently/,
    ],
    ['that is cut', () => JSON.stringify(badge).slice(0, -5), /not JSON/],
  ])('%s is refused', async (_what, make, reason) => {
    const { status, text } = verify(await make())
    expect({ status, text }).toEqual({ status: 1, text: expect.stringMatching(reason) })
  })
})

describe('the window of a key', () => {
  const AT = '2027-01-01T00:00:00.000Z'
  const at = (offset: number) => new Date(Date.parse(AT) + offset).toISOString()

  test.each<[string, object, RegExp | null]>([
    ['ends before the signature', { validFrom: at(-2), retiredAt: at(-1) }, /after the key badge-1 was retired/],
    ['begins after the signature', { validFrom: at(1), retiredAt: null }, /before the key badge-1 was valid/],
    ['holds the signature', { validFrom: at(-1), retiredAt: at(1) }, null],
    ['is open', { validFrom: AT, retiredAt: null }, null],
  ])('that %s decides whether it counts', async (_what, window, reason) => {
    const document = (await signed(buildBadge(badgeFacts()), AT)) as never
    const checked = checkSignature(document, { keys: [{ ...key.jwk, ...window }] })
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
  for (const text of ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', '"a:b,{}"', '[1.5,-0,1e3]', '{"a\\"b":1,"a":2}'])
    expect(parseStrict(text)).toEqual(JSON.parse(text))
})
