import { CORE_SCHEMA, load } from 'js-yaml'
import { countOpenapi, type OpenapiDocument } from '../../../domain/ingestion/documents/count-openapi.ts'
import type { DocumentFault } from '../../../schemas/ingestion/documents/openapi.ts'
import { utf8Text } from './read-document.ts'

/** Bytes of a document: its reader takes up to forty times its length in memory, of JSON as of YAML. */
export const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024
/** An alias is one value however often it is named, so that aliases in aliases stay small. */
const YAML = { schema: CORE_SCHEMA, json: true, maxDepth: 200, maxAliases: 10_000 }

const parseYaml = (text: string): unknown => {
  try {
    return load(text, YAML)
  } catch {
    // The library documents that a text can fail in any way.
    return null
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Counts the parts of a document in JSON or YAML. Its media type is not asked for: servers name any. */
export function parseOpenapi(body: Buffer): OpenapiDocument | { fault: DocumentFault } {
  if (body.length > MAX_DOCUMENT_BYTES) return { fault: 'too_large' }
  const text = utf8Text(body)
  if (text === null || /^\s*</.test(text.slice(0, 1_000))) return { fault: 'not_a_document' }
  const parsed = parseJson(text)
  const counted = countOpenapi(parsed === undefined ? parseYaml(text) : parsed)
  return typeof counted === 'string' ? { fault: counted } : counted
}
