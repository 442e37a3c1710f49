// The examples of GET /openapi.json are answers that a real stack gave: `npm run examples` keeps them while the contract suite runs.
import { readFileSync, writeFileSync } from 'node:fs'
import { operationList } from '../../../schemas/operations/registry.ts'

const FILE = new URL('../../../api/documents/answers.json', import.meta.url)
/** What is its own example. */
const DOCUMENTS = ['getOpenApi', 'getDocs', 'getMetrics']
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

/** Keeps of every operation and status the first answer, or a later one with more members; does nothing unless examples are asked for. */
export const createAnswerBook = (base: string) => {
  const kept: Answers = {}
  const isAsked = process.env.RECORD_EXAMPLES !== undefined
  return {
    note: (operationId: string, status: number, body: unknown): void => {
      if (!isAsked || status >= 300 || !isObject(body) || DOCUMENTS.includes(operationId)) return
      kept[operationId] ??= {}
      const before = kept[operationId][status]
      if (!isObject(before) || Object.keys(body).length > Object.keys(before).length) kept[operationId][status] = shortened(body, base)
    },
    /** Replaces the examples of what was answered, in the order of the registry. */
    write: (): void => {
      if (!isAsked) return
      const known = JSON.parse(readFileSync(FILE, 'utf8')) as Answers
      const all = operationList.map(({ id }): [string, Answers[string]] => [id, { ...known[id], ...kept[id] }])
      writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all.filter(([, answers]) => Object.keys(answers).length > 0)), null, 2)}\n`)
    },
  }
}
