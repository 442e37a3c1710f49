// Software bill of materials of what the service runs with, as CycloneDX.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runNpm } from './npm.ts'

const USAGE = `usage: npm run sbom -- --out FILE
       npm run -s sbom
Writes the packages that the service runs with, from the lock file, as CycloneDX, or prints them. It needs no network.`

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = 'node_modules/'

interface LockedPackage {
  name?: string
  version?: string
  license?: string
  dev?: boolean
}
interface Component {
  'bom-ref': string
  name: string
  licenses?: unknown[]
}
interface Bill {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** Packages of the lock file that are not for development alone, by name and version as a bill refers to them. */
const readPackages = (root: string): Map<string, LockedPackage> => {
  const { packages } = readJson(join(root, 'package-lock.json')) as { packages: Record<string, LockedPackage> }
  const used = Object.entries(packages).filter(([path, { dev }]) => path.startsWith(FOLDER) && dev !== true)
  return new Map(used.map(([path, one]) => [`${one.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)}@${one.version}`, one]))
}

/**
 * The bill of a checkout. `npm sbom --omit dev` leaves out what a package of development needs too, so npm lists everything here and the lock
 * file decides. npm also names the checkout after its folder, and leaves out licences that are no SPDX identifier.
 */
const readBill = (root: string): Bill => {
  const { json, problem } = runNpm(root, 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx')
  if (json === null) throw new Error(problem)
  const bill = json as unknown as Bill
  const { name } = readJson(join(root, 'package.json')) as { name: string }
  const packages = readPackages(root)
  const own = bill.metadata.component
  const isUsed = (ref: string): boolean => ref === own['bom-ref'] || packages.has(ref)
  const withLicence = (component: Component): Component => {
    const license = packages.get(component['bom-ref'])?.license
    return component.licenses === undefined && license !== undefined
      ? { ...component, licenses: [{ license: { name: license } }] }
      : component
  }
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...own, name } },
    components: bill.components.filter((component) => isUsed(component['bom-ref'])).map(withLicence),
    dependencies: bill.dependencies
      .filter(({ ref }) => isUsed(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isUsed) })),
  }
}

const readOut = (args: string[]): string | null | undefined => {
  try {
    return parseArgs({ args, options: { out: { type: 'string' } } }).values.out ?? null
  } catch {
    return undefined
  }
}

const run = (): void => {
  const out = readOut(process.argv.slice(2))
  if (out === undefined) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const bill = readBill(ROOT)
  const text = `${JSON.stringify(bill, null, 2)}\n`
  if (out === null) process.stdout.write(text)
  else {
    writeFileSync(out, text)
    console.log(`${bill.components.length} components in ${out}`)
  }
}

try {
  run()
} catch (error) {
  console.error(`the bill could not be made: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}
