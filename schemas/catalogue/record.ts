import type { Row } from '../entities/columns.ts'
import type { Job } from './entities.ts'

/** Columns for filters, which repeat members of the definition, and for the audit. */
type QueriedColumn =
  | 'category'
  | 'tier'
  | 'verifierMode'
  | 'sourceGroup'
  | 'lane'
  | 'laneDailyRaw'
  | 'laneBacklog'
  | 'waiverEligible'
  | 'verdictNeeds'
  | 'ingestedKey'

/** Row of a job. Instants in epoch ms, amounts in base units. */
export interface JobRecord extends Omit<Row<typeof Job>, QueriedColumn> {
  /** Lower-case addresses; null when any wallet may claim. */
  designatedClaimants: string[] | null
}
