// Runs blocks as a reader does: in bash, and as TypeScript.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Variables } from './things.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** A block with what the reader has set. */
export interface ToRun {
  text: string
  variables: Variables
}

export interface Ran {
  code: number
  out: string
  error: string
}

/** Runs a program to its end. */
export const runProgram = (command: string, args: string[], env: Record<string, string>, cwd: string): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(command, args, { env, cwd, maxBuffer: 1e8, timeout: 120_000 }, (_error, out, error) =>
      resolve({ code: child.exitCode ?? -1, out, error }),
    )
    child.stdin?.end()
  })

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Environment of a reader whose curl writes the status of each answer to standard error, and ends a stream. */
export const prepareHome = (home: string): Record<string, string> => {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, '.curlrc'), 'write-out = "%{stderr}%{http_code}"\nmax-time = 20\n')
  mkdirSync(join(home, 'streams'))
  writeFileSync(join(home, 'streams', '.curlrc'), 'write-out = "%{stderr}%{http_code}"\nmax-time = 2\n')
  // The command, as an installed package has it.
  mkdirSync(join(home, 'bin'))
  const main = join(ROOT, 'client/cli/main.ts')
  writeFileSync(join(home, 'bin', 'agent-work'), `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(main)} "$@"\n`, { mode: 0o755 })
  return {
    PATH: `${join(home, 'bin')}:${process.env.PATH ?? ''}`,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    AGENT_WORK_PASSPHRASE: 'a passphrase of the documentation',
    NO_COLOR: '1',
  }
}

/** Runs blocks one after the other in one bash, each in a shell of its own. */
export const runInBash = async (blocks: readonly ToRun[], env: Record<string, string>, cwd: string, name: string): Promise<Ran[]> => {
  const dir = join(cwd, name)
  mkdirSync(dir, { recursive: true })
  const script = blocks.map(({ text, variables }, index) => {
    const set = Object.entries(variables).map(([variable, value]) => `export ${variable}=${quoted(value)}`)
    return ['(', 'set -eu', ...set, text, `) >${index}.out 2>${index}.err </dev/null`, `echo $? >${index}.code`].join('\n')
  })
  writeFileSync(join(dir, 'script.sh'), script.join('\n'))
  await runProgram('bash', ['script.sh'], env, dir)
  const read = (index: number, end: string): string => readFileSync(join(dir, `${index}.${end}`), 'utf8')
  return blocks.map((_, index) => ({ code: Number(read(index, 'code')), out: read(index, 'out'), error: read(index, 'err') }))
}

/** A folder in which the packages of the project can be imported, with each block as a file. Returns the names of the files. */
export const writeModules = (dir: string, texts: readonly string[]): string[] => {
  mkdirSync(dir, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
  const compilerOptions = {
    ...{ target: 'es2024', lib: ['es2024', 'dom'], module: 'nodenext', moduleResolution: 'nodenext', types: ['node'], strict: true },
    ...{
      noEmit: true,
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      erasableSyntaxOnly: true,
      skipLibCheck: true,
      preserveSymlinks: true,
    },
    paths: { 'agent-work-client': [join(ROOT, 'client/src/index.ts')] },
  }
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['block-*.ts'] }))
  return texts.map((text, index) => {
    writeFileSync(join(dir, `block-${index}.ts`), `${text}\n`)
    return `block-${index}.ts`
  })
}

/** What the compiler says of the files of a folder. */
export const typeFaults = async (dir: string): Promise<string[]> => {
  const { out } = await runProgram(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'],
    { PATH: process.env.PATH ?? '' },
    dir,
  )
  return out.split('\n').filter((line) => line !== '')
}

/** Outcome of a block of TypeScript: what it printed, and how it failed. */
export interface Outcome {
  printed: number
  failure: { name: string; message: string; code?: string; status?: number } | null
}

/** Imports the files one after the other in one process. One that never ends, since it reads a stream, has to print something. */
const RUNNER = `
import { readFileSync, writeFileSync } from 'node:fs'
const blocks = JSON.parse(readFileSync('blocks.json', 'utf8'))
const usual = { ...process.env }
let printed = 0
let notify = () => {}
console.log = (value) => { if (value?.kind === 'event') notify(); else printed += 1 }
const describe = ({ name, message, code, status }) => ({ name, message, code, status })
const fetchOf = globalThis.fetch
const results = []
const streams = []
for (const { file, variables, streams: isStream } of blocks) {
  process.env = { ...usual, ...variables }
  printed = 0
  if (isStream) {
    const first = Promise.withResolvers()
    notify = first.resolve
    const result = { printed: 0, failure: null }
    const asked = Promise.withResolvers()
    globalThis.fetch = (...request) => { asked.resolve(); return fetchOf(...request) }
    import('./' + file).catch((error) => { result.failure = describe(error); asked.resolve(); first.resolve() })
    // It has read its variables.
    await asked.promise
    streams.push(first.promise.then(() => { result.printed = 1 }))
    results.push(result)
    continue
  }
  let failure = null
  try { await import('./' + file) } catch (error) { failure = describe(error) }
  results.push({ printed, failure })
}
await Promise.all(streams)
writeFileSync('results.json', JSON.stringify(results))
process.exit()
`

/** Runs the files in one process. */
export const runModules = async (
  dir: string,
  blocks: readonly { file: string; variables: Variables; streams: boolean }[],
  env: Record<string, string>,
): Promise<Outcome[]> => {
  writeFileSync(join(dir, 'blocks.json'), JSON.stringify(blocks))
  writeFileSync(join(dir, 'runner.mjs'), RUNNER)
  const hooks = join(ROOT, 'client/generate/sources.ts')
  const { error } = await runProgram(process.execPath, ['--import', hooks, 'runner.mjs'], env, dir)
  try {
    return JSON.parse(readFileSync(join(dir, 'results.json'), 'utf8')) as Outcome[]
  } catch (failure) {
    throw new Error(error, { cause: failure })
  }
}
