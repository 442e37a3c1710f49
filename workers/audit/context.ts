import { z } from 'zod'
import type { AuditDeps } from '../../activities/audit/context.ts'
import { readAuditedPayments } from '../../activities/audit/payments/captured-runs.ts'
import { createScanClient } from '../../activities/chain/clients.ts'
import { createKeySource } from '../../activities/identity/signing-keys.ts'
import { AUDIT_EXIT } from '../../domain/audit/report.ts'
import { brief } from '../observability/error-line.ts'
import { withRecords } from '../records.ts'

/** Number of newest blocks whose events are compared with the node. */
export const Blocks = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number)
  .optional()

/** Opens what a comparison of the records reads, and closes it after `read`. */
export const withAuditDeps = <Report>(blocks: number | undefined, read: (deps: AuditDeps) => Promise<Report>): Promise<Report> =>
  withRecords('audit', ({ settings, chain, clients, clock, database }) => {
    const client = createScanClient(chain, clients.nodes)
    const payments = readAuditedPayments(settings)
    return read({ database, chain, client, readKey: createKeySource(settings), now: clock.now, payments, ...(blocks && { blocks }) })
  })

/** Runs a command that compares records; `run` returns its exit code. A failure must not end with the code of a finding or difference. */
export const runComparison = async <Command>(command: Command | null, usage: string, run: (command: Command) => Promise<number>) => {
  process.exitCode = AUDIT_EXIT.unread
  if (command === null) return console.error(usage)
  try {
    process.exitCode = await run(command)
  } catch (error) {
    console.error(brief(error))
  }
}
