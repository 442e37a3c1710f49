import { REVIEW_SLA_SECONDS } from '../constants.ts'

/** How long a submission may wait for a verdict before people are called. Source: lifecycle, "Review loop". */
export const reviewSeconds = (
  verifierMode: string,
  { CODEHOST_PR_REVIEW_SLA_HOURS: hours }: { CODEHOST_PR_REVIEW_SLA_HOURS: number },
): number => (verifierMode === 'codehost_pr' ? hours * 3_600 : REVIEW_SLA_SECONDS)
