import { createNeedChecks } from '../../activities/verification/need-checks.ts'
import { createVerifications } from '../../activities/verification/steps.ts'
import type { VerdictReadActivities, VerifierHandlerActivities, VerifierRecordActivities } from '../../schemas/verification/process.ts'
import type { WorkerSubject } from '../subjects.ts'
import { NEED_METRICS, needSamples, startNeedChecker } from './need-checks.ts'

type Activities = VerifierHandlerActivities & VerifierRecordActivities & VerdictReadActivities

export const subject = {
  activities: (deps): Activities => createVerifications(deps),
  metrics: NEED_METRICS,
  background: (deps) => {
    const { database, logger, signers } = deps
    const needs = startNeedChecker({
      database,
      checks: createNeedChecks({ ...deps, verifier: signers.verifier?.address, hasArbitrator: signers.arbitrator !== undefined }),
      logger,
    })
    // A claim that waits for a worker is decided by checks of now, not by those of an earlier worker.
    return { loops: [needs], ready: needs.first, readSamples: () => needSamples(needs.latest()) }
  },
} satisfies WorkerSubject
