import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { contentHash, readIfThere } from './files.ts'

/** A cached part of a new stack's state, such as its migrated database. A new state directory gets a copy. */
export type Snapshot = { cache: string; name: string; key: string }

/** Age at which an incomplete snapshot is no longer being written. */
const ABANDONED_MS = 3_600_000

/** Names a snapshot by the sources that determine its content, and by the system and user that can use it. */
export const snapshotOf = (cache: string, name: string, sources: string[]): Snapshot => ({
  cache,
  name,
  key: contentHash(sources, [process.platform, process.arch, String(process.getuid?.())]),
})

const entry = ({ cache, name, key }: Snapshot): string => join(cache, `${name}-${key}`)
const manifest = (directory: string): string => join(directory, 'manifest')
const content = (directory: string): string => join(directory, 'content')

/** Hash of the key and of the path, size and modification time of every file: cheap, and changed by every usual damage. */
const describe = ({ name, key }: Snapshot, directory: string): string => {
  const hash = createHash('sha256').update(`${name}-${key}\0`)
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const stats = lstatSync(join(directory, path))
    hash.update(stats.isDirectory() ? `${path}\0` : `${path}\0${stats.size}\0${Math.floor(stats.mtimeMs / 1000)}\0`)
  }
  return hash.digest('hex')
}

/** Whether the content is what was saved. One of a later time comes from a clock that was set back since. */
const isIntact = (snapshot: Snapshot, directory: string): boolean => {
  try {
    return (
      readIfThere(manifest(directory)) === describe(snapshot, content(directory)) &&
      Math.floor(statSync(manifest(directory)).mtimeMs) <= Date.now()
    )
  } catch {
    return false
  }
}

/** Removes a snapshot that turned out to be unusable. */
export const dropSnapshot = (snapshot: Snapshot): void => rmSync(entry(snapshot), { recursive: true, force: true })

/** Directory with the content of a snapshot; undefined when there is none. Removes a damaged one. */
export const findSnapshot = (snapshot: Snapshot): string | undefined => {
  const directory = entry(snapshot)
  if (!existsSync(directory)) return undefined
  if (isIntact(snapshot, directory)) return content(directory)
  dropSnapshot(snapshot)
  return undefined
}

/** Copies a directory with owners, modes and times. The target does not exist. */
export const copyDirectory = async (from: string, to: string): Promise<void> => void (await promisify(execFile)('cp', ['-a', from, to]))

/** Removes snapshots of other sources and those whose writer ended. A start that reads one of them creates its state itself. */
const removeOld = ({ cache, name, key }: Snapshot): void => {
  for (const found of readdirSync(cache).filter((other) => other.startsWith(`${name}-`) && other !== `${name}-${key}`)) {
    const isBeingWritten = found.includes('.part-') && statSync(join(cache, found)).mtimeMs > Date.now() - ABANDONED_MS
    if (!isBeingWritten) rmSync(join(cache, found), { recursive: true, force: true })
  }
}

/**
 * Saves a snapshot whose content `write` creates in the directory it is given. Of several processes at once the first one saves. A failure is
 * reported to `say` only: the state that the snapshot was taken from is complete.
 */
export const saveSnapshot = async (
  snapshot: Snapshot,
  say: (line: string) => void,
  write: (directory: string) => Promise<void>,
): Promise<void> => {
  let part: string | undefined
  try {
    mkdirSync(snapshot.cache, { recursive: true })
    part = mkdtempSync(`${entry(snapshot)}.part-`)
    chmodSync(part, 0o700)
    await write(content(part))
    writeFileSync(manifest(part), describe(snapshot, content(part)))
    removeOld(snapshot)
    if (!existsSync(entry(snapshot))) renameSync(part, entry(snapshot))
  } catch (error) {
    // Another process saved the same snapshot between the check and the renaming.
    if (!existsSync(entry(snapshot)))
      say(`The ${snapshot.name} could not be cached: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    if (part !== undefined) rmSync(part, { recursive: true, force: true })
  }
}
