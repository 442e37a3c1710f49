import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Paths of the stack's files inside its state directory. */
export const stateFiles = (dir: string) => ({
  /** The process that runs the stack: {@link readOwner}. */
  lock: join(dir, 'stack.lock'),
  /** Addresses of the running parts; written when the stack is ready, removed when it stops. */
  info: join(dir, 'stack.json'),
  /** Settings of API and worker for a shell or `node --env-file`, so that more of them can join a running stack. */
  serviceEnv: join(dir, 'services.env'),
  /** Settings of the console, in the same form. */
  consoleEnv: join(dir, 'console.env'),
  processes: join(dir, 'processes.json'),
  ports: join(dir, 'ports.json'),
  logs: join(dir, 'logs'),
  cache: join(dir, 'cache'),
  clockOffset: join(dir, 'clock-offset'),
  chainFile: join(dir, 'chain.json'),
  chainLog: join(dir, 'chain-log.jsonl'),
  chainState: join(dir, 'chain-state.json'),
  postgres: join(dir, 'postgres'),
  postgresPlace: join(dir, 'postgres-place'),
  postgresPassword: join(dir, 'postgres-password'),
  temporal: join(dir, 'temporal.db'),
  jwtKey: join(dir, 'jwt-key.pem'),
  receiptKey: join(dir, 'receipt-key.pem'),
  shareSecret: join(dir, 'share-secret'),
  answerSecret: join(dir, 'answer-secret'),
  verificationSecret: join(dir, 'verification-secret'),
  /** Certificate of the host of artefacts, with its key. */
  artefactsCertificate: join(dir, 'artefacts.pem'),
  /** Certificates that API and worker trust beside those of Node. */
  authorities: join(dir, 'authorities.pem'),
})
export type StateFiles = ReturnType<typeof stateFiles>

/** Makes new files of this process and its children readable by their owner only. The database's user gets access to its own directories. */
export const keepPrivate = (): void => void process.umask(0o077)

/** Replaces a file in one step, readable by its owner only. */
export const writePrivate = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  const next = `${path}.${process.pid}.next`
  writeFileSync(next, text, { mode: 0o600 })
  renameSync(next, path)
}

/** Text of a file, or undefined when there is no such file. */
export const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Last lines of a log, for a message about a process that died. */
export const tail = (path: string, lines = 20): string => {
  const text = (readIfThere(path) ?? '').trimEnd()
  return text === '' ? '(it wrote nothing)' : text.split('\n').slice(-lines).join('\n')
}

/** Directory of this checkout. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Hash of the files that match the patterns, and of further values. */
export const contentHash = (patterns: string[], values: string[] = []): string => {
  const hash = createHash('sha256').update(values.map((value) => `${value}\0`).join(''))
  for (const file of globSync(patterns, { cwd: ROOT }).sort())
    if (statSync(join(ROOT, file)).isFile()) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex').slice(0, 16)
}
