import { afterAll, beforeAll } from '@jest/globals'
import { sql } from 'kysely'
import { privateKeyToAccount } from 'viem/accounts'
import { openDatabase } from '../../../activities/database/database.ts'
import { createChainView } from '../../../local/demo/chain.ts'
import { localKey } from '../../../local/keys.ts'
import { ANY_PORTS } from '../../../local/ports.ts'
import { type Stack, startStack } from '../../../local/stack.ts'
import { readChainFile } from '../../../schemas/chain/chain-file.ts'
import { sharedStackDirectory, useStack } from '../../env.ts'
import { followerAtHead } from '../../support/follower-head.ts'
import { makeStateDirectory, removeState } from '../../support/state-directory.ts'
import { createContract, type OpenApiDocument } from './contract.ts'
import { createAnswerBook } from './examples/answers.ts'
import { createHttp } from './http.ts'

const START_MS = 180_000
export type World = Awaited<ReturnType<typeof openWorld>>

const openWorld = async (stack: Stack, dir: string) => {
  const { info } = stack
  if (info.api === undefined) throw new Error('the stack has no API')
  const answers = createAnswerBook(info.api)
  const contract = createContract((await (await fetch(`${info.api}/openapi.json`)).json()) as OpenApiDocument, answers.note)
  const chain = readChainFile(info.chainFile)
  const view = createChainView(chain, info.rpcUrl)
  const database = openDatabase({ url: info.databaseUrl, poolSize: 4, connectMs: 20_000 })
  const http = createHttp(info.api, contract)
  const role = (key: `0x${string}`) => http.agent(privateKeyToAccount(key))
  return {
    stack,
    dir,
    base: info.api,
    info,
    chain,
    view,
    database,
    contract,
    answers,
    ...http,
    treasury: localKey('treasury').address,
    operatorAccount: privateKeyToAccount(info.keys.operator),
    admin: await role(info.keys.admin),
    verifier: await role(info.keys.verifier),
    close: async () => {
      await database.close()
      await stack.stop()
    },
  }
}

interface WorldOptions {
  /** The stack of all files, whose time no test moves: for tests that read only their own jobs and wallets. */
  shared?: boolean
  /** A stack of this file alone, with settings that differ from the local ones; an empty one is none. */
  env?: Record<string, string>
}

/** A stack for the tests of a file: that of its jest worker unless the options say another. */
export const useWorld = ({ shared = false, env }: WorldOptions = {}) => {
  const scope = shared ? 'run' : 'worker'
  const stackOf = env === undefined ? useStack({ scope }) : undefined
  const dir = env === undefined ? sharedStackDirectory(scope) : makeStateDirectory('e2e')
  let world: World | undefined
  beforeAll(async () => {
    world = await openWorld(stackOf?.() ?? (await startStack({ dir, ports: ANY_PORTS, env: env ?? {} })), dir)
  }, START_MS)
  afterAll(async () => {
    await world?.close()
    if (env !== undefined) removeState(dir)
  })
  return (): World => {
    if (world === undefined) throw new Error('the stack does not run')
    return world
  }
}

const MOVES_BY_ITSELF = [
  'rate_window',
  'auth_challenge',
  'reward_bank_reading',
  'verdict_need',
  'chain_cursor',
  'ingest_source',
  'chain_mark',
  'audit_check',
]

/** Row count and content hash of every table, without those that each request or the reader of balances changes. */
const fingerprintRows = async ({ database }: Pick<World, 'database'>): Promise<Record<string, string>> => {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(database.rows)
  const names = rows.map(({ name }) => name).filter((name) => !MOVES_BY_ITSELF.includes(name))
  const prints = await Promise.all(
    names.map(async (name) => {
      const table = sql.table(name)
      // The public number of an event comes a moment after the event.
      const row = name === 'event' ? sql`(to_jsonb(t) - 'seq')::text` : sql`t::text`
      const { rows: found } = await sql<{ print: string }>`
        select count(*) || ' ' || coalesce(md5(string_agg(${row}, ' ' order by ${row})), '') as print from ${table} t`.execute(
        database.rows,
      )
      return [name, found[0]?.print ?? ''] as const
    }),
  )
  return Object.fromEntries(prints)
}

/** The state that a refusal must not change: the records, and the chain's height, which every transaction raises. */
export const fingerprint = async (world: Pick<World, 'database' | 'view'>): Promise<Record<string, string>> => {
  // The follower records earlier transactions a moment later.
  await followerAtHead(world)
  return { ...(await fingerprintRows(world)), blockNumber: String(await world.view.client.getBlockNumber({ cacheTime: 0 })) }
}
