import { lockedDepositStart } from '../../activities/locked-deposits/start.ts'
import { type LockConsent, lockOpenedUpdate, requestExitUpdate } from '../../schemas/locked-deposits/process.ts'
import type { EngineCalls, Outcome } from './calls.ts'

/** A lock of a wallet (lower case). */
interface LockOf {
  id: string
  wallet: string
}

/** Calls of the API to the process of a locked deposit. */
export const createLockedDepositCalls = ({ updateOrStart }: EngineCalls) => ({
  /** Starts the process of a lock, or joins the running one, and waits until the lock is recorded. Throws the refusal with its code. */
  openLockedDeposit: ({ id, wallet }: LockOf, consent: LockConsent): Promise<Outcome<void>> => {
    const update = { updateId: 'lock-opened', input: { requestId: consent.requestId } }
    return updateOrStart(lockOpenedUpdate, update, 'lockedDeposit', lockedDepositStart({ v: 1, id, consent }, wallet))
  },

  /** Asks the process of a recorded lock for its early exit; a process that was lost is started again. */
  exitLockedDeposit: ({ id, wallet }: LockOf, requestId: string): Promise<Outcome<void>> => {
    const update = { updateId: 'request-exit', input: { requestId } }
    return updateOrStart(requestExitUpdate, update, 'lockedDeposit', lockedDepositStart({ v: 1, id, consent: null }, wallet))
  },
})
