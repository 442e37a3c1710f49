import { createHash } from 'node:crypto'
import type { DocumentFault } from '../../../schemas/ingestion/documents/openapi.ts'
import { MAX_SOURCE_BYTES } from '../../verification/sources.ts'
import { type SourceAnswer, SourceFailure, type SourceHttp } from '../source.ts'

/** What the address of a document gave. `status` is null without an answer; `body` is null with a fault. */
export interface ReadDocument {
  status: number | null
  headers: SourceAnswer['headers']
  body: Buffer | null
  fault: DocumentFault | null
}

/** Every status without a redirect: what an address answers is part of the score. */
const STATUSES = Array.from({ length: 400 }, (_, index) => 200 + index).filter((status) => status > 200 && (status < 300 || status >= 400))

const FAULTS = {
  source_unreadable: 'unreachable',
  source_rate_limited: 'rate_limited',
  source_refused: 'refused',
  source_too_large: 'too_large',
} as const satisfies Readonly<Record<string, DocumentFault>>

const failed = (fault: DocumentFault, answer: Pick<SourceAnswer, 'status' | 'headers'> | null = null): ReadDocument => ({
  status: answer?.status ?? null,
  headers: answer?.headers ?? {},
  body: null,
  fault,
})

/** The fault of one address, which is no failure of the run. Throws `SourceFailure` where the run may make no more requests. */
const faultOf = (error: unknown): DocumentFault => {
  if (!(error instanceof SourceFailure) || error.fault === 'budget_exhausted') throw error
  return FAULTS[error.fault]
}

/**
 * Reads the address of a document twice: bytes that differ at each request are none that a job can commit to. A fault of the address is an
 * answer. Throws `SourceFailure` where the budget of the run is used up.
 */
export async function readDocument(http: SourceHttp, url: string, maxBytes = MAX_SOURCE_BYTES): Promise<ReadDocument> {
  const request = { url, maxBytes, accept: STATUSES }
  try {
    const first = await http.get(request)
    if (first.status !== 200) return failed('not_ok', first)
    const second = await http.get(request)
    if (second.status !== 200 || !second.body.equals(first.body)) return failed('unsteady', first)
    return { status: first.status, headers: first.headers, body: first.body, fault: null }
  } catch (error) {
    return failed(faultOf(error))
  }
}

/** Facts of any bytes, as `name value`. */
export const bytesFacts = (body: Buffer): string[] => [`sha256 ${createHash('sha256').update(body).digest('hex')}`, `bytes ${body.length}`]

/** Text of a body in UTF-8; null for other bytes. */
export function utf8Text(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

/** One value of a header; empty without one. */
export const headerText = (headers: SourceAnswer['headers'], name: string): string => [headers[name] ?? ''].flat().join(', ')
