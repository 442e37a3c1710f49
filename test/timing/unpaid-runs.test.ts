// Cost of requests for a run that bring no payment.
import { request } from 'node:http'
import { expect, test } from '@jest/globals'
import { QUOTED_RUN } from '../domain/paid-verification/builders/requests.ts'
import { useFleet } from '../long/support/outages.ts'
import { processorSeconds } from '../support/fleet/processor-time.ts'

const FLOOD = 10_000
/** The first requests of a kind run code that is not compiled yet. */
const WARM_UP = 1_000
const AT_ONCE = 32
const MOST = 5

const { world } = useFleet(2)

/** Status of one request, whose answer is read to its end. */
const ask = (url: string, body: string | null): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asked = request(url, { method: body === null ? 'GET' : 'POST', headers }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject)
      response.resume()
    })
    asked.on('error', reject)
    asked.end(body ?? undefined)
  })

test('ten thousand requests for a run without a payment write no row and cost at most five times what as many of GET /health/live do', async () => {
  const [api] = world().apis
  if (api === undefined) throw new Error('the fleet has no API')
  const flood = async (count: number, path: string, body: string | null, status: number): Promise<number> => {
    const before = processorSeconds(api.pid())
    let left = count
    const sender = async () => {
      for (; left > 0; left -= 1) expect(await ask(`${api.base}${path}`, body)).toBe(status)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sender))
    return processorSeconds(api.pid()) - before
  }
  const body = JSON.stringify(QUOTED_RUN)
  const floods = { live: [FLOOD, '/health/live', null, 200], unpaid: [FLOOD, '/verify/runs', body, 402] } as const
  for (const [, path, sent, status] of Object.values(floods)) await flood(WARM_UP, path, sent, status)
  const live = await flood(...floods.live)
  const unpaid = await flood(...floods.unpaid)
  expect(await world().database.rows.selectFrom('verification_run').select('runKey').execute()).toEqual([])
  expect({ live, unpaid, isCheap: unpaid <= MOST * live }).toEqual({ live, unpaid, isCheap: true })
})
