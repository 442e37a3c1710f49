import { continueAsNew, proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow'
import { type ChainFollowerActivities, type FollowerInput, type FollowProgress, followerProgress } from '../../schemas/chain/process.ts'
import { TASK_QUEUES } from '../../schemas/processes.ts'
import { LIMITS } from '../common/limits.ts'

/**
 * A round of the chain follower takes a minute, and longer while the node does not answer. It is the only reader of its chain, so the longest
 * pause between two attempts is short.
 */
const follower = proxyActivities<ChainFollowerActivities>({
  taskQueue: TASK_QUEUES.chain,
  startToCloseTimeout: '5m',
  heartbeatTimeout: LIMITS.followerHeartbeat,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '4s' },
})

/** Rounds of one run, a minute each: about a hundred history events. */
const ROUNDS = 60

const describeProgress = (chainId: number, progress: FollowProgress | null): string => {
  const summary = `Follows the events of chain ${chainId}.`
  if (progress === null) return summary
  const { cursor, head, lagSeconds, trouble } = progress
  return [
    summary,
    `Recorded up to block ${cursor} of ${head}; caught up ${lagSeconds} s before.`,
    ...(trouble === null ? [] : [trouble]),
  ].join(' ')
}

/** Follows one chain without end. One heartbeating activity does the work; the records hold the position. */
export async function chainFollower(input: FollowerInput): Promise<void> {
  const { chainId } = input
  let { progress } = input
  setHandler(followerProgress, () => progress)
  // A continued run does not inherit the details of its predecessor.
  setCurrentDetails(describeProgress(chainId, progress))
  for (let round = 0; round < ROUNDS && !workflowInfo().continueAsNewSuggested; round += 1) {
    progress = await follower.followChain({ chainId })
    setCurrentDetails(describeProgress(chainId, progress))
  }
  await continueAsNew<typeof chainFollower>({ ...input, progress })
}
