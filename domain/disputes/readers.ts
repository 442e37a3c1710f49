import type { DisputeRecord } from '../../schemas/disputes/record.ts'
import type { Role } from '../../schemas/identity/authorisation.ts'

/** Roles that can read every dispute; the parties can read their own. */
const READERS: readonly Role[] = ['admin', 'verifier', 'arbitrator']

export interface Viewer {
  wallet: string
  roles: readonly Role[]
}

/** True for a viewer with a role that can read every dispute. */
export const canReadEveryDispute = ({ roles }: Viewer): boolean => roles.some((role) => READERS.includes(role))

/** True for the parties, and for a viewer who can read every dispute. */
export const canReadDispute = (dispute: Pick<DisputeRecord, 'claimant' | 'respondent'>, viewer: Viewer): boolean =>
  canReadEveryDispute(viewer) || viewer.wallet === dispute.claimant || viewer.wallet === dispute.respondent
