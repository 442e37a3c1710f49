import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker'
import { sql } from 'kysely'
import { openDatabase } from '../../../activities/database/database.ts'
import { SEARCH_ATTRIBUTES } from '../../../activities/temporal/namespace.ts'
import { LOCAL_CHAIN_ID } from '../../../local/chain/anvil.ts'
import { createRpc } from '../../../local/chain/rpc.ts'
import type { Say } from '../../../local/download.ts'
import { stateFiles, writePrivate } from '../../../local/files.ts'
import { StackInfo } from '../../../local/info.ts'
import { ANY_PORTS } from '../../../local/ports.ts'
import { isRunning, type ProcessRecord } from '../../../local/processes.ts'
import { envLines } from '../../../local/services.ts'
import { attach, type Stack, startStack } from '../../../local/stack.ts'
import { readClockOffset } from '../../../local/time/clock.ts'
import { holdTime, moveTime, readTimes } from '../../../local/time/move.ts'
import { moveWorkflows } from '../../../local/time/workflows.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { onChain } from '../../local/support/chain-actions.ts'
import { finish, pollUntilFinished, sleepSevenDays } from '../../local/support/toy-workflow.ts'
import { inTurns } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { atEnd, dir } from './one-directory.ts'

const DAY = 86_400
const taskQueue = 'toys'
const files = stateFiles(dir)
const start = (say?: Say): Promise<Stack> => startStack({ dir, services: false, ports: ANY_PORTS, ...(say && { say }) })
const records = (): ProcessRecord[] => JSON.parse(readFileSync(files.processes, 'utf8')) as ProcessRecord[]
const clockOffset = (): number => readClockOffset(stack.info.clockOffsetFile)
/** Pays in one block. Returns its time, and the wall clock before and after it; all in seconds. */
const payBetween = async () => {
  const { pay, reader } = onChain(stack.info.rpcUrl)
  const before = Math.floor(Date.now() / 1000)
  const [receipt] = await pay(1)
  const after = Math.ceil(Date.now() / 1000)
  const { timestamp } = await reader.getBlock({ blockNumber: receipt?.blockNumber ?? 0n })
  return { timestamp: Number(timestamp), before, after }
}
type PaidBetween = Awaited<ReturnType<typeof payBetween>>
/** The node rounds its own offset: a block may be a second off. */
const expectOffset = ({ timestamp, before, after }: PaidBetween, seconds: number): void => {
  expect(timestamp).toBeGreaterThanOrEqual(before + seconds - 1)
  expect(timestamp).toBeLessThanOrEqual(after + seconds + 1)
}
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
  await sql
    .raw(statement)
    .execute(database.rows)
    .finally(() => database.close())
}
atEnd(async () => stack?.stop())

describe('the local stack', () => {
  beforeAll(async () => {
    stack = await start()
  })

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

  test('is shown, not started again, by a second start; status prints it as JSON', async () => {
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

  test('keeps chain, clock and ports over an end and a start, and leaves no process behind', async () => {
    const before = onChain(stack.info.rpcUrl)
    const receipts = await before.pay(3)
    await moveTime(stack.info, { plusSeconds: DAY })
    const head = await before.newest()
    const children = records()
    await stack.stop()
    expect(children.map(({ name }) => name).sort()).toEqual(['chain', 'postgres', 'temporal'])
    expect(children.filter(isRunning)).toEqual([])
    expect([existsSync(files.info), existsSync(files.lock)]).toEqual([false, false])

    const { info: earlier } = stack
    const lines: string[] = []
    stack = await start((line) => lines.push(line))
    // The start neither creates a database, nor deploys, nor mines the blocks again.
    expect(lines).toEqual([])
    expect(stack.info).toEqual(earlier)
    const after = onChain(stack.info.rpcUrl)
    expect(await after.newest()).toEqual(head)
    for (const { transactionHash, status, blockHash } of receipts)
      expect(await after.reader.getTransactionReceipt({ hash: transactionHash })).toMatchObject({ status, blockHash })
    const next = await payBetween()
    expect(next.timestamp).toBeGreaterThanOrEqual(head.timestamp)
    expectOffset(next, DAY)
    // A chain that is a second ahead takes the clock there.
    expect([DAY, DAY + 1]).toContain(clockOffset() / 1000)
  })

  test('ends a half-made move of time at the next start: the clock follows the chain', async () => {
    await createRpc(stack.info.rpcUrl)('evm_increaseTime', [500])
    await onChain(stack.info.rpcUrl).pay(1)
    const { newestBlock, wallClock } = await readTimes(stack.info)
    await stack.stop()
    stack = await start()
    expect((await readTimes(stack.info)).service).toBeGreaterThanOrEqual(newestBlock)
    expect(clockOffset()).toBeLessThanOrEqual(newestBlock - wallClock + 1_000)
  })

  test('holds a clock that was held over an end and a start, also where the chain is ahead', async () => {
    const held = Math.ceil((await readTimes(stack.info)).service / 1000) * 1000 + 3_600_000
    await holdTime(stack.info, held)
    await createRpc(stack.info.rpcUrl)('evm_increaseTime', [500])
    await onChain(stack.info.rpcUrl).pay(1)
    await stack.stop()
    stack = await start()
    expect((await readTimes(stack.info)).service).toBe(held)
    await moveTime(stack.info, { plusSeconds: DAY })
    expect((await readTimes(stack.info)).service).toBeGreaterThanOrEqual(held + DAY * 1000)
  })

  test('starts every part again that is killed, on its ports and with its data', async () => {
    const { info } = stack
    const before = await onChain(info.rpcUrl).newest()
    await eventually('the log has the newest block', () => readFileSync(files.chainLog, 'utf8').includes(before.hash))
    const killed = ['postgres', 'temporal', 'chain'].map(recordOf)
    for (const { pid } of killed) process.kill(pid, 'SIGKILL')
    await eventually(
      'each part runs again',
      async () => {
        const running = records().filter((record) => isRunning(record) && !killed.some(({ pid }) => pid === record.pid))
        return running.map(({ name }) => name).sort()
      },
      (names) => names.join() === 'chain,postgres,temporal',
    )
    expect(
      await eventually(
        'the chain answers',
        () =>
          onChain(info.rpcUrl)
            .newest()
            .catch(() => null),
        (head) => head !== null,
      ),
    ).toEqual(before)
    // The chain is compared with the database before it starts: it never answers first, only to be stopped by that comparison.
    await journal('select 1')
    await eventually('the engine answers', () =>
      fetch(info.temporalUi ?? '').then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    expect(await Promise.race([stack.died, Promise.resolve('it runs')])).toBe('it runs')
  })

  test('brings every logged transaction of every account back after its state was lost', async () => {
    const before = onChain(stack.info.rpcUrl)
    const receipts = await before.pay(25)
    const head = await before.newest()
    const paid = await before.balance()
    // The log follows the chain a moment behind; what it holds comes back.
    await eventually('the log has the newest block', () => readFileSync(files.chainLog, 'utf8').includes(head.hash))
    await stack.stop()
    rmSync(files.chainState, { force: true })

    stack = await start()
    const after = onChain(stack.info.rpcUrl)
    expect(await after.newest()).toEqual(head)
    expect(await after.balance()).toBe(paid)
    for (const { transactionHash, blockHash } of receipts)
      expect(await after.reader.getTransactionReceipt({ hash: transactionHash })).toMatchObject({ status: 'success', blockHash })
  })

  test('stops with the way out when the log is not what the contracts of this checkout are', async () => {
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
    await expect(start()).rejects.toThrow(/--fresh.*policy.code: expected TreasuryPolicy, found none/s)
    expect(records().filter(isRunning)).toEqual([])
    writeFileSync(files.chainFile, deployed)
    stack = await start()
  })

  test('stops with the remedy when the chain lacks a transaction that the database records as mined, and forgets everything with --fresh', async () => {
    await journal(`update chain_transaction set tx_hash = '0x${'7'.repeat(64)}'`)
    const connection = await Connection.connect({ address: stack.info.temporalAddress })
    await new Client({ connection }).workflow.start('never', { taskQueue: 'no-worker', workflowId: 'to-be-forgotten' })
    await connection.close()
    await stack.stop()
    await expect(start()).rejects.toThrow(/lacks a transaction that the database records as mined .*nonce 7 of 0xa.*--fresh/)
    expect(records().filter(isRunning)).toEqual([])

    stack = await startStack({ dir, services: false, ports: ANY_PORTS, fresh: true })
    const anew = await Connection.connect({ address: stack.info.temporalAddress })
    await expect(new Client({ connection: anew }).workflow.getHandle('to-be-forgotten').describe()).rejects.toThrow(/not found/)
    await anew.close()
    expect(await onChain(stack.info.rpcUrl).balance()).toBe(0n)
    expect(clockOffset()).toBe(0)
  })
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

/** The list of running workflows lacks a new one for more reads than two clean ones need, and for less than its lag. */
const SHOWN_AFTER_READS = 5
const LIST_LAG_MS = 5_000

/** Moves of time that do without each other. */
const inFour = inTurns(4)

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
  })
  afterAll(async () => {
    await ending?.()
    await stack.stop()
  })

  const startToy = (workflow: typeof sleepSevenDays | typeof pollUntilFinished, workflowId: string) =>
    client.workflow.start<() => Promise<unknown>>(workflow, { taskQueue, workflowId })

  test('moves chain, service clock and a sleeping workflow to the same instant, and wakes it there and not before', async () => {
    const began = Date.now()
    const toy = await startToy(sleepSevenDays, 'sleeper')
    const short = await moveTime(stack.info, { plusSeconds: 6 * DAY })
    expect(short).toMatchObject({ moved: ['sleeper'], behind: [] })
    expect((await toy.describe()).status.name).toBe('RUNNING')

    const moved = await moveTime(stack.info, { plusSeconds: DAY })
    const woke = Date.parse((await toy.result()) as string)
    expect(clockOffset()).toBe(7 * DAY * 1000)
    for (const instant of [woke, moved.service, moved.newestBlock]) {
      expect(instant).toBeGreaterThanOrEqual(began + 7 * DAY * 1000 - 1_000)
      expect(instant).toBeLessThanOrEqual(Date.now() + 7 * DAY * 1000 + 1_000)
    }
    expectOffset(await payBetween(), 7 * DAY)
  })

  inFour('moves a workflow that the list of running workflows shows late', async () => {
    const toy = await startToy(sleepSevenDays, 'newcomer')
    const now = Date.now() + clockOffset()
    let reads = 0
    const late = {
      options: client.options,
      workflowService: client.workflowService,
      workflow: {
        list: async function* (options: { query: string }) {
          reads += 1
          if (reads > SHOWN_AFTER_READS) yield* client.workflow.list(options)
        },
      },
    } as unknown as Client
    const { moved } = await moveWorkflows(late, () => now, 8 * DAY * 1000, { listLagMs: LIST_LAG_MS })
    expect(moved).toEqual(['newcomer'])
    await toy.result()
  })

  inFour('lets a polling workflow poll while it moves to the new time', async () => {
    const toy = await startToy(pollUntilFinished, 'poller')
    // It began at the wall clock's time; the first move, by nothing, brings it to service time.
    await moveTime(stack.info, { plusSeconds: 0 })
    const { moved, behind } = await moveTime(stack.info, { plusSeconds: 7 * DAY })
    expect([moved, behind]).toEqual([['poller'], []])
    await toy.signal(finish)
    expect(await toy.result()).toBeGreaterThan(10)
  })

  test('moves to an instant, and refuses an earlier one', async () => {
    const { service } = await readTimes(stack.info)
    const instant = Math.ceil(service / 1000) * 1000 + 3_600_000
    const before = Date.now()
    const arrived = await moveTime(stack.info, { instant })
    const after = Date.now()
    expect(arrived.service).toBeGreaterThanOrEqual(instant)
    // The clock is set to the instant at a time between the call and its answer, in whole seconds.
    expect(clockOffset()).toBeGreaterThanOrEqual(instant - after)
    expect(clockOffset()).toBeLessThanOrEqual(instant - before + 1_000)
    await expect(moveTime(stack.info, { instant: instant - DAY * 1000 })).rejects.toThrow('time moves forward only')
    await expect(moveTime(stack.info, { plusSeconds: -1 })).rejects.toThrow('time moves forward only')
  })

  test('refuses an instant from which chain and engine could not come back', async () => {
    const before = [await onChain(stack.info.rpcUrl).newest(), clockOffset()]
    for (const plusSeconds of [99_999_999_999 * DAY, 100 * 365 * DAY, Number.MAX_VALUE])
      await expect(moveTime(stack.info, { plusSeconds })).rejects.toThrow('time does not move beyond 2100-01-01')
    expect([await onChain(stack.info.rpcUrl).newest(), clockOffset()]).toEqual(before)
  })

  inFour('reports what has moved when the engine does not answer; the next move moves the rest', async () => {
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
    expect((await moveTime(stack.info, { plusSeconds: 1 })).moved).toContain('left-behind')
    await toy.result()
  })

  inFour('reports the workflows that no worker runs, instead of waiting for them', async () => {
    const orphan = await client.workflow.start('unknown', { taskQueue: 'no-worker', workflowId: 'orphan' })
    const { behind } = await moveTime(stack.info, { plusSeconds: 60 })
    expect(behind).toEqual(['orphan'])
    await orphan.terminate()
  })

  test('makes one move after the other when two are requested at once', async () => {
    const before = clockOffset()
    await Promise.all([moveTime(stack.info, { plusSeconds: 100 }), moveTime(stack.info, { plusSeconds: 100 })])
    expect(clockOffset() - before).toBe(200_000)
  })

  test('refuses a chain that is not the local one', async () => {
    const chainFile = `${dir}/foreign.json`
    writePrivate(chainFile, JSON.stringify({ ...readChainFile(stack.info.chainFile), local: false }))
    await expect(moveTime({ ...stack.info, chainFile }, { plusSeconds: 1 })).rejects.toThrow('on the local chain only')
  })
})
