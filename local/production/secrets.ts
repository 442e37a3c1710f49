// Makes the secrets of a deployment, one file each, named as a container finds it: the setting in lower case, with hyphens.
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { runProgram } from '../program.ts'
import { createSecret, createSigningKey } from './create.ts'

const USAGE = `usage: npm run secrets -- [options]

Makes each secret of a deployment that is missing, and prints the addresses of the chain keys. What is there stays as it is. Files of
optional secrets are empty, which counts as not set.

  --dir DIR         where they lie (default: secrets)
  --database HOST   host, port and name of the service's database (default: database:5432/service, as in docker-compose.yml)
  --with LIST       optional secrets to make as well, by commas: arbitrator-key, settler-key, credit-operator-key, payload-keys,
                    webhook-secrets, codehost-hook-secret`

/** User of the processes in the image. */
const USER = 1000
/** Only the user of the service. */
const PRIVATE = 0o400
/** The folder keeps others out; the container of the database has a user of its own. */
const SHARED = 0o444

type Make = () => string

/** Signing keys, secrets and chain keys that a deployment must have. */
const REQUIRED: Readonly<Record<string, Make>> = {
  'database-password': createSecret,
  'jwt-key': createSigningKey,
  'receipt-key': createSigningKey,
  'share-secret': createSecret,
  'answer-secret': createSecret,
  'verification-secret': createSecret,
  'metrics-token': createSecret,
  'operator-key': generatePrivateKey,
  'verifier-key': generatePrivateKey,
}

/** Secrets of parts that a deployment may leave out; null: it comes from elsewhere. */
const OPTIONAL: Readonly<Record<string, Make | null>> = {
  'arbitrator-key': generatePrivateKey,
  'settler-key': generatePrivateKey,
  'credit-operator-key': generatePrivateKey,
  'payload-keys': () => `k1:${randomBytes(32).toString('base64')}`,
  'webhook-secrets': createSecret,
  'codehost-hook-secret': createSecret,
  'codehost-token': null,
  'chain-nodes': null,
}

/** Names of all files, with that of the database's address. */
export const SECRET_FILES: readonly string[] = [...Object.keys(REQUIRED), 'database-url', ...Object.keys(OPTIONAL)]

const MAKEABLE = Object.entries(OPTIONAL).flatMap(([name, make]) => (make === null ? [] : [name]))

/** Address of the service's database. The password is percent-encoded, so that it may hold any character. */
const databaseUrl = (password: string, place: string): string => `postgresql://service:${encodeURIComponent(password)}@${place}`

const readText = (path: string): string => readFileSync(path, 'utf8').trim()

/** Writes a file that has no content yet. Returns whether it did. */
const fill = (path: string, text: string, mode: number): boolean => {
  if (existsSync(path) && (text === '' || readText(path) !== '')) return false
  // An empty one may be read-only.
  rmSync(path, { force: true })
  writeFileSync(path, text === '' ? '' : `${text.trimEnd()}\n`, { mode: 0o600 })
  if (process.getuid?.() === 0) chownSync(path, USER, USER)
  chmodSync(path, mode)
  return true
}

/** Makes what is missing. Returns the names of the files that were written with a secret. */
export const makeSecrets = (dir: string, place: string, more: readonly string[] = []): string[] => {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const pathOf = (name: string): string => join(dir, name)
  const made = Object.entries(REQUIRED).filter(([name, make]) =>
    fill(pathOf(name), make(), name === 'database-password' ? SHARED : PRIVATE),
  )
  const address = databaseUrl(readText(pathOf('database-password')), place)
  const url = fill(pathOf('database-url'), address, PRIVATE) ? ['database-url'] : []
  const optional = Object.entries(OPTIONAL).filter(
    ([name, make]) => fill(pathOf(name), more.includes(name) && make !== null ? make() : '', PRIVATE) && more.includes(name),
  )
  return [...made.map(([name]) => name), ...url, ...optional.map(([name]) => name)]
}

/** Addresses of the chain keys of a folder. */
export const addressesIn = (dir: string): [string, string][] =>
  ['operator-key', 'verifier-key', 'arbitrator-key', 'settler-key', 'credit-operator-key'].flatMap((name) => {
    const key = readText(join(dir, name))
    return key === '' ? [] : [[name, privateKeyToAddress(key as Hex)]]
  })

const Options = z.object({
  dir: z.string().min(1),
  database: z.string().regex(/^[^\s@]+$/, '--database is host:port/name'),
  with: z
    .string()
    .transform((text) => text.split(',').filter(Boolean))
    .pipe(z.array(z.enum(MAKEABLE, `--with takes ${MAKEABLE.join(', ')}`))),
})

const main = (): number => {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string', default: 'secrets' },
      database: { type: 'string', default: 'database:5432/service' },
      with: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const read = Options.safeParse(values)
  if (!read.success) throw new Error(read.error.issues.map(({ message }) => message).join('\n'))
  const { dir, database, with: more } = read.data
  const made = makeSecrets(dir, database, more)
  console.log(made.length === 0 ? `${dir} has every secret` : `${dir}: made ${made.join(', ')}`)
  for (const [name, address] of addressesIn(dir)) console.log(`${name}  ${address}`)
  if (process.getuid?.() !== 0 && process.getuid?.() !== USER)
    console.log(`The processes of the image have the user id ${USER}: give them the files, as root, by chown -R ${USER} ${dir}`)
  return 0
}

if (import.meta.main) process.exitCode = await runProgram(main)
