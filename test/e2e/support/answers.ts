// The examples of GET /openapi.json are answers that a real stack gave: `npm run examples` keeps them while the contract suite runs.
import { readFileSync, writeFileSync } from 'node:fs'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'

const FILE = new URL('../../../api/discovery/answers.json', import.meta.url)
/** Pages and documents without a recorded example. */
export const OWN_EXAMPLES: readonly string[] = [
  'getOpenApi',
  'getDocs',
  'getMetrics',
  'getVerifyPage',
  'getVerifyStyle',
  'getVerifyModule',
  'streamEvents',
  'getLlmsText',
  'getLlmsFullText',
]
/** Operations whose first answer is the good one; of the others a later one may say more. */
const GOOD_FIRST = ['validateSubmission', 'preflightJob', 'explainEligibility', 'recommendJobs']
const MOST_OBJECTS = 1
const MOST_VALUES = 3
/** Lists whose length is part of their shape. */
const WHOLE = ['starterFlow', 'entrypoints']

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** No example holds a token, nor the ports of one machine. */
const publicText = (text: string, base: string): string =>
  text
    .replaceAll(base, 'https://work.example')
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'https://elsewhere.example')
    .replaceAll(new URL(base).host, 'work.example')
    .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'header.payload.signature')

/** The same with short lists: one object, or a few plain values. */
const shortened = (value: unknown, base: string, name = ''): unknown => {
  if (typeof value === 'string') return publicText(value, base)
  if (Array.isArray(value)) {
    const most = WHOLE.includes(name) ? value.length : value.some(isObject) ? MOST_OBJECTS : MOST_VALUES
    return value.slice(0, most).map((item) => shortened(item, base))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member, base, key)]))
}

type Answers = Record<string, Record<string, unknown>>

/** The same with a type in the place of each value. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (!isObject(value)) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]))
}

/** Keeps of every operation and status the first answer, or a later one with more members; does nothing unless examples are asked for. */
export const createAnswerBook = (base: string) => {
  const kept: Answers = {}
  const isAsked = process.env.RECORD_EXAMPLES !== undefined
  return {
    note: (operationId: string, status: number, body: unknown): void => {
      if (!isAsked || status >= 300 || !isObject(body) || OWN_EXAMPLES.includes(operationId)) return
      kept[operationId] ??= {}
      const before = kept[operationId][status]
      const saysMore = isObject(before) && !GOOD_FIRST.includes(operationId) && Object.keys(body).length > Object.keys(before).length
      if (before === undefined || saysMore) kept[operationId][status] = shortened(body, base)
    },
    /** Writes what the registry still has; an answer of the same shape as the known one leaves that as it is. */
    write: (): void => {
      if (!isAsked) return
      const known = JSON.parse(readFileSync(FILE, 'utf8')) as Answers
      const answersOf = ({ id, responses }: OperationSpec): Answers[string] =>
        Object.fromEntries(
          Object.keys(responses).flatMap((status) => {
            const [before, now] = [known[id]?.[status], kept[id]?.[status]]
            const stands = now === undefined || JSON.stringify(shapeOf(before)) === JSON.stringify(shapeOf(now))
            const answer = stands ? before : now
            return answer === undefined ? [] : [[status, answer]]
          }),
        )
      const all = operationList.map((spec) => [spec.id, answersOf(spec)] as const)
      writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all.filter(([, answers]) => Object.keys(answers).length > 0)), null, 2)}\n`)
    },
  }
}
