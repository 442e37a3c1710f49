/** Sources of work, by the segment of their route. */
export const PROVIDERS = ['github', 'wikipedia', 'osv', 'open-data', 'openapi', 'standards'] as const
export type Provider = (typeof PROVIDERS)[number]
