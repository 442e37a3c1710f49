import { startAdoptedClaim } from '../../activities/claims/self-paid/adopt.ts'
import { postingRecorder } from '../../activities/postings/chain-recorder.ts'
import { createReconciliation } from '../../activities/postings/reconcile.ts'
import { postingRecovery } from '../../activities/postings/start.ts'
import { postingSubscriber } from '../../activities/postings/subscriber.ts'
import { createFreeing } from '../../activities/postings/unlisted.ts'
import type { PostingActivities } from '../../schemas/postings/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (deps): PostingActivities => {
    const onChain = { ...deps, reads: deps.readsAfterCursor }
    const reconciliation = createReconciliation(onChain)
    return {
      ...reconciliation,
      ...createFreeing({ ...onChain, ...reconciliation }),
      bringClaimHome: (claim) => startAdoptedClaim(deps, { ...claim, wasAdmitted: false }),
    }
  },
  subscriber: postingSubscriber,
  recorder: postingRecorder,
  recovery: postingRecovery,
} satisfies WorkerSubject
