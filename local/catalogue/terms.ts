import type { Lane, Tier } from '../../schemas/catalogue/job-terms.ts'

/** Built-in schemas of what a job gives and takes. */
export const shapes = (input: string, output: string) =>
  ({ inputSchemaRef: `schema://jobs/${input}`, outputSchemaRef: `schema://jobs/${output}` }) as const

/** A starter job whose bond is waived for a wallet's first claims. */
export const starter = (rewardAmount: number) =>
  ({ tier: 'starter', rewardAmount, onboardingWaiverEligible: true, estimatedDifficulty: 'starter' }) as const

/** A job with a bond. */
export const paid = (tier: Tier, rewardAmount: number) => ({ tier, rewardAmount, estimatedDifficulty: 'starter-plus' })

/** Approved when the submission holds `verifierMinimumMatches` of the terms. */
export const keywords = (lane: Lane, verifierMinimumMatches: number, verifierTerms: string[]) =>
  ({ lane, verifierMode: 'benchmark', verifierTerms, verifierMinimumMatches }) as const

/** Approved for one output alone. */
export const exactly = (...verifierTerms: [string]) => ({ lane: 'liveness', verifierMode: 'deterministic', verifierTerms }) as const

/** Approved when the submission holds every one of the outputs. */
export const allOf = (...expectedOutputs: string[]) =>
  ({ lane: 'liveness', verifierMode: 'deterministic', verifierConfig: { expectedOutputs, matchMode: 'contains_all' } }) as const
