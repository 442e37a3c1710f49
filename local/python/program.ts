import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programCache } from '../download.ts'

const call = (program: string, args: string[]): void => {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (error !== undefined || status !== 0) {
    throw new Error(`${program} ${args.join(' ')} failed; needed are Python 3.11 or later with venv, and a package index`, { cause: error })
  }
}

/** Path of a program of Python with the versions of a file of pins. The first call installs it into a virtual environment in this user's cache. */
export const pythonProgram = (name: string, pins: string): string => {
  const version = new RegExp(`^${name}==(\\S+)$`, 'm').exec(readFileSync(pins, 'utf8'))?.[1]
  const directory = join(programCache(), `${name}-${version}`)
  const program = join(directory, 'bin', name)
  // Written last, so a broken install is repeated.
  const complete = join(directory, 'complete')
  if (!existsSync(complete)) {
    console.log(`installing ${name} ${version} into ${directory}`)
    call('python3', ['-m', 'venv', '--clear', directory])
    call(join(directory, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', '--requirement', pins])
    call('touch', [complete])
  }
  return program
}
