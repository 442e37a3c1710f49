import type { Tables } from '../entities/tables.ts'

export const LIFECYCLE_STATUSES = ['open', 'paused', 'archived'] as const
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number]

export const POSTING_ROUTES = ['curated', 'external-direct'] as const
export type PostingRoute = (typeof POSTING_ROUTES)[number]

/** Columns for filters, which repeat members of the definition. */
type FilterColumn = 'category' | 'tier' | 'verifierMode' | 'sourceGroup' | 'lane' | 'waiverEligible' | 'verdictNeeds'

/** Row of a job. Instants in epoch ms, amounts in base units. */
export interface JobRecord extends Omit<Tables['job'], FilterColumn> {
  /** Lower-case addresses; null when any wallet may claim. */
  designatedClaimants: string[] | null
}
