// What a release froze, as files of this checkout: one folder for each release under test/frozen/.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ERRORS } from '../../schemas/errors.ts'
import { presentWire, type Wire } from './wire.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FROZEN = join(ROOT, 'test/frozen')
/** The first release that freezes anything. */
const FIRST = '1.0.0-rc.1'

/** Release of this checkout. */
export const presentVersion = (): string => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version

/** Whether a release freezes what it has: the first one that does, or a later one. */
export const isFreezing = (version: string): boolean => {
  const [numbers = '', candidate] = version.split('-rc.')
  const [major = 0] = numbers.split('.').map(Number)
  return major >= 1 && (candidate === undefined || numbers !== FIRST.split('-')[0] || Number(candidate) >= 1)
}

/** Hash of each migration, by its file. */
export const presentMigrations = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(ROOT, 'migrations'))
      .filter((file) => /^\d{4}-.*\.ts$/.test(file))
      .sort()
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(join(ROOT, 'migrations', file)))
          .digest('hex'),
      ]),
  )

/** HTTP status of each error code. */
export const presentErrors = (): Record<string, number> =>
  Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status]))

/** Releases that froze something, by their folders. */
export const frozenReleases = (): string[] => (existsSync(FROZEN) ? readdirSync(FROZEN).sort() : [])

const read = <T>(release: string, file: string): T => JSON.parse(readFileSync(join(FROZEN, release, file), 'utf8')) as T

export const frozenWire = (release: string): Wire => read(release, 'wire.json')
export const frozenErrors = (release: string): Record<string, number> => read(release, 'errors.json')
export const frozenMigrations = (release: string): Record<string, string> => read(release, 'migrations.json')

/** Entries of a release that this checkout changed or lost. A new one is none. */
export const changedSince = (before: Record<string, string | number>, after: Record<string, string | number>): string[] =>
  Object.keys(before).filter((key) => before[key] !== after[key])

/** Folder with the histories that a release recorded. */
export const frozenHistories = (release: string): string => join(FROZEN, release, 'histories')

/** Writes what the present release freezes. A release that is frozen stays as it is. */
export const freeze = (version = presentVersion()): string => {
  const folder = join(FROZEN, version)
  if (existsSync(folder)) throw new Error(`${version} is frozen already`)
  mkdirSync(folder, { recursive: true })
  const put = (file: string, value: object): void => writeFileSync(join(folder, file), `${JSON.stringify(value, null, 1)}\n`)
  put('wire.json', presentWire())
  put('errors.json', presentErrors())
  put('migrations.json', presentMigrations())
  cpSync(join(ROOT, 'test/histories'), join(folder, 'histories'), { recursive: true })
  return folder
}

if (import.meta.main) console.log(`${freeze()} holds what ${presentVersion()} freezes: commit it with the tag`)
