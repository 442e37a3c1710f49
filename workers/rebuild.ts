import { parseArgs } from 'node:util'
import { runRebuild } from '../activities/rebuild/run.ts'
import { REBUILD_EXIT, rebuildLines, rebuildOutcome } from '../domain/rebuild/report.ts'
import { withAuditDeps } from './audit/context.ts'
import { brief } from './observability/error-line.ts'

const USAGE = `usage: npm run rebuild -- --check [--verbose] [--json] [--blocks <number>]
Rebuilds the records of sessions, badges, receipts and scores from the events of the chain and the session log, and compares them with
what is stored. Changes nothing. The settings are those of the worker, without the keys of the chain.
--verbose lists the members that are not rebuilt, with the reason.
--blocks is the number of newest blocks whose events are compared with the node first; all without it.
Exit code: 0 all equal, 1 differences, 2 something could not be read.`

export interface RebuildCommand {
  verbose: boolean
  json: boolean
  blocks: number | undefined
}

/** Parses the command line; null when it is no command. */
export const readRebuildCommand = (args: string[]): RebuildCommand | null => {
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values } = parseArgs({ args, options: { check: flag, verbose: flag, json: flag, blocks: { type: 'string' } } })
    const { check, verbose, json, blocks } = values
    if (!check || (blocks !== undefined && !/^[1-9]\d{0,8}$/.test(blocks))) return null
    return { verbose, json, blocks: blocks === undefined ? undefined : Number(blocks) }
  } catch {
    return null
  }
}

const main = async (): Promise<void> => {
  const command = readRebuildCommand(process.argv.slice(2))
  if (command === null) {
    console.error(USAGE)
    process.exitCode = REBUILD_EXIT.unread
    return
  }
  const report = await withAuditDeps(command.blocks, runRebuild)
  const outcome = rebuildOutcome(report)
  console.log(command.json ? JSON.stringify({ outcome, ...report }, null, 2) : rebuildLines(report, command).join('\n'))
  process.exitCode = REBUILD_EXIT[outcome]
}

// A failure must not end with the code of a difference.
if (import.meta.main)
  await main().catch((error: unknown) => {
    console.error(brief(error))
    process.exitCode = REBUILD_EXIT.unread
  })
