import type { JobDefinition, JsonValue } from '../../schemas/catalogue/job-definition.ts'

/** Source types and spellings by the group they are filtered under. Source: http, "GET /jobs". */
const GROUPS: Record<string, readonly string[]> = {
  external: ['external'],
  codehost: ['codehost', 'codehost_issue', 'github'],
  wikipedia: ['wikipedia', 'wiki', 'wikipedia_article'],
  open_data: ['open_data', 'open_data_dataset', 'data_gov', 'datagov'],
  openapi: ['openapi', 'open_api', 'openapi_spec'],
  osv: ['osv', 'osv_advisory'],
  standards: ['standards', 'standards_spec'],
}

/** Group a word of the `source` filter stands for; an unknown word stands for itself. */
export function sourceGroup(word: string): string {
  const plain = word.trim().toLowerCase().replaceAll('-', '_')
  return Object.keys(GROUPS).find((group) => GROUPS[group]?.includes(plain)) ?? plain
}

/** Raw source type of a job, or its category when it has no source. */
export const sourceTypeOf = ({ source, category }: JobDefinition): string => source?.type ?? category

/** Group a job is filtered under. */
export const sourceGroupOf = (definition: JobDefinition): string => sourceGroup(sourceTypeOf(definition))

const DETAIL_LENGTH = 180

/** Short members of a source for a compact row; texts that are long, lists and objects stay with the full definition. */
export function sourceDetails({ source }: JobDefinition): Record<string, JsonValue> | undefined {
  if (source === undefined) return undefined
  const short = ([member, value]: [string, JsonValue]) =>
    member !== 'type' && (typeof value === 'object' ? value === null : typeof value !== 'string' || value.length <= DETAIL_LENGTH)
  return Object.fromEntries(Object.entries(source).filter(short))
}
