import type { SessionAdmission } from '../../schemas/sessions/record.ts'
import type { Assessment } from '../eligibility/assessment.ts'
import type { Evaluation } from '../eligibility/evaluate.ts'

/** Measurements of the limits on platform money. */
export const limitEvidence = (assessment: Assessment) => ({
  workerExposure: assessment.openExposure?.evidence ?? null,
  dailyExposure: assessment.dailyExposure?.evidence ?? null,
  dailyAllowance: assessment.allowance?.evidence ?? null,
  catalogueAccess: assessment.catalogueAccess?.evidence ?? null,
  catalogueDailyBudget: assessment.catalogueBudget?.evidence ?? null,
  onboardingSubsidy: assessment.subsidy ?? null,
})

/** Measurements of every gate at the admission of a claim; stored with the session. */
export const admissionEvidence = ({ assessment }: Evaluation): SessionAdmission => ({
  ...limitEvidence(assessment),
  claimantAttribution: null,
  tierGate: assessment.tierGate ?? null,
  priorityQualification: assessment.priority.view ?? null,
})
