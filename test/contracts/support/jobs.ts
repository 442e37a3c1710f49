// Short ways to bring a job into a state, and to see who has what.
import { type Address, type Hex, keccak256, stringToHex, zeroAddress, zeroHash } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { testUsdcAbi } from '../../../activities/chain/abi/test-usdc.ts'
import type { Happening } from './decode.ts'
import { type Outcome, startWorld, type World, who } from './world.ts'

export const hashOf = (text: string): Hex => keccak256(stringToHex(text))
export const shortText = (text: string): Hex => stringToHex(text, { size: 32 })

export const STATE = { none: 0, open: 1, claimed: 2, submitted: 3, rejected: 4, disputed: 5, closed: 6, cancelled: 7 } as const
export const DAY = 86_400
export const CATEGORY = hashOf('coding')
export const SPEC = hashOf('definition')
export const TTL = 3_600
export const BADGE_URI = 'https://example.org/badges/1'

export interface JobTerms {
  readonly jobId?: Hex
  readonly reward?: bigint
  readonly ops?: bigint
  readonly contingency?: bigint
  readonly ttl?: bigint
}

export const JOB = hashOf('starter-docs-001')

/** Arguments of createSinglePayoutJob. */
export const terms = (world: World, { jobId = JOB, reward = 1_000_000n, ops = 0n, contingency = 0n, ttl = BigInt(TTL) }: JobTerms = {}) =>
  [jobId, world.at.token, reward, ops, contingency, ttl, hashOf('benchmark'), CATEGORY, SPEC] as const

/** Arguments of createMilestoneJob. */
export const milestoneTerms = (world: World, milestones: readonly bigint[], more: JobTerms = {}) => {
  const [jobId, asset, , ...rest] = terms(world, more)
  return [jobId, asset, milestones, ...rest] as const
}

export async function fund(world: World, account: Address, amount: bigint): Promise<void> {
  await world.run(who.owner, 'token', 'mint', account, amount)
  await world.run(account, 'token', 'approve', world.at.accounts, amount)
  await world.run(account, 'accounts', 'deposit', world.at.token, amount)
}

/** The contracts with funds for poster and worker. */
export async function startFundedWorld(): Promise<World> {
  const world = await startWorld()
  await fund(world, who.poster, 100_000_000n)
  await fund(world, who.worker, 10_000_000n)
  return world
}

/** A time to live that no clock can reach. */
export const endless = 2n ** 256n - 1n
export const TEMPLATE = hashOf('template')
export const NO_SCHEMA = { schemaHash: zeroHash, schemaUrl: '', schemaIssuer: zeroAddress, schemaSignature: '0x' } as const

/** The job of a broker's call that creates it out of a template reserve. */
export const recurring = (world: World, more: object = {}, of: JobTerms = {}) => {
  const [jobId, asset, reward, opsReserve, contingencyReserve, claimTtl, verifierMode, category, specHash] = terms(world, of)
  const job = { jobId, asset, reward, opsReserve, contingencyReserve, claimTtl, verifierMode, category, specHash }
  return { ...job, templateId: TEMPLATE, poster: who.poster, ...NO_SCHEMA, protocolFeeWaived: false, ...more }
}

export const reserveTemplate = (world: World, amount: bigint) =>
  world.run(who.poster, 'accounts', 'reserveForRecurringTemplate', who.poster, world.at.token, TEMPLATE, amount)

export const create = (world: World, more: JobTerms = {}) => world.run(who.poster, 'escrow', 'createSinglePayoutJob', ...terms(world, more))

/** A submission by the worker, claimed by itself or by the broker. Time passes, so that no two moments are the same. */
export async function submit(world: World, { brokered = true, jobId = JOB }: { brokered?: boolean; jobId?: Hex } = {}): Promise<void> {
  await world.pass(5)
  if (brokered) {
    await world.run(who.operator, 'escrow', 'claimJobFor', jobId, who.worker)
    await world.pass(7)
    await world.run(who.operator, 'escrow', 'submitWorkFor', jobId, who.worker, hashOf('evidence'))
  } else {
    await world.run(who.worker, 'escrow', 'claimJob', jobId)
    await world.pass(7)
    await world.run(who.worker, 'escrow', 'submitWork', jobId, hashOf('evidence'))
  }
}

/** A waived, brokered submission. */
export async function submitWaived(world: World): Promise<void> {
  await create(world)
  await world.run(who.operator, 'escrow', 'setOnboardingWaiverEligible', JOB, true)
  await submit(world)
}

const REASON = hashOf('BENCHMARK_PASSED')

export const verdict = (approved: boolean, jobId: Hex = JOB) => [jobId, approved, REASON, BADGE_URI, zeroHash] as const
export const milestoneVerdict = (index: number, approved: boolean, jobId: Hex = JOB) =>
  [jobId, BigInt(index), approved, REASON, BADGE_URI, zeroHash] as const

export const approve = (world: World, jobId: Hex = JOB) => world.run(who.verifier, 'escrow', 'resolveSinglePayout', ...verdict(true, jobId))
export const reject = (world: World, jobId: Hex = JOB) => world.run(who.verifier, 'escrow', 'resolveSinglePayout', ...verdict(false, jobId))
export const approvePart = (world: World, index: number, jobId: Hex = JOB) =>
  world.run(who.verifier, 'escrow', 'resolveMilestone', ...milestoneVerdict(index, true, jobId))

/** A rejected and disputed submission. */
export async function dispute(world: World, jobId: Hex = JOB): Promise<void> {
  await reject(world, jobId)
  await world.pass(11)
  await world.run(who.operator, 'escrow', 'openDisputeFor', jobId, who.worker)
}

export const decide = (world: World, payout: bigint, reason = 'DISPUTE_PARTIAL', jobId: Hex = JOB) =>
  world.run(who.arbitrator, 'escrow', 'resolveDispute', jobId, payout, shortText(reason), BADGE_URI)

export const jobOf = (world: World, jobId: Hex = JOB) =>
  world.client.readContract({ address: world.at.escrow, abi: escrowCoreAbi, functionName: 'jobs', args: [jobId] })

export const namesOf = (events: readonly Happening[]): string[] => events.map(({ name }) => name)

/** The events of a call that must have passed. */
export function eventsOf(outcome: Outcome): readonly Happening[] {
  if (outcome.error !== undefined) throw new Error(`refused: ${outcome.error}`)
  return outcome.events
}

/** The arguments of the only event of that name. */
export function argsOf(events: readonly Happening[], name: string): Happening['args'] {
  const found = events.filter((event) => event.name === name)
  const [only] = found
  if (!only || found.length !== 1) throw new Error(`${found.length} events ${name} instead of one`)
  return only.args
}

export interface Holding {
  readonly liquid: bigint
  readonly reserved: bigint
  readonly collateral: bigint
  readonly stake: bigint
  readonly debt: bigint
  /** Tokens outside of the contract. */
  readonly wallet: bigint
}

export async function holdingOf(world: World, account: Address): Promise<Holding> {
  const { accounts, token } = world.at
  const [position, wallet] = await Promise.all([
    world.client.readContract({ address: accounts, abi: agentAccountCoreAbi, functionName: 'positions', args: [account, token] }),
    world.client.readContract({ address: token, abi: testUsdcAbi, functionName: 'balanceOf', args: [account] }),
  ])
  const [liquid, reserved, , collateral, stake, debt] = position
  return { liquid, reserved, collateral, stake, debt, wallet }
}

export type Changes = Record<string, Partial<Record<keyof Holding, bigint>>>

export interface Observation {
  readonly events: readonly Happening[]
  readonly moved: Changes
}

/** What happened and what it changed in the holdings of each participant; unchanged numbers are absent. */
export async function observe(world: World, work: () => Promise<readonly Happening[]>): Promise<Observation> {
  const people = Object.entries(who)
  const look = () => Promise.all(people.map(([, address]) => holdingOf(world, address)))
  const before = await look()
  const events = await work()
  const after = await look()
  const moved: Changes = {}
  for (const [index, [name]] of people.entries()) {
    const [old, now] = [before[index], after[index]]
    if (!old || !now) continue
    const keys = (Object.keys(old) as (keyof Holding)[]).filter((key) => old[key] !== now[key])
    if (keys.length > 0) moved[name] = Object.fromEntries(keys.map((key) => [key, now[key] - old[key]]))
  }
  return { events, moved }
}
