import { parseArgs } from 'node:util'
import { z } from 'zod'
import { runRebuild } from '../activities/rebuild/run.ts'
import { REBUILD_EXIT, rebuildLines, rebuildOutcome } from '../domain/rebuild/report.ts'
import { Blocks, runComparison, withAuditDeps } from './audit/context.ts'

const USAGE = `usage: npm run rebuild -- --check [--verbose] [--json] [--blocks <number>]
Rebuilds the records of sessions, badges, receipts and scores from the events of the chain and the session log, and compares them with
what is stored. Changes nothing. The settings are those of the worker, without the keys of the chain; with none given they are those of
the local stack that runs in this checkout.
--verbose lists the members that are not rebuilt, with the reason.
--blocks is the number of newest blocks whose events are compared with the node first; all without it.
Exit code: 0 all equal, 1 differences, 2 something could not be read.`

const RebuildCommand = z.object({ check: z.literal(true), verbose: z.boolean(), json: z.boolean(), blocks: Blocks })

/** Parses the command line; null when it is no command. */
export const readRebuildCommand = (args: string[]): z.infer<typeof RebuildCommand> | null => {
  const flag = { type: 'boolean', default: false } as const
  try {
    const options = { check: flag, verbose: flag, json: flag, blocks: { type: 'string' } } as const
    return RebuildCommand.parse(parseArgs({ args, options }).values)
  } catch {
    return null
  }
}

if (import.meta.main)
  await runComparison(readRebuildCommand(process.argv.slice(2)), USAGE, async (command) => {
    const report = await withAuditDeps(command.blocks, runRebuild)
    const outcome = rebuildOutcome(report)
    console.log(command.json ? JSON.stringify({ outcome, ...report }, null, 2) : rebuildLines(report, command).join('\n'))
    return REBUILD_EXIT[outcome]
  })
