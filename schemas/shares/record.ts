/** What can be shared. */
export const SHARE_SURFACES = ['agent', 'session', 'dispute', 'policy'] as const
export type ShareSurface = (typeof SHARE_SURFACES)[number]

/** Member of a request that names the record of a surface. */
export const SHARE_REFERENCE = { agent: 'wallet', session: 'sessionId', dispute: 'disputeId', policy: 'tag' } as const satisfies Record<
  ShareSurface,
  string
>

/** Life of a share, seconds. */
export const SHARE_TTL = { default: 604_800, max: 2_592_000 } as const
