import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from '@jest/globals'
import { createJob } from '../../../e2e/support/jobs.ts'
import { useWorld } from '../../../e2e/support/world.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const GENERATOR = ['--package=openapi-typescript@7.13.0', '--package=typescript@5.9.3']
const COMPILER = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  },
  files: ['program.ts'],
}

const world = useWorld()
const directory = mkdtempSync(join(tmpdir(), 'client-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs a command in the directory of the client. The options of the test's own Node are not those of its children. */
const run = async (file: string, args: readonly string[]): Promise<string> => {
  const { NODE_OPTIONS: _options, ...env } = process.env
  const { stdout } = await promisify(execFile)(file, args, { cwd: directory, env, timeout: 180_000, maxBuffer: 1e8 }).catch((error) => {
    if (error.code === 'ENOENT') throw new Error(`${file} is not on the PATH; this test needs an npm that reaches its package registry`)
    throw new Error(`${file} ${args.join(' ')} failed:\n${error.stdout ?? ''}${error.stderr ?? ''}`, { cause: error })
  })
  return stdout
}

test('a client that a public generator makes of the document compiles, tells rows and codes apart, and works', async () => {
  await createJob(world())
  writeFileSync(join(directory, 'openapi.json'), JSON.stringify(await world().expectCall(200, '/openapi.json?examples=none')))
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(COMPILER))
  cpSync(join(ROOT, 'test/long/common/client/program.txt'), join(directory, 'program.ts'))
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  await run('npm', ['exec', '--yes', ...GENERATOR, '--', 'openapi-typescript', 'openapi.json', '--output', 'client.ts'])
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['--project', 'tsconfig.json'])
  const answer = JSON.parse(await run(process.execPath, ['program.ts', world().base]))
  expect(answer).toEqual({
    rewards: [expect.stringMatching(/^\d+$/), expect.stringMatching(/^[\d.]+ USDC$/)],
    formats: ['full', 'short'],
    refusal: 'unknown job (job_not_found)',
    claim: [401, 'missing_token', ['sign_in']],
  })
}, 400_000)
