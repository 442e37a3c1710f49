// Jobs that posters draft and fund by their own transactions, as their process sees them.
import type { Insertable } from 'kysely'
import type { Hex } from 'viem'
import { createReconciliation } from '../../../activities/postings/reconcile.ts'
import { specHashOf } from '../../../domain/catalogue/spec-hash.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import type { PostingProgress } from '../../../schemas/postings/process.ts'
import { fund, hashOf } from '../../contracts/support/jobs.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import type { FollowerWorld } from './follower-world.ts'

export interface DraftTerms {
  poster: Hex
  rewardRaw?: bigint
  opsReserveRaw?: bigint
  contingencyReserveRaw?: bigint
  claimTtlSeconds?: number
  designated?: string
  /** Hours from now until the quote expires. */
  ttlHours?: number
}

export interface Drafted {
  jobId: Hex
  specHash: Hex
  poster: Hex
  rewardRaw: bigint
  opsReserveRaw: bigint
  contingencyReserveRaw: bigint
  claimTtlSeconds: number
}

const HOUR_MS = 3_600_000

/** A draft as its request records it, with the terms of its funding. `name` makes its content another one. */
export const draftOf = (name: string, { poster, ...terms }: DraftTerms, now: number) => {
  const {
    rewardRaw = 2_000_000n,
    opsReserveRaw = 0n,
    contingencyReserveRaw = 0n,
    claimTtlSeconds = 3_600,
    designated,
    ttlHours = 72,
  } = terms
  const { definition: curated } = builtJob(jobBody({ id: `draft-${name}`, title: `Summary ${name} of retry budgets`, claimTtlSeconds }))
  const { id: _id, lane: _lane, ...content } = curated
  const definition: Omit<JobDefinition, 'id'> = {
    ...content,
    rewardAmountRaw: rewardRaw.toString(),
    opsReserveRaw: opsReserveRaw.toString(),
    contingencyReserveRaw: contingencyReserveRaw.toString(),
    requiresSponsoredGas: false,
    onboardingWaiverEligible: false,
    ...(designated !== undefined && { designatedClaimants: [designated] }),
  }
  const specHash = specHashOf(definition)
  const jobId = keccakOf({ contentHash: specHash, domain: 'service.external-job.v1', poster: poster.toLowerCase() })
  const row: Insertable<Tables['posting']> = {
    jobId,
    draftId: keccakOf({ contentHash: specHash, domain: 'service.external-quote.v1', poster: poster.toLowerCase() }),
    poster: poster.toLowerCase(),
    definition: { ...definition, id: jobId },
    specHash,
    expectedOutputs: [],
    rewardRaw,
    opsReserveRaw,
    contingencyReserveRaw,
    posterFeeBps: 500,
    posterFeeFloorRaw: 50_000n,
    posterFeeRaw: 100_000n,
    quoteBlock: 1n,
    isDesignated: designated !== undefined,
    status: 'awaiting_funding',
    attemptCount: 1,
    createdAt: now,
    quotedAt: now,
    expiresAt: now + ttlHours * HOUR_MS,
    openedAt: now,
    openDraftLimit: 50,
    handedOutAt: now,
    funding: null,
    mismatch: null,
    refund: null,
    rehearsal: null,
    fundingReceipt: null,
    reason: null,
    version: 1,
  }
  return { row, drafted: { jobId, specHash, poster, rewardRaw, opsReserveRaw, contingencyReserveRaw, claimTtlSeconds } }
}

/** Arguments of the transaction that funds a draft. */
export const createArgs = (token: Hex, drafted: Drafted) =>
  [
    drafted.jobId,
    token,
    drafted.rewardRaw,
    drafted.opsReserveRaw,
    drafted.contingencyReserveRaw,
    BigInt(drafted.claimTtlSeconds),
    hashOf('benchmark'),
    hashOf('docs'),
    drafted.specHash,
  ] as const

export const openPostings = (world: () => FollowerWorld) => {
  let count = 0

  /** A draft as its request records it; its definition is new in every call. */
  const draft = async (terms: DraftTerms): Promise<Drafted> => {
    count += 1
    const { row, drafted } = draftOf(String(count), terms, world().clock.now())
    await world().rows.insertInto('posting').values(row).execute()
    return drafted
  }

  const reconcile = (jobId: Hex): Promise<PostingProgress> => {
    const { database, reads, clock, sign } = world()
    return createReconciliation({ database, reads, clock, sign, publicBaseUrl: 'https://work.example' }).reconcilePosting({ jobId })
  }

  return {
    draft,
    reconcile,

    /** Gives a wallet so much in its account that it can pay. */
    endow: (wallet: Hex, raw = 50_000_000n) => fund(world().world, wallet, raw),

    /** The poster's own transaction, with the terms of the draft or others. */
    create: async (drafted: Drafted, changes: Partial<Drafted> = {}): Promise<void> => {
      const terms = { ...drafted, ...changes }
      await world().world.run(terms.poster, 'escrow', 'createSinglePayoutJob', ...createArgs(world().world.at.token, terms))
    },

    /** What the follower reads and the process makes of it. */
    observe: async ({ jobId }: Pick<Drafted, 'jobId'>): Promise<PostingProgress> => {
      await world().follow()
      return reconcile(jobId)
    },

    recordOf: ({ jobId }: Pick<Drafted, 'jobId'>) =>
      world().rows.selectFrom('posting').selectAll().where('jobId', '=', jobId).executeTakeFirstOrThrow(),

    listingOf: ({ jobId }: Pick<Drafted, 'jobId'>) =>
      world()
        .rows.selectFrom('job')
        .select(['postingRoute', 'posterAddress', 'specHash', 'rewardRaw', 'delistReason', 'staleAt', 'lane'])
        .where('id', '=', jobId)
        .executeTakeFirst(),

    /** Topics that the poster got about the job, in order. */
    announcedTo: async ({ jobId }: Pick<Drafted, 'jobId'>): Promise<string[]> =>
      (
        await world()
          .rows.selectFrom('event')
          .select('topic')
          .where('jobId', '=', jobId)
          .where('topic', 'like', 'posting.%')
          .orderBy('id')
          .execute()
      ).map(({ topic }) => topic),
  }
}
