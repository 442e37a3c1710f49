import { createHash } from 'node:crypto'
import type { LocalAnswer, LocalSource } from './local-source.ts'

const NAME = 'openapi'
const CREATED = '2019-04-01T10:00:00.000Z'
const FIELDS = ['stations', 'tickets', 'parcels', 'invoices', 'sensors', 'books', 'routes', 'orders']
const METHODS = ['get', 'post', 'delete'] as const

export interface OpenapiListSettings {
  /** Entries of the list. */
  entries?: number
  /** Changes the title of a document, by its place. */
  changeTitle?: (title: string, index: number) => string
}

type TitleOf = (index: number) => string

const providerOf = (index: number): string => `provider-${String(index).padStart(5, '0')}.example`
const titleOf = (index: number): string => `API for ${FIELDS[index % FIELDS.length]} ${index}`
const isYaml = (index: number): boolean => index % 5 === 4
const pathOf = (index: number): string => `/documents/${index}.${isYaml(index) ? 'yaml' : 'json'}`

/** An operation; a part of them lacks description, id or example, by its place. */
const operationOf = (index: number, place: number, method: string) => ({
  ...(place % 3 !== 0 && { description: `Handles ${method} of part ${place}.` }),
  ...(place % 4 !== 1 && { operationId: `${method}Part${place}` }),
  responses: {
    '200': {
      description: 'The part.',
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Part' }, ...((index + place) % 2 === 0 && { example: { id: place } }) },
      },
    },
  },
})

const documentOf = (index: number, title: TitleOf) => {
  const count = 2 + (index % 6)
  const paths = Array.from({ length: count }, (_, place) => {
    const operations = METHODS.slice(0, 1 + (place % METHODS.length)).map((method) => [method, operationOf(index, place, method)])
    return [`/parts/${place}`, Object.fromEntries(operations)]
  })
  return {
    openapi: '3.0.3',
    info: { title: title(index), version: `1.${index % 10}.0` },
    paths: Object.fromEntries(paths),
    // The schema is within itself, as trees are.
    components: {
      schemas: {
        Part: {
          type: 'object',
          properties: { id: { type: 'integer' }, parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } } },
        },
      },
    },
  }
}

/** JSON is YAML too; the lines of a block make it one that is no JSON. */
const yamlOf = (index: number, title: TitleOf): string => {
  const { paths, components, ...head } = documentOf(index, title)
  const lines = [`openapi: ${head.openapi}`, `info: ${JSON.stringify(head.info)}`, 'paths:']
  for (const [path, item] of Object.entries(paths)) lines.push(`  ${path}: ${JSON.stringify(item)}`)
  return [...lines, `components: ${JSON.stringify(components)}`, ''].join('\n')
}

const entryOf = (index: number, baseUrl: string, title: TitleOf) => {
  const info = {
    title: title(index),
    description: `Reads and writes ${FIELDS[index % FIELDS.length]}.`,
    version: `1.${index % 10}.0`,
    'x-providerName': providerOf(index),
    // The list keeps the origins of a document, the newest last. One in fifty has none.
    ...(index % 50 !== 49 && { 'x-origin': [{ format: 'openapi', url: `${baseUrl}${pathOf(index)}`, version: '3.0' }] }),
  }
  const listed = `${baseUrl}/v2/specs/${providerOf(index)}/1.0.0/openapi.json`
  return [
    providerOf(index),
    {
      added: CREATED,
      preferred: '1.0.0',
      versions: { '1.0.0': { added: CREATED, updated: CREATED, info, swaggerUrl: listed, openapiVer: '3.0.3' } },
    },
  ]
}

const json = (value: unknown, status = 200): LocalAnswer => ({ status, type: 'application/json', body: JSON.stringify(value) })

/** An answer with its validators. */
const tagged = (answer: LocalAnswer): LocalAnswer => {
  const etag = `"${createHash('sha256').update(answer.body).digest('hex').slice(0, 16)}"`
  return { ...answer, headers: { etag, 'last-modified': 'Mon, 01 Apr 2019 10:00:00 GMT' } }
}

/** The public list of interface documents and the providers' own documents. */
export const createOpenapiList = ({ entries = 10_000, changeTitle = (title) => title }: OpenapiListSettings = {}): LocalSource => {
  const title: TitleOf = (index) => changeTitle(titleOf(index), index)
  /** The list names whole addresses: that of the server under which it is asked for. */
  let listed: { baseUrl: string; answer: LocalAnswer } | null = null
  const answerList = (baseUrl: string): LocalAnswer => {
    if (listed?.baseUrl !== baseUrl) {
      const list = Object.fromEntries(Array.from({ length: entries }, (_, index) => entryOf(index, baseUrl, title)))
      listed = { baseUrl, answer: tagged(json(list)) }
    }
    return listed.answer
  }

  const answerDocument = (path: string): LocalAnswer | null => {
    const index = Number(/^\/documents\/(\d+)\.(?:json|yaml)$/.exec(path)?.[1])
    if (!(index < entries) || pathOf(index) !== path) return null
    // One in forty moved away without a word; one in forty answers with a page for people.
    if (index % 40 === 38) return null
    if (index % 40 === 39) return { status: 200, type: 'application/json', body: '<!doctype html><title>Sign in</title>' }
    return isYaml(index) ? { status: 200, type: 'application/yaml', body: yamlOf(index, title) } : json(documentOf(index, title))
  }

  return {
    name: NAME,
    answer: (request) => {
      if (request.method !== 'GET') return json({ message: 'Method Not Allowed' }, 405)
      const { pathname, origin } = request.url
      if (pathname === '/v2/list.json') return answerList(`${origin}/${NAME}`)
      const answer = answerDocument(pathname)
      return answer === null ? json({ message: 'Not Found' }, 404) : tagged(answer)
    },
  }
}
