import { afterEach, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { accounts } from '../../support/api.ts'
import { useApi } from '../support/started.ts'
import { connect, createBrowser, messageIn, OAUTH, register, requestOf, TERMS } from './support.ts'

const api = useApi(OAUTH)
const { worker, other } = accounts
const rows = () => api.deps.database.rows

/** Lets the database refuse every record of a kind that is written where `condition` holds, as if the process ended before it. */
const refuse = async (condition: string): Promise<void> => {
  await sql
    .raw(`create function refuse_record() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse_record before insert or update on oauth_record for each row when (${condition}) execute function refuse_record()`)
    .execute(rows())
}
const admit = (): Promise<unknown> => sql.raw('drop function if exists refuse_record cascade').execute(rows())
afterEach(admit)

const kept = async (model: string): Promise<number> =>
  (await rows().selectFrom('oauth_record').select('id').where('model', '=', model).execute()).length
const delegatesOf = async (wallet: string): Promise<number> =>
  (await rows().selectFrom('capability_grant').select('id').where('subject', '=', wallet.toLowerCase()).execute()).length

/** A request whose message the wallet has signed, before the signature is sent. */
const signed = async (account: typeof worker) => {
  const browser = createBrowser(api)
  const { location } = await browser.send(requestOf((await register(api)).body.client_id).target)
  const { text } = await browser.send(`${location}/terms`, { form: [['wallet', account.address], ...TERMS] })
  const message = messageIn(text)
  const form: [string, string][] = [
    ['message', message],
    ['signature', await account.signMessage({ message })],
  ]
  return { browser, sign: () => browser.send(`${location}/sign`, { form }) }
}

describe('outages within a request of OAuth', () => {
  test('a code whose tokens were not stored is not used', async () => {
    const { exchange, refresh } = await connect(api)
    await refuse(`new.model = 'RefreshToken'`)
    expect((await exchange()).status).toBeGreaterThanOrEqual(500)
    await admit()
    const { status, body } = await exchange()
    expect(status).toBe(200)
    expect((await refresh(body.refresh_token)).status).toBe(200)
  })

  test('a refresh token whose successor was not stored is not used, so a repeat after the grace gets one', async () => {
    const { exchange, refresh } = await connect(api)
    const first = (await exchange()).body.refresh_token
    await refuse(`new.model = 'RefreshToken' and new.consumed_at is null`)
    expect((await refresh(first)).status).toBeGreaterThanOrEqual(500)
    await admit()
    api.clock.at = Date.now() + 31_000
    try {
      expect((await refresh(first)).status).toBe(200)
    } finally {
      api.clock.at = null
    }
  })

  test.each([
    ['its record for the authorisation server', `new.model = 'Grant'`],
    ['the answer of its request', `new.model = 'Interaction' and new.payload ? 'result'`],
  ])('a grant without %s is not made, and the same signature makes it after the outage', async (_name, condition) => {
    const { browser, sign } = await signed(other)
    const before = await delegatesOf(other.address)
    await refuse(condition)
    expect((await sign()).status).toBeGreaterThanOrEqual(500)
    expect(await delegatesOf(other.address)).toBe(before)
    await admit()
    const { status, location } = await sign()
    expect([status, await delegatesOf(other.address)]).toEqual([303, before + 1])
    expect(new URL((await browser.send(location)).location).searchParams.get('code')).toMatch(/./)
  })

  test('an answer that got no code gets one from the same address after the outage', async () => {
    const { browser, sign } = await signed(worker)
    const { location } = await sign()
    await refuse(`new.model = 'AuthorizationCode'`)
    expect((await browser.send(location)).status).toBeGreaterThanOrEqual(500)
    await admit()
    expect(new URL((await browser.send(location)).location).searchParams.get('code')).toMatch(/./)
  })

  test('of four browsers led back at once one gets a code, and the request has ended for the others', async () => {
    const { browser, sign } = await signed(worker)
    const { location } = await sign()
    const before = await kept('AuthorizationCode')
    const all = await Promise.all(Array.from({ length: 4 }, () => browser.send(location)))
    expect(all.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404])
    const ended = all.filter(({ status }) => status === 404).map(({ text }) => JSON.parse(text).code)
    expect(ended).toEqual(Array(3).fill('oauth_request_ended'))
    expect(await kept('AuthorizationCode')).toBe(before + 1)
    const again = await browser.send(location)
    expect([again.status, JSON.parse(again.text).code]).toEqual([404, 'oauth_request_ended'])
  })
})
