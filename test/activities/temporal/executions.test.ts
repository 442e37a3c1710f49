// Calls to runners over an engine that refuses, is away or never answers.
import { describe, expect, test } from '@jest/globals'
import type { Client } from '@temporalio/client'
import { createRunnerCalls } from '../../../activities/temporal/executions.ts'
import type { FreezeAnswer } from '../../../schemas/paid-verification/profiles/freeze.ts'
import { profilePosting } from '../../domain/postings/builders/proof-gate.ts'

const ANSWER: FreezeAnswer = { kind: 'refused', refusals: ['sentinel_missing'] }
const request = { key: 'draft', ...profilePosting().verifierConfig }

/** An error of the connection, as its library makes it. */
const grpcError = (code: number) => Object.assign(new Error(`code ${code}`), { code, details: '', metadata: {} })

/** Calls over an engine whose first start does this; later ones get the answer. */
const callsWith = (first: () => Promise<never>) => {
  let starts = 0
  const start = async () => {
    starts += 1
    if (starts === 1) return first()
    return { result: async () => ({ kind: 'freezing', answer: ANSWER }) }
  }
  const { freezeContract } = createRunnerCalls({ workflow: { start } } as unknown as Client)
  return { freeze: (signal: AbortSignal) => freezeContract(request, signal, () => undefined), starts: () => starts }
}

describe('a call to the runners', () => {
  test.each([
    ['DEADLINE_EXCEEDED', 4],
    ['RESOURCE_EXHAUSTED', 8],
    ['ABORTED', 10],
    ['UNAVAILABLE', 14],
  ])('is repeated after %s, also where the client wraps it', async (_name, code) => {
    for (const error of [grpcError(code), new Error('Failed to start Workflow', { cause: grpcError(code) })]) {
      const { freeze, starts } = callsWith(() => Promise.reject(error))
      expect([await freeze(new AbortController().signal), starts()]).toEqual([ANSWER, 2])
    }
  })

  test.each([
    ['INVALID_ARGUMENT', 3],
    ['PERMISSION_DENIED', 7],
    ['UNIMPLEMENTED', 12],
  ])('fails with %s', async (_name, code) => {
    const { freeze, starts } = callsWith(() => Promise.reject(grpcError(code)))
    await expect(freeze(new AbortController().signal)).rejects.toMatchObject({ code })
    expect(starts()).toBe(1)
  })

  test.each<[string, () => Promise<never>]>([
    ['does not answer', () => new Promise(() => undefined)],
    ['is away', () => Promise.reject(grpcError(14))],
  ])('ends at its signal while the engine %s', async (_what, first) => {
    const { freeze, starts } = callsWith(first)
    const end = new AbortController()
    const call = freeze(end.signal)
    end.abort(new Error('too long'))
    await expect(call).rejects.toThrow('too long')
    expect(starts()).toBe(1)
  })
})
