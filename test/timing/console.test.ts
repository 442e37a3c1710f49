// What the console adds to the answers of the API beneath it, with the records of a long time.
import { beforeAll, expect, test } from '@jest/globals'
import { fillBank } from '../api/support/listed-job.ts'
import { useRecords } from '../e2e/console/support/records.ts'
import { testChain } from '../support/api.ts'
import { seedOperatorRecords } from '../support/records/operator-rows.ts'

const SESSIONS = 100_000
const ROUNDS = 15
const MOST_TIMES = 2
/** What a busy machine adds to a page. */
const TOLERANCE_MS = 10
const MOST_BYTES = 80_000

const records = useRecords()
beforeAll(async () => {
  const { database } = records.api.deps
  await seedOperatorRecords(database, SESSIONS, testChain.chainId)
  await fillBank(database)
}, 300_000)

/** Page of the console → what it asks the API for. */
const PAGES: readonly (readonly [page: string, beneath: string])[] = [
  ['/', '/queue?limit=30'],
  ['/sessions', '/admin/sessions?limit=30&format=compact'],
  ['/sessions?view=stuck&order=deadline', '/admin/sessions?limit=30&format=compact&view=stuck&order=deadline'],
  ['/sessions?view=money_waiting', '/admin/sessions?limit=30&format=compact&view=money_waiting'],
  ['/payments', '/admin/payments/days'],
  ['/payments/day?day=2026-06-14', '/admin/payments?limit=30&day=2026-06-14'],
  ['/payments/day', '/admin/payments?limit=30'],
  ['/wallets', '/admin/wallets?limit=30'],
]

const medianOf = (values: number[]): number => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

test.each(PAGES)('%s takes at most twice as long as the answer beneath it, and has at most 80 kB', async (page, beneath) => {
  const { api, site, tokens } = records
  const token = tokens.admin
  const times: { page: number[]; api: number[] } = { page: [], api: [] }
  const timed = async (list: number[], ask: () => Promise<{ status: number; text: string }>): Promise<string> => {
    const began = performance.now()
    const { status, text } = await ask()
    list.push(performance.now() - began)
    expect([status, records.api.log.filter((line) => line.includes('"level":50'))]).toEqual([200, []])
    return text
  }
  let bytes = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const text = await timed(times.page, () => site.visit(page, { token }))
    await timed(times.api, () => api.call(beneath, { token }))
    bytes = Buffer.byteLength(text)
  }
  const [shown, asked] = [medianOf(times.page), medianOf(times.api)]
  expect({ shown, asked, bytes, isQuick: shown <= MOST_TIMES * asked + TOLERANCE_MS }).toEqual({ shown, asked, bytes, isQuick: true })
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES)
})
