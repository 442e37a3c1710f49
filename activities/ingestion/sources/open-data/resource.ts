import { createHash } from 'node:crypto'
import { jsonFacts, tableFacts } from '../../../../domain/ingestion/resource-facts.ts'
import { boundLine } from '../../../../domain/ingestion/source-text.ts'
import type { OpenDataItem, OpenDataResource } from '../../../../schemas/ingestion/open-data.ts'
import { SourceFailure, type SourceHttp } from '../../source.ts'

/** Longest resource that a job is about, bytes. */
const MAX_BYTES = 8 * 1024 * 1024
const FAULT_MAX = 200

type Facts = Pick<OpenDataItem, 'facts' | 'resourceFault'>

const faulty = (detail: string): Facts => ({ facts: null, resourceFault: boundLine(detail, FAULT_MAX) })

/** The bytes as UTF-8 without a byte order mark; null where they are none. */
function decode(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return null
  }
}

const isPage = (text: string | null): boolean => /^\s*<(?:!doctype\s+html|html)\b/i.test(text?.slice(0, 1_000) ?? '')

/** Facts of the content by its format; none for a format without any. */
function contentFacts(format: string | null, text: string): string[] {
  if (format === 'CSV') return tableFacts(text)
  return format === 'JSON' || format === 'GEOJSON' ? jsonFacts(text) : []
}

/** Facts of fetched bytes: `sha256 <hex>`, `bytes <n>`, and what its format shows. */
export function factsOf(format: string | null, body: Buffer): Facts {
  if (body.length === 0) return faulty('The resource is empty.')
  const text = decode(body)
  if (isPage(text)) return faulty('The address answers a page for readers, not the data.')
  const content = text === null ? [] : contentFacts(format, text)
  return { facts: [`sha256 ${createHash('sha256').update(body).digest('hex')}`, `bytes ${body.length}`, ...content], resourceFault: null }
}

/**
 * Fetches the resource of a data set. A resource that cannot be read is a fault of it alone: only an exhausted budget throws, `SourceFailure`.
 */
export async function readFacts({ url, format }: OpenDataResource, http: Pick<SourceHttp, 'get'>): Promise<Facts> {
  try {
    const { body } = await http.get({ url, maxBytes: MAX_BYTES })
    return factsOf(format, body)
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.fault === 'budget_exhausted') throw error
    return faulty(`The resource could not be read (${error.fault}): ${error.message}.`)
  }
}
