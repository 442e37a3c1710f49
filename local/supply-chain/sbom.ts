// Software bill of materials of what the image holds, as CycloneDX.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runNpm } from './npm.ts'

const USAGE = `usage: npm run -s sbom -- [--out FILE]
Prints the packages that the service runs with, from the lock file, as CycloneDX, or writes them to a file. It needs no network.`

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FLAGS = ['--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx']

/** The bill of a checkout. npm names the component after the folder; the manifest has its name. */
const readBill = (root: string): Record<string, unknown> => {
  const { json, problem } = runNpm(root, 'sbom', ...FLAGS)
  if (json === null) throw new Error(problem)
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string }
  const metadata = json.metadata as { component: Record<string, unknown> }
  return { ...json, metadata: { ...metadata, component: { ...metadata.component, name } } }
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
    console.log(`${(bill.components as unknown[]).length} components in ${out}`)
  }
}

try {
  run()
} catch (error) {
  console.error(`the bill could not be made: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}
