import { makeStateDirectory, openDirectory } from './support/state-directory.ts'

/** Gives the run a place for the stack and one for the database server that its files share; the first file that needs either starts it. */
const setUp = (): void => {
  process.env.TEST_STACK_DIR = makeStateDirectory('tests')
  process.env.TEST_POSTGRES_DIR = openDirectory('records')
}

// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default setUp
