import { makeStateDirectory, openDirectory } from './support/state-directory.ts'

/** Gives the run a place for the stack and one for the other parts that its files share; the first file that needs a part starts it. */
const setUp = (): void => {
  process.env.TEST_STACK_DIR = makeStateDirectory('tests')
  process.env.TEST_RUN_DIR = openDirectory('run')
}

// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default setUp
