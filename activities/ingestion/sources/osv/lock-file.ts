import { z } from 'zod'
import { isPackageTarget } from '../../../../schemas/ingestion/osv.ts'
import { SourceFailure } from '../../source.ts'

/** A package version that a lock file names. */
export interface LockedPackage {
  name: string
  version: string
}

const Names = z.record(z.string(), z.unknown()).optional()
const Entry = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  link: z.boolean().optional(),
  dependencies: Names,
  devDependencies: Names,
})
/** The part that names versions. Source: npm, "package-lock.json". */
const LockFile = z.object({
  lockfileVersion: z.int().min(1).max(3),
  packages: z.record(z.string(), Entry).optional(),
  dependencies: Names,
})
const OldEntry = z.object({ version: z.string().optional(), dependencies: Names })

const FOLDER = 'node_modules/'
/** Nested folders that are followed in a lock file of version 1. */
const MAX_DEPTH = 20

const fromFolders = (packages: Record<string, z.infer<typeof Entry>>): LockedPackage[] =>
  Object.entries(packages).flatMap(([path, { name, version, link }]) => {
    const at = path.lastIndexOf(FOLDER)
    if (at === -1 || link === true || version === undefined) return []
    return [{ name: name ?? path.slice(at + FOLDER.length), version }]
  })

/** Packages of a lock file of version 1, which nests them. */
const fromTree = (tree: z.infer<typeof Names>, depth = 0): LockedPackage[] =>
  depth === MAX_DEPTH
    ? []
    : Object.entries(tree ?? {}).flatMap(([name, value]) => {
        const { version, dependencies } = OldEntry.safeParse(value).data ?? {}
        return [...(version === undefined ? [] : [{ name, version }]), ...fromTree(dependencies, depth + 1)]
      })

const keyOf = ({ name, version }: LockedPackage): string => `${name}@${version}`

/**
 * Package versions of the registry in a package-lock.json, each once, direct dependencies first, else by name. Throws `SourceFailure` for
 * anything else.
 */
export const readLockFile = (value: unknown): LockedPackage[] => {
  const parsed = LockFile.safeParse(value)
  if (!parsed.success) throw new SourceFailure('source_unreadable', 'the manifest is no package-lock.json of version 1 to 3')
  const { packages, dependencies } = parsed.data
  const root = packages?.['']
  const direct = new Set(Object.keys(root === undefined ? (dependencies ?? {}) : { ...root.dependencies, ...root.devDependencies }))
  const all = packages === undefined ? fromTree(dependencies) : fromFolders(packages)
  const found = [...new Map(all.filter(isPackageTarget).map((one) => [keyOf(one), one])).values()]
  const rank = ({ name }: LockedPackage): number => (direct.has(name) ? 0 : 1)
  return found.sort((a, b) => rank(a) - rank(b) || (keyOf(a) < keyOf(b) ? -1 : 1))
}
