// Runs a test file by jest's own framework, but loads it by Node's `import`: a worker evaluates the modules that its files share once.
import { createRequire, enableCompileCache, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFramework } from './globals.js'

const require = createRequire(import.meta.url)
const FRAMEWORK = join(dirname(require.resolve('jest-circus/package.json')), 'build/jestAdapterInit.js')
const GLOBALS = new URL('./globals.js', import.meta.url).href

/** What a framework keeps in the global scope. */
const LEFT_BEHIND = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL']

enableCompileCache()
registerHooks({ resolve: (specifier, context, next) => next(specifier === '@jest/globals' ? GLOBALS : specifier, context) })

/** The framework as no file has used it: tests, handlers and limits of the file before are dropped. */
const loadFramework = () => {
  delete require.cache[FRAMEWORK]
  for (const key of Object.getOwnPropertySymbols(globalThis)) if (LEFT_BEHIND.includes(key.description)) delete globalThis[key]
  return require(FRAMEWORK)
}

const restoreProcess = ({ variables, directory }) => {
  process.chdir(directory)
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  Object.assign(process.env, variables)
}

// biome-ignore lint/style/noDefaultExport: jest calls the default export
export default async function runFile(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  const { initialize, runAndTransformResultsToJestFormat } = loadFramework()
  const before = { variables: { ...process.env }, directory: process.cwd() }
  await initialize({
    config,
    environment,
    globalConfig,
    localRequire: require,
    parentProcess: process,
    runtime,
    sendMessageToJest,
    setGlobalsForRuntime: setFramework,
    testPath,
  })
  try {
    await import(pathToFileURL(testPath).href)
    return await runAndTransformResultsToJestFormat({ config, globalConfig, setupAfterEnvPerfStats: {}, testPath })
  } finally {
    restoreProcess(before)
  }
}
