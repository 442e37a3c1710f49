import { getSession } from '../../../activities/sessions/records.ts'
import { buildBadge } from '../../../domain/reputation/badge.ts'
import type { Records } from '../../activities/support/service.ts'
import { payoutTx } from '../../api/support/work-rows.ts'
import { badgeFacts } from '../../domain/builders/badge.ts'
import { receiptRowOf } from './receipt-rows.ts'

/** Records that work which was submitted has been paid, as the settlement does. */
export const payWork = async (
  records: Pick<Records, 'clock' | 'claims' | 'settlements' | 'rows'>,
  claim: { sessionId: string; jobId: string; wallet: string; runId: string },
): Promise<void> => {
  const { sessionId, jobId, wallet } = claim
  const at = records.clock.now()
  await records.claims.recordSubmission({
    ...claim,
    txHash: `0x${'d'.repeat(64)}`,
    submittedAt: new Date(at).toISOString(),
    protocol: 'http',
  })
  await records.settlements.recordResolved({
    session: await getSession(records.rows, sessionId),
    verdict: null,
    payout: payoutTx('1950000') as never,
    badge: { ...buildBadge(badgeFacts({ jobId, sessionId, worker: wallet })) },
    receipt: await receiptRowOf(records.rows, { sessionId, jobId, worker: wallet, at }),
    reasonCode: 'APPROVED',
    at,
    reputation: 'approval_level_1',
  })
}
