// Writes each result of a test run in one line, behind a word that only this process knows: it stood on standard input, which is now read.
import { readFileSync } from 'node:fs'

const nonce = readFileSync(0, 'utf8')

const statusOf = (type, { skip, todo, details }) => {
  if (skip !== undefined && skip !== false) return 'skipped'
  if (todo !== undefined && todo !== false) return 'skipped'
  if (details?.error?.failureType === 'cancelledByParent') return 'cancelled'
  return type === 'test:pass' ? 'passed' : 'failed'
}

// biome-ignore lint/style/noDefaultExport: Node takes a reporter by its default export
export default async function* report(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { name, nesting, file } = data
    yield `${nonce} ${JSON.stringify({ name, nesting, file: file ?? '', status: statusOf(type, data) })}\n`
  }
}
