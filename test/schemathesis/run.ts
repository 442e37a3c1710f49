// Runs schemathesis (PyPI) on the document of a running local stack, without a token and in each role. See CONTRIBUTING.md.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { stateFiles } from '../../local/files.ts'
import { readRunning } from '../../local/info.ts'

const USAGE = `usage: npm run fuzz -- [options]

Needs a running stack (npm start) and schemathesis on the PATH (pip install schemathesis==4.32.5).

  --max-examples N  cases per operation, phase and role (default: 20)
  --role ROLE       nobody, worker, verifier, admin or leaver; default: each of them
  --seed N          repeats a run
  --dir DIR         where the state of the stack lies (default: .local)`

const HERE = fileURLToPath(new URL('.', import.meta.url))
/** Operations that end the token with which they are called. */
const ENDS_TOKEN = ['logout', 'refreshToken']

const { values } = parseArgs({
  options: {
    'max-examples': { type: 'string', default: '20' },
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

const post = async (path: string, body: object): Promise<Record<string, string>> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, string>
}

const signIn = async (key: `0x${string}`): Promise<string> => {
  const account = privateKeyToAccount(key)
  const { message = '' } = await post('/auth/nonce', { wallet: account.address })
  const { token = '' } = await post('/auth/verify', { message, signature: await account.signMessage({ message }) })
  return token
}

/** Key of each role; nobody signs in without one, and the leaver calls only what ends its token. */
const ROLES: Readonly<Record<string, () => `0x${string}` | null>> = {
  nobody: () => null,
  worker: generatePrivateKey,
  verifier: () => info.keys.verifier,
  admin: () => info.keys.admin,
  leaver: generatePrivateKey,
}

const run = async (role: string, keyOf: () => `0x${string}` | null): Promise<boolean> => {
  const key = keyOf()
  const token = key === null ? [] : ['--header', `Authorization: Bearer ${await signIn(key)}`]
  const filter = role === 'leaver' ? '--include-operation-id' : '--exclude-operation-id'
  const scope = role === 'nobody' ? [] : ENDS_TOKEN.flatMap((id) => [filter, id])
  const seed = values.seed === undefined ? [] : ['--seed', values.seed]
  console.log(`\n# ${role}`)
  const { status, error } = spawnSync(
    'schemathesis',
    [
      ...['--config-file', `${HERE}schemathesis.toml`, 'run', `${base}/openapi.json`, '--phases', 'examples,coverage,fuzzing,stateful'],
      ...['--max-examples', values['max-examples'], '--continue-on-failure', ...token, ...scope, ...seed],
    ],
    { stdio: 'inherit', cwd: values.dir, env: { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: HERE } },
  )
  if (error !== undefined) throw new Error('schemathesis is not on the PATH: pip install schemathesis==4.32.5', { cause: error })
  return status === 0
}

const passed: boolean[] = []
for (const [role, key] of Object.entries(ROLES)) if (values.role === undefined || values.role === role) passed.push(await run(role, key))
process.exit(passed.every(Boolean) ? 0 : 1)
