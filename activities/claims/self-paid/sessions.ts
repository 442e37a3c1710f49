import { iso } from '../../../domain/common/instants.ts'
import type { LockedBond } from '../../../schemas/claims/process.ts'
import type { Rows } from '../../database/database.ts'
import { openSession } from '../../sessions/records.ts'

/** Whether a claim on chain has a session. One whose claim a fork removed has none any more: the claim may be mined again. */
export const hasSessionOfClaim = async (rows: Rows, { jobId, txHash }: { jobId: string; txHash: string }): Promise<boolean> => {
  const ofJob = rows.selectFrom('session').select('sessionId').where('jobId', '=', jobId)
  return (await ofJob.where('claimTxHash', '=', txHash).limit(1).executeTakeFirst()) !== undefined
}

/** Whether a wallet (lower case) has a session of a job that has not ended. */
export const hasOpenSession = async (rows: Rows, { jobId, wallet }: { jobId: string; wallet: string }): Promise<boolean> => {
  const found = await rows
    .selectFrom('session')
    .select('sessionId')
    .where('jobId', '=', jobId)
    .where('wallet', '=', wallet)
    .where(openSession)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The bond of the claim that a run has recorded; null before the record. */
export const findRecordedBond = async (rows: Rows, runId: string): Promise<LockedBond | null> => {
  const found = await rows
    .selectFrom('session')
    .select(['claimTxHash', 'claimBlock', 'claimedAt', 'claimExpiresAt', 'claimStakeRaw', 'claimFeeRaw'])
    .select(['waived', 'claimNumber', 'brokered', 'poster'])
    .where('runId', '=', runId)
    .executeTakeFirst()
  if (found === undefined || found.claimTxHash === null || found.claimBlock === null || found.poster === null) return null
  const { waived, claimNumber, brokered, poster } = found
  return {
    txHash: found.claimTxHash,
    blockNumber: found.claimBlock.toString(),
    claimedAt: iso(found.claimedAt),
    claimExpiresAt: iso(found.claimExpiresAt),
    stakeRaw: found.claimStakeRaw.toString(),
    feeRaw: found.claimFeeRaw.toString(),
    ...{ waived, claimNumber, brokered, poster },
  }
}
