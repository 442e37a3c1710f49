import type { SessionAdmission } from '../../schemas/sessions/record.ts'
import type { Evaluation } from '../eligibility/evaluate.ts'

const plain = (value: object | null | undefined): Record<string, unknown> | null =>
  value === null || value === undefined ? null : { ...value }

/** Measurements of every gate at the admission of a claim; stored with the session. */
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
