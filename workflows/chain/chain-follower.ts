import { continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow'
import { type FollowerInput, type FollowProgress, followerProgress } from '../../schemas/chain/process.ts'
import { follower } from '../common/proxies.ts'

/** Rounds of one run, a minute each: an hour, and a history of some hundred events. */
const ROUNDS = 60

const storyOf = (chainId: number, progress: FollowProgress | null): string => {
  const whole = `Follows the events of chain ${chainId}.`
  if (progress === null) return whole
  const { cursor, head, lagSeconds, trouble } = progress
  return [
    whole,
    `Recorded up to block ${cursor} of ${head}; caught up ${lagSeconds} s before.`,
    ...(trouble === null ? [] : [trouble]),
  ].join(' ')
}

/** Keeps one chain followed, for ever: the work is one heartbeating step, and where it stands is in the records. */
export async function chainFollower(input: FollowerInput): Promise<void> {
  const { chainId } = input
  let progress = input.progress
  setHandler(followerProgress, () => progress)
  // Every run says it anew: what a start said of the process, a run that goes on from another one does not have.
  setCurrentDetails(storyOf(chainId, progress))
  for (let round = 0; round < ROUNDS && !workflowInfo().continueAsNewSuggested; round += 1) {
    progress = await follower.followChain({ chainId })
    setCurrentDetails(storyOf(chainId, progress))
  }
  await continueAsNew<typeof chainFollower>({ ...input, progress })
}
