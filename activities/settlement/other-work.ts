import type { Hex } from 'viem'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { type ClaimStepDeps, findJobTransaction } from '../claims/step.ts'
import { BlockedStepError } from '../common/blocked.ts'
import { emit, sessionSubject } from '../events/outbox.ts'
import { dropDelivery } from '../pull-requests/records.ts'
import { getSession, lockSession } from '../sessions/records.ts'
import { dropSubmissionContent } from '../sessions/submission-content.ts'
import { evaluateSession } from '../verification/evaluate.ts'
import { type StoredVerdict, storeVerdict } from '../verification/records.ts'

/** The escrow has other work (`evidenceHash`) than the session: a fork removed the recorded submission, and its worker submitted other work. */
export class OtherWorkError extends BlockedStepError {
  readonly evidenceHash: Hex
  constructor({ sessionId, evidenceHash: recorded }: SessionRecord, evidenceHash: Hex) {
    super('chain_state_diverged', `the escrow has the work ${evidenceHash} of ${sessionId}, and the verdict is about ${recorded}`)
    this.evidenceHash = evidenceHash
  }
}

/** Records what the worker has submitted instead. Its content never reached the service, so no rule of the job can judge it. */
export const createOtherWork = (
  deps: Pick<ClaimStepDeps, 'database' | 'chain' | 'clients' | 'reads' | 'clock'> & { publicBaseUrl: string },
) => {
  const { database, clock, publicBaseUrl } = deps

  const recordOtherWork = async ({ sessionId, chainJobId }: SessionRecord, evidenceHash: Hex): Promise<SessionRecord> => {
    const found = await findJobTransaction(deps, 'Submitted', chainJobId as Hex)
    if (found === null) throw new BlockedStepError('chain_state_diverged', `no event explains the work ${evidenceHash} of ${sessionId} yet`)
    await database.transaction(async (rows) => {
      const session = await lockSession(rows, sessionId)
      if (session.evidenceHash === evidenceHash) return
      await dropDelivery(rows, sessionId)
      await dropSubmissionContent(rows, session)
      await rows
        .updateTable('session')
        .set({
          submission: null,
          evidenceHash,
          submitTxHash: found.txHash,
          submittedAt: found.blockTime,
          updatedAt: clock.now(),
          version: session.version + 1,
        })
        .where('sessionId', '=', sessionId)
        .execute()
      await emit(rows, {
        topic: 'session.submission_replaced',
        ...sessionSubject(session),
        wallets: [...new Set([session.wallet, session.poster ?? session.wallet])],
        blockNumber: found.blockNumber,
        txHash: found.txHash,
        at: found.blockTime,
        recordedAt: clock.now(),
        data: { evidenceHash, replacedEvidenceHash: session.evidenceHash },
      })
    })
    return getSession(database.rows, sessionId)
  }

  /** Session and verdict after the work in the escrow was recorded in the place of that of the session. */
  return async (before: SessionRecord, { evidenceHash }: OtherWorkError): Promise<{ session: SessionRecord; verdict: StoredVerdict }> => {
    const session = await recordOtherWork(before, evidenceHash)
    const now = clock.now()
    // Without content no handler is asked.
    const evaluated = await evaluateSession(session, new Map(), { publicBaseUrl, now, expectedOutputs: [] })
    if ('unavailable' in evaluated) throw new Error(`${session.sessionId} has the content of ${evidenceHash}`)
    const step = { runId: session.sessionId, name: evidenceHash, once: 'step' } as const
    return { session, verdict: await storeVerdict(database, session, step, evaluated.verdict, now) }
  }
}
