import { expect, test } from '@jest/globals'
import { problemOf } from '../../../api/http/problem.ts'
import { ERRORS, type ErrorCode, type ErrorInfo, ServiceError } from '../../../schemas/errors.ts'

const retryAfter = (code: ErrorCode, info: ErrorInfo = {}) => problemOf(new ServiceError(code, info), 'https://x', 'r').retryAfterSeconds

test('an outage is retried after two seconds; no other code has a default time', () => {
  const timed = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => retryAfter(code) !== undefined)
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
