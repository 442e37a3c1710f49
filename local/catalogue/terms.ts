import type { JobInputBody } from '../../schemas/catalogue/job-input.ts'
import type { Lane } from '../../schemas/catalogue/job-terms.ts'
import type { Tier } from '../../schemas/common/tiers.ts'
import { computeAnswers } from './answers.ts'

/** A job to list. A task with secret answers is another one at each reissue, whose number is 1 for the first. */
export type Seed = JobInputBody | ((number: number) => JobInputBody)

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

const COMPARED = { lane: 'liveness', verifierMode: 'deterministic' } as const

/** A task with one answer, which its text determines. */
export const oneAnswer = (description: string) => {
  const [answer] = computeAnswers(description)
  return { description, verifierTerms: [answer], ...COMPARED }
}

/** A task whose submission holds every one of several answers, which its text determines. */
export const allAnswers = (description: string) => {
  const verifierConfig = { expectedOutputs: computeAnswers(description), matchMode: 'contains_all' as const }
  return { description, verifierConfig, ...COMPARED }
}
