import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { LIST, listOperations } from '../../client/generate/main.ts'
import { createClient } from '../../client/src/client.ts'
import { OPERATIONS, type OperationId } from '../../client/src/generated/operations.ts'
import { ANSWERS } from '../../client/src/generated/shapes.ts'
import { formatJson } from '../../client/src/json.ts'
import { accessOf, type OperationSpec } from '../../schemas/operations/operation.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { complete } from './support/complete-answer.ts'

test('the list of operations for reviews is what the registry gives: npm run client:types', () => {
  expect(readFileSync(LIST, 'utf8')).toBe(listOperations(operationList))
})

test('the client has one method for every operation, none of its own members hides one, and there is no other', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1' })
  const own = ['call', 'signIn', 'session', 'paginate', 'watch']
  const ids = operationList.map(({ id }) => id)
  expect(Object.keys(OPERATIONS)).toEqual(ids)
  expect(ids.filter((id) => own.includes(id))).toEqual([])
  expect(Object.keys(client).sort()).toEqual([...ids, ...own].sort())
})

/** Path and query of the example of an operation. */
const exampleUrl = ({ path, examples }: OperationSpec): string => {
  const filled = Object.entries(examples?.params ?? {}).reduce(
    (rest, [name, value]) => rest.replace(`:${name}`, encodeURIComponent(value)),
    path,
  )
  const query = new URLSearchParams(examples?.query).toString()
  return query === '' ? filled : `${filled}?${query}`
}

test.each(operationList.filter(({ streams }) => !streams))('$id sends its example to its route', async (spec) => {
  const isText = spec.produces !== undefined && !/\bjson\b/.test(spec.produces)
  const answer = isText ? 'text' : JSON.stringify(complete(ANSWERS[spec.id] ?? 'any', { limit: 1 }))
  const sent: { url: string; method: string | undefined; body: unknown; headers: Headers }[] = []
  const client = createClient({
    baseUrl: 'http://service.example/base/',
    token: 'a-token',
    fetch: async (url, init) => {
      sent.push({ url: String(url), method: init?.method, body: init?.body, headers: new Headers(init?.headers) })
      return new Response(answer, { headers: { 'content-type': spec.produces ?? 'application/json' } })
    },
  })
  const headers = Object.fromEntries(Object.keys(spec.rawBody?.headers ?? {}).map((name) => [name, 'value']))
  const body = spec.rawBody ? { body: '{"raw":1}' } : (spec.examples?.body as object | undefined)
  const input = { ...spec.examples?.params, ...spec.examples?.query, ...body, ...headers }
  const method = client[spec.id as Exclude<OperationId, 'streamEvents'>] as (input: object) => Promise<unknown>
  const got = await method(input)
  const asText = got instanceof Uint8Array ? new TextDecoder().decode(got) : got
  expect(isText ? asText : formatJson(got)).toBe(answer)
  const [request] = sent
  expect(request).toMatchObject({ method: spec.method, url: `http://service.example/base${exampleUrl(spec)}` })
  if (spec.rawBody) expect(request?.body).toBe('{"raw":1}')
  else if (spec.method === 'POST') expect(JSON.parse(String(request?.body))).toEqual(spec.examples?.body ?? {})
  else expect(request?.body).toBeUndefined()
  expect(request?.headers.get('authorization')).toBe(['none', 'metrics'].includes(accessOf(spec)) ? null : 'Bearer a-token')
  expect(request?.headers.has('idempotency-key')).toBe(spec.idempotent !== undefined)
  for (const name of Object.keys(headers)) expect(request?.headers.get(name)).toBe('value')
})
