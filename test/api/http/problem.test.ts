import { describe, expect, test } from '@jest/globals'
import { assertMetricsSecret } from '../../../activities/observability/metrics-secret.ts'
import { problemOf } from '../../../api/http/problem.ts'
import { withHint } from '../../../api/identity/hints.ts'
import { ERRORS, type ErrorCode, type ErrorInfo, ServiceError } from '../../../schemas/errors.ts'
import { OPERATIONS, operationList } from '../../../schemas/operations/registry.ts'
import { testChain } from '../../support/api.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

const problem = (code: ErrorCode, info: ErrorInfo = {}) => problemOf(new ServiceError(code, info), 'https://x', 'r')

test('an outage is retried after two seconds; no other code has a default time', () => {
  const timed = CODES.filter((code) => problem(code).retryAfterSeconds !== undefined)
  const parts = ['blockchain', 'claim_economics', 'state_store', 'workflow_engine'].map((part) => `${part}_unavailable`)
  expect(timed.sort()).toEqual([...parts, 'service_starting'].sort())
  expect(timed.map((code) => [code, problem(code).retryAfterSeconds, ERRORS[code].retryable])).toEqual(timed.map((code) => [code, 2, true]))
})

test('a thrower can set its own retry time, which makes a refusal of any code retryable', () => {
  expect(problem('workflow_engine_unavailable', { retryAfterSeconds: 30 })).toMatchObject({ retryAfterSeconds: 30 })
  expect(problem('blockchain_revert')).toMatchObject({ retryable: false })
  expect(problem('blockchain_revert', { retryAfterSeconds: 3_600 })).toMatchObject({ retryable: true, retryAfterSeconds: 3_600 })
})

describe('the next actions of a code', () => {
  const actionsOf = (code: ErrorCode, info: ErrorInfo = {}) => problem(code, info).nextActions

  test('are at least one, whatever facts the occurrence has', () => {
    const lacking = CODES.filter((code) => actionsOf(code).length === 0 || actionsOf(code).some(({ description }) => description === ''))
    expect(lacking).toEqual([])
  })

  const paths = { sessionId: 'job-1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8', disputeId: 'dispute-0a96015779ab' }
  test('name only operations that exist, with a query they accept', () => {
    const accepted = ({ method, path = '' }: { method?: string | undefined; path?: string }): boolean => {
      const { pathname, searchParams } = new URL(path, 'https://x')
      const spec = operationList.find(
        (one) => one.method === method && new RegExp(`^${one.path.replace(/:\w+/g, '[^/]+')}$`).test(pathname),
      )
      return spec !== undefined && spec.query?.safeParse(Object.fromEntries(searchParams)).success !== false
    }
    const actions = CODES.flatMap((code) => actionsOf(code, { details: paths }).map((action) => ({ code, ...action })))
    expect(
      actions.filter(({ kind, path = '', ...action }) => path.includes('{') || (kind === 'http' && !accepted({ ...action, path }))),
    ).toEqual([])
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
    const hinted = CODES.filter(
      (code) => withHint(new ServiceError(code), OPERATIONS.claimJob, testChain).info.details?.authEntrypoints !== undefined,
    )
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
    const { info } = withHint(refusal as ServiceError, OPERATIONS.getMetrics, testChain)
    expect(info.nextActions).toEqual([expect.objectContaining({ kind: 'http', path: '/metrics' })])
    expect(info.details).toBeUndefined()
  })
})
