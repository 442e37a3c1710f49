// What the page of the verifier says of a record, and what it asks of its service for it.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Kept, type OwnService, sortInputs } from '../../examples/verify-record/evidence.ts'
import { checkText, rawText } from '../../examples/verify-record/result.ts'
import { plainText } from '../../examples/verify-record/sentence.ts'
import { HISTORY } from '../domain/builders/history.ts'
import { type Document, headsOf, newKey, type Records, signedRecords, signWith } from './support/records.ts'

/** The service that the records of these tests name. */
const ADDRESS = 'https://work.example'
const NOTHING: Kept = { keySet: null, heads: null }

let records: Records
let heads: Awaited<ReturnType<typeof headsOf>>
beforeAll(async () => {
  records = await signedRecords()
  heads = await headsOf([HISTORY.slice(0, 2), HISTORY.slice(2)], '2026-03-01', signWith(records.key))
})

/** A service of the given address, whose keys and heads can be read, and what was asked of it. */
const serviceAt = (address: string, { isAway = false, published = heads } = {}): { own: OwnService; asked: string[] } => {
  const asked: string[] = []
  const load = async (url: string): Promise<unknown> => {
    const { pathname } = new URL(url)
    asked.push(pathname)
    if (isAway) throw new Error('it cannot be reached')
    if (pathname === '/.well-known/jwks.json') return records.evidence.keySet
    if (pathname === '/log/heads') return { heads: published.map(({ head }) => head).toReversed(), nextCursor: null }
    return { entries: published.find(({ head }) => pathname === `/log/heads/${head.day}/entries`)?.entries, nextCursor: null }
  }
  return { own: { address, origin: 'https://behind.example', load }, asked }
}

const check = async (record: unknown, { kept = NOTHING, service = serviceAt(ADDRESS), unpublished = false } = {}) => {
  const { now } = records.evidence
  const text = typeof record === 'string' ? record : JSON.stringify(record)
  const result = await checkText({ name: 'the text', text }, kept, { chainId: null, now, unpublished }, service.own)
  return { ...result, words: plainText(result.words), trust: result.trust === null ? null : plainText(result.trust), asked: service.asked }
}
const keptKeys = (): Kept => ({ ...NOTHING, keySet: records.evidence.keySet })

describe('the result of a record of the own service', () => {
  test('of a badge says who was paid what, by which key, and that the key set is the word of the service', async () => {
    const { state, words, trust, page, asked } = await check(records.badge)
    expect([state, asked]).toEqual(['Sound', ['/.well-known/jwks.json']])
    expect(words).toMatch(/^This badge is sound\. Wallet 0x\w{40} did the job \S+ and was paid 2 USDC; the benchmark verifier approved it/)
    expect(trust).toMatch(/^The key badge-1 signed it on 2026-.*The key set is what this service says today/)
    expect(page).toEqual({ name: 'Page of this badge', path: new URL(records.badge.external_url).pathname })
  })

  test.each([
    ['approved', /was paid \S+ of 2 USDC; the work was approved on .*, and the verifier of the job decided\.$/],
    ['upheld', /was paid nothing of 2 USDC; the work was rejected on .*, and an arbitrator decided\.$/],
    ['split', /was paid \S+ of 2 USDC; the work was approved on .*, and an arbitrator decided\.$/],
    ['timed out', /was paid .*no decision came in time\.$/],
  ] as const)('of a receipt that is %s says in words what was paid and who decided', async (end, words) => {
    expect(await check(records.receipts.get(end))).toMatchObject({ state: 'Sound', words: expect.stringMatching(words) })
  })

  test('of a dispute file says how many entries of its history the fetched heads publish', async () => {
    const file = records.files.get('split')
    const published = await headsOf([file.log], '2026-03-01', signWith(records.key))
    const { state, words, checked, asked } = await check(file, { service: serviceAt(ADDRESS, { published }) })
    expect([state, checked.at(-1)]).toEqual(['Sound', 'The heads of the session log publish 5 of the 5 entries of the history.'])
    expect(words).toMatch(/^This dispute file is sound\. The dispute dispute-\w+ was opened on .* Wallet 0x/)
    expect(asked).toContain('/log/heads')
  })

  test('of a history has its heads fetched, or says that the log could not be asked', async () => {
    const { state, words, trust, fetchedHeads } = await check({ log: HISTORY })
    expect([state, fetchedHeads.length]).toEqual(['Sound', 2])
    expect(words).toMatch(/went from claimed on .* to resolved on .*; signed heads publish 5 of its 5 entries\.$/)
    expect(trust).toContain('The heads of the session log are what this service says today')
    const away = await check({ log: HISTORY }, { kept: keptKeys(), service: serviceAt(ADDRESS, { isAway: true }) })
    expect(away).toMatchObject({
      state: 'Cannot be decided',
      words: expect.stringMatching(/session log \(it cannot be reached\): add heads/),
    })
  })
})

describe('what the reader kept', () => {
  test('comes before what the service says: nothing is asked, and the trust says so', async () => {
    const { state, trust, asked } = await check(records.badge, { kept: keptKeys() })
    expect([state, asked]).toEqual(['Sound', []])
    expect(trust).toContain('The key set is one that you kept.')
    const history = await check({ log: HISTORY }, { kept: { ...keptKeys(), heads } })
    expect([history.state, history.asked, history.fetchedHeads]).toEqual(['Sound', [], []])
    expect(history.trust).toContain('The heads of the session log are those that you kept.')
  })

  test('is needed for a record of another service, which is asked nothing', async () => {
    const service = serviceAt('https://other.example')
    for (const record of [records.badge, records.receipts.get('approved'), records.files.get('split')]) {
      const { state, words, page } = await check(record, { service })
      expect([state, page]).toEqual(['Cannot be decided', null])
      expect(words).toContain(`it names the service ${ADDRESS}, and not this one: save the key set of that service, ${ADDRESS}/.well-known`)
      expect((await check(record, { service, kept: keptKeys() })).state).toBe('Sound')
    }
    expect(service.asked).toEqual([])
  })

  test('of another key leaves a record undecided; with the same key id and another key it is not sound', async () => {
    const [strange, forged] = [await newKey('badge-0'), await newKey()]
    const keySetOf = ({ jwk }: typeof strange): Kept => ({
      ...NOTHING,
      keySet: { keys: [{ ...jwk, validFrom: '2026-01-01T00:00:00.000Z', retiredAt: null }] },
    })
    for (const record of [records.badge, { log: HISTORY }]) {
      expect(await check(record, { kept: keySetOf(strange) })).toMatchObject({
        state: 'Cannot be decided',
        words: expect.stringContaining('the key set has no signing key badge-1'),
      })
      expect((await check(record, { kept: keySetOf(forged) })).state).toBe('Not sound')
    }
  })

  test('of another key decides nothing; the key set that the own service answers does', async () => {
    const sign = signWith(await newKey('badge-0'))
    const published = await headsOf([records.files.get('split').log], '2026-03-01', signWith(records.key))
    const service = serviceAt(ADDRESS, { published })
    for (const { signature: _own, ...content } of [records.badge, records.receipts.get('approved'), records.files.get('split')]) {
      const forged = await sign(content)
      expect(await check(forged, { kept: keptKeys(), service })).toMatchObject({
        state: 'Cannot be decided',
        words: expect.stringContaining('the key set has no signing key badge-0'),
      })
      expect(await check(forged, { service })).toMatchObject({
        state: 'Not sound',
        words: expect.stringContaining('its service has no signing key badge-0'),
      })
    }
  })

  test('is recognised by its content under any name', () => {
    const text = (value: unknown) => ({ name: 'file', text: JSON.stringify(value) })
    const sorted = sortInputs([records.badge, records.evidence.keySet, heads, [], { name: 'other' }].map(text))
    expect(sorted).toMatchObject({ keySet: { value: records.evidence.keySet }, heads: { value: heads } })
    expect(sorted.records).toEqual([records.badge, [], { name: 'other' }].map(text))
    expect(() => sortInputs([text({ heads: heads.map(({ head }) => head) })])).toThrow(/heads without their lists/)
  })
})

describe('a record that is not sound', () => {
  test.each<[string, (badge: Document) => unknown, string, RegExp]>([
    [
      'a tampered one',
      (badge) => ({ ...badge, description: String(badge.description).replace('Retry', 'Other') }),
      'Not sound',
      /^This badge is not sound: its signature does not fit.* Do not rely on it\.$/,
    ],
    [
      'one with a member twice',
      (badge) => JSON.stringify(badge).replace('"level":1', '"level":2,"level":1'),
      'Not sound',
      /^The text is not sound: it has the member level twice/,
    ],
    [
      'one that is cut',
      (badge) => JSON.stringify(badge).slice(0, -5),
      'Not a record',
      /^The text is no record that can be checked here: it is not JSON\.$/,
    ],
    ['another document', () => ({ openapi: '3.1.0' }), 'Not a record', /it is no badge, work receipt/],
    ['a version that is not known', () => ({ schemaVersion: 'v9' }), 'Not a record', /its schemaVersion is none of/],
    ['a list', () => [1], 'Not a record', /it is no object/],
  ])('%s gets its word and a sentence', async (_what, make, state, words) => {
    expect(await check(make(records.badge))).toMatchObject({ state, words: expect.stringMatching(words) })
  })

  test('of the future says that another time can be taken, and an unpublished history that it can be accepted', async () => {
    const service = serviceAt(ADDRESS)
    const choices = { chainId: null, now: Date.parse('2026-01-01T00:00:00.000Z'), unpublished: false }
    const { words } = await checkText({ name: 'the text', text: JSON.stringify(records.badge) }, NOTHING, choices, service.own)
    expect(plainText(words)).toMatch(/that has not come; the choices below take another time for now/)
    expect(plainText(words)).not.toContain('--now')
  })

  test('shows no mark that turns a line, and a part of a long text', async () => {
    const hostile = { service: {}, [`\u202E${'W'.repeat(10_000)}`]: 1 }
    const { words } = await check({ schemaVersion: 'service.work-receipt.v1', ...hostile })
    expect(words).not.toContain('\u202E')
    expect(words.length).toBeLessThan(400)
    expect(rawText(`a\u202Eb\n\tc${'d'.repeat(30_000)}`)).toMatch(/^a\?b\n {2}cd+\n… and 10006 more characters$/)
  })

  test('is checked to its end when it has 200,000 escapes or signs more than 120 kB', async () => {
    const large = { ...records.badge, note: `${'"\n'.repeat(200_000)}` }
    const { signature: _own, ...content } = large
    expect((await check(await signWith(records.key)(content))).state).toBe('Sound')
    expect(await check(large)).toMatchObject({ state: 'Not sound', words: expect.stringContaining('signature does not fit') })
  })
})
