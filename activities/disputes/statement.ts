import { statementBlob } from '../../domain/disputes/evidence.ts'
import type { DisputeRecord } from '../../schemas/disputes/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import { storeContent } from '../content/records.ts'
import type { Rows } from '../database/database.ts'
import { appendEntry } from '../sessions/dispute.ts'
import { findDecision, lockDispute } from './rows.ts'

/**
 * Records the worker's statement in its dispute; it replaces an earlier one until the round is decided. A repeat changes nothing. `at` in
 * epoch ms. Throws `dispute_already_decided` for a decided round.
 */
export const recordStatement = async (
  rows: Rows,
  { sessionId, statement, at }: { sessionId: string; statement: string; at: number },
): Promise<DisputeRecord> => {
  const dispute = await lockDispute(rows, sessionId)
  if (dispute === null) throw new ServiceError('dispute_not_found')
  const { disputeId, claimant, respondent, status } = dispute
  if (status === 'resolved' || (await findDecision(rows, dispute)) !== null)
    throw new ServiceError('dispute_already_decided', { details: { disputeId } })
  const owners = [claimant, ...(respondent === null ? [] : [respondent])]
  const payload = statementBlob({ disputeId, statement })
  const statementHash = await storeContent(rows, { contentType: 'dispute_statement', payload, owners, at })
  if (statementHash === dispute.statementHash) return dispute
  const stated = { statementHash, statedAt: at, updatedAt: at }
  await rows.updateTable('dispute').set(stated).where('disputeId', '=', disputeId).execute()
  await appendEntry(rows, disputeId, { at, actor: claimant, action: 'statement_given', data: { statementHash } })
  return { ...dispute, ...stated }
}
