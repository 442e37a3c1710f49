import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ContentChange } from './contents.ts'
import { deliver, type HookTarget, pullRequestEvent } from './hooks.ts'
import { answerRest, type RestAnswer } from './rest.ts'
import { createCodehostWorld, Failure, LIMIT_PATH, PullChange, RepositoryChange } from './world.ts'

/** Web host of its pull requests, as the jobs of the seed catalogue name it. */
export const LOCAL_WEB_HOST = 'codehost.example'
/** Secrets of the local stack only. */
const LOCAL_CODEHOST_TOKEN = 'local-codehost-token'
export const LOCAL_HOOK_SECRET = 'local-codehost-hook-secret'

const LIMIT_PER_HOUR = 5_000
const HOUR_MS = 3_600_000
const SCRIPT_LIMIT_BYTES = 1024 * 1024

interface SeenRequest {
  path: string
  status: number
  /** Whether the answer was 304, which does not count against the rate limit. */
  conditional: boolean
}

const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > SCRIPT_LIMIT_BYTES) throw new Error('the script is too long')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
}

const SCRIPT = /^\/_script\/pulls\/([^/]+\/[^/]+)\/([0-9]+)$/
const CONTENT_SCRIPT = /^\/_script\/contents\/([^/]+\/[^/]+)$/
const REPOSITORY_SCRIPT = /^\/_script\/repositories\/([^/]+\/[^/]+)$/

export type LocalCodehost = Awaited<ReturnType<typeof startCodehost>>

/** Starts a fake code host: the REST API of pull requests, and endpoints under `/_script` with which another process changes its content. */
export const startCodehost = async ({ port = 0 }: { port?: number } = {}) => {
  const world = createCodehostWorld()
  let requests: SeenRequest[] = []
  /** Answers of the current hour. */
  let allowance = { until: 0, used: 0 }
  let hook: HookTarget | undefined

  const notifyHook = async (repo: string, number: number): Promise<void> => {
    const pull = world.find(repo, number)
    if (hook === undefined || pull === undefined) return
    // The change remains when its delivery fails.
    await deliver(hook, { event: 'pull_request', body: pullRequestEvent(repo, number, pull.headSha, { repoId: pull.repoId }) }).catch(
      () => undefined,
    )
  }

  const script = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    if (url.pathname === '/_script/failures' && request.method === 'POST') {
      world.fail(Failure.parse(await readJson(request)))
      return send(response, 204, undefined)
    }
    const [, changed] = REPOSITORY_SCRIPT.exec(decodeURIComponent(url.pathname)) ?? []
    if (changed !== undefined && request.method === 'POST') {
      world.changeRepository(changed, RepositoryChange.parse(await readJson(request)))
      return send(response, 204, undefined)
    }
    const [, filled] = CONTENT_SCRIPT.exec(decodeURIComponent(url.pathname)) ?? []
    if (filled !== undefined && request.method === 'PUT') {
      world.contents.set(filled, ContentChange.parse(await readJson(request)))
      return send(response, 204, undefined)
    }
    const [, repo, number] = SCRIPT.exec(decodeURIComponent(url.pathname)) ?? []
    if (repo === undefined || number === undefined) return send(response, 404, { message: 'no such script' })
    if (request.method === 'DELETE') world.remove(repo, Number(number))
    else world.set(repo, Number(number), PullChange.parse(await readJson(request)))
    await notifyHook(repo, Number(number))
    send(response, 200, world.find(repo, Number(number)) ?? {})
  }

  const limits = (): Record<string, string> => {
    if (Date.now() >= allowance.until) allowance = { until: Date.now() + HOUR_MS, used: 0 }
    return {
      'x-ratelimit-limit': String(LIMIT_PER_HOUR),
      'x-ratelimit-remaining': String(Math.max(0, LIMIT_PER_HOUR - allowance.used)),
      'x-ratelimit-reset': String(Math.ceil(allowance.until / 1_000)),
    }
  }

  /** Answer of the API with its headers. */
  const answerOf = (request: IncomingMessage, url: URL): RestAnswer => {
    if (request.headers.authorization !== `Bearer ${LOCAL_CODEHOST_TOKEN}`) return { status: 401, body: { message: 'Bad credentials' } }
    if (request.method !== 'GET') return { status: 405, body: { message: 'Method Not Allowed' } }
    if (url.pathname === LIMIT_PATH) return { status: 200, body: { rate: { limit: LIMIT_PER_HOUR } } }
    const found = answerRest(world, url, `https://${LOCAL_WEB_HOST}`)
    if (found.status !== 200) return found
    const etag = `W/"${createHash('sha256').update(JSON.stringify(found.body)).digest('hex')}"`
    if (request.headers['if-none-match'] === etag) return { status: 304, body: undefined, headers: { etag } }
    allowance.used += 1
    return { ...found, headers: { etag } }
  }

  const rest = (request: IncomingMessage, response: ServerResponse, url: URL): void => {
    const path = `${url.pathname}${url.search}`
    const failure = world.failureFor(path)
    const { status, body, headers } = failure === undefined ? answerOf(request, url) : { body: { message: 'scripted' }, ...failure }
    if (path !== LIMIT_PATH) requests.push({ path, status, conditional: status === 304 })
    if (status === 0) response.destroy()
    else send(response, status, body, { ...limits(), ...headers })
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://codehost')
    try {
      if (url.pathname.startsWith('/_script/')) await script(request, response, url)
      else rest(request, response, url)
    } catch (error) {
      if (!response.headersSent) send(response, 400, { message: error instanceof Error ? error.message : String(error) })
    }
  }

  const server = createServer((request, response) => void handle(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    /** Base address of its API. */
    url,
    world,
    /** Returns the requests to the API since the last call. */
    takeRequests: (): SeenRequest[] => {
      const result = requests
      requests = []
      return result
    },
    /** Sends every later change through a script to this hook. */
    sendChangesTo: (target: HookTarget): void => {
      hook = target
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Settings with which a service reads this host. */
export const codehostSettings = (url: string): Record<string, string> => ({
  CODEHOST_API_URL: url,
  CODEHOST_WEB_HOST: LOCAL_WEB_HOST,
  CODEHOST_TOKEN: LOCAL_CODEHOST_TOKEN,
  CODEHOST_HOOK_SECRET: LOCAL_HOOK_SECRET,
})
