import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { Connection } from '@temporalio/client'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { NativeConnection } from '@temporalio/worker'
import { sql } from 'kysely'
import { openDatabase } from '../../../activities/database/database.ts'
import { databaseOutage } from '../../../activities/database/outages.ts'
import { findCertificateProblem } from '../../../activities/temporal/certificates.ts'
import { readEngineConnection } from '../../../activities/temporal/connection.ts'
import { SEARCH_ATTRIBUTES } from '../../../activities/temporal/namespace.ts'
import { connectEngine } from '../../../api/temporal/engine.ts'
import { postgresUser, removePostgres } from '../../../local/database/place.ts'
import { startPostgres } from '../../../local/database/start.ts'
import { stateFiles } from '../../../local/files.ts'
import { choosePorts } from '../../../local/ports.ts'
import { createProcesses } from '../../../local/processes.ts'
import { findTemporal } from '../../../local/temporal/binary.ts'
import { engineOf, startTemporal, withConnection } from '../../../local/temporal/start.ts'
import { migrate } from '../../../migrations/migrate.ts'
import type { Health } from '../../../schemas/health/shapes.ts'
import { makePem, testChain } from '../../support/api.ts'
import { openDirectory } from '../../support/state-directory.ts'
import { createAuthority } from '../support/certificates.ts'
import { startTerminator } from '../support/terminator.ts'

const directory = openDirectory('secured')
const authority = createAuthority(directory, 'authority')
const stranger = createAuthority(directory, 'stranger')
const server = authority.sign('server', 'IP:127.0.0.1')
const client = authority.sign('client', 'DNS:client')
const foreignClient = stranger.sign('foreign-client', 'DNS:client')
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const pathOf = (program: string): string => fileURLToPath(new URL(`../../../${program}`, import.meta.url))

let engine: TestWorkflowEnvironment
let terminator: Awaited<ReturnType<typeof startTerminator>>
beforeAll(async () => {
  const path = await findTemporal(() => undefined)
  engine = await TestWorkflowEnvironment.createLocal({ server: { executable: { type: 'existing-path', path } } })
  terminator = await startTerminator(server, authority.cert, engine.address)
})
afterAll(async () => {
  terminator.close()
  await engine.teardown()
})

const secured = (changes: Record<string, string> = {}) => ({
  TEMPORAL_ADDRESS: terminator.address,
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.cert,
  TEMPORAL_TLS_CLIENT_CERT_PATH: client.cert,
  TEMPORAL_TLS_CLIENT_KEY_PATH: client.key,
  ...changes,
})
const FOREIGN = { TEMPORAL_TLS_CLIENT_CERT_PATH: foreignClient.cert, TEMPORAL_TLS_CLIENT_KEY_PATH: foreignClient.key }

describe('a workflow engine behind TLS with client certificates', () => {
  test.each<[string, () => Record<string, string>]>([
    ['files', () => secured()],
    [
      'a profile',
      () => {
        const file = join(directory, 'temporal.toml')
        const tls = `server_ca_cert_path = "${authority.cert}"\nclient_cert_path = "${client.cert}"\nclient_key_path = "${client.key}"`
        writeFileSync(file, `[profile.secured]\naddress = "${terminator.address}"\n[profile.secured.tls]\n${tls}\n`)
        return { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'secured' }
      },
    ],
    [
      'texts',
      () => ({
        TEMPORAL_ADDRESS: terminator.address,
        TEMPORAL_TLS_SERVER_CA_CERT_DATA: readFileSync(authority.cert, 'utf8'),
        TEMPORAL_TLS_CLIENT_CERT_DATA: readFileSync(client.cert, 'utf8'),
        TEMPORAL_TLS_CLIENT_KEY_DATA: readFileSync(client.key, 'utf8'),
      }),
    ],
  ])('is reached by %s alone, by the API and by the worker', async (_name, settings) => {
    const found = readEngineConnection(settings())
    const api = connectEngine(found)
    expect((await api.connection.workflowService.getSystemInfo({})).serverVersion).toMatch(/^\d/)
    await api.connection.close()
    const [worker, sender] = [await NativeConnection.connect(found.connection), await Connection.connect(found.connection)]
    await Promise.all([worker.close(), sender.close()])
    expect(await findCertificateProblem(found)).toBeNull()
  })

  test('is used by the local stack, whose services get the same settings', async () => {
    const env = { ...secured({ TEMPORAL_NAMESPACE: 'default' }), TEMPORAL_UI_PORT: '1', DATABASE_URL: 'other' }
    const files = stateFiles(directory)
    const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
    const temporal = await startTemporal({ processes, files, ports: { temporal: 0, temporalUi: 0 }, say: () => undefined, env })
    expect(temporal).toEqual({ address: terminator.address, settings: secured({ TEMPORAL_NAMESPACE: 'default' }) })
    const { customAttributes } = await withConnection(engineOf(env).connection, ({ operatorService }) =>
      operatorService.listSearchAttributes({ namespace: 'default' }),
    )
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)))
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['another authority', { TEMPORAL_TLS_SERVER_CA_CERT_PATH: stranger.cert }, /unable to verify the first certificate|self-signed/],
    ['another name', { TEMPORAL_TLS_SERVER_NAME: 'cloud.example' }, /does not match certificate's altnames/],
    ['a client certificate of another authority', FOREIGN, /does not accept the client certificate/],
  ])('is refused for %s, with the reason in one sentence', async (_name, changes, reason) => {
    const found = readEngineConnection(secured(changes))
    const problem = await findCertificateProblem(found)
    expect(problem).toMatch(reason)
    expect(problem).not.toContain('\n')
    await expect(NativeConnection.connect(found.connection)).rejects.toThrow()
  })

  test.each([
    ['a key that is not that of the certificate', { TEMPORAL_TLS_CLIENT_KEY_PATH: foreignClient.key }],
    ['a key in place of the certificate', { TEMPORAL_TLS_CLIENT_CERT_PATH: client.key }],
  ])('is not tried with %s', (_name, changes) => {
    expect(() => readEngineConnection(secured(changes))).toThrow(
      /bad settings: TEMPORAL_TLS_\*: the certificates or the key cannot be used/,
    )
  })
})

describe('a database that encrypts', () => {
  const files = stateFiles(join(directory, 'state'))
  const processes = createProcesses({ logs: files.logs, recordFile: files.processes })
  let url: string
  let stop: () => Promise<void>

  beforeAll(async () => {
    const { uid, gid } = postgresUser()
    for (const path of Object.values(server)) if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
    const { ports, release } = await choosePorts({ postgres: 0 })
    const tls = { ssl: 'on', ssl_cert_file: server.cert, ssl_key_file: server.key, fsync: 'off' }
    const { databaseUrl, child } = await startPostgres(processes, files, ports.postgres, tls).finally(release)
    url = databaseUrl
    stop = async () => {
      await processes.stop(child, 10_000)
      removePostgres(files)
    }
  })
  afterAll(() => stop())

  const withParameters = (parameters: Record<string, string>, host = '127.0.0.1'): string => {
    const changed = new URL(url)
    changed.hostname = host
    for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value)
    return changed.href
  }
  const isEncrypted = async (address: string): Promise<boolean | undefined> => {
    const database = openDatabase({ url: address, poolSize: 1, connectMs: 10_000 })
    try {
      const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(database.rows)
      return rows[0]?.ssl
    } finally {
      await database.close()
    }
  }

  test.each<[string, Record<string, string>, boolean]>([
    ['nothing', {}, false],
    ['disable', { sslmode: 'disable' }, false],
    ['require', { sslmode: 'require' }, true],
    ['verify-ca', { sslmode: 'verify-ca', sslrootcert: authority.cert }, true],
    ['verify-full', { sslmode: 'verify-full', sslrootcert: authority.cert }, true],
  ])('is reached with %s', async (_name, parameters, encrypted) => {
    expect(await isEncrypted(withParameters(parameters))).toBe(encrypted)
  })

  test.each<[string, Record<string, string>]>([
    ['another authority', { sslmode: 'verify-full', sslrootcert: stranger.cert }],
    ['the authorities of the system', { sslmode: 'verify-full' }],
    ['another authority without the name', { sslmode: 'verify-ca', sslrootcert: stranger.cert }],
  ])('is refused for %s, as an outage', async (_name, parameters) => {
    const failure = await isEncrypted(withParameters(parameters)).catch((error: unknown) => error)
    expect(databaseOutage(failure)?.code).toBe('state_store_unavailable')
  })

  test('is refused under another name with verify-full alone', async () => {
    const named = (sslmode: string) => isEncrypted(withParameters({ sslmode, sslrootcert: authority.cert }, 'localhost'))
    expect(await named('verify-ca')).toBe(true)
    await expect(named('verify-full')).rejects.toThrow(/does not match certificate's altnames/)
  })

  test('ends the migration with one line for a wrong certificate, and is migrated with the right one', async () => {
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL: withParameters({ sslmode: 'verify-full', sslrootcert: stranger.cert }) }
    const { status, stderr } = spawnSync(process.execPath, [pathOf('migrations/migrate.ts')], { env, encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^bad settings: DATABASE_URL: .*(certificate|self-signed)/)])
    expect(await migrate(withParameters({ sslmode: 'verify-full', sslrootcert: authority.cert }))).not.toEqual([])
  })

  describe('with an API that has no operator key', () => {
    let running: ChildProcess | undefined

    const startApi = async (databaseUrl: string, engineSettings: Record<string, string>, port = 0) => {
      const chainFile = join(directory, 'chain.json')
      writeFileSync(chainFile, JSON.stringify(testChain))
      const [SHARE_SECRET, ANSWER_SECRET] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
      const keys = { JWT_KEY: makePem(), RECEIPT_KEY: makePem(), SHARE_SECRET, ANSWER_SECRET }
      const env = {
        PATH: process.env.PATH ?? '',
        PORT: String(port),
        CHAIN_FILE: chainFile,
        DATABASE_URL: databaseUrl,
        ...keys,
        ...engineSettings,
      }
      running = spawn(process.execPath, [pathOf('api/main.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      return createInterface({ input: running.stdout as NodeJS.ReadableStream })
    }
    afterEach(async () => {
      running?.kill('SIGTERM')
      if (running?.exitCode === null) await once(running, 'exit')
    })
    const reasonsIn = async (lines: AsyncIterable<string>, count: number): Promise<string[]> => {
      const reasons: string[] = []
      for await (const line of lines) {
        const { msg, reason } = JSON.parse(line) as { msg: string; reason?: string }
        if (msg.startsWith('no secure connection')) reasons.push(`${msg}: ${reason}`)
        if (reasons.length === count) return reasons
      }
      return reasons
    }

    test('serves reads, and reaches engine and database', async () => {
      const { ports, release } = await choosePorts({ api: 0 })
      release()
      const right = withParameters({ sslmode: 'verify-full', sslrootcert: authority.cert })
      const lines = await startApi(right, secured(), ports.api)
      for await (const line of lines) if (line.includes('"listening"')) break
      const read = async () => (await (await fetch(`http://127.0.0.1:${ports.api}/health`)).json()) as Health
      let body = await read()
      // A busy machine may take longer than the report waits.
      for (let tries = 1; !body.components.stateStore.ok && tries < 20; tries += 1) body = await read()
      expect(body.components.stateStore.ok).toBe(true)
      expect(body.serviceHealth.components.workflowWorker.state).toBe('no_worker')
      expect(body.capabilityHealth.treasuryMutations).toBe('disabled')
    })

    test('logs one line for each wrong certificate, and goes on', async () => {
      const wrong = withParameters({ sslmode: 'verify-full', sslrootcert: stranger.cert })
      const lines = await startApi(wrong, secured({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: stranger.cert }))
      expect((await reasonsIn(lines, 2)).sort()).toEqual([
        expect.stringMatching(/^no secure connection to the database: /),
        expect.stringMatching(/^no secure connection to the workflow engine: /),
      ])
      expect(running?.exitCode).toBeNull()
    })
  })
})
