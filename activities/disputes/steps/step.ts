import { disputeWorkflowId } from '../../../schemas/disputes/process.ts'
import type { SessionRecord } from '../../../schemas/sessions/record.ts'
import { createSettlementParts, type SettlementDeps } from '../../settlement/chain-steps.ts'
import { assertExplained } from '../../settlement/endings.ts'
import { findVerdict, latestVerdict, type StoredVerdict } from '../../verification/records.ts'
import { createChainChanges, createDisputeEndings } from '../chain-records.ts'
import { type DecisionDeps, loadDisputeContext } from '../context.ts'
import { createDisputeOpenings } from '../openings.ts'

export type DisputeDeps = SettlementDeps & DecisionDeps

/** Journal key of a step of a session's dispute. It has no run id, so that a new run finds the transactions of earlier ones. */
export const stepOf = (sessionId: string, step: string): string => `${disputeWorkflowId(sessionId)}/${step}`

/** Parts of every chain step of a dispute. */
export const createDisputeParts = (deps: DisputeDeps) => {
  const { database, arbitrator } = deps
  const settlement = createSettlementParts(deps)
  const openings = createDisputeOpenings(deps)
  const changes = createChainChanges({ ...deps, ...settlement, openings })
  const recordEnding = createDisputeEndings({ ...deps, ...settlement, changes })
  return {
    ...deps,
    ...settlement,
    openings,
    changes,
    recordEnding,

    load: (sessionId: string) => loadDisputeContext(database.rows, sessionId, arbitrator),

    /** The verdict with this id, or the session's latest. */
    getVerdict: async ({ sessionId }: SessionRecord, id: string | null = null): Promise<StoredVerdict> => {
      const verdict = id === null ? await latestVerdict(database.rows, sessionId) : await findVerdict(database.rows, id)
      if (verdict === null) throw new Error(`${sessionId} has no such verdict`)
      return verdict
    },

    /** Records how the job was closed, whichever caller closed it. */
    recordClosing: async (session: SessionRecord): Promise<void> =>
      recordEnding(session, assertExplained(await settlement.endings.findClosing(session), session, 'closed')),
  }
}
export type DisputeParts = ReturnType<typeof createDisputeParts>
