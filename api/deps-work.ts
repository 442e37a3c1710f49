import type { ChainClients } from '../activities/chain/clients.ts'
import type { ChainReads } from '../activities/chain/reads.ts'
import type { Transactions } from '../activities/chain/transactions.ts'
import type { Deliveries } from '../activities/codehost/deliveries.ts'
import type { Evaluations } from '../activities/eligibility/evaluate.ts'
import type { VerifierHandlers } from '../activities/verifiers/registry.ts'
import type { ApiDeps } from './deps.ts'
import type { Engine } from './temporal.ts'

/** What handlers of jobs, sessions, verification and accounts use beside the common dependencies. */
export interface WorkDeps extends ApiDeps {
  clients: ChainClients
  reads: ChainReads
  /** Journalled sends of the operator key; only the local funding route sends from the API. */
  transactions: Transactions
  evaluations: Evaluations
  engine: Engine
  /** Handlers by mode, for previews and replays. */
  verifiers: VerifierHandlers
  /** Looks at pull requests whose sessions have ended. */
  deliveries: Deliveries
}
