// Audit of the packages that the service runs with, by what their registry knows.
import { parseArgs } from 'node:util'
import { auditAdvisories, auditSignatures } from './advisories.ts'

const USAGE = `usage: npm run dependency-audit -- [--dev] [--signatures]
Asks the registry for advisories against the packages of the lock file.
--dev includes the packages of development. --signatures verifies the signatures of the installed packages, which takes minutes.
Exit code: 0 nothing high or critical, 1 an advisory of these or a bad signature, 2 the registry did not say.`

const readFlags = (args: string[]): { dev?: boolean; signatures?: boolean } | null => {
  try {
    return parseArgs({ args, options: { dev: { type: 'boolean' }, signatures: { type: 'boolean' } } }).values
  } catch {
    return null
  }
}

const flags = readFlags(process.argv.slice(2))
if (flags === null) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const omitted = flags.dev === true ? [] : ['--omit', 'dev']
  const audits = [auditAdvisories, ...(flags.signatures === true ? [auditSignatures] : [])]
  const parts = audits.map((audit) => audit(process.cwd(), omitted))
  for (const line of parts.flatMap(({ lines }) => lines)) console.log(line)
  const codes = parts.map(({ code }) => code)
  process.exitCode = codes.includes(1) ? 1 : Math.max(...codes)
}
