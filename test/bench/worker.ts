// A worker that locks no bonds: the benchmark measures a claim without its chain write.

import { createHash } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createChainClients } from '../../activities/chain/clients.ts'
import { createAdmission } from '../../activities/claims/admission.ts'
import { type ClaimParts, createClaimJob } from '../../activities/claims/claim-job.ts'
import { createClaimRecords } from '../../activities/claims/records.ts'
import { createClock } from '../../activities/common/clock.ts'
import { openDatabase } from '../../activities/database/database.ts'
import { createDocumentSigner, createKeySource } from '../../activities/identity/signing-keys.ts'
import { createFetches } from '../../activities/outbound/clients.ts'
import { readSigningChains } from '../../activities/signing-chains.ts'
import { readEngineConnection } from '../../activities/temporal/connection.ts'
import { createRunnerCalls } from '../../activities/temporal/executions.ts'
import { createVerifierHandlers } from '../../activities/verification/registry.ts'
import { createVerifierSources } from '../../activities/verification/sources.ts'
import { readChainFile } from '../../schemas/chain/chain-file.ts'
import { QUEUE_KINDS } from '../../schemas/processes.ts'
import { readSettings } from '../../schemas/settings.ts'
import { createActivities, createWorkerDeps } from '../../workers/activities.ts'
import { loadWorkerSubjects } from '../../workers/subjects.ts'
import { failureInterceptor } from '../../workers/temporal/failures.ts'
import { ISOLATION } from '../../workers/temporal/isolation.ts'
import { createQueueWorkers } from '../../workers/temporal/queues.ts'
import { evmIdentities } from '../support/native/identities.ts'
import { createMaintainers } from '../support/records/maintainers.ts'
import type { BareActivities } from './workflows.ts'

const HOUR_MS = 3_600_000

/** The bond as it was foretold, without a transaction. */
const lockBond: ClaimParts['lockBond'] = async ({ runId, wallet }) => {
  const now = Math.floor(Date.now() / 1000) * 1000
  return {
    txHash: `0x${createHash('sha256').update(runId).digest('hex')}`,
    blockNumber: '1',
    claimedAt: new Date(now).toISOString(),
    claimExpiresAt: new Date(now + HOUR_MS).toISOString(),
    stakeRaw: '0',
    feeRaw: '0',
    waived: true,
    claimNumber: 1,
    brokered: true,
    poster: wallet,
  }
}

const main = async (): Promise<void> => {
  const settings = readSettings(process.env)
  const chain = readChainFile(settings.CHAIN_FILE)
  const database = openDatabase({ url: settings.DATABASE_URL, poolSize: settings.DATABASE_POOL })
  const readKey = createKeySource(settings)
  const { connection: options, namespace } = readEngineConnection({ ...settings, PAYLOAD_KEYS: process.env.PAYLOAD_KEYS })
  const [connection, clientConnection] = await Promise.all([NativeConnection.connect(options), Connection.connect(options)])
  const client = new Client({ connection: clientConnection, namespace })
  await sql`create table if not exists bench_bare (id text primary key)`.execute(database.rows)
  const bare: BareActivities = {
    insertBare: async ({ id }) => void (await sql`insert into bench_bare (id) values (${id})`.execute(database.rows)),
  }
  const clock = createClock()
  const { admitClaim } = createAdmission({
    database,
    settings,
    chain,
    clock,
    identities: evmIdentities,
    maintainers: createMaintainers(database),
  })
  const { recordClaim } = createClaimRecords({ database, chain, clock })
  const poolShare = Math.max(2, settings.DATABASE_POOL - 6)
  const stopping = new AbortController()
  const subjects = await loadWorkerSubjects()
  const clients = createChainClients(chain)
  const deps = createWorkerDeps(subjects, {
    settings,
    chain,
    clients,
    signingChains: readSigningChains(settings, clients),
    database,
    client,
    clock,
    sign: createDocumentSigner({ database, clock, readKey }),
    readKey,
    observe: () => undefined,
    logger: pino({ enabled: false }),
    stopping: stopping.signal,
    handlers: createVerifierHandlers(createVerifierSources(settings)),
    fetches: createFetches(settings),
    runners: createRunnerCalls(client),
  })
  const activities = createActivities(subjects, deps)
  const worker = await createQueueWorkers(QUEUE_KINDS, {
    connection,
    namespace,
    workflowsPath: new URL('./workflows.ts', import.meta.url).pathname,
    activities: {
      ...activities,
      ...createClaimJob({ admitClaim, lockBond, recordClaim }, poolShare),
      ...bare,
    },
    interceptors: { activity: [({ info }) => ({ inbound: failureInterceptor(info) })] },
    ...ISOLATION,
    shutdownGraceTime: '1s',
    shutdownForceTime: '2s',
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      worker.shutdown()
      stopping.abort()
    })
  console.log('worker ready')
  await worker.run()
  await Promise.all([clientConnection.close(), connection.close(), database.close()])
}

await main()
