import { expect, test } from '@jest/globals'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })

test('the modes of verification are published, all five with fixtures, and their seeds are listed', async () => {
  const { handlers, details } = await world().expectCall(200, '/verifier/handlers')
  expect(handlers).toEqual(['benchmark', 'deterministic', 'human_fallback', 'codehost_pr', 'verification_profile'])
  for (const { fixtures } of details) expect(Math.min(fixtures.positive, fixtures.negative, fixtures.adversarial)).toBeGreaterThan(0)
  for (const id of ['pr-acme-widgets-118', 'governance-charter-feedback'])
    expect(await world().expectCall(200, `/jobs/definition?jobId=${id}`)).toMatchObject({ id })
})
