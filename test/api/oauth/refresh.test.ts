import { describe, expect, test } from '@jest/globals'
import { decodeJwt } from 'jose'
import { useApi, useApis } from '../support/started.ts'
import { callTool, connect, exchangeForm, OAUTH, RESOURCE } from './support.ts'

const api = useApi(OAUTH)
const apis = useApis()

/** Runs `work` with the clock of the service `ms` ahead. */
const later = async <Result>(ms: number, work: () => Promise<Result>): Promise<Result> => {
  api.clock.at = Date.now() + ms
  try {
    return await work()
  } finally {
    api.clock.at = null
  }
}

/** A client with its first tokens. */
const connected = async () => {
  const { clientId, exchange, refresh } = await connect(api)
  const { body } = await exchange()
  return { clientId, refresh, first: String(body.refresh_token), grantId: String(decodeJwt(body.access_token).capabilityGrantId) }
}

const topicsOf = async (grantId: string): Promise<string[]> =>
  (await api.deps.database.rows.selectFrom('event').select('topic').where('correlationId', '=', grantId).orderBy('id').execute()).map(
    ({ topic }) => topic,
  )

describe('refresh tokens of OAuth', () => {
  test('eight refreshes at once in two processes get one and the same successor, with access tokens of one grant', async () => {
    const { clientId, first, grantId } = await connected()
    const second = await apis.start({ ...OAUTH, databaseUrl: api.databaseUrl })
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: first, resource: RESOURCE }
    const all = await Promise.all(Array.from({ length: 8 }, (_, index) => exchangeForm(index % 2 ? api : second, '/oauth/token', form)))
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(all.map(({ body }) => body.refresh_token)).size).toBe(1)
    expect(all[0]?.body.refresh_token).not.toBe(first)
    expect(all.map(({ body }) => decodeJwt(body.access_token).capabilityGrantId)).toEqual(Array(8).fill(grantId))
    for (const { body } of all) expect((await callTool(api, 'listSessions', body.access_token)).status).toBe(200)
  })

  test('a repeat within 30 seconds gets the same successor also after that was used', async () => {
    const { refresh, first } = await connected()
    const { refresh_token: successor } = (await refresh(first)).body
    const next = (await refresh(successor)).body.refresh_token
    expect(new Set([first, successor, next]).size).toBe(3)
    const repeated = await later(29_000, () => refresh(first))
    expect([repeated.status, repeated.body.refresh_token]).toEqual([200, successor])
    expect((await refresh(successor)).body.refresh_token).toBe(next)
  })

  test.each([
    ['the first token', 0],
    ['a successor that two parties got', 1],
  ])('a use of %s 30 seconds after its first use ends the grant, and the wallet learns of it', async (_name, place) => {
    const { refresh, first, grantId } = await connected()
    const [owner, thief] = await Promise.all([refresh(first), refresh(first)])
    const newest = (await refresh(owner.body.refresh_token)).body.refresh_token
    const used = [first, thief.body.refresh_token][place]
    const answers = await later(30_000, async () => [await refresh(used), await refresh(newest)])
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(Array(2).fill([400, 'invalid_grant']))
    expect(await topicsOf(grantId)).toEqual(['delegate.grant', 'delegate.revoke'])
  })
})
