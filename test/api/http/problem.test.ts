import { describe, expect, test } from '@jest/globals'
import { assertMetricsSecret } from '../../../activities/observability/metrics-secret.ts'
import { problemOf } from '../../../api/http/problem.ts'
import { withHint } from '../../../api/identity/hints.ts'
import { ERRORS, type ErrorCode, type ErrorInfo, ServiceError } from '../../../schemas/errors.ts'
import { OPERATIONS, operationList } from '../../../schemas/operations/registry.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

const retryAfter = (code: ErrorCode, info: ErrorInfo = {}) => problemOf(new ServiceError(code, info), 'https://x', 'r').retryAfterSeconds

test('an outage is retried after two seconds; no other code has a default time', () => {
  const timed = CODES.filter((code) => retryAfter(code) !== undefined)
  expect(timed.sort()).toEqual([
    'blockchain_unavailable',
    'claim_economics_unavailable',
    'service_starting',
    'state_store_unavailable',
    'workflow_engine_unavailable',
  ])
  expect(new Set(timed.map((code) => retryAfter(code)))).toEqual(new Set([2]))
  expect(timed.filter((code) => !ERRORS[code].retryable)).toEqual([])
})

test('a thrower can set its own retry time', () => {
  expect(retryAfter('workflow_engine_unavailable', { retryAfterSeconds: 30 })).toBe(30)
  expect(retryAfter('upstream_failure', { retryAfterSeconds: 3_600 })).toBe(3_600)
})

test('a refusal with a retry time is retryable, whatever its code', () => {
  const once = (info: ErrorInfo) => problemOf(new ServiceError('blockchain_revert', info), 'https://x', 'r').retryable
  expect(once({})).toBe(false)
  expect(once({ retryAfterSeconds: 60 })).toBe(true)
})

describe('the next actions of a code', () => {
  const actionsOf = (code: ErrorCode, info: ErrorInfo = {}) => problemOf(new ServiceError(code, info), 'https://x', 'r').nextActions

  test.each(CODES)('%s: at least one, whatever facts the occurrence has', (code) => {
    expect(actionsOf(code)).not.toEqual([])
    expect(actionsOf(code).map(({ description }) => description)).not.toContain('')
  })

  const paths = { sessionId: 'job-1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8', disputeId: 'dispute-0a96015779ab' }
  test.each(CODES)('%s: names only operations that exist, with a query they accept', (code) => {
    for (const { kind, method, path = '' } of actionsOf(code, { details: paths })) {
      expect([kind, path]).toEqual([kind, expect.not.stringContaining('{')])
      if (kind !== 'http') continue
      const { pathname, searchParams } = new URL(path, 'https://x')
      const spec = operationList.find(
        (one) => one.method === method && new RegExp(`^${one.path.replace(/:\w+/g, '[^/]+')}$`).test(pathname),
      )
      expect(spec?.id).toBeDefined()
      expect(spec?.query?.safeParse(Object.fromEntries(searchParams)).error).toBeUndefined()
    }
  })

  test('the facts of the occurrence fill the paths', () => {
    expect(actionsOf('submit_in_progress', { details: paths })).toContainEqual(
      expect.objectContaining({ path: `/session?sessionId=${encodeURIComponent(paths.sessionId)}` }),
    )
    expect(actionsOf('submit_in_progress')).toEqual([expect.objectContaining({ kind: 'wait' })])
  })

  test('a thrower can name its own', () => {
    const nextActions = [{ kind: 'wait', description: 'Wait.' }] as const
    expect(actionsOf('job_not_found', { nextActions: [...nextActions] })).toEqual(nextActions)
  })

  test('only a refusal that a sign-in resolves carries the hint of how to sign in', () => {
    const hinted = CODES.filter((code) => withHint(new ServiceError(code), OPERATIONS.claimJob).info.details?.authEntrypoints !== undefined)
    const forbidden = ['missing_role', 'missing_capability', 'wallet_session_required']
    expect(hinted.sort()).toEqual([...CODES.filter((code) => ERRORS[code].status === 401), ...forbidden].sort())
  })

  test.each([undefined, 'Bearer wrong'])('a 401 of the metrics (%s) offers their secret, not the sign-in of a wallet', (authorization) => {
    const settings = { METRICS_TOKEN: 'secret', NODE_ENV: 'production', OPEN_METRICS: false } as const
    let refusal: unknown
    try {
      assertMetricsSecret({ settings, isLocal: false }, authorization)
    } catch (error) {
      refusal = error
    }
    const { info } = withHint(refusal as ServiceError, OPERATIONS.getMetrics)
    expect(info.nextActions).toEqual([expect.objectContaining({ kind: 'http', path: '/metrics' })])
    expect(info.details).toBeUndefined()
  })
})
