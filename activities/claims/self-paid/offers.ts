import { isOfferOf } from '../../../domain/claims/offer.ts'
import type { Tables } from '../../../schemas/entities/tables.ts'
import type { SessionAdmission } from '../../../schemas/sessions/record.ts'
import type { Rows } from '../../database/database.ts'

/** Submissions of a session that are kept until its hash is on chain. The oldest makes room: it can be handed in again. */
const MAX_SUBMISSION_OFFERS = 10

export type ClaimOffer = Tables['claim_offer']
export type SubmissionOffer = Tables['submission_offer']

/** Stores that the service asked a wallet to send its claim of a job; a repeat renews it. */
export const storeClaimOffer = async (rows: Rows, offer: ClaimOffer): Promise<void> => {
  await rows
    .insertInto('claim_offer')
    .values(offer)
    .onConflict((conflict) => conflict.columns(['jobId', 'wallet']).doUpdateSet(offer))
    .execute()
}

/** The newest offer of a job to a wallet (lower case); null without one. */
export const findClaimOffer = async (rows: Rows, jobId: string, wallet: string): Promise<ClaimOffer | null> =>
  (await rows.selectFrom('claim_offer').selectAll().where('jobId', '=', jobId).where('wallet', '=', wallet).executeTakeFirst()) ?? null

/**
 * Admission of a claim that was mined at `claimedAt` (epoch ms): what its offer measured, where the service asked the wallet to send it; otherwise what
 * the facts say now.
 */
export const admissionOfMined = async (
  rows: Rows,
  { jobId, wallet }: { jobId: string; wallet: string },
  claimedAt: number,
  measured: SessionAdmission,
): Promise<SessionAdmission> => {
  const offer = await findClaimOffer(rows, jobId, wallet)
  return offer !== null && isOfferOf(offer.createdAt, claimedAt) ? offer.admission : measured
}

/**
 * Stores work that its worker is about to submit on chain, in a transaction of the caller. A session that holds its submission takes none: the work
 * would stay for ever.
 */
export const storeSubmissionOffer = async (rows: Rows, offer: SubmissionOffer): Promise<void> => {
  const ofSession = rows.selectFrom('session').select('sessionId').where('sessionId', '=', offer.sessionId)
  // Locked until the work is stored, so that a submission which is recorded meanwhile deletes it.
  const isAwaited = (await ofSession.where('status', '=', 'claimed').forShare().executeTakeFirst()) !== undefined
  if (!isAwaited) return
  await rows
    .insertInto('submission_offer')
    .values(offer)
    .onConflict((conflict) => conflict.columns(['sessionId', 'evidenceHash']).doUpdateSet({ createdAt: offer.createdAt }))
    .execute()
  const kept = rows
    .selectFrom('submission_offer')
    .select('evidenceHash')
    .where('sessionId', '=', offer.sessionId)
    .orderBy('createdAt', 'desc')
    .limit(MAX_SUBMISSION_OFFERS)
  await rows.deleteFrom('submission_offer').where('sessionId', '=', offer.sessionId).where('evidenceHash', 'not in', kept).execute()
}

/** The work with a hash that was handed in for a session; null without it. */
export const findSubmissionOffer = async (rows: Rows, sessionId: string, evidenceHash: string): Promise<SubmissionOffer | null> =>
  (await rows
    .selectFrom('submission_offer')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .where('evidenceHash', '=', evidenceHash)
    .executeTakeFirst()) ?? null

/** Deletes the work that was handed in for a session: its submission is recorded, or none follows. */
export const deleteSubmissionOffers = async (rows: Rows, sessionId: string): Promise<void> => {
  await rows.deleteFrom('submission_offer').where('sessionId', '=', sessionId).execute()
}
