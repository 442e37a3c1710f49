import { isProblem } from '../../../client/src/problems.ts'
import type { Client } from '../../../client/src/types.ts'

/** What the service refuses does not compile; the type check reads this file. */
export const refusedByTypes = (client: Client): unknown[] => [
  // @ts-expect-error: a claim names its job
  () => client.claimJob(),
  // @ts-expect-error: a limit is a number
  () => client.listJobs({ limit: '1' }),
  // @ts-expect-error: a state is one of a list
  () => client.listJobs({ state: 'nowhere' }),
  // @ts-expect-error: a submission stands in one member
  () => client.submitWork({ sessionId: 'a', submission: {}, evidence: '' }),
  // @ts-expect-error: a job is no list
  () => client.paginate('getJobDefinition', { jobId: 'a' }),
  // @ts-expect-error: a code of no refusal
  () => isProblem(null, 'no_such_code'),
  // @ts-expect-error: amounts are bigint
  async (): Promise<string> => (await client.claimJob({ jobId: 'a' })).totalClaimLockRaw,
]
