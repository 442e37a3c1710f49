/** What can be shared. */
export const SHARE_SURFACES = ['agent', 'session', 'dispute', 'policy'] as const
export type ShareSurface = (typeof SHARE_SURFACES)[number]

/** Life of a share, seconds. */
export const SHARE_TTL = { default: 604_800, max: 2_592_000 } as const
