import { claimOnChain } from '../../../domain/audit/session-ending.ts'
import type { PostingStatus } from '../../../schemas/postings/terms.ts'
import { listEscrowEvents } from '../claims.ts'
import type { Audit, Check } from '../context.ts'
import { settledPostings } from './rows.ts'

const LISTED: ReadonlySet<PostingStatus> = new Set(['live', 'delisted', 'settled'])

const claimKey = (jobId: string, txHash: string | null): string => `${jobId} ${txHash}`

/** Claims that have a session, and jobs with a claim under way. */
const readRecorded = async ({ rows }: Audit, jobIds: readonly string[]) => {
  const [sessions, open] = await Promise.all([
    rows
      .selectFrom('session')
      .select(['jobId', 'claimTxHash'])
      .where('jobId', 'in', [...jobIds])
      .execute(),
    rows.selectFrom('claim_intent').select('jobId').where('jobId', 'in', jobIds).where('status', '=', 'open').execute(),
  ])
  return {
    claims: new Set(sessions.map(({ jobId, claimTxHash }) => claimKey(jobId, claimTxHash))),
    running: new Set(open.map(({ jobId }) => jobId)),
  }
}

/** Looks for the session of every claim of a posted job. A claim that was released while the service could not see it needs none. */
export const checkPostedClaims: Check = async (audit, add) => {
  for await (const page of settledPostings(audit)) {
    const listed = page.filter(({ posting, job }) => job !== null && LISTED.has(posting.status))
    if (listed.length === 0) continue
    const jobIds = listed.map(({ posting }) => posting.jobId)
    const [events, { claims, running }] = await Promise.all([listEscrowEvents(audit, jobIds), readRecorded(audit, jobIds)])
    for (const [jobId, ofJob] of events)
      for (const { event, txHash } of ofJob) {
        if (event !== 'JobClaimed' || claims.has(claimKey(jobId, txHash)) || running.has(jobId)) continue
        if (claimOnChain(ofJob, txHash).ending?.kind !== 'released')
          add({ subject: `claim ${txHash} of posting ${jobId}`, expected: 'a session or a claim under way', found: 'none' })
      }
  }
}
