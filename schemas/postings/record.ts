import type { Row } from '../entities/columns.ts'
import type { Posting } from './entities.ts'

/** Row of a posting. Instants in epoch ms, amounts in base units. */
export type PostingRecord = Row<typeof Posting>
