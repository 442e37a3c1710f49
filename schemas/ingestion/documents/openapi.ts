import { z } from 'zod'
import { trimmedText } from '../../operations/values.ts'
import type { CommittedFacts } from '../record.ts'
import { SourceAddress } from './address.ts'

/** One interface document that a caller names. */
const OpenapiSpec = z.strictObject({
  url: SourceAddress.describe('Address of the document, JSON or YAML.'),
  provider: trimmedText(1, 120).optional().describe('Who publishes it; by default the host of the address.'),
  id: trimmedText(1, 120).optional().describe('Its name at the provider; by default from the path of the address.'),
  title: trimmedText(1, 300).optional().describe('By default the title in the document.'),
  localSurface: trimmedText(1, 2_000).optional().describe('Page or client that should agree with the document.'),
  repo: trimmedText(1, 200).optional().describe('Repository that the document belongs to.'),
})
export type OpenapiSpec = z.infer<typeof OpenapiSpec>

/** Members of POST /admin/jobs/ingest/openapi of its own. Source: http, "Jobs". */
export const OpenapiInput = z.strictObject({
  specs: z.array(OpenapiSpec).min(1).max(50).optional().describe('Documents to read; by default those of the public list.'),
})
export type OpenapiInput = z.infer<typeof OpenapiInput>

/** Why a document or page gave no facts. `unsteady`: two requests gave different bytes. */
export const DOCUMENT_FAULTS = {
  address_missing: 'The list names no address of the document.',
  unreachable: 'The address did not answer.',
  refused: 'The address is not one that the service reads.',
  rate_limited: 'The address asks to wait.',
  too_large: 'The document is longer than the service reads.',
  not_ok: 'The address did not answer with status 200.',
  unsteady: 'Two requests gave different bytes.',
  not_a_document: 'The answer is not such a document.',
  too_complex: 'The document has more parts than the service counts.',
} as const
export type DocumentFault = keyof typeof DOCUMENT_FAULTS

/** What an interface document has, as written: no reference is followed. */
export interface OpenapiCounts {
  paths: number
  operations: number
  schemas: number
  withoutDescription: number
  withoutOperationId: number
  withoutExample: number
}

/** An interface document as its client reads it. */
export interface OpenapiItem {
  /** Names of at most 120 characters. */
  provider: string
  id: string
  /** True where the input or the list named the provider. */
  hasProvider: boolean
  /** At most 300 characters; null without one. */
  title: string | null
  /** Address that was fetched; null where the list names none. */
  url: string | null
  localSurface: string | null
  repo: string | null
  /** Status of the answer; null without one. */
  status: number | null
  fault: DocumentFault | null
  /** Version of the format, at most 20 characters; null where no document was read. */
  version: string | null
  counts: OpenapiCounts | null
  /** What a worker has to find; null where the document gave none. */
  facts: CommittedFacts | null
}
