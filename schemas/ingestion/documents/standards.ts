import { z } from 'zod'
import { trimmedText } from '../../operations/values.ts'
import type { CommittedFacts } from '../record.ts'
import { SourceAddress } from './address.ts'
import type { DocumentFault } from './openapi.ts'

/** One page of a standard that a caller names. */
const StandardsSpec = z.strictObject({
  url: SourceAddress.describe('Address of the page.'),
  provider: trimmedText(1, 120).optional().describe('Who publishes the standard; by default the host of the address.'),
  id: trimmedText(1, 120).optional().describe('Its name at the provider; by default from the path of the address.'),
  title: trimmedText(1, 300).optional().describe('By default the title of the page.'),
  version: trimmedText(1, 60).optional().describe('Version that the page should be of.'),
  expectedStatus: trimmedText(1, 120).optional().describe('Standing that the page should state, such as Proposed Standard.'),
  surface: trimmedText(1, 2_000).optional().describe('Page or code that should agree with the standard.'),
})
export type StandardsSpec = z.infer<typeof StandardsSpec>

/** Members of POST /admin/jobs/ingest/standards of its own. Source: http, "Jobs". */
export const StandardsInput = z.strictObject({
  specs: z.array(StandardsSpec).min(1).max(50).optional().describe('Pages to read; by default the standards of the public catalogue.'),
})
export type StandardsInput = z.infer<typeof StandardsInput>

/** A page of a standard as its client reads it. */
export interface StandardsItem {
  /** Names of at most 120 characters. */
  provider: string
  id: string
  /** True where the input or the catalogue named the provider. */
  hasProvider: boolean
  /** At most 300 characters; null without one. */
  title: string | null
  /** Address that was fetched. */
  url: string
  version: string | null
  expectedStatus: string | null
  surface: string | null
  /** Status of the answer; null without one. */
  status: number | null
  fault: DocumentFault | null
  /** Whether the page names its own address, its last change and its version of the bytes. */
  hasCanonical: boolean
  hasLastModified: boolean
  hasEtag: boolean
  /** What a worker has to find; null where the page gave none. */
  facts: CommittedFacts | null
}
