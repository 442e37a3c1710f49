import { ServiceError } from '../../schemas/errors.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { awaitsVerdict, takesVerdict } from '../sessions/state-machine.ts'

/** Why a session cannot be verified in its current state; null when it can. */
export const verificationRefusal = (session: Pick<SessionRecord, 'sessionId' | 'status' | 'chainState'>): ServiceError | null => {
  if (awaitsVerdict(session)) return null
  const details = { sessionId: session.sessionId, currentStatus: session.status, nextStatus: 'resolved' }
  if (!takesVerdict(session.status))
    return new ServiceError('invalid_session_transition', {
      detail: 'Only a submitted or disputed session can be verified.',
      details: { ...details, reason: 'not_awaiting_verification' },
    })
  return new ServiceError('invalid_session_transition', {
    detail: 'The escrow does not wait for a verifier’s verdict; an arbitrator decides disputes on chain.',
    details: { ...details, chainState: session.chainState, reason: 'not_submitted_on_chain' },
  })
}
