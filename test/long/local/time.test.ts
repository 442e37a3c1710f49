import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker'
import { createClock } from '../../../activities/common/clock.ts'
import { writePrivate } from '../../../local/files.ts'
import { ANY_PORTS } from '../../../local/ports.ts'
import { envLines } from '../../../local/services.ts'
import { type Stack, startStack } from '../../../local/stack.ts'
import { readClockOffset } from '../../../local/time/clock.ts'
import { moveTime, readTimes } from '../../../local/time/move.ts'
import { moveWorkflows } from '../../../local/time/workflows.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { onChain } from '../../local/support/chain-actions.ts'
import { useStateDirectory } from '../../local/support/directory.ts'
import { finish, pollUntilFinished, sleepSevenDays } from '../../local/support/toy-workflow.ts'

const DAY = 86_400
const START_MS = 90_000
const taskQueue = 'toys'
const dir = useStateDirectory(async () => ending?.())

let stack: Stack
let client: Client
let ending: (() => Promise<void>) | undefined

const startWorker = async (address: string): Promise<() => Promise<void>> => {
  const connection = await NativeConnection.connect({ address })
  const silent = { trace: () => undefined, debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
  const logger = { ...silent, log: () => undefined }
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../local/support/toy-workflow.ts', import.meta.url)),
    logger,
  })
  const worker = await Worker.create({ connection, taskQueue, workflowBundle })
  const run = worker.run()
  return async () => {
    worker.shutdown()
    await run
    await connection.close()
  }
}

beforeAll(async () => {
  stack = await startStack({ dir, services: false, ports: ANY_PORTS })
  const connection = await Connection.connect({ address: stack.info.temporalAddress })
  client = new Client({ connection })
  const endWorker = await startWorker(stack.info.temporalAddress)
  ending = async () => {
    await endWorker()
    await connection.close()
    await stack.stop()
  }
}, START_MS)

const startToy = (workflow: typeof sleepSevenDays | typeof pollUntilFinished, workflowId: string) =>
  client.workflow.start<() => Promise<unknown>>(workflow, { taskQueue, workflowId })

describe('the time machine', () => {
  test('moves chain, service clock and a sleeping workflow to the same instant, and wakes it there and not before', async () => {
    const toy = await startToy(sleepSevenDays, 'sleeper')
    const short = await stack.moveTime({ plusSeconds: 6 * DAY })
    expect(short).toMatchObject({ moved: ['sleeper'], behind: [] })
    expect((await toy.describe()).status.name).toBe('RUNNING')

    const { service, newestBlock, wallClock } = await stack.moveTime({ plusSeconds: DAY })
    const woke = Date.parse((await toy.result()) as string)
    expect(Math.abs(service - wallClock - 7 * DAY * 1000)).toBeLessThan(1_000)
    expect(Math.abs(newestBlock - service)).toBeLessThan(3_000)
    expect(Math.abs(woke - service)).toBeLessThan(5_000)
    expect(Math.abs(createClock({ offsetFile: stack.info.clockOffsetFile }).now() - Date.now() - 7 * DAY * 1000)).toBeLessThan(1_000)

    const [receipt] = await onChain(stack.info.rpcUrl).pay(1)
    const { timestamp } = await onChain(stack.info.rpcUrl).reader.getBlock({ blockNumber: receipt?.blockNumber ?? 0n })
    expect(Math.abs(Number(timestamp) * 1000 - Date.now() - 7 * DAY * 1000)).toBeLessThan(2_000)
  })

  test('takes along who is on the list of running workflows only a moment later', async () => {
    const toy = await startToy(sleepSevenDays, 'newcomer')
    const now = Date.now() + readClockOffset(stack.info.clockOffsetFile)
    const shownFrom = Date.now() + 700
    const late = {
      options: client.options,
      workflowService: client.workflowService,
      workflow: {
        list: async function* (options: { query: string }) {
          if (Date.now() >= shownFrom) yield* client.workflow.list(options)
        },
      },
    } as unknown as Client
    const { moved } = await moveWorkflows(late, () => now, 8 * DAY * 1000)
    expect(moved).toEqual(['newcomer'])
    await toy.result()
  })

  test(
    'lets a polling workflow poll on the way, and arrive in time',
    async () => {
      const toy = await startToy(pollUntilFinished, 'poller')
      // It began at the wall clock's time; the first move, by nothing, brings it to service time.
      await stack.moveTime({ plusSeconds: 0 })
      const { moved, behind } = await stack.moveTime({ plusSeconds: 7 * DAY })
      expect([moved, behind]).toEqual([['poller'], []])
      await toy.signal(finish)
      expect(await toy.result()).toBeGreaterThan(10)
    },
    START_MS,
  )

  test('goes to an instant, and never back', async () => {
    const { service } = await readTimes(stack.info)
    const instant = Math.ceil(service / 1000) * 1000 + 3_600_000
    const began = performance.now()
    const arrived = await stack.moveTime({ instant })
    expect(arrived.service - instant).toBeGreaterThanOrEqual(0)
    // Time runs on while everything is moved.
    expect(arrived.service - instant).toBeLessThan(performance.now() - began + 2_000)
    await expect(stack.moveTime({ instant: instant - DAY * 1000 })).rejects.toThrow('time moves forward only')
    await expect(stack.moveTime({ plusSeconds: -1 })).rejects.toThrow('time moves forward only')
  })

  test('goes nowhere from which chain and engine could not come back', async () => {
    const before = await readTimes(stack.info)
    for (const plusSeconds of [99_999_999_999 * DAY, 100 * 365 * DAY, Number.MAX_VALUE])
      await expect(stack.moveTime({ plusSeconds })).rejects.toThrow('time does not move beyond 2100-01-01')
    const after = await readTimes(stack.info)
    expect(after.newestBlock - before.newestBlock).toBeLessThan(60_000)
    expect(after.service - after.wallClock - (before.service - before.wallClock)).toBeLessThan(1_000)
  })

  test('says what has moved when the engine dies under it; the next move takes the rest there', async () => {
    const toy = await startToy(sleepSevenDays, 'left-behind')
    const before = await readTimes(stack.info)
    const serviceEnv = `${stack.info.serviceEnv}.away`
    writePrivate(serviceEnv, envLines({ TEMPORAL_ADDRESS: '127.0.0.1:1' }))
    const away = { ...stack.info, serviceEnv }
    await expect(moveTime(away, { plusSeconds: 8 * DAY })).rejects.toThrow(
      /chain and service are at .*, the workflows are not: .*npm start/,
    )
    const after = await readTimes(stack.info)
    expect(after.service - before.service).toBeGreaterThanOrEqual(8 * DAY * 1000)
    expect((await toy.describe()).status.name).toBe('RUNNING')
    expect((await stack.moveTime({ plusSeconds: 1 })).moved).toContain('left-behind')
    await toy.result()
  }, 30_000)

  test('names the workflows that nobody runs, instead of waiting for them', async () => {
    const orphan = await client.workflow.start('unknown', { taskQueue: 'nobody', workflowId: 'orphan' })
    const { behind } = await stack.moveTime({ plusSeconds: 60 })
    expect(behind).toEqual(['orphan'])
    await orphan.terminate()
  })

  test('takes one move after the other when two are asked for at once', async () => {
    const before = await readTimes(stack.info)
    await Promise.all([stack.moveTime({ plusSeconds: 100 }), stack.moveTime({ plusSeconds: 100 })])
    const after = await readTimes(stack.info)
    expect(Math.round((after.service - after.wallClock - (before.service - before.wallClock)) / 1000)).toBe(200)
  })

  test('refuses a chain that is not the local one', async () => {
    const chainFile = `${dir}/foreign.json`
    writePrivate(chainFile, JSON.stringify({ ...readChainFile(stack.info.chainFile), local: false }))
    await expect(moveTime({ ...stack.info, chainFile }, { plusSeconds: 1 })).rejects.toThrow('on the local chain only')
  })
})
