import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Connection } from '@temporalio/client'
import { findLostGrant } from '../activities/accounts/gas-grant-records.ts'
import { endOnChain } from '../activities/audit/claim-ending.ts'
import { recordedBlock } from '../activities/chain/follower/cursor.ts'
import { restoreJournal } from '../activities/chain/journal/lost.ts'
import { createChainReads } from '../activities/chain/reads.ts'
import { type ClaimRecoveryDeps, recoverClaims } from '../activities/claims/recovery/bring-home.ts'
import { skipEventNumbers } from '../activities/events/skip-numbers.ts'
import { createEarningIdentities } from '../activities/identity/earning-identity.ts'
import { createLoggedMappingReader } from '../activities/identity/native-mapping.ts'
import { createServiceLogger } from '../activities/observability/logger.ts'
import { readSigningChains } from '../activities/signing-chains.ts'
import { createClaimStarter } from '../activities/temporal/claims.ts'
import { createEngineClient } from '../activities/temporal/client.ts'
import { planProcesses, releaseAbandoned, replaceProcesses, wakeSessions } from '../activities/temporal/recovery.ts'
import { createMessageSender } from '../activities/temporal/send.ts'
import { exitOnBadSettings } from '../schemas/run-process.ts'
import { brief } from './observability/error-line.ts'
import { withRecords } from './records.ts'
import { loadWorkerSubjects } from './subjects.ts'

const USAGE = `usage: npm run recover -- prepare [--check]
       npm run recover -- complete
Brings processes, transactions and claims back after the databases were restored to an earlier instant. The settings are those of the worker,
without the keys of the chain; with none given they are those of the local stack that runs in this checkout.
prepare, before any worker runs: puts the lost transactions of our signers back into the journal and raises their next nonces; lets the numbers
of events begin above all that readers may have seen; ends the running processes that may remember another past than the records, and begins
one for each open record. --check only counts the processes.
complete, once workers run: waits until the events of the chain are recorded, records every claim that the chain has and the records lack, names
those that cannot be recorded, and wakes the processes of all open sessions.
Both may be repeated. Exit code: 0 done, 1 something could only be named, 2 failed.`

/** The follower moves several times a minute; without a move for so many tries it does not run. */
const FOLLOW_TRIES = 60
const FOLLOW_PAUSE_MS = 2_000

type Command = { what: 'prepare'; isCheck: boolean } | { what: 'complete' }

/** Parses the command line; null when it is no command. */
const readRecoverCommand = (args: string[]): Command | null => {
  try {
    const { values, positionals } = parseArgs({ args, options: { check: { type: 'boolean', default: false } }, allowPositionals: true })
    const [what, ...more] = positionals
    if (more.length > 0) return null
    if (what === 'prepare') return { what, isCheck: values.check }
    return what === 'complete' && !values.check ? { what } : null
  } catch {
    return null
  }
}

type Opened = Parameters<Parameters<typeof withRecords<number>>[1]>[0] & { connection: Connection }

/** Puts lost transactions back on every chain that the service signs on. Returns how many it could only name. */
const recoverJournals = async ({ database, settings, clients, clock }: Opened): Promise<number> => {
  let named = 0
  for (const { clients: own } of readSigningChains(settings, clients)) {
    const { stored, missing } = await restoreJournal(database.rows, {
      reader: own.reader,
      chainId: own.chainId,
      now: clock.now(),
      findStep: findLostGrant,
    })
    console.log(`chain ${own.chainId}: ${stored} lost transactions put back into the journal`)
    for (const { signer, nonce } of missing) console.log(`chain ${own.chainId}: nonce ${nonce} of ${signer} was NOT put back`)
    named += missing.length
  }
  return named
}

const prepare = async (opened: Opened, isCheck: boolean): Promise<number> => {
  const { database, chain, engine, connection } = opened
  const named = isCheck ? 0 : await recoverJournals(opened)
  if (!isCheck) console.log(`events are numbered from ${await skipEventNumbers(database, opened.clock.now())} on`)
  const client = createEngineClient(connection, engine)
  const recoveries = (await loadWorkerSubjects()).flatMap(({ module }) => module.recovery ?? [])
  const plan = await planProcesses({ client, database, chainId: chain.chainId, recoveries })
  if (!isCheck) await replaceProcesses(client, plan)
  const [ended, begun] = isCheck ? ['to end', 'to begin'] : ['ended', 'begun']
  console.log(`${plan.ends.length} running processes ${ended}`)
  for (const [workflow, some] of Map.groupBy(plan.begins, (one) => one.workflow)) console.log(`${workflow}: ${some.length} ${begun}`)
  return named === 0 ? 0 : 1
}

/** Waits until the follower has recorded the events up to the newest block of now. */
const awaitFollower = async ({ database, chain, clients }: Opened): Promise<void> => {
  const head = (await clients.reader.getBlockNumber({ cacheTime: 0 })) - BigInt(Math.max(0, chain.confirmations - 1))
  let at = await recordedBlock(database.rows, chain.chainId)
  for (let tries = 0; at < head; tries += 1) {
    if (tries === FOLLOW_TRIES)
      throw new Error(`the events are recorded up to block ${at} of ${head} and no worker goes on: start one, then repeat`)
    await sleep(FOLLOW_PAUSE_MS)
    const now = await recordedBlock(database.rows, chain.chainId)
    if (now > at) tries = 0
    at = now
  }
}

const complete = async (opened: Opened): Promise<number> => {
  const { database, chain, engine, connection, settings, clients, clock } = opened
  await awaitFollower(opened)
  const client = createEngineClient(connection, engine)
  const logger = createServiceLogger('recover', settings.LOG_LEVEL)
  const deps: ClaimRecoveryDeps = {
    ...{ database, chain, clients, settings, clock },
    identities: createEarningIdentities(createLoggedMappingReader({ settings, chain, clients, clock, logger }), chain),
    reads: createChainReads(chain, clients, null),
    startClaim: createClaimStarter(client),
    pause: sleep,
  }
  let named = 0
  let recorded = 0
  for await (const found of recoverClaims(deps)) {
    const about = `claim of ${found.wallet} on ${found.jobId ?? `escrow job ${found.chainJobId}`} by ${found.txHash}`
    if (found.kind === 'recorded') {
      recorded += 1
      console.log(`${about}: recorded as ${found.sessionId}`)
    } else {
      named += 1
      const block = { number: await recordedBlock(database.rows, chain.chainId) }
      const end = await endOnChain({ rows: database.rows, chain, block }, found)
      console.log(`${about}: NOT recorded, ${found.reason}; the chain shows it as ${end}`)
    }
  }
  const released = await releaseAbandoned({ client, database }, clock.now())
  // What the pool of the node still had is mined by now.
  named += await recoverJournals(opened)
  const woken = await wakeSessions({ database, chain, send: createMessageSender(client) })
  console.log(
    `${recorded} lost claims recorded, ${released} abandoned claims released, ${named} only named, the processes of ${woken} open sessions woken`,
  )
  return named === 0 ? 0 : 1
}

const main = async (): Promise<void> => {
  const command = readRecoverCommand(process.argv.slice(2))
  process.exitCode = 2
  if (command === null) return console.error(USAGE)
  try {
    process.exitCode = await withRecords('recover', async (opened) => {
      const connection = await Connection.connect({ ...opened.engine.connection, connectTimeout: '5 s' })
      try {
        const all = { ...opened, connection }
        return await (command.what === 'prepare' ? prepare(all, command.isCheck) : complete(all))
      } finally {
        await connection.close()
      }
    })
  } catch (error) {
    console.error(brief(error))
  }
}

if (import.meta.main) await exitOnBadSettings(main)
