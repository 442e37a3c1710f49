import { readFollowerLag } from '../../activities/chain/follower/cursor.ts'
import { type ChainFollowerActivities, type FollowerInput, followerWorkflowId } from '../../schemas/chain/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import type { WorkerSubject } from '../subjects.ts'
import { createFollowerActivities } from './follower.ts'
import { startFollowerAlarm } from './follower-alarm.ts'
import { NONCE_METRICS, nonceSamples, startNonceKeepers } from './nonce-keeper.ts'

export const subject = {
  standing: ({ chainId, name }) => {
    const input: FollowerInput = { v: 1, chainId, progress: null }
    return {
      workflow: 'chainFollower',
      start: {
        taskQueue: TASK_QUEUE,
        workflowId: followerWorkflowId(chainId),
        args: [input],
        typedSearchAttributes: [{ key: SEARCH.sessionState, value: 'following' }],
        staticSummary: `Follow the events of ${name}`,
        staticDetails: `Reads the logs of the contracts on chain ${chainId} into the records and notifies workflows.`,
      },
    }
  },
  activities: (deps): ChainFollowerActivities => createFollowerActivities(deps),
  metrics: NONCE_METRICS,
  background: (deps) => {
    const { settings, chain, database, logger } = deps
    const keepers = startNonceKeepers(deps)
    const lag = () => readFollowerLag(database.rows, chain.chainId)
    const alarm = startFollowerAlarm({ lag, boundSeconds: settings.CHAIN_LAG_SECONDS, logger })
    return { loops: [...keepers, alarm], readSamples: () => nonceSamples(keepers.map((keeper) => keeper.latest())) }
  },
} satisfies WorkerSubject
