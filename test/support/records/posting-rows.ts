import type { Insertable } from 'kysely'
import type { BuiltJob } from '../../../domain/catalogue/job-definition.ts'
import { keccakOf } from '../../../domain/common/hashes.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'

/** A quote of a wallet for a job that an operator could list, with the ids of a posted one. */
export const quotedPosting = (
  { definition, expectedOutputs, rewardRaw }: BuiltJob,
  poster: string,
  at: number,
  changes: Partial<Insertable<Tables['posting']>> = {},
): Insertable<Tables['posting']> => {
  const { id: _id, lane: _lane, ...content } = definition
  const specHash = keccakOf(content)
  const idOf = (domain: string) => keccakOf({ contentHash: specHash, domain, poster })
  const jobId = idOf('service.external-job.v1')
  return {
    jobId,
    draftId: idOf('service.external-quote.v1'),
    poster,
    definition: { ...content, id: jobId },
    specHash,
    expectedOutputs,
    rewardRaw,
    opsReserveRaw: 0n,
    contingencyReserveRaw: 0n,
    posterFeeBps: 250,
    posterFeeFloorRaw: 100_000n,
    posterFeeRaw: 100_000n,
    quoteBlock: 7n,
    isDesignated: false,
    status: 'quoted',
    attemptCount: 1,
    createdAt: at,
    quotedAt: at,
    expiresAt: at + 72 * 3_600_000,
    openedAt: at,
    openDraftLimit: 50,
    version: 1,
    ...changes,
  }
}
