import { HUMAN_REVIEW } from '../../domain/sessions/deciders.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { verdictItem } from '../../domain/sessions/verdict-items.ts'
import type { SessionRecord } from '../../schemas/sessions/record.ts'
import type { VerdictRecord } from '../../schemas/verification/shapes.ts'
import type { Rows } from '../database/database.ts'
import { verdictRecordOf } from './evaluate.ts'
import { insertVerdict, latestVerdict } from './records.ts'

export interface HumanVerdict {
  id: string
  verdict: 'approved' | 'rejected'
  rationale: string
  /** Lower-case wallet, or the name that an operator wrote in a signal. */
  by: string
  /** Epoch ms. */
  at: number
  /** Content hash of the rationale; null in a preview. */
  reasoningHash: string | null
  publicBaseUrl: string
}

/** Record of a reviewer's verdict, with the verdict before it. */
export const humanVerdictRecord = (session: SessionRecord, given: Omit<HumanVerdict, 'id'>, original: VerdictRecord | null) => {
  const { verdict, rationale, by, at, reasoningHash, publicBaseUrl } = given
  const core = {
    handler: HUMAN_REVIEW,
    handlerVersion: 1,
    outcome: verdict,
    score: verdict === 'approved' ? 100 : 0,
    reasonCode: verdict === 'approved' ? 'HUMAN_REVIEW_APPROVED' : 'HUMAN_REVIEW_REJECTED',
    detail: rationale,
    items: [verdictItem('reviewer_accepts', verdict === 'approved', '/detail')],
    escalatedFrom: session.verifierMode,
  }
  return {
    ...verdictRecordOf(session, pinnedDefinition(session.jobSnapshot), core, publicBaseUrl, at),
    reviewedBy: by,
    ...(reasoningHash !== null && { reasoningHash }),
    originalVerdict: original,
  }
}

/** Stores a reviewer's verdict. Runs in the transaction that stores the round's decision. */
export const storeHumanVerdict = async (rows: Rows, session: SessionRecord, given: HumanVerdict): Promise<void> => {
  const last = await latestVerdict(rows, session.sessionId)
  const record = humanVerdictRecord(session, given, last?.verdict ?? null)
  await insertVerdict(rows, session, { id: given.id, last, at: given.at }, record)
}
