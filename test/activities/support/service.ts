// The service's own steps on a real PostgreSQL and a real chain, without the engine.

import { type Hex, pad } from 'viem'
import { storeReading } from '../../../activities/catalogue/reward-bank.ts'
import { insertJob } from '../../../activities/catalogue/writes.ts'
import { type ChainClients, createChainClients, createSigners, type Signers } from '../../../activities/chain/clients.ts'
import { createTransactions } from '../../../activities/chain/journal/send.ts'
import { createChainReads } from '../../../activities/chain/reads.ts'
import { createAdmission } from '../../../activities/claims/admission.ts'
import { createClaimSteps } from '../../../activities/claims/chain-steps.ts'
import { createClaimRecords } from '../../../activities/claims/records.ts'
import { createSubmissionRecords } from '../../../activities/claims/submission-records.ts'
import { loadSigningKey } from '../../../activities/common/document-signing.ts'
import { type Database, openDatabase } from '../../../activities/database/database.ts'
import { createDeliveryTracking } from '../../../activities/deliveries/track.ts'
import { createDisputeDecisions } from '../../../activities/disputes/decisions.ts'
import { createDisputeFiles } from '../../../activities/disputes/file.ts'
import { resolveDisputeTransaction } from '../../../activities/disputes/signatures.ts'
import { createDisputeStanding } from '../../../activities/disputes/status.ts'
import { createDisputeSteps } from '../../../activities/disputes/steps/chain-steps.ts'
import { createDocumentSigner, type SignDocument } from '../../../activities/identity/signing-keys.ts'
import { createSettlementSteps } from '../../../activities/settlement/chain-steps.ts'
import { createSettlements } from '../../../activities/settlement/records.ts'
import { createVerifierHandlers } from '../../../activities/verification/registry.ts'
import { createVerifications } from '../../../activities/verification/steps.ts'
import { deployAll } from '../../../contracts/deploy.ts'
import { iso } from '../../../domain/common/instants.ts'
import { localKeys } from '../../../local/keys.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { ChainFile } from '../../../schemas/chain/chain-file.ts'
import type { LockedBond } from '../../../schemas/claims/process.ts'
import { readSettings } from '../../../schemas/settings.ts'
import { sharedChain } from '../../contracts/support/shared-chain.ts'
import { World } from '../../contracts/support/world.ts'
import { builtJob, jobBody } from '../../domain/builders/job.ts'
import { makePem, testChain } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { evmIdentities } from '../../support/native/identities.ts'
import { createMaintainers } from '../../support/records/maintainers.ts'
import { meetVerdictNeeds } from '../../support/records/verdict-needs.ts'
import { createFixtureSources } from '../verification/fixtures/fixture.ts'

const BASE_URL = 'https://work.example'
export const walletAt = (index: number): Hex => pad(`0x${(0x7000 + index).toString(16)}`, { size: 20 })

/** Caps of what a wallet and all wallets may claim, in their environment names, wide enough for every claim of a file. */
export const UNLIMITED = {
  WORKER_OPEN_EXPOSURE_CAP_RAW: '1000000000',
  WORKER_LIFETIME_CATALOGUE_CREDIT_RAW: '1000000000',
  WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: '1000000000',
}

/** A bond as the chain would have locked it, for an hour. */
export const bondAt = (at: number, changes: Partial<LockedBond> = {}): LockedBond => {
  const claimedAt = Math.floor(at / 1_000) * 1_000
  return {
    txHash: `0x${'a'.repeat(64)}`,
    blockNumber: '7',
    claimedAt: iso(claimedAt),
    claimExpiresAt: iso(claimedAt + 3_600_000),
    stakeRaw: '200000',
    feeRaw: '50000',
    waived: false,
    claimNumber: 1,
    brokered: true,
    poster: `0x${'b'.repeat(40)}`,
    ...changes,
  }
}

const settingsOf = (databaseUrl: string, changes: Record<string, string>) => {
  const { operator, verifier, arbitrator } = localKeys()
  return readSettings({
    DATABASE_URL: databaseUrl,
    CHAIN_FILE: 'unused',
    // The reading is stored once, and a suite may take its time.
    REWARD_BANK_MAX_AGE_SECONDS: '86400',
    OPERATOR_KEY: operator.privateKey,
    VERIFIER_KEY: verifier.privateKey,
    ARBITRATOR_KEY: arbitrator.privateKey,
    ...changes,
  })
}

/** A clock that runs, and can be set. */
const createTestClock = () => {
  let offsetMs = 0
  let frozenAt: number | null = null
  return {
    now: () => frozenAt ?? Date.now() + offsetMs,
    /** Stops at an instant, until it runs again from where it would be. */
    freeze: (at: number): void => {
      frozenAt = at
    },
    run: (): void => {
      frozenAt = null
    },
    set: (at: number): void => {
      offsetMs = at - Date.now()
    },
    move: (ms: number): void => {
      offsetMs += ms
    },
  }
}

type ClaimDeps = Parameters<typeof createClaimRecords>[0] & Parameters<typeof createSubmissionRecords>[0]
const claimsOn = (deps: ClaimDeps) => ({ ...createClaimRecords(deps), ...createSubmissionRecords(deps) })

/** Records on a database of their own. `settings` are limits in their environment names. */
export const startRecords = async (settings: Record<string, string> = {}, chain: ChainFile = testChain) => {
  const place = await createTestDatabase()
  const database = openDatabase({ url: place.url, poolSize: 20 })
  const clock = createTestClock()
  const maintainers = createMaintainers(database)
  const deps = { database, settings: settingsOf(place.url, settings), chain, clock, identities: evmIdentities, maintainers }
  await storeReading(database.rows, {
    asset: 'USDC',
    liquidRaw: 1_000_000_000_000n,
    posterFeeBps: 500,
    posterFeeFloorRaw: 50_000n,
    stakeBps: 1_000,
    feeBps: 200,
    minFeeRaw: 50_000n,
    blockNumber: 1n,
  })
  await meetVerdictNeeds(database.rows)
  return {
    ...deps,
    rows: database.rows,
    admission: createAdmission(deps),
    /** Admission of a service that is configured otherwise, on the same records. */
    admissionWith: (changes: Record<string, string>) => createAdmission({ ...deps, settings: settingsOf(place.url, changes) }),
    claims: claimsOn(deps),
    /** Records of claims and submissions of a service that is configured otherwise. */
    claimsWith: (changes: Record<string, string>) => claimsOn({ ...deps, settings: settingsOf(place.url, changes) }),
    settlements: createSettlements({ ...deps, writeDisputeFile: async () => undefined, trackDelivery: createDeliveryTracking(deps) }),
    verifications: createVerifications({ ...deps, handlers: createVerifierHandlers(createFixtureSources()), publicBaseUrl: BASE_URL }),
    addJob: async (id: string, changes: Partial<JobInputBody> = {}): Promise<string> => {
      const built = builtJob(jobBody({ id, ...changes }))
      await database.transaction((rows) => insertJob(rows, built, { now: clock.now(), posterAddress: null }))
      return id
    },
    stop: async (): Promise<void> => {
      await database.close()
      await place.drop()
    },
  }
}
export type Records = Awaited<ReturnType<typeof startRecords>>

const openChain = async (kind: string) => {
  const keys = localKeys()
  const { rpcUrl, deployment } = await sharedChain(kind, (rpcUrl) =>
    deployAll({
      operator: keys.operator.address,
      verifier: keys.verifier.address,
      arbitrator: keys.arbitrator.address,
      treasury: keys.treasury.address,
      creditOperator: keys.creditOperator.address,
      rpcUrl,
      deployerKey: keys.deployer.privateKey,
      operatorKey: keys.operator.privateKey,
      creditOperatorKey: keys.creditOperator.privateKey,
      rewardBankRaw: 1_000_000_000n,
    }),
  )
  const chain = ChainFile.parse({
    ...testChain,
    chainId: deployment.chainId,
    local: true,
    rpc: { primary: rpcUrl },
    asset: deployment.asset,
    contracts: deployment.contracts,
  })
  return { chain, world: new World(rpcUrl, deployment) }
}

/** Everything a claim touches, except the engine, on the chain that files of one kind share. */
export const startService = async (kind = 'service') => {
  const { chain, world } = await openChain(kind)
  const records = await startRecords({ WORKER_CATALOGUE_GLOBAL_DAILY_BUDGET_RAW: '1000000000' }, chain)
  const { database, settings, clock } = records
  const clients = createChainClients(chain)
  const signers = createSigners(settings)
  const receiptPem = makePem()
  const readKey = () => loadSigningKey(receiptPem, 'badge')
  const sign = createDocumentSigner({ database, clock, readKey })
  const writeDisputeFile = createDisputeFiles({ chain, sign, publicBaseUrl: BASE_URL })

  /** Lasts until the node answers: it mines at once, so by then it has mined what it was sent before. */
  const pause = () => world.rpc('eth_blockNumber')
  const transactionsOn = (parts: { clients?: ChainClients; database?: Database; signers?: Signers } = {}) =>
    createTransactions({ database, clients, signers, clock, pause, ...parts })

  const { escrowAddress } = createChainReads(chain, clients, localKeys().operator.address)
  const alarms: string[] = []

  interface Broken {
    clients?: ChainClients
    database?: Database
    sign?: SignDocument
  }
  const depsOn = (broken: Broken, held: Signers = signers) => ({
    database,
    clients,
    chain,
    clock,
    sign,
    publicBaseUrl: BASE_URL,
    writeDisputeFile,
    trackDelivery: createDeliveryTracking({ settings, clock }),
    transactions: transactionsOn({ ...broken, signers: held }),
    reads: createChainReads(chain, clients, localKeys().operator.address),
    ...broken,
  })

  /** Steps whose connections may be broken. */
  const stepsOn = (broken: Broken = {}) => {
    const deps = depsOn(broken)
    return { ...createClaimSteps(deps), ...createSettlementSteps(deps) }
  }

  /** Everything a dispute is made of; without the key when `held` is false. */
  const disputesOn = ({ held = true, ...broken }: Broken & { held?: boolean } = {}) => {
    const { arbitrator: _removed, ...others } = signers
    const prepare = resolveDisputeTransaction({ chain, escrow: escrowAddress, publicBaseUrl: BASE_URL })
    const arbitrator = held ? localKeys().arbitrator.address.toLowerCase() : null
    return {
      ...createDisputeSteps({ ...depsOn(broken, held ? signers : others), arbitrator, prepare }),
      ...createDisputeDecisions({ database, clock, publicBaseUrl: BASE_URL, arbitrator, prepare }),
      ...createDisputeStanding({ database, clock, arbitrator, alarm: ({ disputeId }) => alarms.push(disputeId) }),
    }
  }

  return {
    ...records,
    chain,
    world,
    disputesOn,
    disputes: disputesOn(),
    /** Disputes of which the alarm of a day was raised. */
    alarms,
    clients,
    readKey,
    sign,
    /** Its private key, PEM. */
    receiptPem,
    transactionsOn,
    stepsOn,
    transactions: transactionsOn(),
    steps: stepsOn(),
    reads: createChainReads(chain, clients, localKeys().operator.address),
    /** Block time and service time move on together, whole seconds. */
    pass: async (seconds: number): Promise<void> => {
      await world.pass(seconds)
      clock.move(seconds * 1_000)
    },
  }
}
export type Service = Awaited<ReturnType<typeof startService>>

/** Clients whose named calls fail like a node that is away. */
export const brokenClients = (clients: ChainClients, broken: { send?: boolean; receipts?: boolean }): ChainClients => {
  const away = async (): Promise<never> => {
    throw new Error('the node is away')
  }
  return {
    ...clients,
    ...(broken.receipts && { reader: { ...clients.reader, getTransactionReceipt: away } }),
    ...(broken.send && { writers: clients.writers.map((writer) => ({ ...writer, sendRawTransaction: away })) }),
  }
}

/** A database that loses the connection during the transactions that `fails` names by their count. */
export const failingDatabase = (database: Database, failAt: number): Database => {
  let count = 0
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (rows) => {
        count += 1
        const done = await work(rows)
        if (count === failAt) throw new Error('the connection was lost')
        return done
      }),
  }
}
