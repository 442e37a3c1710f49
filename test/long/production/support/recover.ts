import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Ended } from './versions.ts'

const SCRIPT = fileURLToPath(new URL('../../../../workers/recover.ts', import.meta.url))

/** Runs the command of operators after a restore. */
export const runRecover = (env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  promisify(execFile)(process.execPath, [SCRIPT, ...args], { env: { PATH: process.env.PATH, ...env }, timeout: 240_000 }).then(
    ({ stdout, stderr }) => ({ code: 0, text: `${stdout}${stderr}` }),
    ({ code, stdout, stderr }) => ({ code: Number(code), text: `${stdout}${stderr}` }),
  )
