import { type ActivityOptions, proxyActivities } from '@temporalio/workflow'
import type { ClockActivities } from '../../schemas/processes.ts'
import { LIMITS } from './limits.ts'

/**
 * Options of short idempotent database activities, retried until the database answers. None is a local activity: a replay may see the end of a
 * local one together with a timer that fired before it. Source: ADR 7.
 */
export const RECORD_STEPS: ActivityOptions = {
  startToCloseTimeout: LIMITS.record,
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
}

/**
 * Options of chain activities, which resume from the journal. A missing heartbeat reveals a lost worker; a slow chain has 10 minutes. A blocked
 * step of a dispute fails after half a minute, and the process retries it later.
 */
export const CHAIN_STEPS: ActivityOptions = {
  startToCloseTimeout: '10m',
  heartbeatTimeout: LIMITS.heartbeat,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
}

/** Options of signals to another process: retried until the Temporal server accepts them. */
export const SIGNAL_STEPS: ActivityOptions = {
  startToCloseTimeout: LIMITS.record,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
}

/** Waiting times by the service clock. */
export const clock = proxyActivities<ClockActivities>(RECORD_STEPS)
