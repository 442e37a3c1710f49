// Checks of records against the chain: faults in the records, and the programs that report them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@jest/globals'
import { sql } from 'kysely'
import type { Database } from '../../../activities/database/database.ts'
import type { FollowerWorld } from './follower-world.ts'

class RolledBack extends Error {}

/** Result of a check on records that the statements have changed; afterwards they are as before. */
export const checkWithFault = async <Report>(
  database: Database,
  statements: string,
  check: (database: Database) => Promise<Report>,
): Promise<Report> => {
  let report: Report | undefined
  const planted = database.transaction(async (rows) => {
    await sql.raw(statements).execute(rows)
    report = await check({ ...database, rows })
    throw new RolledBack()
  })
  await expect(planted).rejects.toThrow(RolledBack)
  if (report === undefined) throw new Error('no report')
  return report
}

/** Runs a check as an operator does, in a process of its own. */
export const runProgram = (world: FollowerWorld, program: 'audit' | 'rebuild', args: string[], changes: Record<string, string> = {}) => {
  const directory = mkdtempSync(join(tmpdir(), `${program}-`))
  const file = join(directory, 'chain.json')
  writeFileSync(file, JSON.stringify(world.chain))
  const script = fileURLToPath(new URL(`../../../workers/${program}.ts`, import.meta.url))
  const { PATH, HOME } = process.env
  const settings = { DATABASE_URL: world.settings.DATABASE_URL, CHAIN_FILE: file, RECEIPT_KEY: world.receiptPem }
  const ended = spawnSync(process.execPath, [script, ...args], { env: { PATH, HOME, ...settings, ...changes }, encoding: 'utf8' })
  rmSync(directory, { recursive: true })
  const { status, stdout, stderr } = ended
  return { status, stdout, text: `${stdout}${stderr}` }
}
