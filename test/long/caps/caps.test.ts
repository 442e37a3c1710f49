// Crowds at the edge of every cap, half of them at each of two APIs. CAP_ROUNDS is the number of rounds; `npm run caps` plays 200. One round alone is
// a sample of small crowds.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Audit } from '../../../activities/audit/context.ts'
import { runCheck } from '../../../activities/audit/run.ts'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { IDLE_STRATEGY } from '../../../activities/idle-allocation/reads.ts'
import { readRun } from '../../../activities/idle-allocation/records.ts'
import { openSignIn } from '../../../api/identity/sign-ins.ts'
import { DAY_MS } from '../../../domain/common/instants.ts'
import { IDLE_LIMITS } from '../../../domain/idle-allocation/plan.ts'
import { AUDIT_CHECK_NAMES } from '../../../schemas/audit/checks.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { finalAnswer } from '../../e2e/support/concurrency.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { createJob, deposit, GOOD_WORK, leaves, newJob } from '../../e2e/support/jobs.ts'
import { eventually } from '../../support/eventually.ts'
import { createFleetTokens } from '../../support/fleet/tokens.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'
import { idleConsent, lock, lockRequest, signedQuote } from '../../support/records/locked-deposits.ts'

const ROUNDS = Number(process.env.CAP_ROUNDS ?? 1)
const ROUND_MS = 300_000
const CROWD = ROUNDS === 1 ? 10 : 26
/** What the caps let in of a crowd, about. */
const FITTING = 6
/** Wallets that share a crowd, two calls each, so that none reaches its own cap. */
const SHARED_BY = CROWD / 2

/** Reward 0.5 and the gas, and a reward of 1.2. */
const SMALL_RAW = 559_000n
const LARGE_RAW = 1_259_000n
/** Stake and fee of a reward of 0.5, and what a waiver of it costs. */
const BOND_RAW = 100_000n
const WAIVER_RAW = 109_000n
const WAIVERS = 3n
const UNIT_RAW = 1_000_000n

const many = (eachRaw: bigint, restRaw: bigint): bigint => eachRaw * BigInt(FITTING) + restRaw
const OPEN_RAW = many(SMALL_RAW, 300_000n)
const CREDIT_RAW = OPEN_RAW + 200_000n
const DAILY_RAW = OPEN_RAW - UNIT_RAW
const CATALOGUE_RAW = many(LARGE_RAW, UNIT_RAW)
const SUBSIDY_RAW = many(WAIVER_RAW, 50_000n)
const LANE_RAW = many(500_000n, 200_000n)
const LOCKS = FITTING
const COHORT_LOCKS = FITTING + 2
const WIDE = { dailyRaw: '1000000000000', backlog: 1_000_000 }
/** Liquid balance of the wallets that share crowds; what is idle of it, for a run that they exceed together. */
const SHARED_RAW = 16n * UNIT_RAW
const IDLE_RAW = 14n * UNIT_RAW

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
      CATALOGUE_LANES: JSON.stringify({
        liveness: WIDE,
        'oss-anchored': { ...WIDE, dailyRaw: String(LANE_RAW) },
        'benchmark-showcase': { ...WIDE, backlog: FITTING },
      }),
      FIRST_WITHDRAWAL_GAS_GRANT_DAILY_CAP: String(FITTING),
      LOCKED_TIER_PER_WALLET_CAP_USDC: String(LOCKS),
      LOCKED_TIER_COHORT_CAP_USDC: String(COHORT_LOCKS),
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
  const tokens = await createFleetTokens(world)
  return times(count, async (index) => {
    const account = privateKeyToAccount(generatePrivateKey())
    const wallet = account.address.toLowerCase()
    const signIn = { wallet, subject: wallet, roles: [], ip: '127.0.0.1' }
    return world.apiAt(index).agent(account, (await openSignIn({ tokens }, rows(), signIn, Date.now())).token)
  })
}
const createFunded = async (count: number, amountRaw = 10n * UNIT_RAW): Promise<Agent[]> => {
  const agents = await createAgents(count)
  await Promise.all(agents.map((agent) => deposit(world, agent, amountRaw)))
  return agents
}
/** Wallets of the round that share its crowds. */
let shared: Agent[]
const createJobs = (count: number, changes: Partial<JobInputBody>) => times(count, () => createJob(world, changes))

let aged = 0
/**
 * Puts what is new into days of its own in the past, in the order of the steps, and locks past their term: the budgets of a day are whole again,
 * and nothing is locked.
 */
const age = async (): Promise<void> => {
  const steps = ROUNDS * Object.keys(STEPS).length + 1 - aged
  aged += 1
  await world.database.transaction(async (all) => {
    for (const [table, days, ...columns] of [
      ['locked_deposit', 40, 'expires_at', 'locked_at'],
      ['claim_intent', 2, 'created_at', 'closed_at'],
      ['session', 2, 'claimed_at'],
      ['session_event', 2, 'at', 'recorded_at'],
      ['job', 2, 'created_at'],
      ['idle_movement', 2, 'signed_at', 'mined_at'],
    ] as const)
      for (const column of columns) {
        const older = `${column} = ${column} - interval '${steps * days} days'`
        await sql.raw(`update ${table} set ${older} where ${column} > now() - interval '${days} days'`).execute(all)
      }
    for (const table of ['subsidy_reservation', 'gas_grant'])
      await sql.raw(`update ${table} set day = 'aged ' || ${aged} where day not like 'aged%'`).execute(all)
  })
}

/** Answers of consents that are still being recorded. */
const PENDING = ['locked_tier_consent_pending', 'idle_balance_consent_pending']

/** Final answers of calls that are made at once, at the two APIs in turn. */
const answers = (calls: readonly { agent: Agent; path: string; body: object }[]): Promise<Reply[]> =>
  Promise.all(
    calls.map(({ agent, path, body }, index) =>
      finalAnswer(world, index, { path, body, token: agent.token(), key: undefined }, { codes: PENDING }),
    ),
  )

const claimAll = async (agents: readonly Agent[], jobIds: readonly string[]): Promise<Reply[]> =>
  answers(jobIds.map((jobId, index) => ({ agent: agents[index % agents.length] as Agent, path: '/jobs/claim', body: { jobId } })))

/** Answers to a crowd of jobs that are listed in a lane. */
const listAll = (lane: JobInputBody['lane']): Promise<Reply[]> =>
  answers(Array.from({ length: CROWD }, () => ({ agent: world.admin, path: '/admin/jobs', body: newJob({ ...SMALL, lane }) })))

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

/** Consents of a crowd to locks of one unit each. */
const lockAll = async (agents: readonly Agent[]): Promise<Reply[]> => {
  const signed = await times(CROWD, async (index) => {
    const agent = agents[index % agents.length] as Agent
    return { agent, path: '/locked-deposits/consent', body: await signedQuote(agent, lockRequest(String(UNIT_RAW))) }
  })
  return answers(signed)
}

/** Brings the lent balance of wallets home, which the pool takes no more of otherwise. */
const bringHome = async (agents: readonly Agent[]): Promise<void> => {
  const movements = () =>
    rows()
      .selectFrom('idle_movement')
      .selectAll()
      .where('signedAt', '>', Date.now() - DAY_MS)
      .execute()
  const moved = await eventually('every movement is mined', movements, (found) => found.every(({ txHash }) => txHash !== null))
  await Promise.all(
    moved.map(async ({ wallet, amountRaw }) => {
      const agent = agents.find(({ account }) => account.address.toLowerCase() === wallet)
      if (agent === undefined) throw new Error(`${wallet} is not of this round`)
      const args = [agent.account.address, IDLE_STRATEGY, amountRaw] as const
      const data = encodeFunctionData({ abi: agentAccountCoreAbi, functionName: 'deallocateIdleFunds', args })
      await world.view.send(agent.account, { to: world.chainFile.contracts.agentAccount.address, data })
    }),
  )
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
    await work(agents[0] as Agent, 2)
    const replies = await claimAll(agents, await createJobs(CROWD, SMALL))
    expectAtEdge(replies, 'lifetime_catalogue_credit_exhausted', { limitRaw: CREDIT_RAW, usedRaw: 2n * UNIT_RAW, eachRaw: SMALL_RAW })
  },
  'budget of a graduated wallet': async () => {
    const agents = await createFunded(1)
    await times(2, () => work(agents[0] as Agent, 0.5))
    const replies = await claimAll(agents, await createJobs(CROWD, SMALL))
    expectAtEdge(replies, 'daily_exposure_budget_reached', { limitRaw: DAILY_RAW, usedRaw: 2n * SMALL_RAW, eachRaw: SMALL_RAW })
  },
  'budget of all wallets': async () => {
    const replies = await claimAll(shared.slice(0, SHARED_BY), await createJobs(CROWD, { rewardAmount: 1.2 }))
    expectAtEdge(replies, 'catalogue_daily_budget_exhausted', { limitRaw: CATALOGUE_RAW, eachRaw: LARGE_RAW })
  },
  'subsidy of a day': async () => {
    const replies = await claimAll(await createAgents(CROWD), await createJobs(CROWD, { ...SMALL, onboardingWaiverEligible: true }))
    const { amountRaw } = await rows()
      .selectFrom('subsidy_reservation')
      .select('amountRaw')
      .where('day', 'not like', 'aged%')
      .limit(1)
      .executeTakeFirstOrThrow()
    expectAtEdge(replies, 'onboarding_subsidy_exhausted', { limitRaw: SUBSIDY_RAW, eachRaw: amountRaw })
  },
  'waivers of a wallet': async () => {
    const replies = await claimAll(await createAgents(1), await createJobs(CROWD, { ...SMALL, onboardingWaiverEligible: true }))
    expectAtEdge(replies, 'insufficient_liquidity', { limitRaw: WAIVERS, eachRaw: 1n })
  },
  'balance beside a locked deposit': async () => {
    const agents = await createFunded(1, 5n * UNIT_RAW)
    await lock(agents[0] as Agent, lockRequest('4450000'))
    const replies = await claimAll(agents, await createJobs(CROWD, SMALL))
    expectAtEdge(replies, 'insufficient_liquidity', { limitRaw: 550_000n, eachRaw: BOND_RAW })
  },
  'budget of a lane': async () => {
    expectAtEdge(await listAll('oss-anchored'), 'lane_budget_exhausted', { limitRaw: LANE_RAW, eachRaw: 500_000n })
  },
  'jobs that wait in a lane': async () => {
    const lane = 'benchmark-showcase'
    await rows().updateTable('job').set({ lifecycleStatus: 'archived' }).where('lane', '=', lane).execute()
    expectAtEdge(await listAll(lane), 'lane_backlog_saturated', { limitRaw: BigInt(FITTING), eachRaw: 1n })
  },
  'gas grants of a day': async () => {
    const replies = await answers(
      shared.map((agent) => ({ agent, path: '/account/withdraw/transactions', body: { amount: '1', requestGasGrant: true } })),
    )
    const reasons = replies.map(({ body }) => body.firstWithdrawalGasGrant.reason.replace('first_withdrawal_gas_grant_', ''))
    const granted = reasons.filter((reason) => ['sent', 'in_progress'].includes(reason))
    expect([granted.length, reasons.filter((reason) => reason === 'daily_cap_reached').length]).toEqual([FITTING, CROWD - FITTING])
  },
  'locks of a wallet': async () => {
    const replies = await lockAll(await createFunded(1, 30n * UNIT_RAW))
    expectAtEdge(replies, 'locked_tier_per_wallet_cap_exceeded', { limitRaw: BigInt(LOCKS), eachRaw: 1n })
  },
  'locks of all wallets': async () => {
    const replies = await lockAll(shared.slice(0, SHARED_BY))
    expectAtEdge(replies, 'locked_tier_cohort_cap_exceeded', { limitRaw: BigInt(COHORT_LOCKS), eachRaw: 1n })
  },
  'idle balances of a run': async () => {
    const consents = await Promise.all(
      shared.map(async (agent) => ({ agent, path: '/account/idle-allocation/consent', body: await idleConsent(agent) })),
    )
    expect((await answers(consents)).map(({ status }) => status)).toEqual(consents.map(() => 201))
    const movedRaw = async (): Promise<bigint> => (await readRun(rows(), '', Date.now())).ofAllRaw
    await eventually('what fits into the run is lent', movedRaw, (raw) => raw > IDLE_LIMITS.runRaw - IDLE_RAW)
    await Promise.all(shared.map((agent) => agent.post('/account/idle-allocation/revoke', {})))
    expect(await movedRaw()).toBeLessThanOrEqual(IDLE_LIMITS.runRaw)
    await bringHome(shared)
  },
}

test(
  `a crowd at the edge of a cap is let in as far as the cap goes (CAP_ROUNDS=${ROUNDS})`,
  async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      shared = await createFunded(CROWD, SHARED_RAW)
      for (const [cap, step] of Object.entries(STEPS)) {
        await age()
        const began = performance.now()
        await step().catch((error: unknown) => {
          throw new Error(`round ${round}, ${cap}: ${error}`)
        })
        process.stdout.write(`round ${round}: ${cap} held, ${Math.round(performance.now() - began)} ms\n`)
      }
    }
    const caps = AUDIT_CHECK_NAMES.slice(AUDIT_CHECK_NAMES.indexOf('open_exposure'))
    const results = await Promise.all(caps.map((name) => runCheck(name, { rows: rows() } as Audit, null)))
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  },
  ROUNDS * ROUND_MS,
)
