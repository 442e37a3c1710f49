// Crowds at the edge of every cap, half of them at each of two APIs. CAP_ROUNDS is the number of rounds; `npm run caps` plays 200.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Audit } from '../../../activities/audit/context.ts'
import { runCheck } from '../../../activities/audit/run.ts'
import { createTokensFrom } from '../../../api/boot.ts'
import { AUDIT_CHECK_NAMES } from '../../../schemas/audit/checks.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { finalAnswer } from '../../e2e/support/concurrency.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { createJob, deposit, GOOD_WORK, leaves, newJob } from '../../e2e/support/jobs.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'

const ROUNDS = Number(process.env.CAP_ROUNDS ?? 1)
const ROUND_MS = 300_000
const CROWD = 26
/** Wallets that share a crowd of claims so that none reaches its own cap. */
const SHARED_BY = 7

const OPEN_RAW = 10_000_000n
const CREDIT_RAW = 12_000_000n
const DAILY_RAW = 6_000_000n
const CATALOGUE_RAW = 30_000_000n
const SUBSIDY_RAW = 1_500_000n
const LANE_RAW = 7_000_000n
const GRANTS = 15n
const WIDE = { dailyRaw: '1000000000000', backlog: 1_000_000 }

/** Reward 0.5 and the gas, and a reward of 2. */
const SMALL_RAW = 559_000n
const LARGE_RAW = 2_059_000n

let world: FleetWorld
beforeAll(async () => {
  world = await openFleet({
    apis: 2,
    workers: 2,
    env: {
      WORKER_OPEN_EXPOSURE_CAP_RAW: String(OPEN_RAW),
      WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: String(CREDIT_RAW),
      WORKER_GRADUATION_SETTLED_JOBS: '2',
      WORKER_DAILY_EXPOSURE_BUDGET_RAW: String(DAILY_RAW),
      WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: String(CATALOGUE_RAW),
      ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW: String(SUBSIDY_RAW),
      CATALOGUE_LANES: JSON.stringify({ liveness: WIDE, 'oss-anchored': { ...WIDE, dailyRaw: String(LANE_RAW) } }),
      FIRST_WITHDRAWAL_GAS_GRANT_DAILY_CAP: String(GRANTS),
      // With tier perks the cap would also rise with the reward bank.
      NON_YIELD_TIER_PERKS_ENABLED: 'false',
      DEPOSIT_CLAIM_PRIORITY_ENABLED: 'false',
    },
  })
})
afterAll(() => world?.close())

const rows = () => world.database.rows
const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

/** Wallets with tokens of the service's own key, as signing in is not what is raced for. */
const createAgents = async (count: number): Promise<Agent[]> => {
  const JWT_KEY = readFileSync(world.files.jwtKey, 'utf8')
  const tokens = await createTokensFrom(readSettings({ DATABASE_URL: world.databaseUrl, CHAIN_FILE: world.files.chainFile, JWT_KEY }))
  return times(count, async (index) => {
    const account = privateKeyToAccount(generatePrivateKey())
    const grant = { sub: account.address.toLowerCase(), roles: [], authTime: Math.floor(Date.now() / 1000) }
    return world.apiAt(index).agent(account, (await tokens.issue(grant, Date.now())).token)
  })
}
const createFunded = async (count: number, amountRaw = 10_000_000n): Promise<Agent[]> => {
  const agents = await createAgents(count)
  // One after the other: the faucet of the chain has one key.
  for (const agent of agents) await deposit(world, agent, amountRaw)
  return agents
}
const createJobs = (count: number, changes: Partial<JobInputBody>) => times(count, () => createJob(world, changes))

/** Every record two days older: the budgets of a day are whole again. */
const age = async (round: number): Promise<void> => {
  await world.database.transaction(async (all) => {
    for (const [table, ...columns] of [
      ['claim_intent', 'created_at', 'closed_at'],
      ['session', 'claimed_at'],
      ['session_event', 'at', 'recorded_at'],
      ['job', 'created_at'],
    ] as const)
      for (const column of columns) await sql.raw(`update ${table} set ${column} = ${column} - interval '2 days'`).execute(all)
    for (const table of ['subsidy_reservation', 'gas_grant'])
      await sql.raw(`update ${table} set day = 'round ' || ${round} where day not like 'round%'`).execute(all)
  })
}

/** Final answers of calls that are made at once, at the two APIs in turn. */
const answers = (calls: readonly { agent: Agent; path: string; body: object }[]): Promise<Reply[]> =>
  Promise.all(calls.map(({ agent, path, body }, index) => finalAnswer(world, index, { path, body, token: agent.token(), key: undefined })))

const claimAll = async (agents: readonly Agent[], jobIds: readonly string[]): Promise<Reply[]> =>
  answers(jobIds.map((jobId, index) => ({ agent: agents[index % agents.length] as Agent, path: '/jobs/claim', body: { jobId } })))

/** The cap lets in as many as fit, and refuses the others in its name. */
const expectAtEdge = (
  replies: readonly Reply[],
  code: string,
  { limitRaw, usedRaw = 0n, eachRaw }: Record<'limitRaw' | 'eachRaw', bigint> & { usedRaw?: bigint },
) => {
  const fitting = Number((limitRaw - usedRaw) / eachRaw)
  const refused = replies.filter(({ status }) => status >= 300).map(({ body }) => body.code ?? body.firstWithdrawalGasGrant?.reason)
  expect([replies.length - refused.length, [...new Set(refused)]]).toEqual([fitting, [code]])
}

const work = async (agent: Agent, rewardAmount: number): Promise<void> => {
  const { sessionId } = await agent.post('/jobs/claim', { jobId: await createJob(world, { rewardAmount }) })
  await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
  expect((await leaves(agent, sessionId, 'submitted')).status).toBe('resolved')
}

const SMALL = { rewardAmount: 0.5 }
const STEPS: Record<string, () => Promise<void>> = {
  'open work of a wallet': async () => {
    const replies = await claimAll(await createFunded(1), await createJobs(CROWD, SMALL))
    expectAtEdge(replies, 'worker_open_exposure_cap_reached', { limitRaw: OPEN_RAW, eachRaw: SMALL_RAW })
  },
  'catalogue credit': async () => {
    const agents = await createFunded(1)
    await work(agents[0] as Agent, 5)
    const replies = await claimAll(agents, await createJobs(CROWD, SMALL))
    expectAtEdge(replies, 'lifetime_catalogue_credit_exhausted', { limitRaw: CREDIT_RAW, usedRaw: 5_000_000n, eachRaw: SMALL_RAW })
  },
  'budget of a graduated wallet': async () => {
    const agents = await createFunded(1)
    for (const reward of [0.5, 0.5]) await work(agents[0] as Agent, reward)
    const replies = await claimAll(agents, await createJobs(CROWD, SMALL))
    expectAtEdge(replies, 'daily_exposure_budget_reached', { limitRaw: DAILY_RAW, usedRaw: 2n * SMALL_RAW, eachRaw: SMALL_RAW })
  },
  'budget of all wallets': async () => {
    const replies = await claimAll(await createFunded(SHARED_BY), await createJobs(CROWD, { rewardAmount: 2 }))
    expectAtEdge(replies, 'catalogue_daily_budget_exhausted', { limitRaw: CATALOGUE_RAW, eachRaw: LARGE_RAW })
  },
  'subsidy of a day': async () => {
    const replies = await claimAll(await createAgents(CROWD), await createJobs(CROWD, { ...SMALL, onboardingWaiverEligible: true }))
    const { amountRaw } = await rows()
      .selectFrom('subsidy_reservation')
      .select('amountRaw')
      .where('day', 'not like', 'round%')
      .limit(1)
      .executeTakeFirstOrThrow()
    expectAtEdge(replies, 'onboarding_subsidy_exhausted', { limitRaw: SUBSIDY_RAW, eachRaw: amountRaw })
  },
  'budget of a lane': async () => {
    const body = () => newJob({ ...SMALL, lane: 'oss-anchored' })
    const replies = await answers(Array.from({ length: CROWD }, () => ({ agent: world.admin, path: '/admin/jobs', body: body() })))
    expectAtEdge(replies, 'lane_budget_exhausted', { limitRaw: LANE_RAW, eachRaw: 500_000n })
  },
  'gas grants of a day': async () => {
    const agents = await createFunded(CROWD, 250_000n)
    const replies = await answers(
      agents.map((agent) => ({ agent, path: '/account/withdraw/transactions', body: { amount: '1', requestGasGrant: true } })),
    )
    const reasons = replies.map(({ body }) => body.firstWithdrawalGasGrant.reason.replace('first_withdrawal_gas_grant_', ''))
    expect(
      reasons.filter((reason) => reason !== 'daily_cap_reached').filter((reason) => !['sent', 'in_progress'].includes(reason)),
    ).toEqual([])
    expect(BigInt(CROWD - reasons.filter((reason) => reason === 'daily_cap_reached').length)).toBe(GRANTS)
  },
}

test(
  `a crowd at the edge of a cap is let in as far as the cap goes (CAP_ROUNDS=${ROUNDS})`,
  async () => {
    for (let round = 1; round <= ROUNDS; round += 1)
      for (const [cap, step] of Object.entries(STEPS)) {
        await age(round)
        const began = performance.now()
        await step().catch((error: unknown) => {
          throw new Error(`round ${round}, ${cap}: ${error}`)
        })
        process.stdout.write(`round ${round}: ${cap} held, ${Math.round(performance.now() - began)} ms\n`)
      }
    const caps = AUDIT_CHECK_NAMES.slice(AUDIT_CHECK_NAMES.indexOf('open_exposure'))
    const results = await Promise.all(caps.map((name) => runCheck(name, { rows: rows() } as Audit, null)))
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  },
  ROUNDS * ROUND_MS,
)
