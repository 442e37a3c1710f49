import { readFileSync } from 'node:fs'
import type { OperationSpec } from '../../schemas/operations/operation.ts'

/** Operation id → status → body, recorded from a real stack by `npm run examples`. */
const RECORDED = JSON.parse(readFileSync(new URL('./answers.json', import.meta.url), 'utf8')) as Record<string, Record<string, unknown>>

/** Example body of an answer: the operation's own example, else the recorded one, else undefined. */
export const answerExample = ({ id, examples }: Pick<OperationSpec, 'id' | 'examples'>, status: number): unknown =>
  examples?.responses?.[status] ?? RECORDED[id]?.[status]
