import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker'
import { sql } from 'kysely'
import { createClock } from '../../../activities/common/clock.ts'
import { openDatabase } from '../../../activities/database/database.ts'
import { LOCAL_CHAIN_ID } from '../../../local/chain/anvil.ts'
import { createRpc } from '../../../local/chain/rpc.ts'
import { stateFiles, writePrivate } from '../../../local/files.ts'
import { StackInfo } from '../../../local/info.ts'
import { ANY_PORTS } from '../../../local/ports.ts'
import { isRunning, type ProcessRecord } from '../../../local/processes.ts'
import { envLines } from '../../../local/services.ts'
import { attach, type Stack, startStack } from '../../../local/stack.ts'
import { SEARCH_ATTRIBUTES } from '../../../local/temporal/start.ts'
import { readClockOffset } from '../../../local/time/clock.ts'
import { moveTime, readTimes } from '../../../local/time/move.ts'
import { moveWorkflows } from '../../../local/time/workflows.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { onChain } from '../../local/support/chain-actions.ts'
import { useStateDirectory } from '../../local/support/directory.ts'
import { finish, pollUntilFinished, sleepSevenDays } from '../../local/support/toy-workflow.ts'
import { eventually } from '../../support/eventually.ts'

const START_MS = 90_000
const DAY = 86_400
const taskQueue = 'toys'
const dir = useStateDirectory(() => stack.stop())
const files = stateFiles(dir)
const start = (): Promise<Stack> => startStack({ dir, services: false, ports: ANY_PORTS })
const records = (): ProcessRecord[] => JSON.parse(readFileSync(files.processes, 'utf8')) as ProcessRecord[]
const recordOf = (name: string): ProcessRecord => {
  const found = records().find((record) => record.name === name)
  if (!found) throw new Error(`no process ${name}`)
  return found
}
const cli = (...args: string[]) =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../../local/stack-cli.ts', import.meta.url)), ...args, '--dir', dir], {
    env: { PATH: process.env.PATH },
  })

let stack: Stack
const journal = async (statement: string): Promise<void> => {
  const database = openDatabase({ url: stack.info.databaseUrl, poolSize: 1 })
  await sql.raw(statement).execute(database.rows)
  await database.close()
}
beforeAll(async () => {
  stack = await start()
}, START_MS)

describe('the local stack', () => {
  test('writes what runs where for its owner only, and it is true', async () => {
    expect(statSync(files.info).mode & 0o777).toBe(0o600)
    expect(StackInfo.parse(JSON.parse(readFileSync(files.info, 'utf8')))).toEqual(stack.info)
    expect(stack.info.pid).toBe(process.pid)
  })

  test('has a Temporal server with our search attributes', async () => {
    const connection = await Connection.connect({ address: stack.info.temporalAddress })
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' })
    await connection.close()
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)))
    expect((await fetch(stack.info.temporalUi ?? '')).status).toBe(200)
  })

  test('has a migrated database of PostgreSQL 18', async () => {
    const database = openDatabase({ url: stack.info.databaseUrl, poolSize: 1 })
    const { rows } = await sql<{ version: string; jobs: string | null }>`select version(), to_regclass('job')::text as jobs`.execute(
      database.rows,
    )
    await database.close()
    expect(rows[0]).toMatchObject({ version: expect.stringContaining('PostgreSQL 18.'), jobs: 'job' })
  })

  test('has the chain of the chain file, called local, with code at every address', async () => {
    const file = readChainFile(stack.info.chainFile)
    const { reader } = onChain(stack.info.rpcUrl)
    expect([file.local, file.chainId, await reader.getChainId()]).toEqual([true, 420420417, 420420417])
    for (const { address } of [file.asset, file.contracts.policy, file.contracts.agentAccount, ...file.contracts.escrow.generations])
      expect((await reader.getCode({ address: address as `0x${string}` }))?.length).toBeGreaterThan(100)
  })

  test('is shown, not doubled, by a second start; and status tells a script', async () => {
    const second = await cli('start')
    expect(second.stdout).toContain('The stack already runs')
    expect(second.stdout).toContain(stack.info.rpcUrl)
    expect(StackInfo.parse(JSON.parse((await cli('status', '--json')).stdout))).toEqual(stack.info)
    await expect(startStack({ dir })).rejects.toThrow(`process ${process.pid}`)
    const attached = await attach(dir)
    expect(attached?.info).toEqual(stack.info)
    await attached?.stop()
    expect(isRunning(recordOf('chain'))).toBe(true)
  })

  test(
    'keeps chain, clock and ports over an end and a start, and leaves no process behind',
    async () => {
      const before = onChain(stack.info.rpcUrl)
      const receipts = await before.pay(3)
      await stack.moveTime({ plusSeconds: DAY })
      const head = await before.newest()
      const children = records()
      const began = Date.now()
      await stack.stop()
      expect(Date.now() - began).toBeLessThan(10_000)
      expect(children.map(({ name }) => name).sort()).toEqual(['chain', 'postgres', 'temporal'])
      expect(children.filter(isRunning)).toEqual([])
      expect([existsSync(files.info), existsSync(files.lock)]).toEqual([false, false])

      const { info: earlier } = stack
      const restarted = Date.now()
      stack = await start()
      expect(Date.now() - restarted).toBeLessThan(15_000)
      expect(stack.info).toEqual(earlier)
      const after = onChain(stack.info.rpcUrl)
      expect(await after.newest()).toEqual(head)
      for (const { transactionHash, status, blockHash } of receipts)
        expect(await after.reader.getTransactionReceipt({ hash: transactionHash })).toMatchObject({ status, blockHash })
      const [next] = await after.pay(1)
      const { timestamp } = await after.reader.getBlock({ blockNumber: next?.blockNumber ?? 0n })
      expect(Number(timestamp)).toBeGreaterThanOrEqual(head.timestamp)
      expect(Math.abs(Number(timestamp) - Math.floor(Date.now() / 1000) - 86_400)).toBeLessThanOrEqual(1)
      const times = await readTimes(stack.info)
      expect(Math.abs(times.service - times.wallClock - 86_400_000)).toBeLessThan(1_000)
    },
    START_MS,
  )

  test(
    'ends a half-made move of time at the next start: the clock follows the chain',
    async () => {
      await createRpc(stack.info.rpcUrl)('evm_increaseTime', [500])
      await onChain(stack.info.rpcUrl).pay(1)
      const { newestBlock } = await readTimes(stack.info)
      await stack.stop()
      stack = await start()
      const { service } = await readTimes(stack.info)
      expect(service).toBeGreaterThanOrEqual(newestBlock)
      expect(service - newestBlock).toBeLessThan(30_000)
    },
    START_MS,
  )

  test(
    'reports a process that dies, and brings the logged transactions of every sender back',
    async () => {
      const before = onChain(stack.info.rpcUrl)
      const receipts = await before.pay(25)
      const head = await before.newest()
      const paid = await before.balance()
      // The log follows the chain a moment behind; what it holds comes back.
      await eventually('the log has the newest block', () => readFileSync(files.chainLog, 'utf8').includes(head.hash))
      process.kill(recordOf('chain').pid, 'SIGKILL')
      expect(await stack.died).toMatch(/chain ended by itself \(SIGKILL\)/)
      await stack.stop()
      rmSync(files.chainState, { force: true })

      stack = await start()
      const after = onChain(stack.info.rpcUrl)
      expect(await after.newest()).toEqual(head)
      expect(await after.balance()).toBe(paid)
      for (const { transactionHash, blockHash } of receipts)
        expect(await after.reader.getTransactionReceipt({ hash: transactionHash })).toMatchObject({ status: 'success', blockHash })
    },
    START_MS,
  )

  test(
    'stops with the way out when the log is not what the contracts of this checkout are',
    async () => {
      const [receipt] = await onChain(stack.info.rpcUrl).pay(1)
      await journal(
        `insert into chain_transaction (intent_key, chain_id, signer, nonce, to_address, function_name, data, gas, raw_transaction,
          tx_hash, status, broadcasts, created_at, updated_at)
          values ('known', ${LOCAL_CHAIN_ID}, '0xa', 7, '0xb', 'pay', '0x', 1, '0x', '${receipt?.transactionHash}', 'mined', 1, now(), now())`,
      )
      await stack.stop()
      const deployed = readFileSync(files.chainFile, 'utf8')
      const file = JSON.parse(deployed) as { contracts: { policy: { address: string } } }
      file.contracts.policy.address = `0x${'9'.repeat(40)}`
      writeFileSync(files.chainFile, JSON.stringify(file))
      await expect(start()).rejects.toThrow(/--fresh.*policy.code: expected code, found none/s)
      expect(records().filter(isRunning)).toEqual([])
      writeFileSync(files.chainFile, deployed)
      stack = await start()
    },
    START_MS,
  )

  test(
    'stops with the remedy when the chain lacks a transaction that the database records as mined, and forgets everything with --fresh',
    async () => {
      await journal(`update chain_transaction set tx_hash = '0x${'7'.repeat(64)}'`)
      const connection = await Connection.connect({ address: stack.info.temporalAddress })
      await new Client({ connection }).workflow.start('never', { taskQueue: 'nobody', workflowId: 'to-be-forgotten' })
      await connection.close()
      await stack.stop()
      await expect(start()).rejects.toThrow(/lacks a transaction that the database records as mined .*nonce 7 of 0xa.*--fresh/)
      expect(records().filter(isRunning)).toEqual([])

      stack = await startStack({ dir, services: false, ports: ANY_PORTS, fresh: true })
      const anew = await Connection.connect({ address: stack.info.temporalAddress })
      await expect(new Client({ connection: anew }).workflow.getHandle('to-be-forgotten').describe()).rejects.toThrow(/not found/)
      await anew.close()
      expect(await onChain(stack.info.rpcUrl).balance()).toBe(0n)
      const { service, wallClock } = await readTimes(stack.info)
      expect(service).toBe(wallClock)
    },
    2 * START_MS,
  )
})

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

/** Follows the suite above, whose last test leaves a new stack. */
describe('the time machine', () => {
  let client: Client
  let ending: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const connection = await Connection.connect({ address: stack.info.temporalAddress })
    client = new Client({ connection })
    const endWorker = await startWorker(stack.info.temporalAddress)
    ending = async () => {
      await endWorker()
      await connection.close()
    }
  }, START_MS)
  afterAll(() => ending?.(), START_MS)

  const startToy = (workflow: typeof sleepSevenDays | typeof pollUntilFinished, workflowId: string) =>
    client.workflow.start<() => Promise<unknown>>(workflow, { taskQueue, workflowId })

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

  test('names the workflows that no worker runs, instead of waiting for them', async () => {
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
