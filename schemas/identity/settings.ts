import { z } from 'zod'
import { csv, signingKey, wallets } from '../common/setting-parsers.ts'

export const settings = {
  AUTH_MODE: z.enum(['strict', 'permissive']).default('strict'),
  AUTH_DOMAIN: z.string().default('localhost'),
  AUTH_STATEMENT: z.string().default('Sign in to the agent work service.'),
  AUTH_NONCE_TTL_SECONDS: z.coerce.number().int().min(1).default(300),
  /** Seconds after a refresh in which the token before it is answered with the new one again. That keeps its date, so at most the clock difference. */
  AUTH_REFRESH_GRACE_SECONDS: z.coerce.number().int().min(0).max(60).default(30),
  /** Days after a signature in which its tokens can be refreshed. */
  AUTH_SESSION_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  /** Time limit of each reader of a native account's mapping. */
  NATIVE_MAPPING_TIMEOUT_MS: z.coerce.number().int().min(100).max(10_000).default(1_500),
  JWT_ALGORITHM: z.enum(['ES256', 'HS256']).default('ES256'),
  JWT_ISSUER: z.string().default('agent-work-service'),
  JWT_AUDIENCE: z.string().default('agent-work-service'),
  /** At most 30 days: a retired token key verifies that long. */
  JWT_TTL_SECONDS: z.coerce.number().int().min(1).max(2_592_000).default(86_400),
  /** PKCS#8 PEM of the P-256 access-token key (`JWT_KEY` or `JWT_KEY_FILE`). */
  JWT_KEY: signingKey,
  JWT_KEY_FILE: z.string().optional(),
  /** Optional pin: SHA-256 (hex) of the SPKI of JWT_KEY; a difference stops the start. */
  JWT_KEY_FINGERPRINT: z.string().optional(),
  /** Comma list of HS256 secrets, each at least 32 characters; the first signs. */
  JWT_SECRETS: csv,
  ADMIN_WALLETS: wallets,
  VERIFIER_WALLETS: wallets,
  ARBITRATOR_WALLETS: wallets,
}
