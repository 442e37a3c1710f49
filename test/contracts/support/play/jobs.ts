// Random play with jobs: whatever the state of the protocol allows next, with odd amounts.
import type { Hex } from 'viem'
import { DAY, hashOf, jobOf, milestoneTerms, recurring, STATE, shortText, TEMPLATE, TTL, terms } from '../jobs.ts'
import type { Outcome, World } from '../world.ts'
import { who } from '../world.ts'

export interface Move {
  readonly choice: number
  readonly job: number
  readonly amount: bigint
  readonly parts: readonly bigint[]
  readonly flag: boolean
}

export interface Played {
  readonly jobs: readonly Hex[]
  readonly outcome: Outcome
}

export type Job = Awaited<ReturnType<typeof jobOf>>

type Action = (world: World, move: Move, jobId: Hex, job: Job) => Promise<Outcome>

const at = (world: World) => world.at.token
const evidence = hashOf('evidence')
const workerOf = ({ amount }: Move) => (amount % 2n === 0n ? who.worker : who.stranger)

const claim: Action = (world, move, jobId) =>
  move.flag
    ? world.attempt(who.operator, 'escrow', 'claimJobFor', jobId, workerOf(move))
    : world.attempt(workerOf(move), 'escrow', 'claimJob', jobId)

const timeOutArbiter: Action = async (world, _, jobId) => {
  await world.pass(14 * DAY)
  return world.attempt(who.treasury, 'escrow', 'autoResolveOnTimeout', jobId)
}

// What is listed more than once is chosen more often, so that most jobs get far.
const BY_STATE: Readonly<Record<number, readonly Action[]>> = {
  [STATE.open]: [
    ...Array.from({ length: 6 }, () => claim),
    (world, move, jobId) => world.attempt(who.operator, 'escrow', 'setOnboardingWaiverEligible', jobId, move.flag),
    async (world, _, jobId, job) => {
      await world.pass(3_600)
      return world.attempt(job.poster, 'escrow', 'cancelOpenJob', jobId)
    },
  ],
  [STATE.claimed]: [
    (world, _, jobId, job) => world.attempt(job.worker, 'escrow', 'submitWork', jobId, evidence),
    (world, _, jobId, job) => world.attempt(who.operator, 'escrow', 'submitWorkFor', jobId, job.worker, evidence),
    (world, _, jobId, job) => world.attempt(job.worker, 'escrow', 'submitWork', jobId, evidence),
    async (world, _, jobId) => {
      await world.pass(TTL + 1)
      return world.attempt(who.treasury, 'escrow', 'handleClaimTimeout', jobId)
    },
  ],
  [STATE.submitted]: [
    (world, move, jobId, job) => decide(world, move, jobId, job, true),
    (world, move, jobId, job) => decide(world, move, jobId, job, false),
  ],
  [STATE.rejected]: [
    (world, move, jobId, job) => world.attempt(move.flag ? job.poster : job.worker, 'escrow', 'openDispute', jobId),
    (world, _, jobId, job) => world.attempt(who.operator, 'escrow', 'openDisputeFor', jobId, job.worker),
    async (world, _, jobId) => {
      await world.pass(7 * DAY + 1)
      return world.attempt(who.treasury, 'escrow', 'finalizeRejectedJob', jobId)
    },
  ],
  [STATE.disputed]: [
    (world, move, jobId, job) => arbitrate(world, jobId, move.amount % (job.reward - job.released + 1n)),
    (world, _, jobId, job) => arbitrate(world, jobId, job.reward - job.released),
    (world, _, jobId) => arbitrate(world, jobId, 0n),
    timeOutArbiter,
    timeOutArbiter,
  ],
}

function decide(world: World, move: Move, jobId: Hex, job: Job, approved: boolean): Promise<Outcome> {
  const verdict = [approved, evidence, 'https://example.org/badge', evidence] as const
  if (job.payoutMode === 0) return world.attempt(who.verifier, 'escrow', 'resolveSinglePayout', jobId, ...verdict)
  return world.attempt(who.verifier, 'escrow', 'resolveMilestone', jobId, move.amount % 4n, ...verdict)
}

const arbitrate = (world: World, jobId: Hex, payout: bigint): Promise<Outcome> =>
  world.attempt(who.arbitrator, 'escrow', 'resolveDispute', jobId, payout, shortText('DISPUTE_PARTIAL'), '')

/** The four ways to create a job. */
const CREATIONS: readonly ((world: World, move: Move, jobId: Hex) => Promise<Outcome>)[] = [
  (world, { amount, parts }, jobId) =>
    world.attempt(who.poster, 'escrow', 'createSinglePayoutJob', ...terms(world, { jobId, reward: amount, ops: parts[0] ?? 0n })),
  (world, { parts }, jobId) =>
    world.attempt(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, parts, { jobId, contingency: 3n })),
  (world, { amount }, jobId) =>
    world.attempt(who.operator, 'escrow', 'createSinglePayoutJobFeeWaived', ...terms(world, { jobId, reward: amount })),
  async (world, { amount, flag }, jobId) => {
    await world.attempt(who.poster, 'accounts', 'reserveForRecurringTemplate', who.poster, at(world), TEMPLATE, amount + 60_000n)
    const job = recurring(world, { protocolFeeWaived: flag }, { jobId, reward: amount })
    return world.attempt(who.operator, 'escrow', 'createSinglePayoutJobFromRecurringReserve', job)
  },
]

/** What people do beside jobs; any of it may be refused. */
const SIDE_MOVES: readonly ((world: World, move: Move) => Promise<Outcome>)[] = [
  (world, move) => world.attempt(workerOf(move), 'accounts', 'lockCollateral', at(world), move.amount),
  (world, move) => world.attempt(workerOf(move), 'accounts', 'unlockCollateral', at(world), move.amount / 2n),
  async (world, move) => {
    await world.attempt(workerOf(move), 'accounts', 'lockCollateral', at(world), move.amount)
    return world.attempt(workerOf(move), 'accounts', 'borrow', at(world), move.amount / 3n)
  },
  (world, move) => world.attempt(workerOf(move), 'accounts', 'repay', at(world), move.amount / 5n),
  (world, move) => world.attempt(workerOf(move), 'accounts', 'withdraw', at(world), move.amount / 7n),
  (world, move) => world.attempt(who.poster, 'accounts', 'sendToAgent', workerOf(move), at(world), move.amount),
  (world, { amount, flag }) =>
    world.attempt(
      who.owner,
      'escrow',
      'setFeeSchedule',
      amount % 500_001n,
      Number(amount % 2_501n),
      Number(amount % 1_001n),
      flag ? amount % 500_001n : 0n,
    ),
]

const MOST_LIVE_JOBS = 4

/** Makes one move: some create jobs or touch balances, most push a running job forward. */
export async function play(world: World, jobs: readonly Hex[], move: Move): Promise<Played> {
  const states = await Promise.all(jobs.map(async (jobId) => ({ jobId, job: await jobOf(world, jobId) })))
  const live = states.filter(({ job }) => BY_STATE[job.state])
  const picked = live[move.job % Math.max(live.length, 1)]
  const kind = move.choice % 8
  if (!picked || (kind === 0 && live.length < MOST_LIVE_JOBS)) return createOne(world, jobs, move)
  const side = SIDE_MOVES[move.job % SIDE_MOVES.length]
  if (kind === 1 && side) return { jobs, outcome: await side(world, move) }
  const actions = BY_STATE[picked.job.state] ?? []
  const action = actions[Math.floor(move.choice / 8) % actions.length]
  return { jobs, outcome: action ? await action(world, move, picked.jobId, picked.job) : { events: [] } }
}

async function createOne(world: World, jobs: readonly Hex[], move: Move): Promise<Played> {
  const jobId = hashOf(`job ${jobs.length}`)
  const make = CREATIONS[move.job % CREATIONS.length]
  if (!make) throw new Error('no way to create')
  const outcome = await make(world, move, jobId)
  return { jobs: outcome.error === undefined ? [...jobs, jobId] : jobs, outcome }
}
