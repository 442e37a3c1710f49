// API and worker as in production: every connection is encrypted, a pooler stands before the database, and one of two nodes of the chain dies.
import { chmodSync, chownSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../../client/src/client.ts'
import { disputeId } from '../../../domain/common/ids.ts'
import { postgresUser } from '../../../local/database/place.ts'
import { disputedWork } from '../../../local/demo/dispute-flow.ts'
import type { StackPlace } from '../../../local/demo/place.ts'
import { createReport } from '../../../local/demo/report.ts'
import type { Health } from '../../../schemas/health/shapes.ts'
import { type NodeGate, startNodeGate } from '../../activities/support/node-gate.ts'
import { demoFlow } from '../../e2e/support/demo-flow.ts'
import { eventually } from '../../support/eventually.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'
import { missingPooler, startPooler } from '../../support/postgres/pooler.ts'
import { openDirectory } from '../../support/state-directory.ts'
import { createAuthority } from '../support/certificates.ts'
import { startTerminator } from '../support/terminator.ts'

const missing = missingPooler()
if (missing !== null) process.stderr.write(`1 test of the pooler is skipped: ${missing}\n`)
const withPooler = missing === null ? test : test.skip

const directory = openDirectory('connections')
const authority = createAuthority(directory, 'authority')
const server = authority.sign('server', 'IP:127.0.0.1')
const client = authority.sign('client', 'DNS:client')

const NODE_KEY = 'key-of-the-nodes'
let world: FleetWorld
let nodes: [NodeGate, NodeGate]
const ends: (() => unknown)[] = []
beforeAll(async () => {
  world = await openFleet()
})
afterAll(async () => {
  await world?.close()
  for (const end of ends) await end()
  rmSync(directory, { recursive: true, force: true })
})

/** Lets the database encrypt with a key that its own user reads. */
const encryptDatabase = async (): Promise<void> => {
  const { uid, gid } = postgresUser()
  const own = authority.sign('database', 'IP:127.0.0.1')
  chmodSync(own.key, 0o600)
  for (const path of Object.values(own)) if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
  for (const setting of [`ssl_cert_file = '${own.cert}'`, `ssl_key_file = '${own.key}'`, 'ssl = on'])
    await sql.raw(`alter system set ${setting}`).execute(world.database.rows)
  await sql`select pg_reload_conf()`.execute(world.database.rows)
}

const secured = (databaseUrl: string): string => {
  const url = new URL(databaseUrl)
  url.searchParams.set('sslmode', 'verify-full')
  url.searchParams.set('sslrootcert', authority.cert)
  return url.href
}

/** Settings by which API and worker reach everything encrypted, and the chain by two nodes. */
const productionSettings = async (): Promise<Record<string, string>> => {
  await encryptDatabase()
  const pooler = await startPooler({ databaseUrl: world.databaseUrl, poolSize: 60, tls: { ...server, authority: authority.cert } })
  const terminator = await startTerminator(server, authority.cert, world.temporalAddress)
  nodes = [await startNodeGate(world.rpcUrl), await startNodeGate(world.rpcUrl)]
  ends.push(pooler.stop, terminator.close, nodes[1].stop)
  const { chainId } = world.chainFile
  return {
    DATABASE_URL: secured(pooler.url),
    DATABASE_DIRECT_URL: secured(world.databaseUrl),
    TEMPORAL_ADDRESS: terminator.address,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.cert,
    TEMPORAL_TLS_CLIENT_CERT_PATH: client.cert,
    TEMPORAL_TLS_CLIENT_KEY_PATH: client.key,
    CHAIN_NODES: JSON.stringify(nodes.map(({ url }) => ({ chainId, url, headers: { 'x-api-key': NODE_KEY } }))),
  }
}

const dispute = async (): Promise<string> => {
  const { base, view: chain, chainFile, keys } = world
  const info = { keys: Object.fromEntries(Object.entries(keys).map(([name, { privateKey }]) => [name, privateKey])) } as StackPlace['info']
  const place: StackPlace = { base, chain, report: createReport(() => undefined), asset: chainFile.asset, chainFile, info }
  const { worker, session } = await disputedWork(place)
  const arbitrator = createClient({ baseUrl: base, account: privateKeyToAccount(keys.arbitrator.privateKey) })
  const id = disputeId(session.sessionId)
  await arbitrator.decideDispute({ id, verdict: 'split', workerPayout: '600000', rationale: 'Three of five points.' })
  return eventually(
    'the dispute is resolved',
    async () => (await worker.client.getSession({ sessionId: session.sessionId })).status,
    (status) => status === 'resolved',
  )
}

const readNodes = async () => ((await (await fetch(`${world.base}/health`)).json()) as Health).components.blockchain.nodes

withPooler('the starter flow and a dispute run to their ends while one of two nodes dies', async () => {
  const env = await productionSettings()
  const services = [...world.apis, ...world.workers]
  for (const one of services) await one.stop()
  for (const one of services) await one.start({ env })
  expect(await readNodes()).toMatchObject({ count: 2, inUse: 1 })
  const { rows } = await sql<{ encrypted: number }>`
    select count(*)::integer as encrypted from pg_stat_ssl where ssl and pid <> pg_backend_pid()`.execute(world.database.rows)
  expect(rows[0]?.encrypted).toBeGreaterThan(1)
  const place = { base: world.base, admin: world.admin, chain: world.view, asset: world.chainFile.asset }
  const flows = Promise.all([demoFlow(place), dispute()])
  await eventually('a claim is on chain', async () => {
    const claimed = await world.database.rows.selectFrom('session').select('sessionId').limit(1).execute()
    return claimed.length > 0
  })
  await nodes[0].stop()
  expect(await flows).toEqual([[], 'resolved'])
  expect(await readNodes()).toMatchObject({ count: 2, inUse: 2, lagBlocks: [null, 0] })
  world.alive()
  const { logs } = world.files
  for (const file of readdirSync(logs)) expect(readFileSync(join(logs, file), 'utf8')).not.toContain(NODE_KEY)
})
