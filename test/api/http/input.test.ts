import { describe, expect, test } from '@jest/globals'
import { readBody } from '../../../api/http/input.ts'
import { createJob } from '../../../schemas/catalogue/admin-operations.ts'
import { submitWork, validateSubmission } from '../../../schemas/claims/operations.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'

/** Pointer and rule of each fault of a body; empty when it is taken. */
const faultsOf = (spec: OperationSpec, body: Record<string, unknown>): [string, string][] => {
  try {
    readBody(spec, body)
    return []
  } catch (error) {
    if (!isServiceError(error)) throw error
    return (error.info.errors ?? []).map(({ pointer, rule }) => [pointer, rule])
  }
}

test('a missing enum member is reported as required', () => {
  expect(faultsOf(createJob, {})).toContainEqual(['/lane', 'required'])
  expect(faultsOf(createJob, { lane: 'nowhere' })).toContainEqual(['/lane', 'enum'])
})

describe('a submission and its aliases', () => {
  const sessionId = 'starter-docs-001:0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const [one, other] = [{ summary: 'a' }, { summary: 'b' }]

  test('may both be sent when they are the same', () => {
    expect(faultsOf(submitWork, { sessionId, submission: one, evidence: { ...one } })).toEqual([])
    expect(faultsOf(validateSubmission, { jobId: 'job-1', output: one, evidence: { ...one } })).toEqual([])
  })

  test('are refused when they differ', () => {
    expect(faultsOf(submitWork, { sessionId, submission: one, evidence: other })).toEqual([['/submission', 'rule']])
    expect(faultsOf(validateSubmission, { jobId: 'job-1', output: one, evidence: other })).toEqual([['/submission', 'rule']])
  })

  test('cannot both be missing', () => {
    expect(faultsOf(submitWork, { sessionId })).toEqual([['/submission', 'rule']])
  })
})
