import type { SessionAdmission } from '../../schemas/sessions/record.ts'
import type { Evaluation } from '../eligibility/evaluate.ts'

const toPlain = (value: object | null | undefined): Record<string, unknown> | null =>
  value === null || value === undefined ? null : { ...value }

/** Measurements of every gate at the admission of a claim; stored with the session. */
export const admissionEvidence = ({ assessment }: Evaluation): SessionAdmission => ({
  workerExposure: toPlain(assessment.openExposure?.evidence),
  dailyExposure: toPlain(assessment.dailyExposure?.evidence),
  dailyAllowance: toPlain(assessment.allowance?.evidence),
  catalogueAccess: toPlain(assessment.catalogueAccess?.evidence),
  catalogueDailyBudget: toPlain(assessment.catalogueBudget?.evidence),
  onboardingSubsidy: toPlain(assessment.subsidy),
  claimantAttribution: null,
  tierGate: toPlain(assessment.tierGate),
  priorityQualification: toPlain(assessment.priority.view),
})
