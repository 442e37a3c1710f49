import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { Registry } from 'prom-client'
import { HttpRequestError } from 'viem'
import { BlockedStepError } from '../../../activities/common/blocked.ts'
import { ServiceError } from '../../../schemas/errors.ts'
import { idsOf, observeActivities } from '../../../workers/observability/activity-log.ts'
import { failureInterceptor } from '../../../workers/temporal/failures.ts'
import { collectLog } from '../../support/log.ts'

const { logger, lines } = collectLog()
const registry = new Registry()
const observe = observeActivities(registry, logger)
const INTERCEPTORS: ActivityInterceptorsFactory[] = [observe, ({ info }) => ({ inbound: failureInterceptor(info) })]
let environment: MockActivityEnvironment
beforeAll(() => {
  environment = new MockActivityEnvironment({ activityType: 'lockBond', attempt: 2 }, { interceptors: INTERCEPTORS })
})
afterAll(() => registry.clear())

const input = { requestId: 'request-1', jobId: 'job-1', sessionId: 'session-1', submission: 'hidden work' }
const total = async (labels: string) =>
  (await registry.metrics()).split('\n').find((line) => line.startsWith(`activities_total{${labels}}`))

describe('a step', () => {
  test('is logged with the ids of its request, and counted', async () => {
    await environment.run(async (_input: unknown) => 'done', input)
    const line = lines.at(-1)
    expect(line).toMatchObject({ level: 30, msg: 'step done', activity: 'lockBond', attempt: 2, requestId: 'request-1', jobId: 'job-1' })
    expect(JSON.stringify(line)).not.toContain('hidden work')
    expect(await total('activity="lockBond",outcome="completed",code="none"')).toMatch(/ 1$/)
  })

  test('is logged under its code as information when it is refused, and as a warning when it fails', async () => {
    const refuse = async (_input: unknown) => Promise.reject(new ServiceError('insufficient_liquidity'))
    await expect(environment.run(refuse, input)).rejects.toThrow()
    expect(lines.at(-1)).toMatchObject({ level: 30, msg: 'step refused', code: 'insufficient_liquidity', requestId: 'request-1' })
    const fail = async (_input: unknown) => Promise.reject(new TypeError('unforeseen'))
    await expect(environment.run(fail, input)).rejects.toThrow('unforeseen')
    expect(lines.at(-1)).toMatchObject({ level: 40, msg: 'step failed', code: 'TypeError', reason: 'unforeseen' })
    expect(await total('activity="lockBond",outcome="refused",code="insufficient_liquidity"')).toMatch(/ 1$/)
    expect(await total('activity="lockBond",outcome="failed",code="TypeError"')).toMatch(/ 1$/)
  })

  test('fails its process with a code and a warning after half a minute of blocked attempts', async () => {
    const block = async (_input: unknown) =>
      Promise.reject(new BlockedStepError('blockchain_revert', 'the contract is paused', { detail: 'Later.', retryAfterSeconds: 60 }))
    const tryOf = (attempt: number) => {
      const lagging = new MockActivityEnvironment({ activityType: 'reject', attempt }, { interceptors: INTERCEPTORS })
      return lagging.run(block, input).catch((error: unknown) => error)
    }
    expect(await tryOf(6)).toMatchObject({ name: 'BlockedStepError' })
    expect(await tryOf(7)).toMatchObject({ name: 'ApplicationFailure', type: 'blockchain_revert', nonRetryable: true })
    expect(await tryOf(7)).toMatchObject({ details: [{ detail: 'Later.', retryAfterSeconds: 60 }] })
    expect(lines.at(-1)).toMatchObject({ level: 40, msg: 'step refused', code: 'blockchain_revert', reason: 'the contract is paused' })
  })

  test('is logged without the address of the node and the signed bytes when the node fails', async () => {
    const body = { method: 'eth_sendRawTransaction', params: ['0x02f8aa'] }
    const fail = async (_input: unknown) =>
      Promise.reject(new HttpRequestError({ url: 'https://node.example/secret', body, details: 'fetch failed' }))
    const failure = await environment.run(fail, input).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'HttpRequestError', message: 'HTTP request failed. fetch failed' })
    const logged = `${inspect(failure)}${JSON.stringify(lines.at(-1))}`
    expect(logged).not.toMatch(/secret|0x02f8aa/)
    expect(lines.at(-1)).toMatchObject({ code: 'HttpRequestError' })
  })

  test('has the ids of its input or of the level below, the upper first', () => {
    const nested = { claim: { requestId: 'inner', jobId: 'job-2', key: 'x' }, runId: 'run-1', requestId: 'outer' }
    expect(idsOf([nested, 'text', null])).toEqual({ requestId: 'outer', jobId: 'job-2', runId: 'run-1' })
  })
})
