import type { SessionAdmission } from '../../schemas/sessions/record.ts'
import type { Evaluation } from '../eligibility/evaluate.ts'

const plain = (value: object | null | undefined): Record<string, unknown> | null =>
  value === null || value === undefined ? null : { ...value }

/** What every gate measured when a claim was let through; stored with the session as the evidence of its admission. */
export const admissionEvidence = ({ assessment }: Evaluation): SessionAdmission => ({
  workerExposure: plain(assessment.openExposure?.evidence),
  dailyExposure: plain(assessment.dailyExposure?.evidence),
  dailyAllowance: plain(assessment.allowance?.evidence),
  catalogueAccess: plain(assessment.catalogueAccess?.evidence),
  catalogueDailyBudget: plain(assessment.catalogueBudget?.evidence),
  onboardingSubsidy: plain(assessment.subsidy),
  claimantAttribution: null,
  tierGate: plain(assessment.tierGate),
  priorityQualification: plain(assessment.priority.view),
})
