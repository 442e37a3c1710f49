export const JOB_TYPES = ['work', 'curation', 'review', 'publish', 'verification'] as const
export type JobType = (typeof JOB_TYPES)[number]

export const JOB_ROLES = ['worker', 'curator', 'reviewer', 'publisher', 'verifier', 'arbitrator'] as const
export type JobRole = (typeof JOB_ROLES)[number]

export const VERIFIER_MODES = ['benchmark', 'deterministic', 'human_fallback', 'codehost_pr', 'verification_profile'] as const
export type VerifierMode = (typeof VERIFIER_MODES)[number]

/** Catalogue lanes with their own daily cap and backlog. */
export const LANES = ['liveness', 'oss-anchored', 'benchmark-showcase'] as const
export type Lane = (typeof LANES)[number]

const LIFECYCLE_STATUSES = ['open', 'paused', 'archived'] as const
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number]

export const POSTING_ROUTES = ['curated', 'external-direct'] as const
export type PostingRoute = (typeof POSTING_ROUTES)[number]
