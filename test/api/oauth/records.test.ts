import { beforeEach, describe, expect, test } from '@jest/globals'
import { insertGrant, lockGrant, revokeGrant } from '../../../activities/identity/grants.ts'
import { consumeRecord, deleteEndedRecords, findRecord, rotateToken, writeClient, writeRecord } from '../../../activities/oauth/records.ts'
import { DAY_MS } from '../../../domain/common/instants.ts'
import { useApi } from '../support/started.ts'

const api = useApi()
const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-01-02T03:04:05.000Z')
const rows = () => api.deps.database.rows
const ids = async (): Promise<string[]> =>
  (await rows().selectFrom('oauth_record').select('id').orderBy('id').execute()).map(({ id }) => id)

beforeEach(() => rows().deleteFrom('oauth_record').execute())

const at = (now: number) => ({ now, graceSeconds: 30 })

describe('records of OAuth', () => {
  test.each(['AuthorizationCode', 'RefreshToken'])('the value of a %s stands nowhere in the database', async (model) => {
    const name = { model, id: 'the-secret-value' }
    await writeRecord(rows(), name, { jti: name.id, grantId: 'grant-0', accountId: 'a' }, 60, NOW)
    const stored = await rows().selectFrom('oauth_record').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(name.id)
    expect((await findRecord(rows(), name, at(NOW)))?.payload).toEqual({ jti: name.id, grantId: 'grant-0', accountId: 'a' })
    expect(await findRecord(rows(), { model, id: 'another-value' }, at(NOW))).toBeNull()
  })

  test('of eight uses of one code at once one passes', async () => {
    const name = { model: 'AuthorizationCode', id: 'once' }
    await writeRecord(rows(), name, { jti: 'once' }, 600, NOW)
    const uses = await Promise.all(Array.from({ length: 8 }, () => consumeRecord(rows(), name, NOW)))
    expect(uses.filter(Boolean)).toHaveLength(1)
    expect((await findRecord(rows(), name, at(NOW)))?.consumedAt).toBe(NOW)
  })

  const rotate = (id: string, now: number) =>
    api.deps.database.transaction((tx) => rotateToken(tx, id, { payload: { grantId: 'grant-0' }, seconds: 600 }, at(now)))

  test('eight rotations of one refresh token at once store one successor, whose value stands nowhere in the database', async () => {
    await writeRecord(rows(), { model: 'RefreshToken', id: 'first' }, { jti: 'first' }, 600, NOW)
    const all = new Set(await Promise.all(Array.from({ length: 8 }, () => rotate('first', NOW))))
    expect(all.size).toBe(1)
    const [successor] = all
    const stored = await rows().selectFrom('oauth_record').selectAll().execute()
    expect(stored).toHaveLength(2)
    expect(JSON.stringify(stored)).not.toContain(successor)
    expect(await findRecord(rows(), { model: 'RefreshToken', id: String(successor) }, at(NOW))).toMatchObject({ consumedAt: null })
  })

  test.each([
    [29_999, true],
    [30_000, false],
  ])('a used refresh token has its successor after %i ms: %s', async (after, isUsable) => {
    const name = { model: 'RefreshToken', id: 'again' }
    await writeRecord(rows(), name, { jti: 'again' }, 600, NOW)
    const successor = await rotate('again', NOW)
    expect((await findRecord(rows(), name, at(NOW + after)))?.consumedAt).toBe(isUsable ? null : NOW)
    expect(await rotate('again', NOW + after)).toBe(isUsable ? successor : null)
    // A use within the grace does not prolong it.
    expect((await findRecord(rows(), name, at(NOW + 30_000)))?.consumedAt).toBe(NOW)
  })

  test('a record is not found from its expiry on, and deleted after it', async () => {
    const name = { model: 'Interaction', id: 'short' }
    await writeRecord(rows(), name, {}, 60, NOW)
    expect(await findRecord(rows(), name, at(NOW + 59_999))).not.toBeNull()
    expect(await findRecord(rows(), name, at(NOW + 60_000))).toBeNull()
    await deleteEndedRecords(rows(), NOW + 60_001)
    expect(await ids()).toEqual([])
  })

  test('twenty registrations at once leave as many clients as the limit', async () => {
    const register = (index: number) =>
      api.deps.database.transaction((tx) => writeClient(tx, `client-${index}`, { client_name: 'x' }, 7, NOW))
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => register(index)))
    expect(made.filter(Boolean)).toHaveLength(7)
    expect(await ids()).toHaveLength(7)
  })

  test('a client is kept for an hour, for a day if it ever had a grant, and longer only with a live one', async () => {
    const grantTo = async (id: string, clientId: string) => {
      const subject = `0x${'1'.repeat(40)}`
      const grant = { id, subject, issuedBy: subject, issuedAt: NOW, expiresAt: NOW + 30 * DAY_MS }
      const proof = {
        terms: { scopes: [], bondPerDayRaw: '0', jobsPerDay: 0, tiers: [] },
        client: { name: 'x', host: null, id: clientId },
        message: 'x',
        signature: '0x',
      }
      const rest = {
        ...proof,
        kind: 'delegate' as const,
        capabilities: [],
        scope: null,
        note: null,
        jti: null,
        tokenExpiresAt: null,
        rotatedFrom: null,
      }
      await api.deps.database.transaction((tx) => insertGrant(tx, { ...grant, ...rest }))
      await writeRecord(rows(), { model: 'Grant', id }, { clientId }, 30 * 86_400, NOW)
    }
    for (const id of ['holds', 'revoked', 'idle']) await api.deps.database.transaction((tx) => writeClient(tx, id, {}, 10, NOW))
    await grantTo('grant-aaaaaaaaaaaa', 'holds')
    await grantTo('grant-bbbbbbbbbbbb', 'revoked')
    await api.deps.database.transaction(async (tx) => {
      const grant = await lockGrant(tx, 'delegate', 'grant-bbbbbbbbbbbb')
      if (grant === null) throw new Error('no grant')
      await revokeGrant(tx, grant, { by: 'x', at: NOW, note: null })
    })
    const keptAfter = async (ms: number): Promise<string[]> => {
      await deleteEndedRecords(rows(), NOW + ms)
      return (await ids()).filter((id) => !id.startsWith('grant-'))
    }
    expect(await keptAfter(HOUR_MS)).toEqual(['holds', 'idle', 'revoked'])
    expect(await keptAfter(HOUR_MS + 1)).toEqual(['holds', 'revoked'])
    expect(await keptAfter(DAY_MS)).toEqual(['holds', 'revoked'])
    expect(await keptAfter(DAY_MS + 1)).toEqual(['holds'])
  })
})
