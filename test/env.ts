import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from '@jest/globals'
import { tail } from '../local/files.ts'
import type { StackInfo } from '../local/info.ts'
import { ANY_PORTS } from '../local/ports.ts'
import { attach, type Stack, type StackOptions, startStack } from '../local/stack.ts'
import { makeStateDirectory, removeState } from './support/state-directory.ts'

const START_MS = 180_000
const SCRIPT = fileURLToPath(new URL('../local/stack-cli.ts', import.meta.url))

/** A stack whose API is known to run. */
export type TestStack = Stack & { info: StackInfo & { api: string } }
export type UseStackOptions = {
  /** A stack for this file alone: for tests that move time, restart parts or set limits, which would disturb the others. */
  own?: boolean
  /** Settings of API and worker; for an own stack only. */
  env?: StackOptions['env']
}

const withApi = (stack: Stack): TestStack => {
  const { api } = stack.info
  if (api === undefined) throw new Error('the stack runs without API')
  return { ...stack, info: { ...stack.info, api } }
}

/** The process outlives this test file: jest's teardown ends it. A second one merely shows the first and ends. */
const launchShared = (directory: string): { log: string; failed: Promise<number> } => {
  mkdirSync(join(directory, 'logs'), { recursive: true })
  const log = join(directory, 'logs', 'stack.log')
  const output = openSync(log, 'a')
  const { PATH, HOME, XDG_CACHE_HOME } = process.env
  const env = { PATH, HOME, ...(XDG_CACHE_HOME === undefined ? {} : { XDG_CACHE_HOME }) }
  const child = spawn(process.execPath, [SCRIPT, 'start', '--any-ports', '--dir', directory], {
    detached: true,
    stdio: ['ignore', output, output],
    env,
  })
  closeSync(output)
  child.unref()
  const failed = new Promise<number>((resolve) => child.once('exit', (code) => code !== 0 && resolve(code ?? 1)))
  return { log, failed }
}

const shared = async (): Promise<Stack> => {
  const directory = process.env.TEST_STACK_DIR
  if (directory === undefined) throw new Error('the shared stack needs test/global-setup.ts in the jest configuration')
  const running = await attach(directory)
  if (running) return running
  const { log, failed } = launchShared(directory)
  const found = (async () => {
    for (;;) {
      const stack = await attach(directory)
      if (stack) return stack
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  const stack = await Promise.race([found, failed])
  if (typeof stack === 'number') throw new Error(`the shared stack did not start:\n${tail(log)}`)
  return stack
}

const own = async (options: UseStackOptions): Promise<Stack> => {
  const directory = makeStateDirectory('own')
  const stack = await startStack({ dir: directory, ports: ANY_PORTS, env: options.env ?? {} })
  return {
    ...stack,
    stop: async () => {
      await stack.stop()
      removeState(directory)
    },
  }
}

/** A local stack with API and worker for the tests of a file: the one all files share, or one of its own. Call the answer inside tests. */
export const useStack = (options: UseStackOptions = {}): (() => TestStack) => {
  let stack: TestStack | undefined
  beforeAll(async () => {
    stack = withApi(await (options.own ? own(options) : shared()))
  }, START_MS)
  afterAll(() => stack?.stop(), 30_000)
  return () => {
    if (!stack) throw new Error('the stack runs only while the tests of its file do')
    return stack
  }
}
