import { readFileSync } from 'node:fs'

/** Cells of the rows of docs/sources.md by the name of their request. */
const rows = new Map(
  readFileSync('docs/sources.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, request = '', ...cells]): [string, string[]] => [request, cells.slice(0, -1)]),
)

/** Cells of the row of a request: address, parameters, headers. Throws for a request without a row. */
export const documentedRow = (request: string): string[] => {
  const row = rows.get(request)
  if (row === undefined) throw new Error(`docs/sources.md has no row "${request}"`)
  return row
}

/** What docs/sources.md does not say of a request: texts that its row lacks. */
export const undocumented = (request: string, texts: readonly string[]): string[] => {
  const row = rows.get(request)?.join(' ')
  return row === undefined ? [`the row ${request}`] : texts.filter((text) => !row.includes(`\`${text}\``))
}

/** Headers of the requests to every source. */
const SHARED = new Set(['accept-encoding', 'connection', 'host', 'user-agent'])

/** Headers of a request that only this source gets; the user agent has the contact of the operator. */
export const ownHeaders = (headers: Readonly<Record<string, string>>): string[] => [
  ...Object.keys(headers).filter((name) => !SHARED.has(name)),
  ...(/^[\w-]+\/\S+ \(https:\/\/work\.example\/contact\) \S+\/\S+$/.test(headers['user-agent'] ?? '') ? [] : ['user-agent']),
]

/** Texts in backticks of a cell. */
const codeOf = (cell: string): string[] => [...cell.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code)

/** `GET /repos/{owner}/{name}` of a row as a pattern for requests; a path or folder may have several parts. */
const addressPattern = (cell: string): RegExp => {
  const address = cell.replaceAll('`', '').replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${address.replace(/\{(path|folder)\}/g, '.*').replace(/\{[a-z]+\}/g, '[^/]+')}$`)
}

/**
 * How a request differs from the row of its name: its address and its parameters, of which the row gives names, and values as `name=value`.
 * Parameters may also be the members of a body.
 */
export const differences = (
  request: string,
  sent: { method: string; path: string; params: Readonly<Record<string, string>> } | undefined,
): string[] => {
  if (sent === undefined) return ['it was not sent']
  const [address = '', parameters = ''] = documentedRow(request)
  const documented = codeOf(parameters.split(';')[0] ?? '').map((code) => code.split('=') as [string, string?])
  const { method, path, params } = sent
  const names = [...new Set([...documented.map(([name]) => name), ...Object.keys(params)])].sort()
  return [
    ...(addressPattern(address).test(`${method} ${path}`) ? [] : [`${method} ${path} is not ${address}`]),
    ...names.filter((name) => !documented.some(([one]) => one === name) || !(name in params)).map((name) => `parameter ${name}`),
    ...documented.filter(([name, value]) => value !== undefined && params[name] !== value).map(([name]) => `value of ${name}`),
  ]
}
