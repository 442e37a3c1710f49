import type { DisputeRecord } from '../../schemas/disputes/record.ts'
import type { Role } from '../../schemas/identity/authorisation.ts'

/** Roles that read every dispute; the parties read their own. */
const READERS: readonly Role[] = ['admin', 'verifier', 'arbitrator']

export interface Viewer {
  wallet: string
  roles: readonly Role[]
}

/** True for who sees every dispute. */
export const seesEveryDispute = ({ roles }: Viewer): boolean => roles.some((role) => READERS.includes(role))

/** True for the parties, and for who sees every dispute. */
export const maySeeDispute = (dispute: Pick<DisputeRecord, 'claimant' | 'respondent'>, viewer: Viewer): boolean =>
  seesEveryDispute(viewer) || viewer.wallet === dispute.claimant || viewer.wallet === dispute.respondent
