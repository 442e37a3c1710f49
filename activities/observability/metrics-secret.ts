import { timingSafeEqual } from 'node:crypto'
import { bearerOf } from '../../domain/common/bearer.ts'
import { sha256Of } from '../../domain/common/hashes.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import type { Settings } from '../../schemas/settings.ts'

// Hashes have equal lengths, as the constant-time comparison needs.
const digest = (text: string): Buffer => Buffer.from(sha256Of(text).slice(2), 'hex')

const SEND_SECRET: NextAction = {
  kind: 'http',
  method: 'GET',
  path: '/metrics',
  description: 'Send the metrics secret as Authorization: Bearer.',
}

/** Facts that decide who may read the metrics. */
export interface MetricsAccess {
  settings: Pick<Settings, 'METRICS_TOKEN' | 'OPEN_METRICS'>
  /** True only on the embedded chain. */
  isLocal: boolean
}

/**
 * Throws unless the caller may read the metrics. They are public on the local chain with `OPEN_METRICS`; otherwise they need the metrics
 * secret. Errors: `metrics_auth_unconfigured`, `missing_token`, `bad_signature`.
 */
export const assertMetricsSecret = ({ settings, isLocal }: MetricsAccess, authorization: string | undefined): void => {
  const { METRICS_TOKEN: secret, OPEN_METRICS } = settings
  if (isLocal && OPEN_METRICS) return
  if (secret === undefined) throw new ServiceError('metrics_auth_unconfigured')
  const sent = bearerOf(authorization)
  if (sent === null)
    throw new ServiceError('missing_token', { detail: 'The metrics need their own secret as a bearer token.', nextActions: [SEND_SECRET] })
  if (!timingSafeEqual(digest(sent), digest(secret)))
    throw new ServiceError('bad_signature', { detail: 'The metrics secret is wrong.', nextActions: [SEND_SECRET] })
}
