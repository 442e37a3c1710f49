import type { Row } from '../entities/columns.ts'
import type { Posting, TestContractRow } from './entities.ts'

/** Row of a posting. Instants in epoch ms, amounts in base units. */
export type PostingRecord = Row<typeof Posting>

/** Row of a test contract. */
export type TestContractRecord = Row<typeof TestContractRow>
