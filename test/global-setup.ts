import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the run a place for the one stack that its files share; the first file that needs the stack starts it. */
const setUp = (): void => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-tests-'))
  // Root's database runs as another user, who must be able to enter.
  chmodSync(directory, 0o755)
  process.env.TEST_STACK_DIR = directory
}

// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default setUp
