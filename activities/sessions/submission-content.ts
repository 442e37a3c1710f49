import { sha256Of } from '../../domain/common/hashes.ts'
import { submissionPayload } from '../../domain/sessions/submission-content.ts'
import type { ContentVerdict } from '../../schemas/content/record.ts'
import type { SessionRecord, SessionSubmission } from '../../schemas/sessions/record.ts'
import { deletePrivateContent, setContentVerdict, storeContent } from '../content/records.ts'
import type { Rows } from '../database/database.ts'

type SubmittedWork = Pick<SessionRecord, 'sessionId' | 'wallet' | 'submission' | 'evidenceHash'>

/** Stores a submission as content of its worker. `at` in epoch ms. */
export const storeSubmissionContent = (rows: Rows, wallet: string, submission: SessionSubmission, at: number): Promise<string> =>
  storeContent(rows, { contentType: 'submission', payload: submissionPayload(submission), owners: [wallet], at })

/** Deletes the content of a submission that was dropped, unless another session of its worker submitted the same. */
export const dropSubmissionContent = async (rows: Rows, { sessionId, wallet, submission, evidenceHash }: SubmittedWork): Promise<void> => {
  if (submission === null) return
  const content = { hash: sha256Of(submissionPayload(submission)), owner: wallet }
  // Waits for a session that stores the same now, and sees it.
  await rows.selectFrom('content').select('hash').where('hash', '=', content.hash).where('owner', '=', wallet).forUpdate().execute()
  const other = await rows
    .selectFrom('session')
    .select('sessionId')
    .where('wallet', '=', wallet)
    .where('evidenceHash', '=', evidenceHash)
    .where('sessionId', '<>', sessionId)
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) await deletePrivateContent(rows, content)
}

/** Records the verdict on the content of a session's submission, in the transaction that ends the session. */
export const recordContentVerdict = async (
  rows: Rows,
  { wallet, submission }: Pick<SessionRecord, 'wallet' | 'submission'>,
  verdict: ContentVerdict,
): Promise<void> => {
  if (submission === null) return
  await setContentVerdict(rows, { hash: sha256Of(submissionPayload(submission)), owner: wallet }, verdict)
}
