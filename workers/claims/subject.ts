import { createAdmission } from '../../activities/claims/admission.ts'
import { claimRecorder } from '../../activities/claims/chain-recorder.ts'
import { createClaimSteps } from '../../activities/claims/chain-steps.ts'
import { createClaimJob } from '../../activities/claims/claim-job.ts'
import { createClaimRecords } from '../../activities/claims/records.ts'
import { claimRecovery } from '../../activities/claims/recovery/processes.ts'
import { createResumption } from '../../activities/claims/resume.ts'
import { createSubmissionBringer } from '../../activities/claims/self-paid/submission.ts'
import { createSubmissionRecords } from '../../activities/claims/submission-records.ts'
import { claimSubscriber } from '../../activities/claims/subscriber.ts'
import { createPolicyReader } from '../../activities/pull-requests/policy-reader.ts'
import type { ClaimChainActivities, ClaimRecordActivities } from '../../schemas/claims/process.ts'
import type { WorkerSubject } from '../subjects.ts'

export const subject = {
  activities: (deps): ClaimChainActivities & ClaimRecordActivities => {
    const { admitClaim, releaseClaim } = createAdmission({
      ...deps,
      maintainers: createPolicyReader({ ...deps, fetch: deps.fetches.codehost }),
    })
    const { lockBond, ...steps } = createClaimSteps(deps)
    const { recordClaim, ...records } = createClaimRecords(deps)
    const openAtOnce = Math.max(2, deps.settings.DATABASE_POOL - 6)
    return {
      ...createClaimJob({ admitClaim, lockBond, recordClaim }, openAtOnce),
      ...steps,
      ...createSubmissionBringer({ ...deps, reads: deps.readsAfterCursor }),
      ...records,
      ...createSubmissionRecords(deps),
      ...createResumption(deps),
      releaseClaim,
    }
  },
  subscriber: claimSubscriber,
  recovery: claimRecovery,
  recorder: claimRecorder,
} satisfies WorkerSubject
