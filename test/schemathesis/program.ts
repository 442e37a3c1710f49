import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programCache } from '../../local/download.ts'

/** The packages with their versions. */
const PINS = fileURLToPath(new URL('requirements.txt', import.meta.url))

const call = (program: string, args: string[]): void => {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (error !== undefined || status !== 0) {
    throw new Error(`${program} ${args.join(' ')} failed; needed are Python 3.11 or later with venv, and a package index`, { cause: error })
  }
}

/** Path of the pinned program. The first call installs it into a virtual environment in this user's cache. */
export const schemathesis = (): string => {
  const version = /^schemathesis==(\S+)$/m.exec(readFileSync(PINS, 'utf8'))?.[1]
  const directory = join(programCache(), `schemathesis-${version}`)
  const program = join(directory, 'bin', 'schemathesis')
  // Written last, so a broken install is repeated.
  const complete = join(directory, 'complete')
  if (!existsSync(complete)) {
    console.log(`installing schemathesis ${version} into ${directory}`)
    call('python3', ['-m', 'venv', '--clear', directory])
    call(join(directory, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', '--requirement', PINS])
    call('touch', [complete])
  }
  return program
}
