/** A test command as the judge runs it: options of Node, then test files. */
export interface TestCommand {
  readonly options: readonly string[]
  /** Test files or patterns, relative to the working directory. */
  readonly files: readonly string[]
  /** Files that the command names, which decide what it means. */
  readonly judging: readonly string[]
}

const ALLOWED_OPTION =
  /^--(?:test-name-pattern|test-skip-pattern|test-concurrency|test-timeout|conditions|max-old-space-size|disable-proto|import|require)=.+$|^--(?:test-only|no-warnings|enable-source-maps|experimental-strip-types|experimental-transform-types|experimental-vm-modules|experimental-test-module-mocks|frozen-intrinsics)$/
/** The judge has a reporter of its own. */
const REPORTER = /^--test-reporter(?:-destination)?(?:=|$)/
const WITH_VALUE = new Set([
  '--test-reporter',
  '--test-reporter-destination',
  '--import',
  '--require',
  '--test-name-pattern',
  '--test-skip-pattern',
])
const LOADED = /^--(?:import|require)=(.+)$/

/** Options in their form with `=`. */
const joinValues = (parts: readonly string[]): string[] => {
  const joined: string[] = []
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? ''
    if (WITH_VALUE.has(part)) {
      index += 1
      joined.push(`${part}=${parts[index] ?? ''}`)
    } else joined.push(part === '-r' ? '--require' : part)
  }
  return joined
}

const isInside = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..') && !path.startsWith('-')

/**
 * Reads a test command, or says in a sentence why its tests cannot be judged by name: it must be `node --test` with options that leave
 * reporter, isolation and results to the judge.
 */
export const parseTestCommand = (argv: readonly string[]): TestCommand | string => {
  if (argv[0] !== 'node' || !argv.includes('--test')) return 'The test command must be node --test, which reports each test by name.'
  const parts = joinValues(argv.slice(1)).filter((part) => part !== '--test' && !REPORTER.test(part))
  const options = parts.filter((part) => part.startsWith('-'))
  const files = parts.filter((part) => !part.startsWith('-'))
  const refused = options.find((option) => !ALLOWED_OPTION.test(option))
  if (refused !== undefined) return `The option ${refused} of the test command is not supported.`
  const loaded = options.flatMap((option) => LOADED.exec(option)?.[1] ?? []).map((path) => path.replace(/^\.\//, ''))
  const judging = [...files.map((path) => path.replace(/^\.\//, '')), ...loaded]
  const outside = judging.find((path) => !isInside(path))
  return outside === undefined ? { options, files, judging } : `The path ${outside} of the test command leaves the repository.`
}
