import { z } from 'zod'
import { IsoTime, shape } from '../operations/values.ts'

/** Why a verdict could not be given now, each with its sentence for callers. */
export const READINESS_REASONS = {
  handler_missing: 'No running worker has the handler of this verifier mode.',
  verifier_key_missing: 'The service has no verifier key to send a verdict with.',
  verifier_role_missing: 'The verifier key lacks its role in the contracts.',
  verifier_gas_missing: 'The verifier key cannot pay the gas of a verdict.',
  arbitrator_key_missing: 'The service has no arbitrator key to end an escrow with that gets no result.',
  code_host_token_missing: 'The service has no token of the code host.',
  code_host_token_refused: 'The code host refuses the token of the service.',
  code_host_rate_limited: 'The code host limits the requests of the service.',
  code_host_unavailable: 'The code host does not answer.',
  reviewers_missing: 'No verifier and no arbitrator is configured to decide.',
  source_unavailable: 'A server whose content the verdict needs does not answer.',
  check_overdue: 'What the verdict needs was not checked recently.',
  not_checked: 'What the verdict needs was not checked yet.',
} as const
export type ReadinessReason = keyof typeof READINESS_REASONS

/** Whether a verdict on this job could be given now. */
export const ReadinessShape = shape('VerificationReadiness', 'Whether a verdict on the job can come now.', {
  ready: z.boolean().nullable().describe('Null before the first check of something that the verdict needs.'),
  reason: z
    .enum(Object.keys(READINESS_REASONS) as [ReadinessReason, ...ReadinessReason[]])
    .nullable()
    .describe('Null when ready.'),
  checkedAt: IsoTime.nullable().describe('Time of the check that decided, or of the oldest one when ready. Null before the first.'),
  lastVerdictAt: IsoTime.nullable().describe('Time of the last verdict of this verifier mode; null before the first.'),
})
