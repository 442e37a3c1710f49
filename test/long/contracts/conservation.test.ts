import { beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { fund, type Holding, holdingOf, jobOf, STATE, TEMPLATE } from '../../contracts/support/jobs.ts'
import { type Job, type Move, play } from '../../contracts/support/play/jobs.ts'
import { playRuns } from '../../contracts/support/play/runs.ts'
import { startWorld, type World, who } from '../../contracts/support/world.ts'

let world: World
let supply: bigint

beforeAll(async () => {
  world = await startWorld()
  await fund(world, who.poster, 200_000_000n)
  for (const account of [who.worker, who.stranger]) {
    await fund(world, account, 20_000_000n)
    await world.run(who.owner, 'token', 'mint', account, 5_000_000n)
    await world.run(account, 'token', 'approve', world.at.accounts, 5_000_000n)
  }
  const read = async (name: string, ...args: Address[]) => BigInt(String(await world.read('token', name, ...args)))
  // The seeds of the pools take no part.
  supply = (await read('totalSupply')) - (await read('balanceOf', world.at.pool)) - (await read('balanceOf', world.at.credit))
})

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
const inside = ({ liquid, reserved, collateral, stake, debt }: Holding): bigint => liquid + reserved + collateral + stake - debt
const isOver = ({ state }: Job): boolean => state === STATE.closed || state === STATE.cancelled

interface Picture {
  readonly holdings: ReadonlyMap<Address, Holding>
  readonly custody: bigint
  readonly templates: bigint
  readonly jobs: readonly Job[]
}

async function look(jobIds: readonly Hex[]): Promise<Picture> {
  const people = Object.values(who)
  const [holdings, jobs, { wallet: custody }, templates] = await Promise.all([
    Promise.all(people.map((account) => holdingOf(world, account))),
    Promise.all(jobIds.map((jobId) => jobOf(world, jobId))),
    holdingOf(world, world.at.accounts),
    world.read('accounts', 'recurringTemplateReserves', who.poster, world.at.token, TEMPLATE),
  ])
  const byAccount = new Map(people.flatMap((account, index) => (holdings[index] ? [[account, holdings[index]] as const] : [])))
  return { holdings: byAccount, custody, templates: BigInt(String(templates)), jobs }
}

/** Nothing is made or lost, and every reserved or staked unit belongs to a job that is still running. */
function expectConserved({ holdings, custody, templates, jobs }: Picture): void {
  const all = [...holdings.values()]
  expect(custody).toBe(sum(all.map(inside)))
  expect(custody + sum(all.map(({ wallet }) => wallet))).toBe(supply)
  for (const [account, holding] of holdings) {
    const running = jobs.filter((job) => !isOver(job))
    const open = running.filter(({ poster }) => poster === account)
    const owed = sum(
      open.map((job) => job.reward - job.released + job.protocolFee - job.protocolFeeReleased + job.opsReserve + job.contingencyReserve),
    )
    expect(holding.reserved).toBe(owed + (account === who.poster ? templates : 0n))
    const claims = running.filter(({ worker }) => worker === account)
    expect(holding.stake).toBe(sum(claims.map(({ claimStake, claimFee }) => claimStake + claimFee)))
  }
}

/** Fee legs never exceed the snapshot and meet it exactly when the whole reward was paid. */
function expectFeesFollow({ jobs }: Picture, ledger: ReadonlyMap<Hex, Paid>, jobIds: readonly Hex[]): void {
  for (const [index, job] of jobs.entries()) {
    const { worker, fee } = ledger.get(jobIds[index] ?? '0x') ?? { worker: 0n, fee: 0n }
    expect([worker, fee]).toEqual([job.released, job.protocolFeeReleased])
    expect(job.released <= job.reward && job.protocolFeeReleased <= job.protocolFee).toBe(true)
    if (job.released === job.reward) expect(job.protocolFeeReleased).toBe(job.protocolFee)
  }
}

interface Paid {
  readonly worker: bigint
  readonly fee: bigint
}

const amountIn = (value: unknown): bigint => (typeof value === 'bigint' ? value : 0n)

const move = fc.record<Move>({
  choice: fc.nat(1_000),
  job: fc.nat(1_000),
  amount: fc.oneof(fc.bigInt(1n, 30n), fc.bigInt(1n, 3_000_000n)),
  parts: fc.array(fc.oneof(fc.bigInt(1n, 30n), fc.bigInt(1n, 900_001n)), { minLength: 1, maxLength: 4 }),
  flag: fc.boolean(),
})

const { parameters, timeoutMs } = playRuns(2)
const seen = new Map<string, number>()

async function playAll(moves: readonly Move[]): Promise<void> {
  let jobIds: readonly Hex[] = []
  const ledger = new Map<Hex, Paid>()
  for (const next of moves) {
    const { jobs, outcome } = await play(world, jobIds, next)
    jobIds = jobs
    for (const { name, args } of outcome.error === undefined ? outcome.events : []) {
      seen.set(name, (seen.get(name) ?? 0) + 1)
      if (name !== 'SettlementSplit' && name !== 'GasRetentionApplied') continue
      const jobId = args.jobId as Hex
      const before = ledger.get(jobId) ?? { worker: 0n, fee: 0n }
      const worker = before.worker + amountIn(args.workerAmount) + amountIn(args.retainedRaw)
      ledger.set(jobId, { worker, fee: before.fee + amountIn(args.protocolFeeAmount) })
    }
    const picture = await look(jobIds)
    expectConserved(picture)
    expectFeesFollow(picture, ledger, jobIds)
  }
}

test(
  'random play neither makes nor loses a unit, and fee legs sum to their snapshot',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 60, maxLength: 60 }), (moves) => world.undone(() => playAll(moves))),
      parameters,
    )
  },
  timeoutMs,
)

test('the random play reached every kind of end', () => {
  const ends = [
    'JobClosed',
    'JobCancelled',
    'JobReopened',
    'GasRetentionApplied',
    'AutoResolvedOnTimeout',
    'DisputeResolved',
    'AAC.ClaimFeeSlashed',
    'AAC.JobStakeSlashed',
    'AAC.Borrowed',
  ]
  expect(ends.filter((name) => !seen.has(name))).toEqual([])
})
