import type { JobDefinition } from '../../schemas/catalogue/job-definition.ts'

/** Source types and aliases of each group of the `source` filter. Source: http, "GET /jobs". */
const GROUPS: Record<string, readonly string[]> = {
  external: ['external'],
  codehost: ['codehost', 'codehost_issue', 'github'],
  wikipedia: ['wikipedia', 'wiki', 'wikipedia_article'],
  open_data: ['open_data', 'open_data_dataset', 'data_gov', 'datagov'],
  openapi: ['openapi', 'open_api', 'openapi_spec'],
  osv: ['osv', 'osv_advisory'],
  standards: ['standards', 'standards_spec'],
}

/** Group of a value of the `source` filter; an unknown value is its own group. */
export function sourceGroup(name: string): string {
  const plain = name.trim().toLowerCase().replaceAll('-', '_')
  return Object.keys(GROUPS).find((group) => GROUPS[group]?.includes(plain)) ?? plain
}

/** Group of a job in the `source` filter; a job without a source belongs to that of its category. */
export const sourceGroupOf = ({ source, category }: JobDefinition): string => sourceGroup(source?.type ?? category)

/**
 * `language:pageId:revisionId` of a job about one revision of an encyclopedia article, which a wallet is paid for once; null for every other
 * source. Source: lifecycle, "Paid source".
 */
export const revisionKey = ({ source }: { source?: unknown }): string | null => {
  const { type, language, pageId, revisionId } = (source ?? {}) as Readonly<Record<string, unknown>>
  const parts = [language, pageId, revisionId]
  const isComplete = parts.every((part) => typeof part === 'string' || typeof part === 'number')
  return sourceGroup(String(type)) === 'wikipedia' && isComplete ? parts.join(':') : null
}
