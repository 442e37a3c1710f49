import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { iso } from '../common/instants.ts'
import { assetAmount } from '../common/money.ts'
import { CLAIM_HELD_STATES } from './close.ts'
import { bondRaw } from './economics-view.ts'
import { pinnedDefinition } from './snapshot.ts'
import { effectiveStatus, hasDiverged, isTerminal } from './state-machine.ts'
import { sinceOf, type WorkerHelp } from './view.ts'
import { NO_WAITING_FACTS, waitingView } from './waiting.ts'

/** Whether the escrow holds the bond of a session, as far as the record tells: until its recorded end, and as last read where it has diverged. */
const holdsBond = (session: SessionRecord): boolean => {
  const { status, chainState, operatorClose, timestamps } = session
  if (hasDiverged(session)) return operatorClose === null && chainState !== null && CLAIM_HELD_STATES.has(chainState)
  return !isTerminal(status) || (status === 'rejected' && timestamps.rejectionFinalizedAt === null)
}

/** Short row of a session at `now` (epoch ms), for operators. */
export const compactSession = (session: SessionRecord, now: number, help: Pick<WorkerHelp, 'waiting' | 'nativeAccount'>) => {
  const { sessionId, jobId, wallet, economics } = session
  const { waitingFor, reason, deadline, disposition, heldBecause, disputeId } = waitingView(session, help.waiting ?? NO_WAITING_FACTS, now)
  return {
    sessionId,
    jobId,
    jobTitle: pinnedDefinition(session.jobSnapshot).title,
    wallet,
    ...(help.nativeAccount !== undefined && { nativeAccount: help.nativeAccount }),
    status: effectiveStatus(session, now),
    waitingFor,
    reason,
    since: iso(sinceOf(session, now)),
    ...(deadline !== undefined && { deadline }),
    updatedAt: iso(session.updatedAt),
    claimedAt: iso(session.timestamps.claimedAt),
    reward: assetAmount(economics.rewardRaw, economics.asset),
    locked: assetAmount(holdsBond(session) ? bondRaw(economics) : 0n, economics.asset),
    ...(disposition !== undefined && { disposition }),
    ...(heldBecause !== undefined && { heldBecause }),
    ...(disputeId !== undefined && { disputeId }),
  }
}
