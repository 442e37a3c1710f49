import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { operationList } from '../../../schemas/operations/registry.ts'

interface Node {
  $ref?: string
  type?: string
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  $defs?: Record<string, Node>
}

/** Bodies that one record has and a row has not: work, pinned terms, evidence, history. */
const BODIES = ['submission', 'jobSnapshot', 'evidence', 'timeline', 'statusHistory']
/** Short lists that a row is about: what to do, what is missing, who signed, the newest badges and losses. */
const SHORT = ['nextActions', 'blockers', 'signers', 'badges', 'slashEvents']

/** A list that a job has in its own definition; no row of a list of jobs has it. */
const ALONE = ['expectedOutputs']

/** Members of a row that belong to the record alone: bodies, and lists of objects. */
const embeddedIn = (root: Node, row: Node): string[] => {
  const resolve = ({ $ref, ...node }: Node): Node => ($ref === undefined ? node : (root.$defs?.[$ref.split('/').at(-1) ?? ''] ?? {}))
  const at = resolve(row)
  const isList = (node: Node): boolean => [resolve(node), ...(node.anyOf ?? [])].some(({ items }) => resolve(items ?? {}).type === 'object')
  const own = Object.entries(at.properties ?? {}).filter(
    ([name, node]) => BODIES.includes(name) || (isList(node) && !SHORT.includes(name) && !ALONE.includes(name)),
  )
  return [...own.map(([name]) => name), ...(at.anyOf ?? []).flatMap((form) => embeddedIn(root, form))]
}

const lists = operationList.flatMap(({ id, responses }) => {
  const root = z.toJSONSchema(responses[200] ?? z.never(), { io: 'input', unrepresentable: 'any' }) as Node
  if (root.properties?.nextCursor === undefined) return []
  return Object.entries(root.properties).flatMap(([name, { items }]) =>
    items === undefined ? [] : [[`${id} ${name}`, root, items] as const],
  )
})

test('every list of the service is compared', () => {
  expect(lists.map(([name]) => name)).toEqual(expect.arrayContaining(['listDisputes disputes', 'listSessions sessions', 'listJobs jobs']))
})

test.each(lists)('a row of %s embeds no body and no list', (_name, root, row) => {
  expect(embeddedIn(root, row)).toEqual([])
})
