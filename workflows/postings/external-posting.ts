import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow'
import { describeFreeing } from '../../domain/postings/unlisted.ts'
import { WATCH_MS } from '../../domain/postings/watch.ts'
import {
  type PostingActivities,
  type PostingInput,
  type PostingProgress,
  postingChanged,
  postingProgress,
} from '../../schemas/postings/process.ts'
import type { PostingStatus } from '../../schemas/postings/terms.ts'
import { waitUntilSettled } from '../common/deadline.ts'
import { createOperatorView } from '../common/operator-view.ts'
import { CHAIN_STEPS, clock } from '../common/proxies.ts'

/** Pauses before a claim on chain is looked at again: while it is recorded, and while an earlier claim of the job still ends. */
const SHORTEST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60 * 1000

const chain = proxyActivities<PostingActivities>(CHAIN_STEPS)

/**
 * A posted job from its funding to the end of its escrow. What it sees it records, and it brings claims home. It sends a transaction only where a claim
 * holds the escrow of a job that is not listed.
 */
export async function externalPosting(input: PostingInput): Promise<{ status: PostingStatus }> {
  const { jobId } = input
  const view = createOperatorView()
  let progress: PostingProgress | null = null
  let moved = false
  let moves = 0
  let tries = 0
  setHandler(postingProgress, () => progress)
  setHandler(postingChanged, () => {
    moved = true
    moves += 1
  })

  while (!workflowInfo().continueAsNewSuggested) {
    moved = false
    const reading = await view.retryUntilAccepted(
      () => chain.reconcilePosting({ jobId }),
      () => moves,
    )
    progress = reading
    const { status, until, details, unrecordedClaim, unlistedClaim, isOver } = reading
    view.show({ state: status, deadlineAt: until, details })
    if (unrecordedClaim !== null) {
      await view.retryUntilAccepted(
        () => chain.bringClaimHome({ jobId, ...unrecordedClaim }),
        () => moves,
      )
      await condition(() => moved, Math.min(SHORTEST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS))
      tries += 1
      continue
    }
    tries = 0
    if (unlistedClaim !== null) {
      const freeing = await view.retryUntilAccepted(
        () => chain.freeEscrow({ jobId }),
        () => moves,
      )
      view.show({
        state: status,
        deadlineAt: freeing?.until ?? null,
        details: `${details} ${describeFreeing(unlistedClaim.wallet, freeing)}`,
      })
      if (freeing === null) await condition(() => moved, LONGEST_PAUSE_MS)
      else await waitUntilSettled(freeing.until, () => moved, clock)
      continue
    }
    if (moved) continue
    if (isOver) return { status }
    if (until === null) await condition(() => moved, WATCH_MS)
    else await waitUntilSettled(until, () => moved, clock)
  }
  return continueAsNew<typeof externalPosting>(input)
}
