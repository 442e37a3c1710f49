import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { errorsOf } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { type Api, accounts, startApi, tokenOf } from '../../support/api.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
let api: Api
beforeAll(async () => {
  database = await createTestDatabase()
  api = await startApi({
    databaseUrl: database.url,
    settings: { OPERATOR_KEY: '', ADMIN_WALLETS: accounts.admin.address, VERIFIER_WALLETS: accounts.admin.address },
  })
})
afterAll(async () => {
  await api.close()
  await database.drop()
})

const pathOf = (path: string): string => path.replaceAll(/:\w+/g, 'some-id')

describe('an API without an operator key', () => {
  const sending = operationList.filter(({ needsOperator }) => needsOperator === true)

  test('knows which operations send', () => {
    expect(sending.map(({ id }) => id).sort()).toEqual([
      'claimJob',
      'createJob',
      'decideDispute',
      'decideReview',
      'fundAccount',
      'overturnSession',
      'runVerifier',
      'submitWork',
    ])
    for (const spec of sending) expect(errorsOf(spec)).toContain('chain_backend_required')
  })

  test.each(sending.map((spec) => [spec.id, spec] as const))('answers %s with what is missing', async (_id, spec) => {
    const token = await tokenOf(api, accounts.admin)
    const headers = { 'idempotency-key': `without-operator-${spec.id}` }
    const { status, body } = await api.call(pathOf(spec.path), { method: spec.method, token, headers, body: spec.examples?.body })
    expect([status, body.code, body.reason]).toEqual([503, 'chain_backend_required', 'operator_key_missing'])
    expect((await api.call(pathOf(spec.path), { method: spec.method, body: spec.examples?.body })).status).toBe(401)
  })

  test('serves reads', async () => {
    for (const path of ['/health', '/onboarding', '/openapi.json']) expect((await api.call(path)).status).toBe(200)
    expect((await api.call('/auth/session', { token: await tokenOf(api, accounts.worker) })).status).toBe(200)
  })
})
