import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { operationList } from '../../../schemas/operations/registry.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'client-pack-'))
const project = join(directory, 'project')
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs a command; the options of the test's own Node are not those of its children. */
const run = async (cwd: string, file: string, ...args: string[]): Promise<string> => {
  const { NODE_OPTIONS: _options, ...env } = process.env
  const { stdout } = await promisify(execFile)(file, args, { cwd, env, timeout: 120_000, maxBuffer: 1e8 }).catch((error) => {
    throw new Error(`${file} ${args.join(' ')} failed:\n${error.stdout ?? ''}${error.stderr ?? ''}`, { cause: error })
  })
  return stdout
}

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  outDir: 'built',
}

/** Packs a copy of the sources, so that nothing is built in the checkout, and installs the package in a project without a network. */
beforeAll(async () => {
  const copy = join(directory, 'client')
  cpSync(join(ROOT, 'client'), copy, { recursive: true, filter: (path) => !/[/\\](dist|node_modules)$/.test(path) })
  mkdirSync(join(copy, 'dist'))
  writeFileSync(join(copy, 'dist/stale.js'), 'export {}')
  cpSync(join(ROOT, 'package.json'), join(directory, 'package.json'))
  // The build prints the types of the operations from the registry.
  for (const folder of ['schemas', 'domain', 'activities', 'api', 'examples'])
    cpSync(join(ROOT, folder), join(directory, folder), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  const pack = async (folder: string): Promise<string> => {
    const [packed] = JSON.parse(await run(folder, 'npm', 'pack', '--json', '--pack-destination', directory)) as { filename: string }[]
    return join(directory, packed?.filename ?? '')
  }
  const { dependencies } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  const packages = [await pack(copy)]
  for (const name of Object.keys(dependencies)) packages.push(await pack(join(ROOT, 'node_modules', name)))
  rmSync(join(directory, 'node_modules'))
  rmSync(join(directory, 'package.json'))
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }))
  await run(project, 'npm', 'install', '--offline', '--no-audit', '--no-fund', ...packages)
  cpSync(join(ROOT, 'test/long/client/consumer.txt'), join(project, 'consumer.ts'))
})

test('the package holds what it needs and nothing else, and its library imports the parser of events alone', () => {
  const names = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(names.sort()).toEqual(['@noble', '@scure', 'agent-work-client', 'commander', 'eventsource-parser'])
  const installed = join(project, 'node_modules/agent-work-client')
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'cli', 'dist', 'package.json'])
  // Library and command share one folder of modules, recreated for the package.
  expect(readdirSync(join(installed, 'dist'))).toEqual(['client', 'examples'])
  const all = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
  expect(all.filter((name) => name.endsWith('problems.js'))).toEqual([join('client', 'src', 'problems.js')])
  const library = join(installed, 'dist/client/src')
  const files = readdirSync(library, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'))
  expect(files.filter((name) => !/\.(js|d\.ts)$/.test(name))).toEqual([])
  const imported = files.flatMap((name) => [
    ...readFileSync(join(library, name), 'utf8').matchAll(/^(?:import|export)\b[^'"\n]*\bfrom\s*['"]([^'"]+)['"]/gm),
  ])
  expect(imported.length).toBeGreaterThan(20)
  const packages = imported.map(([, specifier]) => specifier ?? '').filter((specifier) => !specifier.startsWith('.'))
  expect([...new Set(packages)]).toEqual(['eventsource-parser'])
})

test('the documents of the package link to files of the package alone', () => {
  const installed = join(project, 'node_modules/agent-work-client')
  const links = ['README.md', 'cli/README.md'].flatMap((name) =>
    [...readFileSync(join(installed, name), 'utf8').matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = '']) =>
      join(installed, name, '..', target),
    ),
  )
  expect(links.length).toBeGreaterThan(1)
  expect(links.filter((file) => !file.startsWith(installed) || !existsSync(file))).toEqual([])
})

test.each<[string, object]>([
  ['a browser', { lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] }],
  ['Node', { lib: ['es2022'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] }],
])('a program that uses the package compiles under strict rules with the types of %s', async (_place, types) => {
  // `console` is in neither of them without the other's.
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...types }, files: ['consumer.ts'] }),
  )
  await run(project, join(ROOT, 'node_modules/.bin/tsc'), '--project', 'tsconfig.json')
})

test('the program runs without viem', async () => {
  expect(JSON.parse(await run(project, process.execPath, 'built/consumer.js'))).toEqual({
    operations: operationList.length,
    methods: 'function',
    refused: ['issueNonce', 'POST', '/auth/nonce'],
    tokens: [],
  })
})

/** Runs the command of the installed package with an empty directory of keys. */
const agentWork = (...args: string[]) => {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: directory, XDG_CONFIG_HOME: join(directory, 'config'), AGENT_WORK_PASSPHRASE: 'a passphrase' }
  const { status, stdout, stderr } = spawnSync(join(project, 'node_modules/.bin/agent-work'), args, { cwd: project, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('the command of the package knows its version, and has the verifier of records with it', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'client/package.json'), 'utf8')) as { version: string }
  expect(agentWork('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
  expect(agentWork('help').stdout).toContain('agent-work submit JOB work.json --watch')
  expect(agentWork('verify-record', '--help').stdout).toContain('--jwks')
  const record = join(project, 'record.json')
  writeFileSync(record, '{"a":1,"a":2}')
  expect(agentWork('verify-record', record, '--jwks', record)).toMatchObject({ status: 1, stderr: expect.stringContaining('Not sound') })
})

test('the command of the package says how to get viem when it needs it, and makes no key before', () => {
  const { status, stderr } = agentWork('login', '--base-url', 'https://work.example')
  expect([status, stderr]).toEqual([3, expect.stringContaining('npm install viem')])
  expect(existsSync(join(directory, 'config'))).toBe(false)
})
