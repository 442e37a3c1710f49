import type { JobInputBody } from '../../schemas/catalogue/job-input.ts'
import type { Provider } from '../../schemas/ingestion/providers.ts'
import type { SourceText } from '../../schemas/ingestion/record.ts'

/** Score of a candidate from 0 to 100, and how it came about. */
export interface Score {
  total: number
  /** Points by name, in the order in which they were given. */
  parts: readonly (readonly [name: string, points: number])[]
}

/** What a run finds wrong with a candidate before it is a job: no work for agents, or nothing that could be judged. */
export interface Unfit {
  /** Reason of the skip. */
  reason: string
  detail: string
}

/** Pure rules of one source. `Item` is the candidate as its client reads it: JSON, bounded, texts as the source wrote them. */
export interface ProviderRules<Item> {
  provider: Provider
  /** True where several workers may do the same work one after the other, so that an ended job may be listed again. */
  isReissued?: true
  /** Key of the candidate within its source, which survives a change of its content (`owner/repo#7`, `en:4711:citation_repair`). */
  keyOf(item: Item): string
  /** What makes a changed candidate another version: the members from which its job follows. */
  contentOf(item: Item): unknown
  scoreOf(item: Item): Score
  /** Why the candidate is no work, whatever its score; null where it can be. */
  unfitOf(item: Item): Unfit | null
  /** Every text of the source that the job shows. The screen reads them. */
  textsOf(item: Item): readonly SourceText[]
  /** The job by its author, not parsed yet, with the id of lifecycle, "Ingest". Texts of the source stand in it bounded. */
  jobOf(item: Item, score: Score): JobInputBody
}
