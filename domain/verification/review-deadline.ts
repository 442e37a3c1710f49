import { REVIEW_SLA_SECONDS } from '../common/constants.ts'
import { plusSeconds } from '../common/instants.ts'

/** How long a submission may wait for a verdict before people are called. Source: lifecycle, "Review loop". */
export const reviewSeconds = (
  verifierMode: string,
  { CODEHOST_PR_REVIEW_SLA_HOURS: hours }: { CODEHOST_PR_REVIEW_SLA_HOURS: number },
): number => (verifierMode === 'codehost_pr' ? hours * 3_600 : REVIEW_SLA_SECONDS)

/** When people are called to a submission, epoch ms: the instant that was kept with it, else the usual time after it. */
export const reviewEnd = ({ reviewEndsAt }: { reviewEndsAt: number | null }, submittedAt: number): number =>
  reviewEndsAt ?? plusSeconds(submittedAt, REVIEW_SLA_SECONDS)
