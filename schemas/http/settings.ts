import { z } from 'zod'
import { csv, json } from '../common/setting-parsers.ts'

export const settings = {
  PORT: z.coerce.number().int().min(0).max(65535).default(8787),
  HOST: z.string().default('127.0.0.1'),
  /** Public base address of the API, no trailing slash. */
  PUBLIC_BASE_URL: z.url().optional(),
  /** Base address of the web console: documents name it, and wallets may sign in on its host. */
  APP_URL: z.url().optional(),
  CORS_ORIGINS: csv,
  CORS_MAX_AGE_SECONDS: z.coerce.number().int().default(600),
  BODY_LIMIT_BYTES: z.coerce.number().int().default(65_536),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
  /** Requests of a process that may wait for a change at a time, in all, of one wallet and from one address. */
  OPEN_WAITS: z.coerce.number().int().min(1).default(5_000),
  OPEN_WAITS_PER_WALLET: z.coerce.number().int().min(1).default(50),
  OPEN_WAITS_PER_ADDRESS: z.coerce.number().int().min(1).default(200),
  /** JSON object: bucket name → {limit, windowSeconds}; overrides the default rate limits. */
  RATE_LIMITS: json(z.object({ limit: z.int().min(1), windowSeconds: z.int().min(1).default(60) })),
}
