import type { Logger } from 'pino'
import type { Clock } from '../activities/common/clock.ts'
import type { SigningKey } from '../activities/common/document-signing.ts'
import type { Database } from '../activities/database/database.ts'
import type { BondPolicy } from '../domain/eligibility/claim-economics.ts'
import type { ChainFile } from '../schemas/chain/chain-file.ts'
import type { Settings } from '../schemas/settings.ts'
import type { Probes } from './health/probes.ts'
import type { Tokens } from './identity/tokens.ts'
import type { Metrics } from './observability/metrics.ts'

/** What every handler may use. */
export interface ApiDeps {
  settings: Settings
  chain: ChainFile
  /** True only when the chain file says local and the node is Anvil. */
  isLocal: boolean
  database: Database
  clock: Clock
  tokens: Tokens
  /** Signs badges and receipts. */
  receiptKey: SigningKey
  /** Public base address without a trailing slash. */
  baseUrl: string
  logger: Logger
  metrics: Metrics
  probes: Probes
  /** Aborted when the process is to end: a wait for news ends with what is there. */
  draining: AbortSignal
  /** Values of the chain that public documents show; a failed read rejects. */
  liveReads: { bondPolicy(): Promise<BondPolicy> }
}
