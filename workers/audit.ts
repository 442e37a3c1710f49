import { parseArgs } from 'node:util'
import { runAudit } from '../activities/audit/run.ts'
import { AUDIT_EXIT, outcomeOf, reportLines } from '../domain/audit/report.ts'
import { withAuditDeps } from './audit/context.ts'
import { brief } from './observability/error-line.ts'

const USAGE = `usage: npm run audit -- [--json] [--blocks <number>]
Compares the records with each other and with the chain. The settings are those of the worker, without the keys of the chain.
--blocks is the number of newest blocks whose events are compared with the node.
Exit code: 0 without findings, 1 with findings, 2 when something could not be read.`

export interface AuditCommand {
  json: boolean
  blocks: number | undefined
}

/** Parses the command line; null when it is no command. */
export const readAuditCommand = (args: string[]): AuditCommand | null => {
  try {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false }, blocks: { type: 'string' } } })
    if (values.blocks !== undefined && !/^[1-9]\d{0,8}$/.test(values.blocks)) return null
    return { json: values.json, blocks: values.blocks === undefined ? undefined : Number(values.blocks) }
  } catch {
    return null
  }
}

const main = async (): Promise<void> => {
  const command = readAuditCommand(process.argv.slice(2))
  if (command === null) {
    console.error(USAGE)
    process.exitCode = AUDIT_EXIT.unread
    return
  }
  const report = await withAuditDeps(command.blocks, runAudit)
  const outcome = outcomeOf(report)
  console.log(command.json ? JSON.stringify({ outcome, ...report }, null, 2) : reportLines(report).join('\n'))
  process.exitCode = AUDIT_EXIT[outcome]
}

// A failure must not end with the code of a finding.
if (import.meta.main)
  await main().catch((error: unknown) => {
    console.error(brief(error))
    process.exitCode = AUDIT_EXIT.unread
  })
