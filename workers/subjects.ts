import type { Client } from '@temporalio/client'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { ChainClients, Signers, SigningChain } from '../activities/chain/clients.ts'
import type { ChainRecorder } from '../activities/chain/follower/recorder.ts'
import type { Subscriber } from '../activities/chain/follower/subscriber.ts'
import type { Observe } from '../activities/chain/journal/broadcast.ts'
import type { Transactions } from '../activities/chain/journal/send.ts'
import type { ChainReads } from '../activities/chain/reads.ts'
import type { StartClaim } from '../activities/claims/start.ts'
import type { Clock } from '../activities/common/clock.ts'
import type { SigningKey } from '../activities/common/document-signing.ts'
import type { Loop } from '../activities/common/loop.ts'
import type { ReadSchedule, Recovery, SendMessage, StandingProcess } from '../activities/common/processes.ts'
import { type Loaded, loadSubjects } from '../activities/common/subjects.ts'
import type { Database, Rows } from '../activities/database/database.ts'
import type { EarningIdentities } from '../activities/identity/earning-identity.ts'
import type { SignDocument } from '../activities/identity/signing-keys.ts'
import type { Fetches } from '../activities/outbound/clients.ts'
import type { RunnerCalls } from '../activities/temporal/executions.ts'
import type { VerifierHandlers } from '../activities/verification/registry.ts'
import type { ChainFile } from '../schemas/chain/chain-file.ts'
import type { Settings } from '../schemas/settings.ts'

/** Everything a worker is built from. A function that needs less takes a part of it. */
export interface WorkerDeps {
  settings: Settings
  chain: ChainFile
  clients: ChainClients
  /** Every chain that the service signs on, its own first. */
  signingChains: readonly SigningChain[]
  database: Database
  clock: Clock
  signers: Signers
  /** Only inside an activity: a wait reports its heartbeat. */
  transactions: Transactions
  /** Address of the operator's wallet. */
  operator: Hex
  reads: ChainReads
  /** Whether wallets can receive earnings. */
  identities: EarningIdentities
  /** Reads no state from before the newest recorded event: a process that the follower woke would wait for the next one. */
  readsAfterCursor: ChainReads
  /** Signs badges and receipts. */
  sign: SignDocument
  readKey: () => Promise<SigningKey>
  handlers: VerifierHandlers
  /** Requests to other hosts. */
  fetches: Fetches
  logger: Logger
  /** Public base address without a trailing slash. */
  publicBaseUrl: string
  client: Client
  /** Signals a process. */
  send: SendMessage
  /** Reads a schedule of the engine. */
  readSchedule: ReadSchedule
  /** Gives work to the runners, and counts them. */
  runners: RunnerCalls
  /** Starts the process of a claim that is on chain. */
  startClaim: StartClaim
  observe: Observe
  /** Events of the chain that processes wait for. */
  subscribers: readonly Subscriber[]
  /** What subjects record of events of the chain. */
  recorders: readonly ChainRecorder[]
  /** Aborted when the worker begins to stop: an activity that has no end of its own then ends. */
  stopping: AbortSignal
}

/** A metric of a subject, by its name. */
export type Metrics = Readonly<Record<string, { help: string; labels?: readonly string[] }>>

/** A value of a metric. */
export interface Sample {
  metric: string
  labels?: Record<string, string>
  value: number
}

/** What a worker does in the background for a subject. */
interface Background {
  loops: readonly Pick<Loop<unknown>, 'stop'>[]
  /** Resolves when the worker may take its first task. */
  ready?: Promise<unknown>
  /** Current values of the subject's metrics. */
  readSamples?: () => readonly Sample[]
}

/** What `workers/<subject>/subject.ts` gives the worker process. */
export interface WorkerSubject {
  /** Activities of the subject's workflows. */
  activities?: (deps: WorkerDeps) => object
  /** Events of the chain that wake its processes. */
  subscriber?: Subscriber
  /** What it records of events of the chain when they are stored. */
  recorder?: ChainRecorder
  /** Processes that every worker starts unless they run. */
  standing?: (chain: Pick<ChainFile, 'chainId' | 'name'>) => StandingProcess | readonly StandingProcess[]
  /** It runs outside of activities, so it gets no `transactions`. */
  background?: (deps: Omit<WorkerDeps, 'transactions'>) => Background
  metrics?: Metrics
  /** Its processes that no worker, event or caller begins anew once they are lost. */
  recovery?: Recovery<Rows>
}

/** Loads the module of every subject, in the order of their names. */
export const loadWorkerSubjects = async (): Promise<Loaded<WorkerSubject>[]> => {
  const found = await loadSubjects<{ subject?: WorkerSubject }>(new URL('.', import.meta.url), /^subject\.ts$/)
  return found.map(({ subject, module }) => {
    if (module.subject === undefined) throw new Error(`workers/${subject}/subject.ts exports no subject`)
    return { subject, module: module.subject }
  })
}
