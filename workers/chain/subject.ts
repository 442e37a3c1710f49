import { setTimeout as sleep } from 'node:timers/promises'
import { roleOf } from '../../activities/chain/clients.ts'
import { readFollowerLag } from '../../activities/chain/follower/cursor.ts'
import { createNonceStatus } from '../../activities/chain/journal/nonce-status.ts'
import { createPump } from '../../activities/chain/journal/pump.ts'
import { createReplacement } from '../../activities/chain/journal/replacement.ts'
import { type ChainFollowerActivities, type FollowerInput, followerWorkflowId } from '../../schemas/chain/process.ts'
import { SEARCH, TASK_QUEUE } from '../../schemas/processes.ts'
import type { WorkerSubject } from '../subjects.ts'
import { createFollowerActivities } from './follower.ts'
import { startFollowerAlarm } from './follower-alarm.ts'
import { NONCE_METRICS, nonceSamples, startNonceKeeper } from './nonce-keeper.ts'

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
    const { settings, chain, database, signers, logger } = deps
    const status = createNonceStatus({ ...deps, stuckAfterSeconds: settings.NONCE_STUCK_SECONDS })
    const pause = (milliseconds: number) => sleep(milliseconds)
    const replacement = createReplacement({ ...deps, pause })
    const bounds = { factor: settings.FEE_RAISE_FACTOR, dailyRaw: settings.FEE_RAISE_DAILY_RAW }
    const keeper = startNonceKeeper({
      pump: createPump({ ...deps, pause }),
      status,
      raise: async ({ signer, open }) => {
        const role = roleOf(signers, signer)
        return role === undefined ? [] : replacement.raise(role, open, bounds)
      },
      roleOf: (signer) => roleOf(signers, signer),
      logger,
    })
    const lag = () => readFollowerLag(database.rows, chain.chainId)
    const alarm = startFollowerAlarm({ lag, boundSeconds: settings.CHAIN_LAG_SECONDS, logger })
    return { loops: [keeper, alarm], readSamples: () => nonceSamples(keeper.latest()) }
  },
} satisfies WorkerSubject
