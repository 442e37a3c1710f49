// The service's own steps on a real PostgreSQL and a real chain, driven to rest after each move as its processes would.
import { type Address, getAddress, type Hex } from 'viem'
import { createFreeing } from '../../../../activities/postings/unlisted.ts'
import { latestSessions } from '../../../../activities/sessions/records.ts'
import type { AdmittedClaim } from '../../../../schemas/claims/process.ts'
import type { FollowerWorld } from '../../../activities/support/follower-world.ts'
import { createArgs, type Drafted } from '../../../activities/support/postings.ts'
import { openSelfPaid } from '../../../activities/support/self-paid.ts'
import { walletAt } from '../../../activities/support/service.ts'
import { BAD, GOOD, openSettlements } from '../../../activities/support/settlements.ts'
import { holdingOf } from '../../../contracts/support/jobs.ts'
import { type Move, PEOPLE, type Person, type Terms, type Work } from './model.ts'

const UNKNOWN_WORK = `0x${'7'.repeat(64)}`
const ENDOWMENT = 1_000_000_000n
/** Longer than any quote and any claim lasts. */
const LONGEST_SECONDS = 5 * 24 * 3_600

/** A session with the run that owns it. */
interface Running {
  admitted: AdmittedClaim
  /** Epoch ms. */
  claimExpiresAt: number
}

/** A world whose follower goes on from look to look, as that of a service does. */
const withOneFollower = (world: () => FollowerWorld): (() => FollowerWorld) => {
  let staged: FollowerWorld | null = null
  return () => {
    if (staged !== null) return staged
    const opened = world()
    const follower = opened.followerOf({ rpcUrl: opened.world.rpcUrl })
    staged = { ...opened, follow: () => opened.follow(follower) }
    return staged
  }
}

export const openStage = (opened: () => FollowerWorld) => {
  const world = withOneFollower(opened)
  const self = openSelfPaid(world)
  const { evaluate } = openSettlements(world)
  const walletOf = Object.fromEntries(PEOPLE.map((person, index) => [person, getAddress(walletAt(5_000 + index))])) as Record<
    Person,
    Address
  >
  const personOf = (wallet: string): Person => {
    const found = PEOPLE.find((person) => walletOf[person].toLowerCase() === wallet.toLowerCase())
    if (found === undefined) throw new Error(`${wallet} does not play`)
    return found
  }
  let running: (Running | null)[] = []
  let drafts: Drafted[] = []
  /** What earlier plays left, and the newest one. */
  const plays: { drafts: Drafted[]; running: (Running | null)[] }[] = []
  const draftAt = (job: number): Drafted => {
    const draft = drafts[job]
    if (draft === undefined) throw new Error(`no draft ${job}`)
    return draft
  }

  /** The hash of a work; one that is known was handed in before. */
  const hashOf = async (job: number, work: Work): Promise<string> => {
    const live = running[job]
    if (work === 'unknown' || live == null) return UNKNOWN_WORK
    return self.offerWork(live.admitted.sessionId, work === 'good' ? GOOD : BAD)
  }

  const call = async (move: Move): Promise<readonly [string, ...unknown[]]> => {
    const drafted = draftAt(move.job)
    switch (move.kind) {
      case 'fund':
        return ['createSinglePayoutJob', ...createArgs(world().world.at.token, { ...drafted, rewardRaw: move.rewardRaw })]
      case 'cancel':
        return ['cancelOpenJob', drafted.jobId]
      case 'claim':
        return ['claimJob', drafted.jobId]
      case 'submit':
        return ['submitWork', drafted.jobId, await hashOf(move.job, move.work)]
      case 'timeOut':
        return ['handleClaimTimeout', drafted.jobId]
    }
  }

  const end = async (job: number, live: Running, now: number): Promise<void> => {
    const { sessionId, runId } = live.admitted
    const found = await self.bringHome(live.admitted, now > live.claimExpiresAt)
    if (found.kind === 'recorded') return
    if (found.kind === 'removed') {
      await world().claims.recordExpiry({ runId, sessionId, expiry: found.expiry })
      running[job] = null
      return
    }
    if (now <= live.claimExpiresAt) return
    const expiry = await world().steps.timeoutClaim({ runId, sessionId })
    await world().claims.recordExpiry({ runId, sessionId, expiry })
    await world().follow()
    running[job] = null
  }

  /** Sends what frees the escrow of a job that is not listed; whether that changed the escrow. */
  const isFreed = async (jobId: Hex): Promise<boolean> => {
    const { reads, follow } = world()
    const before = await reads.escrowJob(jobId)
    await createFreeing({ ...world(), reconcilePosting: () => self.reconcile(jobId) }).freeEscrow({ jobId })
    await follow()
    return (await reads.escrowJob(jobId)).state !== before.state
  }

  const settleJob = async (job: number): Promise<void> => {
    const { jobId } = draftAt(job)
    for (;;) {
      const live = running[job] ?? null
      const session = live === null ? null : await self.sessionOf(live.admitted)
      if (live !== null && session?.status === 'claimed') await end(job, live, world().clock.now())
      // Its run goes on until its verdict, and the job has no other one until then.
      const isBusy = running[job] !== null && session?.status === 'submitted'
      const { unrecordedClaim, unlistedClaim } = await self.reconcile(jobId)
      if (unlistedClaim !== null && (await isFreed(jobId))) continue
      if (unrecordedClaim === null || isBusy) return
      const admitted = await self.adopt(jobId, unrecordedClaim.wallet as Hex)
      const { claimExpiresAt } = await self.sessionOf(admitted)
      running[job] = { admitted, claimExpiresAt }
    }
  }

  const settle = async (): Promise<void> => {
    await world().follow()
    for (const job of drafts.keys()) await settleJob(job)
  }

  /** The verdict on a submitted session: paid, taken to its dispute window, or the end of a session whose submission is lost. */
  const judge = async (job: number): Promise<void> => {
    const live = running[job]
    if (live == null) throw new Error(`job ${job} has no session`)
    const judged = { ...live.admitted, ...(await evaluate(live.admitted)) }
    if (judged.outcome === 'approved') await world().steps.settleApproval(judged)
    else await world().disputes.takeVerdict(judged)
    await world().follow()
    const { status } = await self.sessionOf(live.admitted)
    if (status === 'chain_state_diverged') running[job] = null
    await self.observe(draftAt(job))
  }

  /** Whether a session has a submission that the escrow does not have any more. */
  const isLost = async (job: number): Promise<boolean> => {
    const live = running[job] ?? null
    if (live === null || (await self.sessionOf(live.admitted)).status !== 'submitted') return false
    const { state, worker } = await world().reads.escrowJob(draftAt(job).jobId)
    return state !== 'submitted' || worker?.toLowerCase() !== live.admitted.wallet
  }

  return {
    walletOf,

    /** Gives each player what it can pay with. */
    endow: async (): Promise<void> => {
      for (const person of PEOPLE) await self.endow(walletOf[person], ENDOWMENT)
    },

    /** New drafts of a play. Answers when each expires, seconds. */
    begin: async (terms: readonly (Terms & { ttlHours: number })[]): Promise<number[]> => {
      running = terms.map(() => null)
      drafts = []
      plays.push({ drafts, running })
      const expiries: number[] = []
      for (const { poster, rewardRaw, opsReserveRaw, ttl, ttlHours } of terms) {
        const drafted = await self.draft({ poster: walletOf[poster], rewardRaw, opsReserveRaw, claimTtlSeconds: ttl, ttlHours })
        drafts.push(drafted)
        expiries.push((await self.recordOf(drafted)).expiresAt / 1_000)
      }
      return expiries
    },

    /** Sends a move; answers whether the contract took it, and the time of its block in seconds. */
    send: async (move: Move): Promise<{ isTaken: boolean; at: number }> => {
      const [name, ...args] = await call(move)
      const at = Math.floor(world().clock.now() / 1_000) + 1
      const chainNow = await world().world.now()
      await world().world.nextBlockAt(Math.max(at, chainNow + 1))
      const { error } = await world().world.attempt(walletOf[move.who], 'escrow', name, ...args)
      return { isTaken: error === undefined, at: await world().world.now() }
    },

    /** What the service makes of the chain. */
    settle,

    /** What the processes of all plays make of the chain once every quote and every claim is over. */
    end: async (): Promise<void> => {
      await world().pass(LONGEST_SECONDS)
      for (const play of plays) {
        drafts = play.drafts
        running = play.running
        await world().follow()
        for (const job of drafts.keys()) if (await isLost(job)) await judge(job)
        await settle()
      }
      await world().follow()
    },

    judge,

    holdings: async (): Promise<Record<Person, bigint>> => {
      const found = await Promise.all(
        PEOPLE.map(async (person) => {
          const { liquid, wallet } = await holdingOf(world().world, walletOf[person])
          return [person, liquid + wallet] as const
        }),
      )
      return Object.fromEntries(found) as Record<Person, bigint>
    },

    /** What the records, the escrow and the catalogue show of a job. */
    look: async (job: number) => {
      const drafted = draftAt(job)
      const [{ status }, listing, escrow, sessions] = await Promise.all([
        self.recordOf(drafted),
        self.listingOf(drafted),
        world().reads.escrowJob(drafted.jobId),
        world()
          .rows.selectFrom('session')
          .select(['wallet', 'status'])
          .where('jobId', '=', drafted.jobId)
          .orderBy('claimedAt')
          .orderBy('attempt')
          .execute(),
      ])
      return {
        status,
        isListed: listing !== undefined && listing.delistReason === null,
        escrow: escrow.state,
        sessions: sessions.map(({ wallet, status: found }) => `${personOf(wallet)} ${found}`).sort(),
      }
    },

    latest: (job: number) => latestSessions(world().rows, [draftAt(job).jobId]),
  }
}
