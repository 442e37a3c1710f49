import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { ACTIONS } from '../../console/actions/all.ts'
import { PAGES } from '../../console/pages/all.ts'
import { type OperationSpec, rolesAllowed } from '../../schemas/operations/operation.ts'
import { OPERATIONS, type OperationId, operationList } from '../../schemas/operations/registry.ts'
import { membersAt } from './support/published.ts'
import { scriptedView } from './support/view.ts'

/** Operations of a role that no page or action names: parts of a page, what the Temporal UI gets, and two that docs/console.md leaves to programs. */
const ELSEWHERE = ['convertPayloads', 'createJob', 'getAdminStatus', 'getSessionMoney', 'replayVerifier']

test('the console has a page or an action for every operation that needs a role', () => {
  const named = new Set<string>([
    ...PAGES.flatMap(({ operations }) => operations),
    ...ACTIONS.flatMap(({ operation, reads = [] }) => [operation, ...reads]),
  ])
  const missing = operationList.filter((spec) => rolesAllowed(spec).length > 0 && !named.has(spec.id)).map(({ id }) => id)
  expect(missing.sort()).toEqual(ELSEWHERE)
})

/** Members of the query of an operation, with the values that each takes. */
const queryOf = (id: OperationId): Record<string, { enum?: readonly string[] }> => {
  const { query } = OPERATIONS[id] as OperationSpec
  const { properties = {} } = query === undefined ? {} : z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  return properties as Record<string, { enum?: readonly string[] }>
}

test('a filter of a list offers what the API takes, and all of it', async () => {
  const compared: string[] = []
  for (const page of PAGES) {
    const [operation] = page.operations
    if (operation === undefined) continue
    const empty = new Proxy({ nextCursor: null }, { get: (known, name) => (name in known ? Reflect.get(known, name) : []) })
    const { view } = scriptedView(page.path, {}, Object.fromEntries(page.operations.map((id) => [id, empty])))
    const shown = await page.show(view).catch(() => null)
    for (const [, name = '', options = ''] of shown?.body.html.matchAll(/<select [^>]*name="([a-zA-Z]+)">([\s\S]*?)<\/select>/g) ?? []) {
      // The state of a job is any text of a query; its answers enumerate it.
      const taken = page.path === '/jobs' ? membersAt(operation, ['jobs', 0, 'effectiveState']) : queryOf(operation)[name]?.enum
      if (taken === undefined) continue
      compared.push(`${page.path} ${name}`)
      const offered = [...options.matchAll(/value="([^"]+)"/g)].map(([, value]) => value)
      expect([page.path, name, offered.sort()]).toEqual([page.path, name, [...taken].sort()])
    }
  }
  expect(compared).toEqual(
    expect.arrayContaining(['/jobs state', '/source-items provider', '/postings status', '/runs status', '/webhooks state']),
  )
})
