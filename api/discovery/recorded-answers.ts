import { readFileSync } from 'node:fs'
import type { OperationSpec } from '../../schemas/operations/operation.ts'

/** Pages and documents, which are their own examples. */
export const OWN_EXAMPLES: readonly string[] = ['getOpenApi', 'getDocs', 'getMetrics']

/** Operation id → status → body, as a real stack answered. `npm run examples` writes the file. */
const RECORDED = JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8')) as Record<string, Record<string, unknown>>

/** Body of an answer of this operation; what its specification says by hand comes first. Undefined where there is none. */
export const answerExample = ({ id, examples }: Pick<OperationSpec, 'id' | 'examples'>, status: number): unknown =>
  examples?.responses?.[status] ?? RECORDED[id]?.[status]
