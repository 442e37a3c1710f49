// The examples of GET /openapi.json are answers that a real stack gave: `npm run examples` keeps them while the contract suite runs.
import { readFileSync, writeFileSync } from 'node:fs'
import type { OperationSpec } from '../../../../schemas/operations/operation.ts'
import { operationList } from '../../../../schemas/operations/registry.ts'
import { normalise } from './normalise.ts'

const FILE = new URL('../../../../api/discovery/answers.json', import.meta.url)
/** Pages and documents without a recorded example. */
export const OWN_EXAMPLES: readonly string[] = [
  'getOpenApi',
  'getHome',
  'getConsentPage',
  'chooseTerms',
  'getDocs',
  'getGuides',
  'getGuide',
  'getDocsSubject',
  'getErrors',
  'getError',
  'getMetrics',
  'getVerifyPage',
  'getVerifyModule',
  'streamEvents',
  'getLlmsText',
  'getMcpServer',
  'getRobotsText',
  'getSitemap',
  'getBadgePicture',
  'getBadgeImage',
  'getSecurityText',
  'getLlmsFullText',
]
/** Operations whose first answer is the good one; of the others a later one may say more. */
const GOOD_FIRST = ['validateSubmission', 'preflightJob', 'explainEligibility', 'recommendJobs']
const MOST_OBJECTS = 1
const MOST_VALUES = 3
/** Lists whose length is part of their shape. */
const WHOLE = ['starterFlow', 'entrypoints']

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The same with short lists: one object, or a few plain values. */
const shortened = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) {
    const most = WHOLE.includes(name) ? value.length : value.some(isObject) ? MOST_OBJECTS : MOST_VALUES
    return value.slice(0, most).map((item) => shortened(item))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member, key)]))
}

type Answers = Record<string, Record<string, unknown>>

/**
 * Records answers of operations that have no example, or one that the document no longer allows; of each the first, or a later one with
 * more members. To record an example anew, delete it. Does nothing unless examples are asked for.
 */
export const createAnswerBook = (base: string) => {
  const known = JSON.parse(readFileSync(FILE, 'utf8')) as Answers
  const recorded: Answers = {}
  const isAsked = process.env.RECORD_EXAMPLES !== undefined
  return {
    /** `fits` tells whether the document allows a body as this answer. */
    note: (operationId: string, status: number, body: unknown, fits: (body: unknown) => boolean): void => {
      if (!isAsked || status >= 300 || !isObject(body) || OWN_EXAMPLES.includes(operationId)) return
      const example = known[operationId]?.[status]
      if (example !== undefined && fits(example)) return
      recorded[operationId] ??= {}
      const before = recorded[operationId][status]
      const saysMore = isObject(before) && !GOOD_FIRST.includes(operationId) && Object.keys(body).length > Object.keys(before).length
      if (before === undefined || saysMore) recorded[operationId][status] = normalise(shortened(body), base)
    },
    /** Writes the examples of what the registry still has. */
    write: (): void => {
      if (!isAsked) return
      const answersOf = ({ id, responses }: OperationSpec): Answers[string] =>
        Object.fromEntries(
          Object.keys(responses).flatMap((status) => {
            const answer = recorded[id]?.[status] ?? known[id]?.[status]
            return answer === undefined ? [] : [[status, answer]]
          }),
        )
      const all = operationList.map((spec) => [spec.id, answersOf(spec)] as const)
      writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all.filter(([, answers]) => Object.keys(answers).length > 0)), null, 2)}\n`)
    },
  }
}
