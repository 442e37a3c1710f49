import { describe, expect, test } from '@jest/globals'
import type { Api } from '../../support/api.ts'
import { useApis } from '../support/started.ts'
import { createBrowser, OAUTH, requestOf } from './support.ts'

const { start } = useApis()
const startBehindProxy = (): Promise<Api> =>
  start({ ...OAUTH, now: Date.parse('2027-01-01T00:00:00.000Z'), settings: { ...OAUTH.settings, TRUSTED_PROXIES: '1' } })

/** Names a client by the document of another host, which the guard refuses to read. */
let host = 0
const ask = async (api: Api, from: string): Promise<unknown[]> => {
  host += 1
  const { target } = requestOf(`https://127.0.${host >> 8}.${host & 255}/client`)
  const { status, text } = await createBrowser(api).send(target, { headers: { 'x-forwarded-for': from } })
  const { code, details } = JSON.parse(text)
  return [status, code, ...(details?.bucket === undefined ? [] : [details.bucket])]
}

describe('documents of clients that one address names', () => {
  test('are read ten times a minute over all processes, and leave those of other addresses alone', async () => {
    const [one, two] = [await startBehindProxy(), await startBehindProxy()]
    for (let count = 0; count < 10; count++) expect(await ask(count % 2 ? one : two, '1.1.1.1')).toEqual([400, 'oauth_request_refused'])
    for (const api of [one, two]) expect(await ask(api, '1.1.1.1')).toEqual([429, 'rate_limited', 'oauth_documents'])
    expect(await ask(one, '8.8.8.8')).toEqual([400, 'oauth_request_refused'])
    one.clock.at = Date.parse('2027-01-01T00:01:00.000Z')
    expect(await ask(one, '1.1.1.1')).toEqual([400, 'oauth_request_refused'])
  })
})
