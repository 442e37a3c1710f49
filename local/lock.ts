import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type LockedPackage = {
  version?: string
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
export type Lockfile = { packages: Record<string, LockedPackage> }
export type MissingEntry = { name: string; version: string; parent: string }

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const PROCESSORS = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 'x64']
const LIBRARIES = ['glibc', 'musl']
/** Other words for them. */
const SYNONYMS: Record<string, string> = { amd64: 'x64', gnu: 'glibc' }

/** Whether Node would find a dependency of a package, nearest `node_modules` first. */
const isLocked = ({ packages }: Lockfile, parent: string, name: string): boolean => {
  for (let folder = parent; folder !== ''; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))))
    if (packages[`${folder}/node_modules/${name}`]) return true
  return packages[`node_modules/${name}`] !== undefined
}

/** Optional dependencies without a lock entry, which npm omits when it does not find the package. `npm ci` then fails or installs no program. */
export const missingEntries = (lock: Lockfile): MissingEntry[] =>
  Object.entries(lock.packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(lock, parent, name))
      .map(([name, version]) => ({ name, version, parent })),
  )

/** Platform in the name of a package, such as `…-darwin-arm64` or `…-linux-x64-musl`. Throws for a name without one. */
export const platformOf = (name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> => {
  const words = name.split(/[/-]/).map((word) => SYNONYMS[word] ?? word)
  const [os, cpu, libc] = [SYSTEMS, PROCESSORS, LIBRARIES].map((known) => words.find((word) => known.includes(word)))
  if (os === undefined || cpu === undefined) throw new Error(`${name} names no platform: its lock entry must be written by hand`)
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) }
}

/** The lockfile with every optional dependency of every platform, packages in npm's order. */
export const completeLock = (lock: Lockfile): Lockfile => {
  const added = missingEntries(lock).map(({ name, version, parent }): [string, LockedPackage] => {
    if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`${parent} wants ${name} ${version}: only an exact version can be locked unseen`)
    const dev = lock.packages[parent]?.dev === true ? { dev: true } : {}
    return [`node_modules/${name}`, { version, ...dev, optional: true, ...platformOf(name) }]
  })
  const packages = [...Object.entries(lock.packages), ...added].sort(([left], [right]) => left.localeCompare(right, 'en'))
  return { ...lock, packages: Object.fromEntries(packages) }
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const file = `${root}package-lock.json`
  const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
  if (installed.status !== 0) process.exit(installed.status ?? 1)
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
  const missing = missingEntries(lock)
  writeFileSync(file, `${JSON.stringify(completeLock(lock), null, 2)}\n`)
  console.log(missing.length === 0 ? 'The lockfile is complete.' : `Added ${missing.map(({ name }) => name).join(', ')}`)
}
