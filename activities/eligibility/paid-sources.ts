import { sql } from 'kysely'
import { revisionKey } from '../../domain/catalogue/source.ts'
import { type Fact, known } from '../../domain/common/fact.ts'
import type { PaidSource } from '../../domain/eligibility/facts.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { JobSnapshot } from '../../schemas/sessions/record.ts'
import type { Rows } from '../database/database.ts'

/** For each of the jobs the wallet's paid work on the same source revision; null without one, and for a job whose source has no revision. */
export const readPaidSources = async (
  rows: Rows,
  wallet: string,
  jobs: readonly JobRecord[],
): Promise<(job: JobRecord) => Fact<PaidSource | null>> => {
  if (jobs.every(({ definition }) => revisionKey(definition) === null)) return () => known(null)
  const paid = await rows
    .selectFrom('session')
    .select(['jobId', 'sessionId', 'jobSnapshot'])
    .where('wallet', '=', wallet)
    .where('payoutTx', 'is not', null)
    .where(sql<boolean>`job_snapshot #>> '{specDefinition,source,revisionId}' is not null`)
    .orderBy('claimedAt', 'desc')
    .execute()
  // Of several, the one that was claimed first is named.
  const byKey = new Map(
    paid.flatMap(({ jobId, sessionId, jobSnapshot }) => {
      const sourceKey = revisionKey((jobSnapshot as unknown as JobSnapshot).specDefinition)
      return sourceKey === null ? [] : [[sourceKey, { sourceKey, paidJobId: jobId, paidSessionId: sessionId }] as const]
    }),
  )
  return ({ definition }) => known(byKey.get(revisionKey(definition) ?? '') ?? null)
}
