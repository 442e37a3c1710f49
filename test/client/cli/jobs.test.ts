import { afterEach, describe, expect, test } from '@jest/globals'
import { type ScriptedChain, startScriptedChain } from '../support/scripted-chain.ts'
import { json, problem } from '../support/scripted-service.ts'

const PAGE = 100

let chain: ScriptedChain
afterEach(() => chain.close())

const ROW = { title: 'A job', reward: '1 USDC', bond: '0.15 USDC', tier: 'starter', reason: 'claimable', waiverEligible: false }

/** A catalogue of pages; the last job of all has a waived bond. */
const start = async (pages: number, waiversLeft: number | null = 3): Promise<void> => {
  chain = await startScriptedChain({
    'GET /me': (_request, response) =>
      waiversLeft === null
        ? problem(response, 401, 'token_expired')
        : json(response, 200, { standing: { waiverSlotsRemaining: waiversLeft } }),
    'GET /jobs': ({ url }, response) => {
      const query = new URL(url, 'http://service').searchParams
      const page = Number(query.get('cursor') ?? '0')
      const isLast = page + 1 === pages
      const jobs = Array.from({ length: PAGE }, (_, index) => ({
        ...ROW,
        id: `job-${page}-${index}`,
        waiverEligible: isLast && index === PAGE - 1,
      }))
      const isAsked = (row: { waiverEligible: boolean }) => row.waiverEligible || query.get('waiverEligible') !== 'true'
      json(response, 200, { jobs: jobs.filter(isAsked), nextCursor: isLast ? null : String(page + 1) })
    },
  })
}

describe('the list of jobs', () => {
  test.each([
    [[], 20, { count: 25 }, 1],
    [['--limit', '700'], 20, { count: 700 }, 7],
    [['--limit', '700'], 2, { count: 200 }, 2],
  ])('with %j of %s pages is %j after at most %s requests', async (options, pages, expected, requests) => {
    await start(pages)
    expect((await chain.run(['jobs', ...options])).document).toMatchObject(expected)
    expect(chain.service.of('GET /jobs').length).toBeLessThanOrEqual(requests)
  })

  test.each([
    [2, 1, 'for this wallet, which has 2 waived claims left'],
    [1, 1, 'for this wallet, which has 1 waived claim left'],
    [0, 0, undefined],
    [null, 1, 'for the first claims of a wallet'],
  ])('marks waived bonds for a wallet with %s waived claims left', async (left, expected, legend) => {
    await start(1, left)
    expect((await chain.run(['jobs', '--waived'])).document.count).toBe(expected)
    const { out } = await chain.runForPeople(['jobs', '--limit', '100'])
    expect(out.includes('*')).toBe(expected > 0)
    if (legend !== undefined) expect(out).toContain(`* The bond is waived ${legend}.`)
    expect(chain.service.of('POST /auth/nonce')).toEqual([])
  })

  test.each([
    [[], { format: 'compact', limit: '100' }],
    [['--claimable'], { format: 'compact', limit: '100', claimable: 'true' }],
    [['--waived', '--tier', 'starter'], { format: 'compact', limit: '100', waiverEligible: 'true', tier: 'starter' }],
    [['--max-bond', '150000', '--state', 'open'], { format: 'compact', limit: '100', maxBond: '150000', state: 'open' }],
  ])('with %j asks the service for %j', async (options, query) => {
    await start(1)
    await chain.run(['jobs', ...options])
    const [{ url } = { url: '' }] = chain.service.of('GET /jobs')
    const wallet = expect.stringMatching(/^0x[0-9a-f]{40}$/)
    expect(Object.fromEntries(new URL(url, 'http://service').searchParams)).toEqual({ ...query, wallet })
  })

  test('a bond that is no number of base units is refused before anything is asked', async () => {
    await start(1)
    expect((await chain.run(['jobs', '--max-bond', '0.15'])).exit).toBe(2)
    expect(chain.service.of('GET /jobs')).toEqual([])
  })
})
