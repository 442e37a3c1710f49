import { afterEach, describe, expect, test } from '@jest/globals'
import type { SourceFault } from '../../local/sources/faults.ts'
import { readFaults } from '../../local/sources/faults.ts'
import { type LocalSources, startSources } from '../../local/sources/server.ts'
import { faultOf, sourceHttp } from '../activities/ingestion/support/source-world.ts'

const LONG = 'x'.repeat(5_000)
const toy = (name: string) => ({
  name,
  answer: ({ url, body }: { url: URL; body: string }) => ({
    status: 200,
    type: 'application/json',
    body: JSON.stringify({ name, path: `${url.pathname}${url.search}`, body, text: LONG }),
    headers: { etag: `"${url.search}"` },
  }),
})

let sources: LocalSources
afterEach(() => sources.stop())

const start = async (faults: SourceFault[] = []): Promise<void> => {
  sources = await startSources({ sources: [toy('toy'), toy('other')], faults })
}
const http = (change: Parameters<typeof sourceHttp>[1] = {}) => sourceHttp([sources.host], { timeoutMs: 2_000, ...change })
const read = async (path: string, client = http()): Promise<unknown> =>
  (await client.getJson({ url: `${sources.url}${path}`, maxBytes: 64 * 1024 })).value
const script = (path: string, method: string, body?: unknown): Promise<Response> =>
  fetch(`${sources.url}/_script${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })

describe('the server of local sources', () => {
  test('answers each by its name, with a coding and a validator, and records what was asked', async () => {
    await start()
    const client = http()
    expect(await read('/toy/list?page=2', client)).toMatchObject({ name: 'toy', path: '/list?page=2' })
    const url = `${sources.url}/toy/list?page=2`
    const again = await client.getJson({ url, maxBytes: 64 * 1024 })
    expect(again.answer.unchanged).toBe(true)
    await client.getJson({ url: `${sources.url}/other`, json: { queries: [] }, maxBytes: 64 * 1024 })
    expect(await faultOf(read('/nowhere/'))).toEqual(['source_refused'])
    const records = (await (await script('/requests', 'GET')).json()) as { headers: Record<string, string> }[]
    expect(records).toMatchObject([
      { name: 'toy', method: 'GET', path: '/list?page=2', body: '' },
      { name: 'toy', method: 'GET', path: '/list?page=2', headers: { 'if-none-match': '"?page=2"' } },
      { name: 'other', method: 'POST', path: '/', body: '{"queries":[]}' },
    ])
    expect(records[0]?.headers['user-agent']).toMatch(/^agent-work-service/)
    await script('/requests', 'DELETE')
    expect(sources.takeRequests()).toEqual([])
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
    expect([plain.headers.get('content-encoding'), (await fetch(url)).headers.get('content-encoding')]).toEqual([null, 'gzip'])
  })

  test.each<[SourceFault['kind'], unknown[]]>([
    ['slow', ['source_unreadable']],
    ['403', ['source_refused']],
    ['429', ['source_rate_limited', 1]],
    ['500', ['source_unreadable']],
    ['cut', ['source_unreadable']],
    ['wrong_json', ['source_unreadable']],
    ['html', ['source_unreadable']],
    ['huge', ['source_too_large']],
    ['gzip', ['source_too_large']],
  ])('answers with the fault %s as often as the script says', async (kind, fault) => {
    await start()
    const isRepeated = kind === '500' || kind === 'cut'
    expect((await script('/faults', 'POST', { name: 'toy', path: '/list', kind, times: isRepeated ? 3 : 1 })).status).toBe(204)
    expect(await read('/other/list')).toMatchObject({ name: 'other' })
    expect(await read('/toy/item')).toMatchObject({ name: 'toy' })
    expect(await faultOf(read('/toy/list', http(kind === 'slow' ? { timeoutMs: 200 } : {})))).toEqual(fault)
    expect(await read('/toy/list')).toMatchObject({ name: 'toy' })
  })

  test('repeats the last page for a page that changed meanwhile', async () => {
    await start([{ name: 'toy', path: 'page=2', kind: 'changed_page' }])
    expect(await read('/toy/list?page=1')).toMatchObject({ path: '/list?page=1' })
    expect(await read('/toy/list?page=2')).toMatchObject({ path: '/list?page=1' })
    expect(await read('/toy/list?page=2')).toMatchObject({ path: '/list?page=2' })
  })

  test('answers every third request of a configuration with its fault until the script ends it', async () => {
    await start(readFaults('[{"name":"*","kind":"403","every":3}]'))
    const outcomes = async (): Promise<boolean[]> => {
      const results: boolean[] = []
      for (let index = 0; index < 6; index += 1) results.push((await fetch(`${sources.url}/toy/list`)).ok)
      return results
    }
    expect(await outcomes()).toEqual([true, true, false, true, true, false])
    await script('/faults', 'DELETE')
    expect(await outcomes()).toEqual([true, true, true, true, true, true])
  })

  test.each(['nonsense', '[{"name":"osv","kind":"haunted"}]', '[{"name":"osv","kind":"403","oddly":1}]'])(
    'refuses the configuration %s',
    async (text) => {
      await start()
      expect(() => readFaults(text)).toThrow()
      expect((await script('/faults', 'POST', { name: 'osv', kind: 'haunted' })).status).toBe(400)
    },
  )
})
