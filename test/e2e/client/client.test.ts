import { describe, expect, test } from '@jest/globals'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createClient, isProblem, type RequestId, ServiceProblem } from '../../../client/src/index.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { errorsOf } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { eventually } from '../../support/eventually.ts'
import { BAD_WORK, createJob, GOOD_WORK } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })

/** A client of a new wallet, with the paths and the queries of its requests. `events` replaces the answer of the stream. */
const newClient = (events?: () => Response) => {
  const urls: URL[] = []
  const account = privateKeyToAccount(generatePrivateKey())
  const client = createClient({
    baseUrl: world().base,
    account,
    fetch: async (input, init) => {
      const url = new URL(String(input))
      urls.push(url)
      return url.pathname === '/events' && events !== undefined ? events() : await fetch(input, init)
    },
  })
  const count = (path: string): number => urls.filter(({ pathname }) => pathname === path).length
  const waits = (): number => urls.filter(({ searchParams }) => searchParams.has('waitSeconds')).length
  return { client, account, count, waits }
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)

describe('watch', () => {
  const refused = () => new Response('<h1>not here</h1>', { status: 404, headers: { 'content-type': 'text/html' } })

  test.each<[string, undefined | (() => Response), string, object]>([
    ['the stream of events', undefined, 'resolved', GOOD_WORK],
    ['long polls, where no stream comes through', refused, 'resolved', GOOD_WORK],
    ['the stream, and goes on while a rejection can be disputed', undefined, 'rejected', BAD_WORK],
  ])('shows the states of a session over %s', async (_what, events, verdict, submission) => {
    const { client, count, waits } = newClient(events)
    const jobId = await createJob(world(), { onboardingWaiverEligible: true })
    const { sessionId, totalClaimLockRaw } = await client.claimJob({ jobId })
    expect(totalClaimLockRaw).toBe(0n)
    const seen: string[] = []
    const isWatching = () =>
      eventually('the client waits for a change', () => count('/events') > 0 && (events === undefined || waits() > 0))
    let submitted: Promise<unknown> | undefined
    for await (const state of client.watch(sessionId)) {
      if (seen.length === 0) submitted = isWatching().then(() => client.submitWork({ sessionId, submission }))
      seen.push(state.status)
      if (state.status === verdict) break
    }
    await submitted
    expect([seen[0], seen.at(-1)]).toEqual(['claimed', verdict])
    expect(count('/events')).toBe(1)
    expect(waits() > 0).toBe(events !== undefined)
    if (verdict === 'resolved') {
      const { service } = await client.getBadge({ sessionId })
      expect(service.reward).toEqual({ asset: 'USDC', amount: '1000000', decimals: 6 })
      expect((await client.getAccount()).liquid.USDC).toEqual({ raw: 1_000_000n, decimals: 6, display: '1' })
      const states: string[] = []
      for await (const { status } of client.watch(sessionId)) states.push(status)
      expect(states).toEqual(['resolved'])
    }
  })
})

describe('the client', () => {
  // A request of OAuth is of a browser.
  const readable = operationList.filter(
    ({ method, streams, auth, readsCookie }) => method === 'GET' && !streams && !auth.includes('metrics_secret') && !readsCookie,
  )
  const inputOf = ({ examples, query }: OperationSpec) => ({
    ...examples?.params,
    ...examples?.query,
    ...(query !== undefined && 'limit' in query.shape && { limit: 1 }),
  })

  test('reads every operation of the service: an answer, or a refusal that the operation declares', async () => {
    const client = createClient({ baseUrl: world().base, account: world().admin.account })
    const wrong: string[] = []
    for (const spec of readable) {
      const read = client[spec.id as RequestId] as (input: object) => Promise<unknown>
      const outcome = await failureOf(read(inputOf(spec)))
      if (!(outcome instanceof Error)) continue
      if (!(outcome instanceof ServiceProblem) || !errorsOf(spec).includes(outcome.code)) wrong.push(`${spec.id}: ${outcome}`)
    }
    expect(wrong).toEqual([])
    expect(readable.length).toBeGreaterThan(60)
  })

  test('pages through all jobs, and reads the events of its wallet', async () => {
    const { client } = newClient()
    const own = await Promise.all(Array.from({ length: 5 }, () => createJob(world())))
    // Other files list and claim their own jobs meanwhile.
    const ids = async (limit: number): Promise<string[]> => {
      const found: string[] = []
      for await (const { id } of client.paginate('listJobs', { limit, format: 'compact' })) if (own.includes(id)) found.push(id)
      return found
    }
    const paged = await ids(2)
    expect([...paged].sort()).toEqual([...own].sort())
    expect(paged).toEqual(await ids(100))
    await client.signIn()
    for await (const item of client.streamEvents({ topics: 'journey.auth_verified' })) {
      expect(item).toMatchObject({ kind: 'event', event: { wallet: client.session?.wallet } })
      break
    }
  })

  test('sends messages of the Model Context Protocol as they are', async () => {
    const { client } = newClient()
    const send = (message: object) =>
      client.sendMcpMessage({ accept: 'application/json, text/event-stream', body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
    const listed = await send({ id: 1, method: 'tools/list' })
    expect(listed).toMatchObject({ id: 1, result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'claimJob' })]) } })
    expect(await send({ method: 'notifications/initialized' })).toBe('')
    expect(await client.sendMcpMessage({ accept: 'application/json, text/event-stream', body: '{' })).toMatchObject({
      error: { code: -32700 },
    })
  })

  test('signs up to one session for parallel claims of one call, and reports another worker', async () => {
    const { client, account, count } = newClient()
    const jobId = await createJob(world(), { onboardingWaiverEligible: true })
    const claims = await Promise.all(Array.from({ length: 4 }, () => client.claimJob({ jobId })))
    expect(new Set(claims.map(({ sessionId }) => sessionId))).toEqual(new Set([`${jobId}:${account.address}`]))
    expect([count('/auth/nonce'), count('/auth/verify')]).toEqual([1, 1])
    const late = await failureOf(newClient().client.claimJob({ jobId }))
    expect(isProblem(late, 'job_already_claimed') && late.details).toMatchObject({ jobId, sessionId: claims[0]?.sessionId })
  })
})
