import type { ClaimReason } from '../../../schemas/catalogue/claim-status.ts'
import { wait } from '../../../schemas/common/error-row.ts'
import { ERRORS, type ErrorCode, isRetryable, type NextAction } from '../../../schemas/errors.ts'
import { defaultNextActions } from '../../common/next-actions.ts'

/** Gates in their order of evaluation. */
export const GATES = [
  'maintainer_policy',
  'delisted',
  'claim_state',
  'own_posting',
  'earning_identity',
  'designated_claimants',
  'tier',
  'role',
  'priority_window',
  'paid_source',
  'responsible_person',
  'open_pr_cap',
  'claim_economics',
  'delegate_budget',
  'wallet_funding',
  'onboarding_subsidy',
  'definition_integrity',
  'open_exposure',
  'allowance',
  'catalogue_budget',
  'chain_state',
  'protocol_pause',
] as const
export type GateName = (typeof GATES)[number]

/** Blocking reasons that are no error codes, each with the error code of a claim and its message. */
const REASONS_WITHOUT_CODE = {
  job_claimed: ['job_already_claimed', 'The job is claimed.'],
  claimed_by_other_wallet: ['job_already_claimed', 'Another wallet has claimed this job.'],
  already_claimed_by_current_wallet: ['job_already_claimed', 'This wallet has already claimed this job.'],
  session_submitted: ['job_already_claimed', 'Work for this job has been submitted, and its outcome is not final yet.'],
  recurring_template: ['job_not_claimable', 'The job is a template: claim one of the jobs that are made from it.'],
  job_paused: ['job_not_claimable', 'The job is paused.'],
  job_archived: ['job_not_claimable', 'The job is archived.'],
  job_stale: ['job_not_claimable', 'The listing of the job is stale.'],
  paused_system: ['blockchain_revert', 'The contracts are paused: they accept no call until the pause ends.'],
} as const satisfies Partial<Record<ClaimReason | 'paused_system', [ErrorCode, string]>>
export type UncodedReason = keyof typeof REASONS_WITHOUT_CODE

export type BlockerCode = ErrorCode | UncodedReason

const isWithoutCode = (code: BlockerCode): code is UncodedReason => code in REASONS_WITHOUT_CODE

/** One reason why the wallet cannot claim the job now. */
export interface Blocker {
  code: BlockerCode
  message: string
  gate: GateName
  /** Finer reason than the code, where the gate has one. */
  reason?: string
  /** True when the identical claim can succeed later. */
  retryable: boolean
  retryAfterSeconds?: number
  details: Record<string, unknown>
  nextActions: NextAction[]
}

/** Error code of a claim that the blocker refuses. */
export const refusalCode = (code: BlockerCode): ErrorCode => (isWithoutCode(code) ? REASONS_WITHOUT_CODE[code][0] : code)

const messageOf = (code: BlockerCode): string => (isWithoutCode(code) ? REASONS_WITHOUT_CODE[code][1] : ERRORS[code].meaning)

export interface BlockerParts {
  reason?: string | undefined
  details?: Record<string, unknown>
  nextActions?: NextAction[] | undefined
  retryAfterSeconds?: number | undefined
  /** Instead of the message of the code. */
  message?: string | undefined
}

/** Blocker of a gate, with message and retryability of its code. */
export const blocker = (gate: GateName, code: BlockerCode, parts: BlockerParts = {}): Blocker => ({
  code,
  message: parts.message ?? messageOf(code),
  gate,
  ...(parts.reason !== undefined && { reason: parts.reason }),
  retryable: isRetryable(refusalCode(code), parts.retryAfterSeconds),
  ...(parts.retryAfterSeconds !== undefined && { retryAfterSeconds: parts.retryAfterSeconds }),
  details: parts.details ?? {},
  nextActions: parts.nextActions ?? defaultNextActions(refusalCode(code), parts.details),
})

/** A wait until an instant (ISO 8601). */
export const waitUntil = (availableAt: string, description: string): NextAction => ({ ...wait(description), availableAt })
