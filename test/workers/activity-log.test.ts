import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { MockActivityEnvironment } from '@temporalio/testing'
import { Registry } from 'prom-client'
import { HttpRequestError } from 'viem'
import { ServiceError } from '../../schemas/errors.ts'
import { idsOf, observeActivities } from '../../workers/activity-log.ts'
import { failureInterceptor } from '../../workers/failures.ts'
import { collectLog } from '../support/log.ts'

const { logger, lines } = collectLog()
const registry = new Registry()
const observe = observeActivities(registry, logger)
let environment: MockActivityEnvironment
beforeAll(() => {
  environment = new MockActivityEnvironment(
    { activityType: 'lockBond', attempt: 2 },
    { interceptors: [observe, () => ({ inbound: failureInterceptor() })] },
  )
})
afterAll(() => registry.clear())

const input = { requestId: 'request-1', jobId: 'job-1', sessionId: 'session-1', submission: 'hidden work' }
const total = async (labels: string) =>
  (await registry.metrics()).split('\n').find((line) => line.startsWith(`activities_total{${labels}}`))

describe('a step', () => {
  test('is logged with whom it is for, and counted', async () => {
    await environment.run(async (_input: unknown) => 'done', input)
    const line = lines.at(-1)
    expect(line).toMatchObject({ level: 30, msg: 'step done', activity: 'lockBond', attempt: 2, requestId: 'request-1', jobId: 'job-1' })
    expect(JSON.stringify(line)).not.toContain('hidden work')
    expect(await total('activity="lockBond",outcome="completed",code="none"')).toMatch(/ 1$/)
  })

  test('that is refused is everyday news under its code; one that fails is a warning and is tried again', async () => {
    const refuse = async (_input: unknown) => Promise.reject(new ServiceError('insufficient_liquidity'))
    await expect(environment.run(refuse, input)).rejects.toThrow()
    expect(lines.at(-1)).toMatchObject({ level: 30, msg: 'step refused', code: 'insufficient_liquidity', requestId: 'request-1' })
    const fail = async (_input: unknown) => Promise.reject(new TypeError('unforeseen'))
    await expect(environment.run(fail, input)).rejects.toThrow('unforeseen')
    expect(lines.at(-1)).toMatchObject({ level: 40, msg: 'step failed', code: 'TypeError', reason: 'unforeseen' })
    expect(await total('activity="lockBond",outcome="refused",code="insufficient_liquidity"')).toMatch(/ 1$/)
    expect(await total('activity="lockBond",outcome="failed",code="TypeError"')).toMatch(/ 1$/)
  })

  test('that the node fails tells neither the address of the node nor the signed bytes', async () => {
    const body = { method: 'eth_sendRawTransaction', params: ['0x02f8aa'] }
    const fail = async (_input: unknown) =>
      Promise.reject(new HttpRequestError({ url: 'https://node.example/secret', body, details: 'fetch failed' }))
    const failure = await environment.run(fail, input).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'HttpRequestError', message: 'HTTP request failed. fetch failed' })
    const told = `${inspect(failure)}${JSON.stringify(lines.at(-1))}`
    expect(told).not.toMatch(/secret|0x02f8aa/)
    expect(lines.at(-1)).toMatchObject({ code: 'HttpRequestError' })
  })

  test('is followed by what stands in its input or one level below, the upper first', () => {
    const nested = { claim: { requestId: 'inner', jobId: 'job-2', key: 'x' }, runId: 'run-1', requestId: 'outer' }
    expect(idsOf([nested, 'text', null])).toEqual({ requestId: 'outer', jobId: 'job-2', runId: 'run-1' })
  })
})
