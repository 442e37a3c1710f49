import type { StepLimits } from '../../workflows/common/limits.ts'

/** Short limits in place of `workflows/common/limits.ts`, so that a test does not wait long for the steps of a killed worker. */
export const LIMITS: StepLimits = {
  record: '5s',
  heartbeat: '3s',
  followerHeartbeat: '3s',
  auditHeartbeat: '3s',
  runnerStart: '10s',
}
