import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { openDatabase } from '../../../activities/database/database.ts'
import { ensureDeployment, prepareChain } from '../../../local/chain/deployment.ts'
import { type LocalChain, startChain } from '../../../local/chain/start.ts'
import { startMigratedPostgres } from '../../../local/database/migrated.ts'
import { stateFiles } from '../../../local/files.ts'
import { choosePorts } from '../../../local/ports.ts'
import { createProcesses } from '../../../local/processes.ts'
import { dropSnapshot, saveSnapshot } from '../../../local/snapshots.ts'
import { MIGRATIONS } from '../../../migrations/migrate.ts'
import { onChain } from '../../local/support/chain-actions.ts'
import { useDirectory } from '../../local/support/directory.ts'
import { openDirectory, removeState } from '../../support/state-directory.ts'

const START_MS = 120_000
const CREATED = 'Creating a new local database'
const DEPLOYED = 'Deploying the contracts to a new local chain'
const cache = mkdtempSync(join(useDirectory(), 'cache-'))
const ends: (() => Promise<void>)[] = []
afterEach(() => Promise.all(ends.splice(0).map((end) => end())))

/** Starts database and chain on a new state directory. Returns what the start reported. */
const start = async () => {
  const dir = openDirectory('new-state')
  const files = { ...stateFiles(dir), cache }
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
  const { ports, release } = await choosePorts({ postgres: 0, rpc: 0 })
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const started: LocalChain[] = []
  ends.push(async () => {
    await Promise.all(started.map((chain) => chain.stop()))
    await Promise.all(processes.children().map((child) => processes.stop(child, 0)))
    release()
    removeState(dir)
  })
  const { databaseUrl } = await startMigratedPostgres({ processes, files, port: ports.postgres, say, settings: { fsync: 'off' } })
  prepareChain(files)
  const chain = await startChain({ processes, files, port: ports.rpc, offsetSeconds: 0, say })
  started.push(chain)
  await ensureDeployment(chain, files, say)
  return { lines, databaseUrl, chain, files }
}

const count = async (databaseUrl: string): Promise<number> => {
  const database = openDatabase({ url: databaseUrl, poolSize: 1 })
  try {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from mikro_orm_migrations`.execute(database.rows)
    return rows[0]?.count ?? 0
  } finally {
    await database.close()
  }
}

const entry = (name: string): string => {
  const found = readdirSync(cache).find((other) => other.startsWith(`${name}-`))
  if (found === undefined) throw new Error(`the cache has no ${name}`)
  return found
}

describe('the state of a new stack', () => {
  test(
    'is created by the first start and copied by the next ones, also by two at once',
    async () => {
      const first = await start()
      expect(first.lines).toEqual([CREATED, DEPLOYED])
      const copies = await Promise.all([start(), start()])
      expect(copies.map(({ lines }) => lines)).toEqual([[], []])
      for (const { databaseUrl, chain, files } of copies) {
        expect(await count(databaseUrl)).toBe(MIGRATIONS.length)
        expect(chain.log.blocks()).toEqual(first.chain.log.blocks())
        expect([chain.offsetSeconds, JSON.parse(readFileSync(files.chainFile, 'utf8'))]).toMatchObject([
          0,
          { rpc: { primary: chain.rpcUrl } },
        ])
        const { pay, reader } = onChain(chain.rpcUrl)
        const [receipt] = await pay(1)
        const { timestamp } = await reader.getBlock({ blockNumber: receipt?.blockNumber ?? 0n })
        expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
      }
    },
    START_MS,
  )

  test(
    'has a password of its own, which opens no other database',
    async () => {
      const [one, two] = await Promise.all([start(), start()])
      const other = new URL(two.databaseUrl)
      other.password = new URL(one.databaseUrl).password
      expect(other.href).not.toBe(two.databaseUrl)
      await expect(count(other.href)).rejects.toThrow(/password authentication failed/)
    },
    START_MS,
  )

  test.each<[string, () => Promise<void> | void, string[]]>([
    ['a truncated chain state', () => truncateSync(join(cache, entry('chain'), 'content', 'chain-state.json'), 1_000), [DEPLOYED]],
    [
      'a manifest of another entry',
      () => copyFileSync(join(cache, entry('chain'), 'manifest'), join(cache, entry('database'), 'manifest')),
      [CREATED],
    ],
    [
      'a database that does not start',
      async () => {
        const snapshot = { cache, name: 'database', key: entry('database').slice('database-'.length) }
        dropSnapshot(snapshot)
        await saveSnapshot(
          snapshot,
          () => undefined,
          async (directory) => {
            mkdirSync(directory)
            writeFileSync(join(directory, 'PG_VERSION'), '18\n')
          },
        )
      },
      [CREATED],
    ],
  ])(
    'is created again when the cache has %s',
    async (_damage, damage, expected) => {
      await damage()
      expect((await start()).lines).toEqual(expected)
      expect((await start()).lines).toEqual([])
    },
    START_MS,
  )
})
