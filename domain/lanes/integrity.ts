import type { IntegrityReport } from '../../schemas/lanes/record.ts'

/** What a sweep of definitions counted. */
export interface DefinitionCounts {
  total: number
  drifted: number
}

/** What a sweep does with drifted definitions: with more than half of the catalogue drifted the hashes are in doubt, so nothing is paused. */
export const sweepAction = ({ total, drifted }: DefinitionCounts): IntegrityReport['action'] => {
  if (drifted === 0) return 'none'
  return drifted * 2 > total ? 'stopped' : 'paused'
}
