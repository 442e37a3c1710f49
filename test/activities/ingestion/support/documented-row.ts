import { readFileSync } from 'node:fs'

const PAGE = readFileSync(new URL('../../../../docs/sources.md', import.meta.url), 'utf8')

/** Cells of the row of a request in the page on sources: address, parameters, headers. Throws for a request without a row. */
export const documentedRow = (request: string): string[] => {
  const rows = PAGE.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const row = rows.find(([, name]) => name === request)
  if (row === undefined) throw new Error(`docs/sources.md has no row "${request}"`)
  return row.slice(2, -1)
}

/** Headers of a request, without those that each HTTP client sends. */
export const ownHeaders = (headers: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(headers).filter((name) => !['host', 'connection', 'accept-encoding', 'user-agent'].includes(name))
