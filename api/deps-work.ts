import type { ChainClients } from '../activities/chain/clients.ts'
import type { Transactions } from '../activities/chain/journal/send.ts'
import type { ChainReads } from '../activities/chain/reads.ts'
import type { Evaluations } from '../activities/eligibility/evaluate.ts'
import type { Deliveries } from '../activities/pull-requests/refresh.ts'
import type { VerifierHandlers } from '../activities/verification/registry.ts'
import type { ApiDeps } from './deps.ts'
import type { Engine } from './temporal/engine.ts'

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
