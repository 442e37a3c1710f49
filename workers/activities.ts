import { heartbeat, sleep } from '@temporalio/activity'
import { createSigners } from '../activities/chain/clients.ts'
import { recordedBlock } from '../activities/chain/follower/cursor.ts'
import { createTransactions } from '../activities/chain/journal/send.ts'
import { createChainReads } from '../activities/chain/reads.ts'
import { type Loaded, mergeSubjects } from '../activities/common/subjects.ts'
import { createEarningIdentities } from '../activities/identity/earning-identity.ts'
import { createLoggedMappingReader } from '../activities/identity/native-mapping.ts'
import { createClaimStarter } from '../activities/temporal/claims.ts'
import { createRunnerCalls } from '../activities/temporal/executions.ts'
import { readSchedule } from '../activities/temporal/schedules.ts'
import { createMessageSender } from '../activities/temporal/send.ts'
import type { WorkerDeps, WorkerSubject } from './subjects.ts'

/** Waits inside an activity with a heartbeat. A cancelled activity or a stopping worker ends the wait. */
const pause = async (milliseconds: number): Promise<void> => {
  heartbeat()
  await sleep(milliseconds)
}

type Derived =
  | 'signers'
  | 'transactions'
  | 'operator'
  | 'reads'
  | 'identities'
  | 'readsAfterCursor'
  | 'publicBaseUrl'
  | 'send'
  | 'readSchedule'
  | 'runners'
  | 'startClaim'
  | 'subscribers'
  | 'recorders'

/** Adds what follows from the parts of a worker. */
export const createWorkerDeps = (subjects: readonly Loaded<WorkerSubject>[], parts: Omit<WorkerDeps, Derived>): WorkerDeps => {
  const { settings, chain, clients, database } = parts
  const signers = createSigners(settings)
  const transactions = createTransactions({ ...parts, signers, pause })
  const operator = transactions.addressOf('operator')
  return {
    ...parts,
    signers,
    transactions,
    operator,
    reads: createChainReads(chain, clients, operator),
    identities: createEarningIdentities(createLoggedMappingReader(parts), chain),
    readsAfterCursor: createChainReads(chain, clients, operator, () => recordedBlock(database.rows, chain.chainId)),
    publicBaseUrl: settings.PUBLIC_BASE_URL ?? `http://${settings.HOST}:${settings.PORT}`,
    send: createMessageSender(parts.client),
    readSchedule: (scheduleId) => readSchedule(parts.client, scheduleId),
    runners: createRunnerCalls(parts.client),
    startClaim: createClaimStarter(parts.client),
    subscribers: subjects.flatMap(({ module }) => module.subscriber ?? []),
    recorders: subjects.flatMap(({ module }) => module.recorder ?? []),
  }
}

/** Creates every activity of the service. Throws when two subjects have one of the same name. */
export const createActivities = (subjects: readonly Loaded<WorkerSubject>[], deps: WorkerDeps): Record<string, (input: never) => unknown> =>
  mergeSubjects(
    'activity',
    subjects.map(({ subject, module }) => ({ subject, module: module.activities?.(deps) ?? {} })),
  )
