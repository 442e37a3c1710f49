import { expect, test } from '@jest/globals'
import { namedPullRequests } from '../../../domain/pull-requests/webhook-events.ts'

const event = (fullName: unknown, id?: unknown) => ({ repository: { id, full_name: fullName }, pull_request: { number: 7 } })

test('an event names its repository and pull request', () => {
  expect(namedPullRequests(event('owner/name'))).toEqual({ repo: 'owner/name', repoId: null, numbers: [7], shas: [] })
  expect(namedPullRequests(event('owner/name', 12))).toMatchObject({ repoId: 12 })
  for (const id of ['12', 1.5, null, {}]) expect(namedPullRequests(event('owner/name', id))).toMatchObject({ repoId: null })
})

test.each([['a\u0000b'], ['a\ud800b'], ['x'.repeat(202)], [7], [undefined]])('%j is no repository that could be looked up', (fullName) => {
  expect(namedPullRequests(event(fullName))).toBeNull()
})
