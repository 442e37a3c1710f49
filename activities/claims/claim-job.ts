import { Semaphore } from 'async-mutex'
import type { AdmittedClaim, ClaimChainActivities, ClaimInput, LockedBond, RecordedClaim } from '../../schemas/claims/process.ts'
import { isRefusal } from '../../schemas/errors.ts'

/** The three parts of a claim; each is idempotent for its run. */
export interface ClaimParts {
  admitClaim(claim: ClaimInput & { runId: string }): Promise<AdmittedClaim>
  /** `block`: of the reading that the claim was made on, as digits. */
  lockBond(claim: AdmittedClaim & { requestId: string; block?: string }): Promise<LockedBond>
  recordClaim(claim: { claim: ClaimInput; admitted: AdmittedClaim; bond: LockedBond }): Promise<RecordedClaim>
}

/** Claims a job: admission, bond, record. `maxTransactions` limits how many claims hold a database connection, so that other steps get one. */
export const createClaimJob = (
  { admitClaim, lockBond, recordClaim }: ClaimParts,
  maxTransactions: number,
): Pick<ClaimChainActivities, 'claimJob'> => {
  const connections = new Semaphore(maxTransactions)
  return {
    claimJob: async ({ runId, ...claim }) => {
      const admitted = await connections.runExclusive(() => admitClaim({ ...claim, runId }))
      const bond = await lockBond({ ...admitted, requestId: claim.requestId, block: claim.block })
      try {
        return await connections.runExclusive(() => recordClaim({ claim, admitted, bond }))
      } catch (error) {
        // The bond is locked, so a refusal blocks the claim instead of ending it.
        if (!isRefusal(error)) throw error
        return { sessionId: admitted.sessionId, blockedBy: error.code }
      }
    },
  }
}
