// Facts of fetched bytes, as the jobs about documents and data sets ask for them.
import { createHash } from 'node:crypto'
import { load } from 'js-yaml'

type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): Members => (isObject(value) ? value : {})
const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

const pathsOf = (document: Members): Members[] =>
  Object.entries(objectOf(document.paths)).flatMap(([name, path]) => (name.startsWith('/') ? [objectOf(path)] : []))
const operationsOf = (document: Members): Members[] =>
  pathsOf(document).flatMap((path) => METHODS.map((method) => path[method]).filter(isObject))

/** Whether a value has a member `example` or `examples` at any depth. */
const hasExample = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(hasExample)
  return isObject(value) && ('example' in value || 'examples' in value || Object.values(value).some(hasExample))
}

/** Records of comma-separated text by RFC 4180, blank ones left out. */
function recordsOf(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/g)) {
    record.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
    if (end === ',') continue
    if (record.length > 1 || record[0] !== '') records.push(record)
    record = []
  }
  return records
}

const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Text of the first element `title`, on one line. */
function titleOf(html: string): string {
  const [, title = ''] = /<title(?:\s[^>]*)?>([\s\S]*?)<\/title/i.exec(html) ?? []
  const plain = title
    .replace(/&#(\d+);/g, (_, digits) => String.fromCodePoint(Number(digits)))
    .replace(/&#x([0-9a-f]+);/gi, (_, digits) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replace(/&([a-z]+);/gi, (whole, name) => REFERENCES[name] ?? whole)
  return plain.replace(/\s+/g, ' ').trim()
}

/** Value of each fact that a job can name. */
const FACTS: Readonly<Record<string, (bytes: Buffer) => string | number>> = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  bytes: (bytes) => bytes.length,
  title: (bytes) => titleOf(bytes.toString('utf8')),
  columns: (bytes) => (recordsOf(textOf(bytes))[0] ?? []).join(','),
  rows: (bytes) => Math.max(0, recordsOf(textOf(bytes)).length - 1),
  'top-level': (bytes) => (Array.isArray(JSON.parse(textOf(bytes))) ? 'array' : 'object'),
  entries: (bytes) => Object.keys(JSON.parse(textOf(bytes))).length,
  paths: (bytes) => pathsOf(documentOf(bytes)).length,
  operations: (bytes) => operationsOf(documentOf(bytes)).length,
  schemas: (bytes) => {
    const { components, definitions } = documentOf(bytes)
    return Object.keys(objectOf(objectOf(components).schemas ?? definitions)).length
  },
  'operations-without-description': (bytes) => operationsOf(documentOf(bytes)).filter(({ description }) => isBlank(description)).length,
  'operations-without-operation-id': (bytes) => operationsOf(documentOf(bytes)).filter(({ operationId }) => isBlank(operationId)).length,
  'operations-without-example': (bytes) => operationsOf(documentOf(bytes)).filter((operation) => !hasExample(operation)).length,
}

const textOf = (bytes: Buffer): string => bytes.toString('utf8').replace(/^\ufeff/, '')
/** JSON is YAML, too. */
const documentOf = (bytes: Buffer): Members => objectOf(load(textOf(bytes)))

/** A fact in the form of a submission: its name, a space and its value. Throws for a name that this agent does not know. */
export function stateFact(name: string, bytes: Buffer): string {
  const fact = FACTS[name]
  if (fact === undefined) throw new Error(`this agent cannot find the fact ${name}`)
  return `${name} ${fact(bytes)}`
}
