import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root of the checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Folders outside the source tree of a copy without a repository: libraries, state and results of runs. */
const OUTSIDE = new Set(['node_modules', '.git', '.local', '.cache', 'coverage', 'secrets', 'dist'])

const walk = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (OUTSIDE.has(entry.name)) return []
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    return entry.isDirectory() ? walk(path) : [path]
  })

/** The files that git tracks, and those that it does not ignore; null outside a repository. */
const known = (): string[] | null => {
  if (!existsSync(join(ROOT, '.git'))) return null
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return status === 0 ? [...new Set(stdout.split('\0'))].filter((path) => path !== '' && existsSync(join(ROOT, path))) : null
}

/** Every file of the source tree, by its path from the root; not what the commands of the documents leave in a checkout. */
export const files = (): string[] => (known() ?? walk('')).sort()

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Every module that a text imports, in any form. */
export const specifiersIn = (text: string): string[] =>
  [...text.matchAll(/(?:(?<!')\bfrom\s*'|\bimport\s*\(?\s*'|\bimport\s*\(\s*`)([^'`\s]+)['`]/g)].map(([, specifier]) => specifier ?? '')

export interface Manifest {
  version: string
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  overrides: Record<string, string>
}

export const manifest = (): Manifest => JSON.parse(read('package.json')) as Manifest
