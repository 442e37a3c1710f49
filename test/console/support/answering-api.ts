// An API that answers every operation with a published document, so that a page of the console can be seen in any state of its subject.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { capabilityMatrix } from '../../../api/identity/capability-matrix.ts'
import { CAPABILITIES, ROLES } from '../../../schemas/identity/authorisation.ts'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { type OperationId, operationList } from '../../../schemas/operations/registry.ts'
import { type Extent, faultOf, publishedAnswer } from './published.ts'

/** Answer documents that stand in the place of the published ones. */
export type Documents = Partial<Record<OperationId, unknown>>

/** A problem document that it answers, to changes alone or to reads too. */
interface Refusal {
  problem: { status: number } & Readonly<Record<string, unknown>>
  isOfReads?: boolean
}

interface State {
  documents: Documents
  extent: Extent | 'recorded'
  isChecked: boolean
  refusal: Refusal | undefined
}

const READER = `0x${'ab'.repeat(20)}`

const matrix = capabilityMatrix(operationList)

/** Sign-in of a wallet with every role. */
const signIn = () => {
  const at = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString()
  return {
    ...{ wallet: READER, subject: READER, roles: [...ROLES], tokenKind: 'wallet', serviceToken: false },
    ...{ capabilities: [...CAPABILITIES], capabilityMatrix: matrix },
    ...{ issuedAt: at(0), expiresAt: at(3_600), authTime: at(0), refreshableUntil: null },
  }
}

const routes = operationList
  .map((spec) => ({ spec, pattern: new RegExp(`^${spec.path.replaceAll('.', '\\.').replaceAll(/:[a-zA-Z]+/g, '[^/]+')}$`) }))
  .sort((left, right) => Number(left.spec.path.includes(':')) - Number(right.spec.path.includes(':')))

const operationOf = ({ method, url = '/' }: IncomingMessage): OperationSpec | undefined => {
  const [path = '/'] = url.split('?')
  return routes.find(({ spec, pattern }) => spec.method === method && pattern.test(path))?.spec
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** Starts it. It keeps what the published schemas have against its answers. */
export const startAnsweringApi = async () => {
  const state: State = { documents: {}, extent: 'recorded', isChecked: true, refusal: undefined }
  const asked = new Map<OperationId, unknown>()
  const faults: string[] = []
  let refused: string[] = []
  const answerTo = (spec: OperationSpec, url: string, body: string): unknown => {
    const id = spec.id as OperationId
    if (id === 'getAuthSession') return signIn()
    const isPreview = body.includes('"preview":true')
    const document = state.documents[id] ?? publishedAnswer(id, state.extent, isPreview)
    const fault = state.isChecked ? faultOf(id, document) : undefined
    if (fault !== undefined) faults.push(fault)
    asked.set(id, document)
    // A list has one further page.
    return url.includes('cursor=') ? { ...(document as object), nextCursor: null } : document
  }
  const server = createServer(async (request, response) => {
    const spec = operationOf(request)
    const body = await textOf(request)
    const { refusal } = state
    const isChange =
      spec?.method === 'POST' && !body.includes('"preview":true') && !(spec.id.startsWith('ingest') && body.includes('"dryRun":true'))
    if (refusal !== undefined && spec?.id !== 'getAuthSession' && (isChange || refusal.isOfReads)) {
      refused.push(spec?.id ?? '')
      response.writeHead(refusal.problem.status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(refusal.problem))
      return
    }
    const answer = spec === undefined ? undefined : answerTo(spec, request.url ?? '', body)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on it answers with these documents; with the published ones elsewhere, to this extent. Members of enumerations alone need no check. */
    answer: (documents: Documents, extent: Extent | 'recorded' = 'recorded', check: 'checked' | 'unchecked' = 'checked'): void => {
      Object.assign(state, { documents, extent, isChecked: check === 'checked', refusal: undefined })
      asked.clear()
    },
    /** From now on it refuses what changes something, or also every read. */
    refuse: (refusal: Refusal): void => {
      state.refusal = refusal
      refused = []
    },
    /** Operations that it refused since then, one for each request. */
    refused: (): readonly string[] => refused,
    /** What it was asked for since then, with the documents that it answered. */
    asked,
    /** Documents that the published schemas do not accept. */
    faults,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
