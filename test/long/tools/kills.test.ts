import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createTokensFrom } from '../../../api/boot.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { reportLost } from '../../crash/acts/engine.ts'
import { createJob, GOOD_WORK } from '../../e2e/support/jobs.ts'
import type { Member } from '../../support/fleet/fleet.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'

const ROUNDS = 5
const CALLERS_PER_ROUND = 20
/** Longest way of one caller from the cut to its answer. */
const PATIENCE_MS = 90_000
const SLOW = 600_000

let world: FleetWorld
let engine: Client
let connection: Connection
beforeAll(async () => {
  const rates = JSON.stringify({ admin_jobs: { limit: 1_000 }, tools_authenticated: { limit: 1_000_000 } })
  world = await openFleet({ apis: 2, workers: 2, env: { RATE_LIMITS: rates } })
  connection = Connection.lazy({ address: world.temporalAddress })
  engine = new Client({ connection })
}, 180_000)
afterAll(async () => {
  await connection?.close()
  await world?.close()
}, 60_000)

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

interface Caller {
  wallet: string
  token: string
  jobId: string
}

const createCallers = async (count: number): Promise<Caller[]> => {
  const JWT_KEY = readFileSync(world.files.jwtKey, 'utf8')
  const tokens = await createTokensFrom(readSettings({ DATABASE_URL: world.databaseUrl, CHAIN_FILE: world.files.chainFile, JWT_KEY }))
  const now = Date.now()
  const create = async (): Promise<Caller> => {
    const wallet = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as `0x${string}`
    const { token } = await tokens.issue({ sub: wallet, roles: [], authTime: Math.floor(now / 1000) }, now)
    return { wallet, token, jobId: await createJob(world, { onboardingWaiverEligible: true, rewardAmount: 0.2 }) }
  }
  const callers: Caller[] = []
  for (let index = 0; index < count; index += 1) callers.push(await create())
  return callers
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the tool answered.
type Answer = any

/** One call of a tool at one API; null when its connection was cut. */
const callTool = async (api: number, { token }: Caller, name: string, sent: object): Promise<Answer | null> => {
  try {
    const response = await fetch(`${world.apis[api]?.base}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: sent } }),
    })
    return ((await response.json()) as Answer).result
  } catch {
    return null
  }
}

/** Repeats a call at one API until its answer is final. */
const settled = async (api: number, caller: Caller, name: string, sent: object, isFinal: (body: Answer) => boolean): Promise<Answer> => {
  let last: Answer = null
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(200)) {
    last = await callTool(api, caller, name, sent)
    if (last !== null && !last.isError && isFinal(last.structuredContent)) return last.structuredContent
    if (last?.isError && !last.structuredContent.retryable) break
  }
  throw new Error(`${name} of ${caller.jobId} has no answer: ${JSON.stringify(last?.structuredContent ?? null).slice(0, 400)}`)
}

/** What is killed while the calls of a round are open, beside the API that has them. */
const victimsOf = (round: number): Member[] =>
  [world.apis[round % 2], world.workers[round % 2], round % 3 === 0 ? world.temporal : undefined].filter((one) => one !== undefined)

/** A long call at one API, which is killed with the worker, and at times with the engine, before it answers; the other API gives the answer. */
const playRound = async (
  round: number,
  callers: readonly Caller[],
  sentOf: (caller: Caller) => [name: string, sent: object],
): Promise<{ cut: number; bodies: Answer[] }> => {
  const cutCalls = callers.map((caller) => callTool(round % 2, caller, ...sentOf(caller)))
  await sleep(60 + 40 * round)
  const victims = victimsOf(round)
  const lost = new Set(world.workers.filter((worker) => victims.includes(worker)).map((worker) => worker.pid()))
  await Promise.all(victims.map((victim) => victim.kill()))
  const cut = (await Promise.all(cutCalls)).filter((answer) => answer === null).length
  const back = (async () => {
    for (const victim of [...victims].reverse()) await victim.start()
    await reportLost({ engine }, lost)
  })()
  const isDone = ({ status, outcome }: Answer): boolean => status !== 'pending' && outcome !== undefined
  const bodies = await Promise.all(
    callers.map(async (caller) => {
      const [name, sent] = sentOf(caller)
      const first = await settled((round + 1) % 2, caller, name, sent, ({ status }) => status !== 'pending')
      if (name === 'claimJob') return first
      return settled((round + 1) % 2, caller, 'getVerificationResult', { sessionId: first.sessionId, waitSeconds: 5 }, isDone)
    }),
  )
  await back
  return { cut, bodies }
}

test(
  'a call whose API, worker and engine were killed before its answer gets it from another process, a hundred of a hundred',
  async () => {
    const callers = await createCallers(ROUNDS * CALLERS_PER_ROUND)
    const sessions = new Map<Caller, string>()
    const outcomes: string[] = []
    let cuts = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = callers.slice(round * CALLERS_PER_ROUND, (round + 1) * CALLERS_PER_ROUND)
      const claimed = await playRound(round, own, ({ jobId }) => ['claimJob', { jobId }])
      own.forEach((caller, index) => {
        sessions.set(caller, claimed.bodies[index].sessionId)
      })
      const judged = await playRound(round + 1, own, (caller) => ['submitWork', { sessionId: sessions.get(caller), submission: GOOD_WORK }])
      cuts += claimed.cut + judged.cut
      outcomes.push(...judged.bodies.map(({ outcome }) => outcome))
    }
    expect(outcomes).toEqual(callers.map(() => 'approved'))
    // The kill comes while the chain is written; a fast answer may have left before it.
    expect(cuts).toBeGreaterThan(callers.length)
    for (const caller of callers) {
      const badge = await settled(0, caller, 'getAgentBadge', { sessionId: sessions.get(caller) }, () => true)
      expect(badge.service).toMatchObject({ worker: caller.wallet, sessionId: sessions.get(caller) })
    }
    const { rows } = world.database
    const counted = await rows.selectFrom('session').select(['jobId']).execute()
    const own = new Set(callers.map(({ jobId }) => jobId))
    expect(counted.filter(({ jobId }) => own.has(jobId))).toHaveLength(callers.length)
  },
  SLOW,
)
