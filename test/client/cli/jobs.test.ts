import { afterEach, describe, expect, test } from '@jest/globals'
import { type ScriptedChain, startScriptedChain } from '../support/scripted-chain.ts'
import { json, problem } from '../support/scripted-service.ts'

const PAGE = 100

let chain: ScriptedChain
afterEach(() => chain.close())

/** A catalogue of pages; the last job of each has a waived bond. */
const start = async (pages: number, waiversLeft: number | null = 3): Promise<void> => {
  chain = await startScriptedChain({
    'GET /me': (_request, response) =>
      waiversLeft === null
        ? problem(response, 401, 'token_expired')
        : json(response, 200, { standing: { waiverSlotsRemaining: waiversLeft } }),
    'GET /jobs': ({ url }, response) => {
      const page = Number(new URL(url, 'http://service').searchParams.get('cursor') ?? '0')
      const jobs = Array.from({ length: PAGE }, (_, index) => ({
        format: 'compact',
        id: `job-${page}-${index}`,
        title: 'A job',
        reward: { asset: 'USDC', raw: '1000000', decimals: 6 },
        tier: 'starter',
        effectiveState: 'open',
        onboardingWaiverEligible: index === PAGE - 1,
      }))
      json(response, 200, { jobs, nextCursor: page + 1 < pages ? String(page + 1) : null })
    },
  })
}

describe('the list of jobs', () => {
  test.each([
    [['--waived'], 20, { count: 5, searched: 500, isCut: true }, 6],
    [['--waived'], 5, { count: 5, searched: 500, isCut: false }, 5],
    [['--waived', '--limit', '2'], 20, { count: 2, searched: 200, isCut: false }, 2],
    [['--limit', '700'], 20, { count: 700, searched: 700, isCut: false }, 7],
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
})
