import { describe, expect, test } from '@jest/globals'
import { errorsOf } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { accounts, tokenOf } from '../../support/api.ts'
import { useApi } from '../support/started.ts'

const api = useApi({
  settings: { OPERATOR_KEY: '', ADMIN_WALLETS: accounts.admin.address, VERIFIER_WALLETS: accounts.admin.address },
})

describe('an API without an operator key', () => {
  const sending = operationList.filter(({ needsOperator }) => needsOperator === true)

  test('lists the operations that send', () => {
    expect(sending.map(({ id }) => id).sort()).toEqual([
      'claimJob',
      'createJob',
      'decideDispute',
      'decideReview',
      'fireTemplate',
      'fundAccount',
      'overturnSession',
      'runVerifier',
      'submitWork',
    ])
    for (const spec of sending) expect(errorsOf(spec)).toContain('chain_backend_required')
  })

  test('answers each of them with what is missing, to callers who have a token', async () => {
    const token = await tokenOf(api, accounts.admin)
    for (const { id, path, method, examples } of sending) {
      const [at, sent] = [path.replaceAll(/:\w+/g, 'some-id'), { method, body: examples?.body }]
      const { status, body } = await api.call(at, { ...sent, token, headers: { 'idempotency-key': `without-operator-${id}` } })
      expect([id, status, body.code, body.reason]).toEqual([id, 503, 'chain_backend_required', 'operator_key_missing'])
      expect([id, (await api.call(at, sent)).status]).toEqual([id, 401])
    }
  })

  test('serves reads', async () => {
    for (const path of ['/health', '/onboarding', '/openapi.json']) expect((await api.call(path)).status).toBe(200)
    expect((await api.call('/auth/session', { token: await tokenOf(api, accounts.worker) })).status).toBe(200)
  })
})
