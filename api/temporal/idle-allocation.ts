import { idleAllocationStart } from '../../activities/idle-allocation/start.ts'
import { type IdleConsentInput, idleConsentUpdate, idleRevokeUpdate } from '../../schemas/idle-allocation/process.ts'
import type { EngineCalls, Outcome } from './calls.ts'

/** Calls of the API to the process of idle-balance allocation. */
export const createIdleAllocationCalls = ({ updateOrStart }: EngineCalls) => ({
  /** Records a consent of a wallet (lower case) in the running process, or in a new one. Throws the refusal with its code. */
  consentToIdleAllocation: (wallet: string, consent: IdleConsentInput): Promise<Outcome<void>> => {
    const update = { updateId: `consent-${consent.termsHash}`, input: consent }
    return updateOrStart(idleConsentUpdate, update, 'idleAllocation', idleAllocationStart({ v: 1, wallet }))
  },

  /** Revokes the consent of a wallet (lower case). */
  revokeIdleAllocation: (wallet: string, requestId: string): Promise<Outcome<void>> => {
    const update = { updateId: `revoke-${requestId}`, input: { requestId } }
    return updateOrStart(idleRevokeUpdate, update, 'idleAllocation', idleAllocationStart({ v: 1, wallet }))
  },
})
