// Claims of a delegate at once, half of them at each of two APIs, against a budget that holds a part of them. What counts is what the chain locked.
// `npm run delegate-races` plays 200 races; `CASES_SEED` decides them.

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Audit } from '../../../activities/audit/context.ts'
import { runCheck } from '../../../activities/audit/run.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { createScanClient } from '../../../activities/chain/clients.ts'
import { openSignIn } from '../../../api/identity/sign-ins.ts'
import { chainJobId } from '../../../domain/common/ids.ts'
import { liveEscrow } from '../../../schemas/chain/chain-file.ts'
import { randomOf } from '../../crash/random.ts'
import { finalAnswer } from '../../e2e/support/concurrency.ts'
import type { Agent } from '../../e2e/support/http.ts'
import { createJob, deposit } from '../../e2e/support/jobs.ts'
import { CASES_SEED, PLAYS_ALL } from '../../support/cases/sample.ts'
import { createFleetTokens } from '../../support/fleet/tokens.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'

const RACES = PLAYS_ALL ? 200 : 10
/** Races of other wallets that run at the same time. */
const AT_ONCE = 5
const RACE_MS = 30_000

const PER_DAY_RAW = 1_000_000n
const DEPOSIT_RAW = 4_000_000n
const JOBS = 6
/** Rewards whose bonds are 0.15 to 0.6 USDC. */
const REWARDS = [1, 2, 3, 5]
const WIDE = '1000000000000'

let world: FleetWorld
let createAgent: () => Promise<Agent>
beforeAll(async () => {
  world = await openFleet({
    apis: 2,
    workers: 2,
    env: {
      WORKER_OPEN_EXPOSURE_CAP_RAW: WIDE,
      WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: WIDE,
      WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: WIDE,
      ONBOARDING_SUBSIDY_DAILY_BUDGET_RAW: WIDE,
      CATALOGUE_LANES: JSON.stringify({ liveness: { dailyRaw: WIDE, backlog: 1_000_000 } }),
      DEPOSIT_CLAIM_PRIORITY_ENABLED: 'false',
    },
  })
  const tokens = await createFleetTokens(world)
  createAgent = async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const wallet = account.address.toLowerCase()
    const signIn = { wallet, subject: wallet, roles: [], ip: '127.0.0.1' }
    return world.agent(account, (await openSignIn({ tokens }, world.database.rows, signIn, Date.now())).token)
  }
})
afterAll(() => world?.close())

/** Token of a delegate of the wallet, as its signature grants it. */
const signFor = async ({ account }: Agent, jobsPerDay: number): Promise<string> => {
  const terms = { name: 'racer', scopes: ['read', 'claim'], bondPerDayRaw: String(PER_DAY_RAW), jobsPerDay, tiers: ['starter'], days: 1 }
  const { message } = await world.expectCall(200, '/auth/nonce', { body: { wallet: account.address, delegate: terms } })
  return (await world.expectCall(200, '/auth/verify', { body: { message, signature: await account.signMessage({ message }) } })).token
}

/** Bonds that the chain locked for claims of the wallet on these jobs. */
const lockedOn = async ({ account }: Agent, jobIds: readonly string[]): Promise<bigint[]> => {
  const events = await createScanClient(world.chainFile).getContractEvents({
    address: liveEscrow(world.chainFile),
    abi: escrowCoreAbi,
    eventName: 'ClaimEconomicsLocked',
    args: { worker: account.address, jobId: jobIds.map((id): Hex => chainJobId(id)) },
    fromBlock: 0n,
    strict: true,
  })
  return events.map(({ args }) => args.claimStake + args.claimFee)
}
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, raw) => total + raw, 0n)
const bondOf = (reward: number): bigint => BigInt(reward * 100_000 + Math.max(reward * 20_000, 50_000))

interface Outcome {
  claimed: number
  refused: number
  waived: number
}

const race = async (number: number): Promise<Outcome> => {
  const random = randomOf(CASES_SEED, `race ${number}`)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const jobsPerDay = pick([2, 4, 1_000])
  const plans = Array.from({ length: JOBS }, () => ({ reward: pick(REWARDS), waiver: random() < 0.25, byBoth: random() < 0.5 }))
  const agent = await createAgent()
  await deposit(world, agent, DEPOSIT_RAW)
  const token = await signFor(agent, jobsPerDay)
  const list = (reward: number, waiver: boolean) => createJob(world, { rewardAmount: reward, onboardingWaiverEligible: waiver })
  const jobs = await Promise.all(plans.map(async (plan) => ({ ...plan, id: await list(plan.reward, plan.waiver) })))
  const ids = jobs.map(({ id }) => id)
  // The wallet itself may use the waivers up that the delegate counts on.
  const own = await Promise.all([1, 1].map((reward) => list(reward, true)))
  const claim = (jobId: string, by: string, at: number) =>
    finalAnswer(world, at, { path: '/jobs/claim', body: { jobId }, token: by, key: undefined })
  const calls = jobs.flatMap(({ id, byBoth }, index) => (byBoth ? [0, 1] : [index]).map((at) => ({ id, at })))
  const [answers] = await Promise.all([
    Promise.all(calls.map(async ({ id, at }) => ({ id, reply: await claim(id, token, at) }))),
    ...own.map((id, at) => claim(id, agent.token(), at)),
  ])

  const check = async (): Promise<bigint[]> => {
    const locked = await lockedOn(agent, ids)
    expect(sum(locked)).toBeLessThanOrEqual(PER_DAY_RAW)
    expect(locked.length).toBeLessThanOrEqual(jobsPerDay)
    return locked
  }
  const codes = new Set(answers.flatMap(({ reply }) => (reply.status < 300 ? [] : [reply.body.code])))
  for (const code of codes) expect(['delegate_bond_budget_exceeded', 'delegate_jobs_budget_exceeded']).toContain(code)
  expect((await check()).length).toBeGreaterThan(0)
  // Alone, each job that is left is claimed exactly if it fits.
  const done = new Set(answers.flatMap(({ id, reply }) => (reply.status < 300 ? [id] : [])))
  for (const { id, reward } of jobs.filter((job) => !done.has(job.id))) {
    const before = await check()
    const fits = before.length < jobsPerDay && sum(before) + bondOf(reward) <= PER_DAY_RAW
    const { status, body } = await claim(id, token, number)
    expect([status < 300, body.code]).toEqual([fits, fits ? undefined : expect.stringMatching(/^delegate_(bond|jobs)_budget_exceeded$/)])
    if (fits) done.add(id)
  }
  const locked = await check()
  expect(locked).toHaveLength(done.size)
  return { claimed: done.size, refused: JOBS - done.size, waived: locked.filter((raw) => raw === 0n).length }
}

test(
  `what a delegate locks in a race stays within its budget (${RACES} races)`,
  async () => {
    const outcomes: Outcome[] = []
    for (let first = 1; first <= RACES; first += AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, RACES - first + 1) }, (_, index) => first + index)
      const played = await Promise.all(
        numbers.map((number) =>
          race(number).catch((error: unknown) => {
            throw new Error(`race ${number} of the seed ${CASES_SEED}: ${error}`)
          }),
        ),
      )
      outcomes.push(...played)
    }
    const total = (of: keyof Outcome): number => outcomes.reduce((count, outcome) => count + outcome[of], 0)
    const totals = { claimed: total('claimed'), refused: total('refused'), waived: total('waived') }
    process.stdout.write(`${RACES} races: ${JSON.stringify(totals)}\n`)
    expect(Object.values(totals).every((count) => count > RACES / 10)).toBe(true)
    const audited = await runCheck('delegate_budgets', { rows: world.database.rows } as Audit, null)
    expect(audited).toMatchObject({ outcome: 'passed' })
  },
  RACES * RACE_MS,
)
