import { expect, test } from '@jest/globals'
import { ACTIONS } from '../../console/actions/all.ts'
import { PAGES } from '../../console/pages/all.ts'
import { rolesAllowed } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'

/** Operations of a role that no page or action names: parts of a page, and two that docs/console.md leaves to programs. */
const ELSEWHERE = ['createJob', 'getAdminStatus', 'getSessionMoney', 'replayVerifier']

test('the console has a page or an action for every operation that needs a role', () => {
  const named = new Set<string>([
    ...PAGES.flatMap(({ operations }) => operations),
    ...ACTIONS.flatMap(({ operation, reads = [] }) => [operation, ...reads]),
  ])
  const missing = operationList.filter((spec) => rolesAllowed(spec).length > 0 && !named.has(spec.id)).map(({ id }) => id)
  expect(missing.sort()).toEqual(ELSEWHERE)
})
