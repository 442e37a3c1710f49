// Runs schemathesis (PyPI) on the document of a running local stack, without a token and in each role. See CONTRIBUTING.md.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { stateFiles } from '../../local/files.ts'
import { readRunning } from '../../local/info.ts'
import { pythonProgram } from '../../local/python/program.ts'
import { type Key, newKey, readKnown, signIn } from './service.ts'

const USAGE = `usage: npm run fuzz -- [options]

Needs a running stack (npm start) and Python 3.11 or later; installs schemathesis into this user's cache.

  --max-examples N  cases per operation, phase and role (default: 20)
  --seconds N       a sample of so many seconds for each role, without the phases that end in their own time
  --role ROLE       nobody, worker, verifier, admin or leaver; default: each of them
  --seed N          repeats a run
  --dir DIR         where the state of the stack lies (default: .local)`

const HERE = fileURLToPath(new URL('.', import.meta.url))
/** Operations that end the token with which they are called. */
const ENDS_TOKEN = ['logout', 'refreshToken', 'revokeAuthSessions']

const { values } = parseArgs({
  options: {
    'max-examples': { type: 'string', default: '20' },
    seconds: { type: 'string' },
    role: { type: 'string' },
    seed: { type: 'string' },
    dir: { type: 'string', default: '.local' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

const info = readRunning(stateFiles(values.dir))
if (info?.api === undefined) throw new Error('no stack runs; start one with npm start')
const base = info.api
const program = pythonProgram('schemathesis', `${HERE}requirements.txt`)
const known = JSON.stringify(await readKnown(base, await signIn(base, info.keys.admin)))

/** Key of each role. A role without one does not sign in; the leaver calls only operations that end its token. */
const ROLES: Readonly<Record<string, () => Key | null>> = {
  nobody: () => null,
  worker: newKey,
  verifier: () => info.keys.verifier,
  admin: () => info.keys.admin,
  leaver: newKey,
}

const run = async (role: string, keyOf: () => Key | null): Promise<boolean> => {
  const key = keyOf()
  const token = key === null ? [] : ['--header', `Authorization: Bearer ${await signIn(base, key)}`]
  const filter = role === 'leaver' ? '--include-operation-id' : '--exclude-operation-id'
  const scope = role === 'nobody' ? [] : ENDS_TOKEN.flatMap((id) => [filter, id])
  const seed = values.seed === undefined ? [] : ['--seed', values.seed]
  const phases = values.seconds === undefined ? 'examples,coverage,fuzzing,stateful' : 'examples,fuzzing'
  const limit = values.seconds === undefined ? [] : ['--max-time', values.seconds]
  console.log(`\n# ${role}`)
  const env = { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: HERE, PYTHONDONTWRITEBYTECODE: '1', FUZZ_KNOWN: known }
  const { status, error } = spawnSync(
    program,
    [
      ...['--config-file', `${HERE}schemathesis.toml`, 'run', `${base}/openapi.json`, '--phases', phases, ...limit],
      ...['--max-examples', values['max-examples'], '--continue-on-failure', ...token, ...scope, ...seed],
    ],
    { stdio: 'inherit', cwd: values.dir, env },
  )
  if (error !== undefined) throw error
  return status === 0
}

const passed: boolean[] = []
for (const [role, key] of Object.entries(ROLES)) if (values.role === undefined || values.role === role) passed.push(await run(role, key))
process.exit(passed.every(Boolean) ? 0 : 1)
