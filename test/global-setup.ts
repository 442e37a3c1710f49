import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeStateDirectory, openDirectory, STACK_CACHE } from './support/state-directory.ts'

/** Builds the types of the client, and gives the run a place for the stack and one for the other parts that its files share; the first file that needs a part starts it. */
const setUp = (): void => {
  execFileSync(process.execPath, [fileURLToPath(new URL('../client/generate/main.ts', import.meta.url))])
  process.env.TEST_STACK_DIR = makeStateDirectory('tests')
  process.env.TEST_RUN_DIR = openDirectory('run')
  // Processes that this run starts compile a module once.
  process.env.NODE_COMPILE_CACHE = join(STACK_CACHE, 'compiled')
  // Processes of this run build the workflow bundle with short limits.
  process.env.WORKFLOW_LIMITS = 'test/support/step-limits.ts'
}

// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default setUp
