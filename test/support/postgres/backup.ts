// Base backup, archive of the log and restore to an instant of a local PostgreSQL, with its server alone: the package has no client program.
import { execFile } from 'node:child_process'
import { appendFileSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import type { PostgresPlace } from '../../../local/database/place.ts'

const run = async (database: Database, statement: string): Promise<Record<string, unknown> | undefined> =>
  (await sql.raw<Record<string, unknown>>(statement).execute(database.rows)).rows[0]

const copyTree = async (from: string, to: string): Promise<void> => void (await promisify(execFile)('cp', ['-a', from, to]))

export const ownPath = ({ user: { uid, gid } }: PostgresPlace, path: string): void => {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** Copies the data of a running server to `to`, ready to recover from there. */
export const takeBaseBackup = async (place: PostgresPlace, url: string, to: string): Promise<void> => {
  // A backup begins and ends on one connection.
  const database = openDatabase({ url, poolSize: 1, connectMs: 20_000 })
  try {
    await run(database, `select pg_backup_start('copy', true)`)
    await copyTree(place.data, to)
    const ended = await run(database, 'select labelfile from pg_backup_stop(false)')
    for (const name of ['postmaster.pid', 'pg_wal']) rmSync(join(to, name), { recursive: true, force: true })
    mkdirSync(join(to, 'pg_wal'), { mode: 0o700 })
    writeFileSync(join(to, 'backup_label'), String(ended?.labelfile))
    for (const name of ['pg_wal', 'backup_label']) ownPath(place, join(to, name))
  } finally {
    await database.close()
  }
}

/** Settings of a server that archives its log into a directory. */
export const archiveSettings = (directory: string): Record<string, string> => ({
  archive_mode: 'on',
  archive_command: `test ! -f ${directory}/%f && cp %p ${directory}/%f`,
})

/** Waits until the log up to now is in the archive. */
export const archiveNow = async (url: string): Promise<void> => {
  const database = openDatabase({ url, poolSize: 1, connectMs: 20_000 })
  try {
    const switched = await run(database, `select pg_walfile_name(pg_switch_wal()) as name`)
    const name = String(switched?.name)
    for (;;) {
      const archived = await run(database, `select last_archived_wal as name from pg_stat_archiver`)
      if (String(archived?.name ?? '') >= name) return
    }
  } finally {
    await database.close()
  }
}

/** Replaces the data of a stopped server by a base backup, which recovers from the archive up to an instant (ISO 8601) at its next start. */
export const restoreTo = async (
  place: PostgresPlace,
  { backup, archive, instant }: { backup: string; archive: string; instant: string },
): Promise<void> => {
  rmSync(place.data, { recursive: true, force: true })
  await copyTree(backup, place.data)
  appendFileSync(
    join(place.data, 'postgresql.auto.conf'),
    [
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_time = '${instant.replace('Z', '+00')}'`,
      `recovery_target_action = 'promote'`,
      // Callers are let in when it has ended.
      `hot_standby = off`,
      '',
    ].join('\n'),
  )
  const signal = join(place.data, 'recovery.signal')
  writeFileSync(signal, '')
  ownPath(place, signal)
}
