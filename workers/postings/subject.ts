import { postingRecorder } from '../../activities/postings/chain-recorder.ts'
import { createReconciliation } from '../../activities/postings/reconcile.ts'
import { postingSubscriber } from '../../activities/postings/subscriber.ts'
import type { PostingActivities } from '../../schemas/postings/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (deps): PostingActivities => ({
    ...createReconciliation({ ...deps, reads: deps.readsAfterCursor }),
    // Claims of posted jobs cannot be recorded yet.
    bringClaimHome: async () => false,
  }),
  subscriber: postingSubscriber,
  recorder: postingRecorder,
} satisfies WorkerSubject
