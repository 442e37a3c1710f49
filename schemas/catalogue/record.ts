import type { JobDefinition } from './job-definition.ts'

export const LIFECYCLE_STATUSES = ['open', 'paused', 'archived'] as const
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number]

export const POSTING_ROUTES = ['curated', 'external-direct'] as const
export type PostingRoute = (typeof POSTING_ROUTES)[number]

/** Row of a job. Instants in epoch ms, amounts in base units. */
export interface JobRecord {
  id: string
  definition: JobDefinition
  /** keccak256 of the canonical definition. */
  specHash: `0x${string}`
  chainJobId: `0x${string}`
  rewardRaw: bigint
  /** Asset symbol. */
  rewardAsset: string
  lifecycleStatus: LifecycleStatus
  /** From this instant an open job is stale; null for recurring templates. */
  staleAt: number | null
  createdAt: number
  updatedAt: number
  /** Start of the priority window. */
  listedAt: number
  /** Compare-and-set counter of the row. */
  version: number
  postingRoute: PostingRoute
  /** Lower-case address; null while the poster is unknown. */
  posterAddress: string | null
  delistedAt: number | null
  delistReason: string | null
  /** Lower-case addresses; null when any wallet may claim. */
  designatedClaimants: string[] | null
}
