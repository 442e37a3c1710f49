/** Fixed-window rate limits; the setting RATE_LIMITS overrides them. Source: http, "Rate limits". */
export interface RateBucket {
  limit: number
  windowSeconds: number
  /** Key of the counter: the client address, or the subject of a signed-in caller. */
  key: 'ip' | 'wallet'
}

const perMinute = (limit: number, key: RateBucket['key']): RateBucket => ({ limit, windowSeconds: 60, key })

export const RATE_BUCKETS = {
  auth_nonce: perMinute(10, 'ip'),
  auth_verify: perMinute(10, 'ip'),
  auth_refresh: perMinute(6, 'wallet'),
  oauth_authorize: perMinute(30, 'ip'),
  oauth_pages: perMinute(60, 'ip'),
  oauth_token: perMinute(120, 'ip'),
  oauth_register: perMinute(10, 'ip'),
  oauth_documents: perMinute(10, 'ip'),
  tools_messages: perMinute(240, 'wallet'),
  tools_anonymous: perMinute(60, 'ip'),
  tools_authenticated: perMinute(300, 'wallet'),
  admin_jobs: perMinute(60, 'wallet'),
  verifier_run: perMinute(120, 'wallet'),
  jobs_claim: perMinute(30, 'wallet'),
  jobs_submit: perMinute(60, 'wallet'),
  jobs_validate: perMinute(120, 'ip'),
  jobs_build: perMinute(240, 'wallet'),
  quotes: perMinute(60, 'wallet'),
  postings: perMinute(30, 'wallet'),
  rehearsals: perMinute(10, 'wallet'),
  agents_list: perMinute(120, 'ip'),
  agents_read: perMinute(240, 'ip'),
  badges_list: perMinute(120, 'ip'),
  badge_images: perMinute(30, 'ip'),
  content_write: perMinute(30, 'wallet'),
  shares: perMinute(30, 'wallet'),
  events: perMinute(30, 'wallet'),
  events_poll: perMinute(120, 'wallet'),
  webhooks: perMinute(30, 'wallet'),
  verification_quotes: perMinute(60, 'ip'),
} as const satisfies Record<string, RateBucket>

export type RateBucketName = keyof typeof RATE_BUCKETS
