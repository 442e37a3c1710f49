// What the scripted steps of a run over a source answer.
import type { IngestProgress } from '../../../schemas/ingestion/process.ts'

/** How far a run is after so many pages of three candidates each. */
export const pageOf = (pages: number, changes: Partial<IngestProgress> = {}): IngestProgress => ({
  pages,
  candidates: 3 * pages,
  taken: pages,
  requestsUsed: pages,
  isOver: false,
  isBusy: false,
  stopped: null,
  ...changes,
})
