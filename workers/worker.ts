import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from '@temporalio/worker'
import { createChainClients, createSigners, isAnvil, roleOf } from '../activities/chain/clients.ts'
import { createNonceStatus } from '../activities/chain/nonce-status.ts'
import { createPump } from '../activities/chain/pump.ts'
import { createChainReads } from '../activities/chain/reads.ts'
import { createTransactions } from '../activities/chain/transactions.ts'
import { assertWired } from '../activities/chain/wiring.ts'
import { createClock } from '../activities/clock.ts'
import { loadSigningKey } from '../activities/documents/signing.ts'
import { createServiceLogger } from '../activities/observation/logger.ts'
import { openDatabase } from '../activities/records/database.ts'
import { readChainFile } from '../schemas/chain-file.ts'
import { readSettings } from '../schemas/config.ts'
import { TASK_QUEUE } from '../schemas/processes/common.ts'
import { createActivities } from './activities.ts'
import { workflowsPath } from './bundle.ts'
import { connectClient, connectWorker } from './connection.ts'
import { installRuntime } from './engine-metrics.ts'
import { startEventRelay } from './event-relay.ts'
import { failureInterceptor } from './failures.ts'
import { heartbeatInterceptor } from './heartbeats.ts'
import { catchUp } from './journal-start.ts'
import { startNonceKeeper } from './nonce-keeper.ts'
import { createObservers, publishFigures } from './observe.ts'
import { startRewardBankReader } from './reward-bank.ts'

/** Cached isolates use memory outside the V8 heap; a few hundred are plenty for processes that mostly sleep. */
const CACHED_WORKFLOWS = 200

/** Runs the workflows and activities of the service until it is told to stop. */
const main = async (): Promise<void> => {
  const settings = readSettings(process.env)
  const logger = createServiceLogger('worker', settings.LOG_LEVEL)
  const engine = await installRuntime(logger, settings.WORKER_METRICS_PORT !== undefined)

  const chain = readChainFile(settings.CHAIN_FILE)
  const clients = createChainClients(chain)
  const chainId = await clients.reader.getChainId()
  if (chainId !== chain.chainId) throw new Error(`the chain file says ${chain.chainId}, the node ${chainId}`)
  const local = chain.local && (await isAnvil(clients.reader))
  const clock = createClock({ offsetFile: local ? settings.CLOCK_OFFSET_FILE : undefined })
  if (settings.RECEIPT_KEY === undefined) throw new Error('RECEIPT_KEY is required: badges are signed when they are earned')
  const receiptKey = await loadSigningKey(settings.RECEIPT_KEY, 'badge-1', settings.RECEIPT_KEY_FINGERPRINT)

  const database = openDatabase({ url: settings.DATABASE_URL, poolSize: settings.DATABASE_POOL })
  const connection = await connectWorker(settings)
  const { client, close } = await connectClient(settings)
  const signers = createSigners(settings)
  await assertWired(clients.reader, chain, {
    operator: signers.operator?.address,
    verifier: signers.verifier?.address,
    arbitrator: signers.arbitrator?.address,
  })
  const observers = createObservers(database, logger)
  const pause = (ms: number) => sleep(ms)
  const journalDeps = { database, clients, clock, observe: observers.journal, pause }
  const transactions = createTransactions({ ...journalDeps, signers })
  for (const role of ['operator', 'verifier'] as const) await catchUp(transactions, role, logger)
  const reads = createChainReads(chain, clients, transactions.addressOf('operator'))
  const bank = startRewardBankReader({ database, reads, asset: chain.asset.symbol, logger })
  const { NONCE_STUCK_SECONDS: stuckAfterSeconds } = settings
  const status = createNonceStatus({ database, clients, clock, stuckAfterSeconds })
  const keeper = startNonceKeeper({ pump: createPump(journalDeps), status, roleOf: (signer) => roleOf(signers, signer), logger })
  const page = { settings, isLocal: local, logger, registry: observers.registry, database, chainId, clock, keeper, bank, engine }
  const closeFigures = await publishFigures(page)
  const relay = startEventRelay({ database, logger })

  const bundle =
    settings.WORKFLOW_BUNDLE !== undefined && existsSync(settings.WORKFLOW_BUNDLE)
      ? { workflowBundle: { codePath: settings.WORKFLOW_BUNDLE } }
      : { workflowsPath }
  const worker = await Worker.create({
    connection,
    namespace: settings.TEMPORAL_NAMESPACE,
    taskQueue: TASK_QUEUE,
    ...bundle,
    activities: createActivities({ settings, chain, clients, database, client, clock, receiptKey, observe: observers.journal }),
    interceptors: {
      activity: [observers.activities, () => ({ inbound: failureInterceptor() }), () => ({ inbound: heartbeatInterceptor() })],
    },
    maxCachedWorkflows: CACHED_WORKFLOWS,
    maxConcurrentActivityTaskExecutions: 100,
    // Each holds one connection for its transaction; the rest of the pool is for regular activities and the reader of the bank.
    maxConcurrentLocalActivityExecutions: Math.max(2, settings.DATABASE_POOL - 6),
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => worker.shutdown())
  logger.info({ taskQueue: TASK_QUEUE, namespace: settings.TEMPORAL_NAMESPACE }, 'worker ready')
  try {
    await worker.run()
  } finally {
    bank.stop()
    keeper.stop()
    relay.stop()
    await closeFigures()
    await close()
    await connection.close()
    await database.close()
  }
}

await main()
