/** Tiers of jobs and workers, from lowest to highest. */
export const TIERS = ['starter', 'pro', 'elite'] as const
export type Tier = (typeof TIERS)[number]
