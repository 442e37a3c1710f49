import type { Hex } from 'viem'
import { foreignTerms } from '../../domain/catalogue/foreign-terms.ts'
import { iso } from '../../domain/common/instants.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import type { LockedBond } from '../../schemas/claims/process.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { JobSnapshot } from '../../schemas/sessions/record.ts'
import type { EscrowJob } from '../chain/block-reads.ts'
import { getEvent } from '../chain/escrow-events.ts'
import type { MinedTransaction } from '../chain/journal/outcomes.ts'
import type { ClaimParts } from './claim-job.ts'

/** Locks the bond of an admitted claim. A repeat finds what it sent, or records the claim that is on chain. */
export type BondStrategy = ClaimParts['lockBond']

export type BondClaim = Parameters<BondStrategy>[0]

/** The bond that a transaction locked, from its events. */
export const parseBond = (
  escrow: Hex,
  chainJobId: Hex,
  mined: Pick<MinedTransaction, 'receipt' | 'txHash' | 'blockTime' | 'blockNumber'>,
  poster: Hex,
): LockedBond => {
  const { logs } = mined.receipt
  const { claimExpiry } = getEvent(logs, escrow, 'JobClaimed', chainJobId).args
  const economics = getEvent(logs, escrow, 'ClaimEconomicsLocked', chainJobId).args
  const retention = getEvent(logs, escrow, 'ClaimRetentionSnapshot', chainJobId).args
  return {
    txHash: mined.txHash,
    blockNumber: mined.blockNumber.toString(),
    claimedAt: iso(mined.blockTime),
    claimExpiresAt: iso(Number(claimExpiry) * 1000),
    stakeRaw: economics.claimStake.toString(),
    feeRaw: economics.claimFee.toString(),
    waived: economics.waived,
    claimNumber: Number(economics.claimNumber),
    brokered: retention.brokered,
    poster: poster.toLowerCase(),
  }
}

/** Throws `job_definition_chain_mismatch` if the escrow's job differs from the admitted one. Nothing is locked on it. */
export const assertAdmitted = (job: EscrowJob, jobId: string, snapshot: JobSnapshot): void => {
  const terms = { jobId, specHash: snapshot.specHash as Hex, definition: pinnedDefinition(snapshot) }
  const details = job.state === 'none' ? null : foreignTerms(terms, job)
  if (details !== null) throw new ServiceError('job_definition_chain_mismatch', { details })
}
