import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from '@jest/globals'
import { tail } from '../local/files.ts'
import type { StackInfo } from '../local/info.ts'
import { ANY_PORTS } from '../local/ports.ts'
import { attach, type Stack, type StackOptions, startStack } from '../local/stack.ts'
import { eventually } from './support/eventually.ts'
import { runDirectory, workerNumber } from './support/shared.ts'
import { linkCache, makeStateDirectory, removeState } from './support/state-directory.ts'
import { WEBHOOK_HOST } from './support/webhooks/receiver.ts'

const START_MS = 180_000
const SCRIPT = fileURLToPath(new URL('./stack-process.ts', import.meta.url))

/** A stack whose API is known to run. */
export type TestStack = Stack & { info: StackInfo & { api: string } }
export type UseStackOptions = {
  /**
   * Which stack. `run`: the one of all files, whose time no test moves. `worker`: the one of the files of this jest worker, which run one after
   * the other; time only moves forward there, and rows of earlier files stay. `own`: for restarts and settings that would disturb others.
   */
  scope?: 'run' | 'worker' | 'own'
  /** Settings of API and worker; for an own stack only. */
  env?: StackOptions['env']
}

/** Settings of every worker's stack: a stream checks its token each second, and the cap of locks is low. */
const WORKER_SETTINGS = {
  EVENT_PING_SECONDS: '1',
  LOCKED_TIER_COHORT_CAP_USDC: '100',
}

const withApi = (stack: Stack): TestStack => {
  const { api } = stack.info
  if (api === undefined) throw new Error('the stack runs without API')
  return { ...stack, info: { ...stack.info, api } }
}

/** The process outlives this test file: jest's teardown ends it. A second one ends when the first is ready. */
const launch = (directory: string, settings: Record<string, string>): { log: string; hasFailed: () => boolean } => {
  mkdirSync(join(directory, 'logs'), { recursive: true })
  const log = join(directory, 'logs', 'stack.log')
  const output = openSync(log, 'a')
  const { PATH, HOME, XDG_CACHE_HOME } = process.env
  const env = { PATH, HOME, ...(XDG_CACHE_HOME === undefined ? {} : { XDG_CACHE_HOME }) }
  const child = spawn(process.execPath, [SCRIPT, directory, JSON.stringify(settings)], {
    detached: true,
    stdio: ['ignore', output, output],
    env,
  })
  closeSync(output)
  child.unref()
  let failed = false
  child.once('exit', (code) => {
    failed = code !== 0
  })
  return { log, hasFailed: () => failed }
}

const attachOrLaunch = async (directory: string, settings: Record<string, string>): Promise<Stack> => {
  const running = await attach(directory)
  if (running) return running
  const { log, hasFailed } = launch(directory, settings)
  return eventually(
    'the stack answers',
    () => attach(directory),
    (stack) => stack !== undefined,
    () => {
      if (hasFailed()) throw new Error(`the stack of ${directory} did not start:\n${tail(log)}`)
    },
  )
}

/** Directory of a stack that outlives this file. */
export const sharedStackDirectory = (scope: 'run' | 'worker'): string => {
  const directory = process.env.TEST_STACK_DIR
  if (directory === undefined) throw new Error('a shared stack needs test/global-setup.ts in the jest configuration')
  return scope === 'run' ? directory : join(runDirectory(), `stack-${workerNumber()}`)
}

const ofWorker = (): Promise<Stack> => {
  const directory = sharedStackDirectory('worker')
  if (!existsSync(directory)) {
    mkdirSync(directory, { mode: 0o755 })
    linkCache(directory)
  }
  return attachOrLaunch(directory, WORKER_SETTINGS)
}

const own = async (env: Record<string, string>): Promise<Stack> => {
  const directory = makeStateDirectory('own')
  const stack = await startStack({ dir: directory, ports: ANY_PORTS, env })
  return {
    ...stack,
    stop: async () => {
      await stack.stop()
      removeState(directory)
    },
  }
}

/** A local stack with API and worker for the tests of a file. Call the answer inside tests. */
export const useStack = ({ scope = 'run', env = {} }: UseStackOptions = {}): (() => TestStack) => {
  const start = {
    run: () => attachOrLaunch(sharedStackDirectory('run'), { LOCAL_CALLER_HOSTS: WEBHOOK_HOST }),
    worker: ofWorker,
    own: () => own(env),
  }
  let stack: TestStack | undefined
  beforeAll(async () => {
    stack = withApi(await start[scope]())
  }, START_MS)
  afterAll(() => stack?.stop(), 30_000)
  return () => {
    if (!stack) throw new Error('the stack runs only while the tests of its file do')
    return stack
  }
}
