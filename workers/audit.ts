import { parseArgs } from 'node:util'
import { z } from 'zod'
import { storeReport } from '../activities/audit/records.ts'
import { runAudit } from '../activities/audit/run.ts'
import type { Database } from '../activities/database/database.ts'
import { AUDIT_EXIT, outcomeOf, reportLines } from '../domain/audit/report.ts'
import type { AuditReport } from '../schemas/audit/record.ts'
import { Blocks, runComparison, withAuditDeps } from './audit/context.ts'
import { brief } from './observability/error-line.ts'

const USAGE = `usage: npm run audit -- [--json] [--blocks <number>]
Compares the records with each other and with the chain, and ends the warning of a check that passes. The settings are those of the worker, without the keys of the chain;
with none given they are those of the local stack that runs in this checkout.
--blocks is the number of newest blocks whose events are compared with the node.
Exit code: 0 without findings, 1 with findings, 2 when something could not be read.`

const AuditCommand = z.object({ json: z.boolean(), blocks: Blocks })

/** Parses the command line; null when it is no command. */
export const readAuditCommand = (args: string[]): z.infer<typeof AuditCommand> | null => {
  try {
    return AuditCommand.parse(
      parseArgs({ args, options: { json: { type: 'boolean', default: false }, blocks: { type: 'string' } } }).values,
    )
  } catch {
    return null
  }
}

/** Ends the warnings of what passes now. Findings stay with the reader: only audits of the schedule raise a warning. */
const storePasses = (database: Database, report: AuditReport): Promise<void> =>
  database
    .transaction((rows) => storeReport(rows, { ...report, results: report.results.filter(({ outcome }) => outcome === 'passed') }))
    .catch((error: unknown) => console.error(`The result was not stored: ${brief(error)}`))

if (import.meta.main)
  await runComparison(readAuditCommand(process.argv.slice(2)), USAGE, async (command) => {
    const report = await withAuditDeps(command.blocks, async (deps) => {
      const done = await runAudit(deps)
      if (command.blocks === undefined) await storePasses(deps.database, done)
      return done
    })
    const outcome = outcomeOf(report)
    console.log(command.json ? JSON.stringify({ outcome, ...report }, null, 2) : reportLines(report).join('\n'))
    return AUDIT_EXIT[outcome]
  })
