import type { PayloadCodec } from '@temporalio/common'
import type { Logger } from 'pino'
import type { ChainClients } from '../activities/chain/clients.ts'
import type { Transactions } from '../activities/chain/journal/send.ts'
import type { ChainReads } from '../activities/chain/reads.ts'
import type { Clock } from '../activities/common/clock.ts'
import type { Database } from '../activities/database/database.ts'
import type { Evaluations } from '../activities/eligibility/evaluate.ts'
import type { EarningIdentities } from '../activities/identity/earning-identity.ts'
import type { MappingReader } from '../activities/identity/native-mapping.ts'
import type { AddressCheck } from '../activities/outbound/guarded-fetch.ts'
import type { ReadPoster } from '../activities/postings/poster-record.ts'
import type { PolicyReader } from '../activities/pull-requests/policy-reader.ts'
import type { Deliveries } from '../activities/pull-requests/refresh.ts'
import type { VerifierHandlers } from '../activities/verification/registry.ts'
import type { VerifierSources } from '../activities/verification/sources.ts'
import type { BondPolicy, RetentionSchedule } from '../domain/eligibility/claim-economics.ts'
import type { ChainFile } from '../schemas/chain/chain-file.ts'
import type { FreezeContract } from '../schemas/paid-verification/profiles/freeze.ts'
import type { Settings } from '../schemas/settings.ts'
import type { EventHub } from './event-stream/hub.ts'
import type { Probes } from './health/probes.ts'
import type { Revocations } from './identity/revocations.ts'
import type { SessionUses } from './identity/session-uses.ts'
import type { Tokens } from './identity/tokens.ts'
import type { Metrics } from './observability/metrics.ts'
import type { Waits } from './sessions/waits.ts'
import type { Engine } from './temporal/engine.ts'

/** What the service itself needs, without work and money. */
export interface ServiceDeps {
  settings: Settings
  chain: ChainFile
  /** True only when the chain file says local and the node is Anvil. */
  isLocal: boolean
  database: Database
  clock: Clock
  tokens: Tokens
  /** Public base address without a trailing slash. */
  baseUrl: string
  logger: Logger
  metrics: Metrics
  probes: Probes
  /** Aborted at shutdown: long polls then answer with the current state. */
  draining: AbortSignal
  /** Waits for changes of sessions, bounded in number. */
  waits: Waits
  /** New events for streams and polls. */
  events: EventHub
  /** Ends of tokens and grants, for requests that last. */
  revocations: Revocations
  /** Last uses of sign-ins, until housekeeping writes them. */
  sessionUses: SessionUses
  /** Chain values that public documents show; a failed read rejects. */
  liveReads: {
    bondPolicy(): Promise<BondPolicy & RetentionSchedule>
    /** What the deposit pool has placed in its venue, base units; null without a pool. */
    poolPlacedRaw(): Promise<bigint | null>
  }
  clients: ChainClients
  /** Whether a wallet (lower case) belongs to a native account that has signed in. */
  isNativeAccount: (wallet: string) => Promise<boolean>
  /** Reads whether native accounts are mapped. */
  mappings: MappingReader
  /** Whether wallets can receive earnings. */
  identities: EarningIdentities
  /** Checks an address that the worker posts to later. */
  checkAddress: AddressCheck
}

/** Everything the API is built from. A function that its tests call alone takes a `Pick` of it. */
export interface ApiDeps extends ServiceDeps {
  reads: ChainReads
  /** Journalled sends of the operator key; only the local funding route sends from the API. */
  transactions: Transactions
  evaluations: Evaluations
  /** Reads the reward bank on chain and stores the reading. Throws 502 if the chain cannot be read. */
  refreshBank: () => Promise<void>
  engine: Engine
  /** Encrypts and decrypts payloads of the workflow engine. */
  payloadCodec: PayloadCodec
  /** Handlers by mode, for previews and replays. */
  verifiers: VerifierHandlers
  /** Records of posters, beside their jobs. */
  readPoster: ReadPoster
  /** What these handlers read, for rehearsals. */
  verifierSources: VerifierSources
  /** Freezes the test contract of a draft. */
  freezeContract: FreezeContract
  /** Refreshes pull requests whose sessions have ended. */
  deliveries: Deliveries
  /** Reads what maintainers say before a claim. */
  maintainers: PolicyReader
}
