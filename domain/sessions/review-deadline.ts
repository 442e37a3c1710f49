import { PROFILE_SLA_SECONDS, REVIEW_SLA_SECONDS } from '../common/constants.ts'
import { plusSeconds } from '../common/instants.ts'

/** Seconds from a submission to its human review, or to the end of an escrow whose profile gives no result. Source: lifecycle, "Review loop". */
export const reviewSeconds = (
  verifierMode: string,
  { CODEHOST_PR_REVIEW_SLA_HOURS: hours }: { CODEHOST_PR_REVIEW_SLA_HOURS: number },
): number => {
  if (verifierMode === 'verification_profile') return PROFILE_SLA_SECONDS
  return verifierMode === 'codehost_pr' ? hours * 3_600 : REVIEW_SLA_SECONDS
}

/** Start of a submission's human review, epoch ms: its stored instant, else the default time after it. */
export const reviewEnd = ({ reviewEndsAt }: { reviewEndsAt: number | null }, submittedAt: number): number =>
  reviewEndsAt ?? plusSeconds(submittedAt, REVIEW_SLA_SECONDS)
