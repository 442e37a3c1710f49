import type { Rows } from '../../database/database.ts'

/** Whether a claim on chain has a session. One whose claim a fork removed has none any more: the claim may be mined again. */
export const hasSessionOfClaim = async (rows: Rows, { jobId, txHash }: { jobId: string; txHash: string }): Promise<boolean> => {
  const ofJob = rows.selectFrom('session').select('sessionId').where('jobId', '=', jobId)
  return (await ofJob.where('claimTxHash', '=', txHash).limit(1).executeTakeFirst()) !== undefined
}
