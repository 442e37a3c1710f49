import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { SiweMessage } from 'siwe'
import { z } from 'zod'
import { externalBountiesOf, posterEntrypointOf, productsOf } from '../../../api/discovery/manifest.ts'
import { templatePath } from '../../../api/discovery/openapi.ts'
import { answerExample } from '../../../api/discovery/recorded-answers.ts'
import { startBlock } from '../../../api/discovery/starter-flow.ts'
import { createToolHandlers } from '../../../api/tools/handlers.ts'
import { frame } from '../../../domain/event-stream/envelope.ts'
import { VERIFIER_MODES } from '../../../schemas/catalogue/job-terms.ts'
import { TIERS } from '../../../schemas/common/tiers.ts'
import { ERRORS, type ErrorCode } from '../../../schemas/errors.ts'
import { accessOf, errorsOf, isTagged, type OperationSpec } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { OWN_EXAMPLES } from '../../e2e/support/examples/answers.ts'
import { startApi, testChain } from '../../support/api.ts'
import { closed } from '../../support/closed-schema.ts'
import { useApi } from '../support/started.ts'

const api = useApi({ settings: { MCP_HOSTS: '127.0.0.1' }, handlers: (deps) => createToolHandlers(deps) })
// biome-ignore lint/suspicious/noExplicitAny: documents are read as their readers do, without types.
type Document = any
let openapi: Document
let onboarding: Document
let manifest: Document
let docs: string

/** A response, or the component that it refers to. */
const resolved = (response: Document): Document =>
  response.$ref === undefined ? response : openapi.components.responses[response.$ref.split('/').at(-1)]
const responsesOf = ({ path, method }: OperationSpec): Record<string, Document> =>
  Object.fromEntries(
    Object.entries(openapi.paths[templatePath(path)][method.toLowerCase()].responses).map(([status, one]) => [status, resolved(one)]),
  )

beforeAll(async () => {
  openapi = (await api.call('/openapi.json')).body
  onboarding = (await api.call('/onboarding')).body
  manifest = (await api.call('/.well-known/agent-tools.json')).body
  docs = (await api.call('/docs')).text
})

describe('what the documents say of the service', () => {
  test('has one version, that of the package, in documents, health and tools', async () => {
    const { name, version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    const health = await api.call('/health')
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const tools = await api.call('/mcp', {
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
    })
    const { info } = openapi
    expect([onboarding, manifest, info, health.body].map((one) => one.version)).toEqual([version, version, version, version])
    expect(docs).toContain(`Version ${version},`)
    expect(info.description).toContain(`Build ${version}.`)
    expect(tools.body.result.serverInfo).toMatchObject({ name, version })
  })

  test('names a product as soon as the registry has a route of it, and no longer', () => {
    const serves = (path: string) => ({ path, method: 'POST' }) as OperationSpec
    const { verify, proofGatedEscrow, workReceipts } = productsOf([
      serves('/verify/runs'),
      serves('/poster/jobs/:id'),
      serves('/receiptsX'),
    ])
    expect(verify).toMatchObject({ available: true, entrypoints: ['POST /verify/runs'] })
    expect(proofGatedEscrow).toMatchObject({ available: true, entrypoints: ['POST /poster/jobs/:id'] })
    expect(workReceipts).toEqual({ available: false, reason: 'not_in_this_release' })
    const [none, posting] = [[serves('/jobs')], [serves('/jobs/draft'), serves('/poster/onboarding')]]
    expect([externalBountiesOf(none), posterEntrypointOf(none)]).toEqual([{ available: false, reason: 'not_in_this_release' }, null])
    expect(externalBountiesOf(posting)).toMatchObject({ available: true, entrypoints: ['POST /jobs/draft'] })
    expect(posterEntrypointOf(posting)).toBe('/poster/onboarding')
  })

  test('leads to schemas that exist, and to the route of profiles', () => {
    const { agentBadge, agentProfile, workReceipt } = manifest.schemas
    for (const schema of [agentBadge, agentProfile, workReceipt])
      expect(Object.keys(openapi.components.schemas)).toContain(schema.split('#/components/schemas/').at(-1))
    expect(Object.keys(openapi.paths)).toContain(manifest.profile.slice(manifest.baseUrl.length))
  })
})

describe('the error table', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[]

  test('gives each code a title, a meaning, a reaction and a status of HTTP', () => {
    const statuses = [400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 414, 415, 422, 429, 431, 500, 502, 503]
    const incomplete = codes.filter((code) => {
      const { title, meaning, reaction, status } = ERRORS[code]
      return title.length < 4 || ![meaning, reaction].every((text) => /^.{3,}\.$/.test(text)) || !statuses.includes(status)
    })
    expect(incomplete).toEqual([])
  })

  test('names no route that the service does not have', () => {
    const routes = operationList.map(({ method, path }) => `${method} ${path}`)
    const named = codes.flatMap((code) =>
      [...`${ERRORS[code].meaning} ${ERRORS[code].reaction}`.matchAll(/\b(?:GET|POST) \/[\w/:.-]*\w/g)].map(([route]) => route),
    )
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((route) => !routes.includes(route))).toEqual([])
  })
})

describe('OpenAPI', () => {
  test('has every operation, and nothing else', () => {
    const listed = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(listed.sort()).toEqual(operationList.map(({ method, path }) => `${method} ${templatePath(path)}`).sort())
    expect(openapi.openapi).toBe('3.1.0')
  })

  test('documents 304 for tagged operations only', async () => {
    const documented = operationList.filter(
      ({ path, method }) => '304' in openapi.paths[templatePath(path)][method.toLowerCase()].responses,
    )
    expect(documented.map(({ id }) => id)).toEqual(operationList.filter(isTagged).map(({ id }) => id))
    for (const { path } of documented.filter((spec) => accessOf(spec) === 'none' && !spec.params && !spec.query)) {
      const { headers } = await api.call(path)
      const again = await api.call(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
      if (headers.get('etag') !== null) expect([path, again.status]).toEqual([path, path.startsWith('/health') ? again.status : 304])
    }
  })

  test('resolves every reference', () => {
    const refs = [...JSON.stringify(openapi).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind = '', name = '']) => [
      kind,
      name,
    ])
    expect(refs.length).toBeGreaterThan(50)
    expect(JSON.stringify(openapi)).not.toContain('#/$defs/')
    expect(refs.filter(([kind = '', name = '']) => openapi.components[kind][name] === undefined)).toEqual([])
  })

  test('names for each operation every code it can answer with, under its status', () => {
    // A problem document with members of its own is one object.
    const codesIn = (schema: Document): string[] => (schema?.allOf?.[1] ?? schema)?.properties.code.enum ?? []
    for (const spec of operationList) {
      const named = Object.values(responsesOf(spec)).flatMap((response: Document) =>
        codesIn(response.content?.['application/problem+json']?.schema),
      )
      const expected = errorsOf(spec)
      expect([spec.id, [...named].sort()]).toEqual([spec.id, [...expected].sort()])
    }
  })

  test('describes path, query and key parameters, and who may call', () => {
    const claim = openapi.paths['/jobs/claim'].post
    expect(claim.parameters.map(({ name }: { name: string }) => name)).toEqual(['Idempotency-Key'])
    expect(claim.security).toEqual([{ SIWE_JWT: [] }])
    expect(openapi.paths['/jobs/{id}/estimate'].get.parameters[0]).toMatchObject({ name: 'id', in: 'path', required: true })
    expect(openapi.paths['/schemas/jobs/{name}.json'].get.parameters[0].name).toBe('name')
    const limit = openapi.paths['/jobs'].get.parameters.find(({ name }: { name: string }) => name === 'limit')
    expect([limit.in, limit.required]).toEqual(['query', false])
    expect(openapi.paths['/schemas/jobs'].get.security).toEqual([])
    expect(openapi.paths['/jobs/tiers'].get.security).toEqual([{}, { SIWE_JWT: [] }])
  })

  test('is accepted by a validator', () => {
    const validator = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } }).addSchema(openapi, 'openapi')
    const validate = validator.compile({ $ref: 'openapi#/components/schemas/Problem' })
    expect([validate({}), validate.errors?.[0]?.keyword]).toEqual([false, 'required'])
  })

  let ajv: Ajv2020
  /** Many operations answer with the same schema, which is compiled once. */
  const validators = new Map<string, ReturnType<Ajv2020['compile']>>()
  const validatorOf = (schema: object) => {
    ajv ??= new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } }).addSchema({
      $id: 'document',
      components: closed(openapi.components) as object,
    })
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const known = validators.get(text) ?? ajv.compile(JSON.parse(text))
    validators.set(text, known)
    return known
  }

  test('compiles every schema', () => {
    for (const spec of operationList)
      for (const response of Object.values(responsesOf(spec)))
        for (const media of Object.values(response.content ?? {}) as Document[]) expect(() => validatorOf(media.schema)).not.toThrow()
  })

  /** What asks for nothing has nothing to show. */
  const asks = ({ params, query, body, rawBody }: OperationSpec): boolean =>
    [params, query].some((shape) => Object.keys(shape?.shape ?? {}).length > 0) || body !== undefined || rawBody !== undefined

  test('shows an example of each request that its schema accepts', () => {
    const wrong = operationList.filter(asks).flatMap((spec) => {
      const operation = openapi.paths[templatePath(spec.path)][spec.method.toLowerCase()]
      const { params = {}, query = {}, body } = spec.examples ?? {}
      const parsed = [
        spec.params?.safeParse(params),
        spec.query?.safeParse(query),
        body === undefined ? undefined : spec.body?.safeParse(body),
      ]
      const shown: string[] = operation.parameters
        .filter(({ example }: Document) => example !== undefined)
        .map(({ name }: Document) => name)
      const media = operation.requestBody?.content[spec.rawBody?.type ?? 'application/json']
      const validate = media && validatorOf(media.schema)
      const faults = {
        'no example': media === undefined && shown.length === 0,
        'is refused': parsed.some((result) => result?.success === false),
        'other parameters': String(shown.sort()) !== String([...Object.keys(params), ...Object.keys(query)].sort()),
        'another body': media !== undefined && !isDeepStrictEqual(media.example, body),
        'does not match the schema': validate !== undefined && !validate(media.example),
      }
      return Object.entries(faults).flatMap(([fault, isFound]) =>
        isFound ? [`${spec.id}: ${fault} ${ajv.errorsText(validate?.errors)}`] : [],
      )
    })
    expect(wrong).toEqual([])
  })

  const successes = operationList
    .filter(({ id }) => !OWN_EXAMPLES.includes(id))
    .flatMap((spec) => Object.keys(spec.responses).map((status) => [spec, Number(status)] as const))
    .filter(([, status]) => status < 300)

  test('shows an example of each answer that its schema accepts', () => {
    const wrong = successes.flatMap(([spec, status]) => {
      const { content } = responsesOf(spec)[status]
      // An answer without a body has none.
      if (content === undefined) return []
      const { schema, example } = content[spec.produces?.split(';')[0] ?? 'application/json']
      const validate = validatorOf(closed(schema) as object)
      return example !== undefined && validate(example) ? [] : [`${spec.id} ${status}: ${ajv.errorsText(validate.errors)}`]
    })
    expect(wrong).toEqual([])
  })

  test('shows no token, and no address of the machine on which the answers were given', () => {
    const shown = successes.map(([spec, status]) => JSON.stringify(answerExample(spec, status))).join('\n')
    expect(shown).not.toMatch(/\beyJ[\w-]+\.[\w-]+\.[\w-]+|127\.0\.0\.1|localhost/)
  })

  test('shows only messages to sign that the reference parser of EIP-4361 takes', () => {
    const messages = [...JSON.stringify(openapi).matchAll(/"[^"]+ wants you to sign in with your Ethereum account:(?:[^"\\]|\\.)*"/g)]
    const statements = messages.map(([text]) => new SiweMessage(JSON.parse(text)).statement ?? '')
    const kinds = ['Sign in to', 'I lock 3 USDC', 'I let the operator lend']
    expect(kinds.filter((kind) => !statements.some((statement) => statement.startsWith(kind)))).toEqual([])
  })

  /** Calls `visit` for every object of the document outside examples. */
  const walk = (node: Document, visit: (name: string, value: Document, at: string) => void, at = '#'): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, value] of Object.entries(node)) {
      if (name === 'example' || name === 'examples') continue
      visit(name, value, `${at}/${name}`)
      walk(value, visit, `${at}/${name}`)
    }
  }

  test('describes every header, response, component and tag, and each description is a sentence', () => {
    const bare: string[] = []
    const isSentence = (text: unknown) => /\w{3}.*\.$/.test(String(text))
    const note = (at: string, { $ref, description }: Document) => {
      if ($ref === undefined && !isSentence(description)) bare.push(at)
    }
    walk(openapi, (name, value, at) => {
      if (['headers', 'responses'].includes(name) || /^#\/(tags|components\/schemas)$/.test(at))
        for (const [member, one] of Object.entries(value as Document)) if (typeof one === 'object') note(`${at}/${member}`, one)
      if (typeof value?.description === 'string' && !isSentence(value.description)) bare.push(`${at}/description`)
    })
    expect(bare.filter((at) => !/^#\/paths\/[^/]+\/.*\/responses\/[23]\d\d$/.test(at))).toEqual([])
    expect(openapi.info.license).toEqual({ name: 'Apache-2.0', identifier: 'Apache-2.0' })
  })

  test('names each object that stands in several places', () => {
    const places = new Map<string, string[]>()
    walk(openapi, (_name, value, at) => {
      if (value?.type !== 'object' || value.properties === undefined || at.includes('problem+json')) return
      const { description: _description, ...shape } = value
      const text = JSON.stringify(shape)
      if (text.length > 200) places.set(text, [...(places.get(text) ?? []), at])
    })
    expect([...places.values()].filter((at) => at.length > 1)).toEqual([])
  })

  const parameter = (path: string, name: string): Document =>
    openapi.paths[templatePath(path)].get.parameters.find((one: Document) => one.name === name)

  test('states the bounds and the values of a query as the service reads them', () => {
    const lists = operationList.filter(({ query }) => query?.shape.limit !== undefined)
    for (const { path, query } of lists) {
      const { schema } = parameter(path, 'limit')
      expect([schema.type, schema.minimum]).toEqual(['integer', 1])
      const limitOf = z.object({ limit: query?.shape.limit ?? z.never() })
      const reads = (limit: number) => limitOf.safeParse({ limit: String(limit) })
      expect([reads(schema.maximum).success, reads(schema.maximum + 1).success]).toEqual([true, false])
      expect(reads(schema.default).data?.limit).toBe(limitOf.parse({}).limit)
    }
    expect(parameter('/jobs', 'state').schema.enum).toContain('claimable')
    expect(parameter('/jobs', 'tier').schema.enum).toEqual([...TIERS])
    expect(parameter('/jobs', 'verifierMode').schema.enum).toEqual([...VERIFIER_MODES])
    expect(parameter('/session', 'waitSeconds').schema).toEqual({ type: 'integer', minimum: 0, maximum: 25, default: 0 })
    expect(parameter('/jobs/definition', 'includeArchived').schema).toEqual({ type: 'boolean' })
  })

  test('requires a body exactly where an empty object is refused', () => {
    for (const spec of operationList.filter(({ body }) => body !== undefined)) {
      const { requestBody } = openapi.paths[templatePath(spec.path)].post
      expect([spec.id, requestBody.required]).toEqual([spec.id, !spec.body?.safeParse({}).success])
    }
    expect(openapi.paths['/jobs/submit'].post.requestBody.required).toBe(true)
    const raw = operationList.flatMap(({ path, rawBody }) => (rawBody === undefined ? [] : [openapi.paths[templatePath(path)].post]))
    expect(raw.map(({ requestBody }) => requestBody.required)).toEqual(raw.map(() => true))
    expect(openapi.paths['/codehost/events'].post.parameters.filter((one: Document) => one.in !== 'header' || !one.required)).toEqual([])
  })

  test('states the rules between members that a body or a query has', () => {
    const bodyOf = (path: string): Document => openapi.paths[path].post.requestBody.content['application/json'].schema
    const oneOf = (...names: string[]) => names.map((name) => ({ required: [name] }))
    expect(bodyOf('/jobs/submit').oneOf).toEqual(oneOf('submission', 'evidence'))
    expect(bodyOf('/disputes/{id}/verdict').oneOf).toEqual(oneOf('verdict', 'outcome'))
    expect(bodyOf('/admin/jobs/lifecycle').oneOf).toEqual(oneOf('action', 'status'))
    expect(bodyOf('/verifier/run').dependentSchemas.evidence.properties.preview.const).toBe(true)
    // OpenAPI has no such rule for parameters: the first of them is required.
    expect([parameter('/session', 'sessionId').required, parameter('/session', 'id').required]).toEqual([true, false])
  })

  test.each([
    [true, { surface: 'policy', tag: 'claims' }],
    [true, { surface: 'policy', id: 'claims' }],
    [false, { surface: 'policy', id: 'claims', tag: 'claims' }],
    [false, { surface: 'policy', tag: 'claims', sessionId: 'a:0xb' }],
    [false, { surface: 'session', tag: 'claims' }],
    [false, { surface: 'session' }],
  ])('states as %s that a share may be %j', (isValid, body) => {
    const { schema } = openapi.paths['/shares'].post.requestBody.content['application/json']
    expect(new Ajv2020({ strict: false, validateFormats: false }).validate({ ...schema, components: openapi.components }, body)).toBe(
      isValid,
    )
  })

  test.each([
    [true, { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    [true, { jsonrpc: '2.0', method: 'notifications/initialized' }],
    [false, {}],
    [false, { jsonrpc: '2.0', id: null, method: 'ping' }],
    [false, { jsonrpc: '2.0', id: 1, method: 'ping', extra: 1 }],
  ])('states as %s that a message of the tool protocol may be %j, and the endpoint agrees', async (isValid, body) => {
    const { schema } = openapi.paths['/mcp'].post.requestBody.content['application/json']
    expect(new Ajv2020({ strict: false }).validate(schema, body)).toBe(isValid)
    expect((await api.call('/mcp', { headers: { 'content-type': 'application/json' }, body })).status < 300).toBe(isValid)
  })

  test('describes each frame of the stream by its fields', () => {
    const { schema } = openapi.paths['/events'].get.responses[200].content['text/event-stream']
    const check = new Ajv2020({ strict: false }).compile({ ...schema, components: openapi.components })
    for (const text of [frame('gap', { topic: 'gap', lastDelivered: '7' }), frame('session.claimed', { topic: 'session.claimed' }, '8')])
      expect(check(Object.fromEntries([...text.matchAll(/^(\w+): (.*)$/gm)].map(([, name, value]) => [name, value])))).toBe(true)
  })

  test('states what an input text may hold: storable characters, an address, a known asset, an instant in UTC', () => {
    const bodyOf = (path: string): Document => openapi.paths[path].post.requestBody.content['application/json'].schema.properties
    expect(parameter('/jobs', 'source').schema.pattern).toBe('^[^\\u0000]*$')
    expect(bodyOf('/auth/nonce').wallet.format).toBe('wallet-address')
    expect(openapi.components.schemas.AssetSymbol.enum).toEqual(['USDC'])
    expect(bodyOf('/admin/jobs/lifecycle').staleAt.allOf).toEqual([{ pattern: expect.stringContaining('Z') }, { pattern: '^[1-9]' }])
    expect(bodyOf('/account/fund').amount.pattern).toMatch(/^\^\[1-9\]/)
    const { title, description: task } = bodyOf('/admin/jobs')
    const short = [title, task, bodyOf('/admin/sessions/close').note]
    expect(short.map(({ pattern }) => ['  ', ' a ', '\u0000a'].map((text) => new RegExp(pattern, 'u').test(text)))).toEqual(
      short.map(() => [false, true, false]),
    )
    const { pattern } = bodyOf('/verifier/sessions/{id}/verdict').rationale
    const rationales = [`${' '.repeat(12)}a`, ' nine chars  ', '   ten chars.   ', '0123 56789'].map((text) =>
      new RegExp(pattern, 'u').test(text),
    )
    expect(rationales).toEqual([false, true, true, true])
    const { submission, output, evidence } = bodyOf('/jobs/validate-submission')
    const free = [
      submission,
      output,
      evidence,
      bodyOf('/jobs/submit').submission,
      bodyOf('/verifier/run').evidence,
      bodyOf('/admin/jobs').source,
    ]
    for (const { description } of free) expect(description).toContain('holds the character U+0000')
  })

  test('a whole row of the jobs has a constant that a compact one has not', () => {
    const { items } = openapi.paths['/jobs'].get.responses[200].content['application/json'].schema.properties.jobs
    const rows = (items.oneOf ?? items.anyOf).map(({ $ref }: Document) => openapi.components.schemas[$ref.split('/').at(-1)])
    expect(rows.map(({ properties, required }: Document) => [properties.format?.const, required.includes('format')])).toEqual([
      ['full', true],
      [undefined, false],
    ])
  })

  test('names the headers of its answers', () => {
    const headersOf = (id: string, status: number) => {
      const spec = operationList.find((one) => one.id === id)
      return spec === undefined ? [] : Object.keys(responsesOf(spec)[status].headers)
    }
    expect(headersOf('claimJob', 200)).toEqual(['X-Request-Id', 'Idempotent-Replayed', 'RateLimit', 'RateLimit-Policy'])
    expect(headersOf('claimJob', 429)).toContain('Retry-After')
    expect(headersOf('claimJob', 401)).toContain('WWW-Authenticate')
    expect(headersOf('listJobs', 200)).toEqual(['X-Request-Id', 'ETag', 'RateLimit', 'RateLimit-Policy', 'Ignored-Query'])
    expect(Object.keys(openapi.components.responses.MethodNotAllowed.headers)).toContain('Allow')
    expect(openapi['x-common-headers']).toEqual(expect.arrayContaining(['Vary', 'Content-Encoding', 'Cache-Control']))
  })

  test('leaves the examples out where they are not wanted', async () => {
    const { body, status } = await api.call('/openapi.json?examples=none')
    expect([status, body.paths['/jobs/claim'].post.requestBody.content['application/json'].example]).toEqual([200, undefined])
    expect(JSON.stringify(body).length).toBeLessThan(JSON.stringify(openapi).length * 0.8)
    expect(Object.keys(body.paths)).toEqual(Object.keys(openapi.paths))
    expect((await api.call('/openapi.json?examples=some')).status).toBe(400)
  })

  test('describes the problem document that the service sends', async () => {
    const { body } = await api.call('/nowhere')
    const validate = validatorOf({ $ref: '#/components/schemas/Problem' })
    expect([validate(body), validate.errors]).toEqual([true, null])
  })
})

describe('onboarding and manifest', () => {
  test('name only routes and tools of the registry', () => {
    const routes = new Set(operationList.map(({ method, path }) => `${method} ${path}`))
    const promised = [...manifest.publicEndpoints, ...manifest.authenticatedEndpoints].map(
      ({ method, path }: Document) => `${method} ${path}`,
    )
    expect(promised.filter((route: string) => !routes.has(route))).toEqual([])
    expect(promised).toContain('POST /jobs/claim')
    const names = new Set(operationList.flatMap(({ tool }) => (tool ? [tool.name] : [])))
    for (const list of [onboarding.tools, manifest.tools.map(({ name }: Document) => name)])
      expect(list.filter((name: string) => !names.has(name))).toEqual([])
  })

  test('leave sign-in exchanges and executing tools out of the list', () => {
    expect(onboarding.tools).toEqual(
      expect.arrayContaining(['listJobs', 'preflightJob', 'getAccountPosition', 'buildAccountDepositTransactions']),
    )
    for (const hidden of ['fetchAuthNonce', 'verifySiwe', 'refreshAuthToken', 'claimJob', 'submitWork'])
      expect(onboarding.tools).not.toContain(hidden)
  })

  test('advertise only routes that answer something other than 404', async () => {
    for (const { method, path } of [...manifest.publicEndpoints, ...manifest.authenticatedEndpoints]) {
      const { body } = await api.call(path.replaceAll(/:[A-Za-z]+/g, 'x'), { method })
      expect([path, body?.code === 'not_found']).toEqual([path, false])
    }
  })

  test('name the nine steps in order, each a route of the registry', () => {
    const { starterFlow, readinessChecks } = onboarding.onboarding
    expect(starterFlow.map(({ id }: Document) => id)).toEqual([
      'discover-tiers',
      'sign-in-with-ethereum',
      'fetch-account-summary',
      'select-first-waiver-eligible-claimable-job',
      'run-preflight-on-selected-job',
      'claim-selected-job',
      'submit-structured-work',
      'poll-verification-status',
      'inspect-earned-badge',
    ])
    const steps = new Set(starterFlow.map(({ id }: Document) => id))
    for (const { blockingFor } of readinessChecks) for (const step of blockingFor) expect(steps).toContain(step)
  })

  test('agree with each other, with the configuration and with the key that signs', () => {
    expect(manifest.version).toBe(onboarding.version)
    expect(manifest.discoveryUrl).toBe('https://work.example/.well-known/agent-tools.json')
    expect(onboarding.discoveryUrl).toBe(manifest.discoveryUrl)
    expect([onboarding.auth.scheme, onboarding.auth.schemeId]).toEqual(['SIWE + JWT (ES256)', 'SIWE_JWT'])
    for (const mode of onboarding.onboarding.walletModes) expect(mode.chain.chainId).toBe(testChain.chainId)
    const supported = onboarding.onboarding.walletModes
      .filter(({ status }: Document) => status === 'supported')
      .map(({ id }: Document) => id)
    expect(onboarding.auth.supportedWalletModes).toEqual(supported)
  })

  test('show the bond as the chain has it, and no default when it cannot be read', async () => {
    expect(onboarding.workerDoor.claimBond).toMatchObject({
      available: true,
      asset: 'USDC',
      stakeBps: 1000,
      feeBps: 200,
      minFeeRaw: '50000',
    })
    const blind = await startApi({
      databaseUrl: api.databaseUrl,
      liveReads: {
        bondPolicy: async () => {
          throw new Error('unreadable')
        },
      },
    })
    expect((await blind.call('/onboarding')).body.workerDoor.claimBond).toEqual({ available: false, reason: 'blockchain_unavailable' })
    await blind.close()
  })

  test.each([
    ['with a deposit pool', { address: `0x${'9'.repeat(40)}`, version: '2', shareName: 'Shares', shareSymbol: 'SH' } as const, true],
    ['without a deposit pool', undefined, false],
  ])('tell how a deposit raises limits on a chain %s', (_name, depositPool, available) => {
    const { depositPool: _pool, ...contracts } = testChain.contracts
    const start: Document = startBlock({
      ...testChain,
      contracts: { ...contracts, ...(depositPool && { depositPool }) },
    }).buildVestedCapacity
    expect([start.available, start.reason]).toEqual([available, available ? undefined : 'deposit_pool_not_configured'])
    const routes = new Set(operationList.map(({ method, path }) => `${method} ${path}`))
    const named = [...JSON.stringify(start.steps).matchAll(/(?:GET|POST) \/[a-z/]+/g)].map(([route]) => route)
    expect(named).toEqual(available ? ['POST /pool/transactions', 'GET /pool'] : [])
    expect(named.filter((route) => !routes.has(route))).toEqual([])
  })

  test('mark products that are not served, and name the routes of those that are', () => {
    const { workReceipts, proofGatedEscrow, verify } = onboarding.products
    expect(verify).toMatchObject({ available: true, entrypoints: ['GET /verify/runs/:runId', 'POST /verify/runs'] })
    expect(proofGatedEscrow.entrypoints).toEqual(['GET /poster/jobs', 'POST /poster/jobs/:jobId/cancel/transactions'])
    expect(onboarding.externalBounties).toMatchObject({ available: true, mode: 'closed', posterOnboarding: '/poster/onboarding' })
    expect(workReceipts).toMatchObject({ available: true, entrypoints: ['GET /receipts', 'GET /receipts/:receiptId'] })
    expect(manifest.products).toEqual(onboarding.products)
    expect([onboarding.protocols, manifest.protocols]).toEqual([
      ['http', 'mcp'],
      ['http', 'mcp'],
    ])
    expect(onboarding.lockedDeposits).toMatchObject({
      status: 'flag_off',
      enabled: false,
      product: 'locked deposit',
      activationGate: { status: 'closed' },
      tiers: [{ tier: 't30' }, { tier: 't90' }],
    })
  })
})
