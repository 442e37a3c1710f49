import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { CommitChange, createCommits } from './commits.ts'
import { ContentChange, createCodehostContent, FileChange, IssueChange, StateChange } from './content.ts'
import { deliver, type HookTarget, pullRequestEvent } from './hooks.ts'
import { answerRest, type RestAnswer } from './rest.ts'
import { createCodehostWorld, Failure, LIMIT_PATH, PullChange, RepositoryChange } from './world.ts'

/** Web host of its pull requests, as the jobs of the seed catalogue name it. */
export const LOCAL_WEB_HOST = 'codehost.example'
/** Secrets of the local stack only. */
const LOCAL_CODEHOST_TOKEN = 'local-codehost-token'
export const LOCAL_HOOK_SECRET = 'local-codehost-hook-secret'

const LIMIT_PER_HOUR = 5_000
const SEARCHES_PER_MINUTE = 30
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
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
const COMMIT_SCRIPT = /^\/_script\/commits\/([^/]+\/[^/]+)$/
const ISSUE_SCRIPT = /^\/_script\/issues\/([^/]+\/[^/]+)\/([0-9]+)$/
const FILE_SCRIPT = /^\/_script\/files\/([^/]+\/[^/]+)$/
const CONTENT_SCRIPT = /^\/_script\/contents\/([^/]+\/[^/]+)$/
const REPOSITORY_SCRIPT = /^\/_script\/repositories\/([^/]+\/[^/]+)$/

const RepositoryScript = z.union([RepositoryChange, StateChange])

export interface CodehostRequest {
  port?: number
  /** Time of the newest seeded issue, epoch ms; by default the beginning of today. */
  newest?: number
  /** Whether searches have the limit of the host, 30 a minute; by default they only count. */
  limitsSearches?: boolean
  /** Other requests of an hour. */
  limitPerHour?: number
}

export type LocalCodehost = Awaited<ReturnType<typeof startCodehost>>

/**
 * Starts a fake code host: the REST API of pull requests, issues, repositories and files, and endpoints under `/_script` with which another process changes its
 * content.
 */
export const startCodehost = async (options: CodehostRequest = {}) => {
  const { port = 0, newest = Math.floor(Date.now() / DAY_MS) * DAY_MS, limitsSearches = false, limitPerHour = LIMIT_PER_HOUR } = options
  const world = createCodehostWorld()
  const commits = createCommits(world)
  const content = createCodehostContent(world, newest)
  let requests: SeenRequest[] = []
  /** Answers of the current hour. */
  let allowance = { until: 0, used: 0 }
  /** Searches of the current minute. */
  let searches = { until: 0, used: 0 }
  let hook: HookTarget | undefined

  const notifyHook = async (repo: string, number: number): Promise<void> => {
    const pull = world.find(repo, number)
    if (hook === undefined || pull === undefined) return
    // The change remains when its delivery fails.
    await deliver(hook, { event: 'pull_request', body: pullRequestEvent(repo, number, pull.headSha, { repoId: pull.repoId }) }).catch(
      () => undefined,
    )
  }

  /** Changes an issue or a file; false where the path is no script of either. */
  const scriptContent = async (request: IncomingMessage, path: string): Promise<boolean> => {
    const [, ofIssue, number] = ISSUE_SCRIPT.exec(path) ?? []
    if (ofIssue !== undefined) {
      if (request.method === 'DELETE') content.deleteIssue(ofIssue, Number(number))
      else content.setIssue(ofIssue, Number(number), IssueChange.parse(await readJson(request)))
      return true
    }
    const [, ofFile] = FILE_SCRIPT.exec(path) ?? []
    if (ofFile === undefined) return false
    const file = FileChange.parse(await readJson(request))
    content.setFile(ofFile, file.path, file.content)
    return true
  }

  const script = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    if (url.pathname === '/_script/failures' && request.method === 'POST') {
      world.fail(Failure.parse(await readJson(request)))
      return send(response, 204, undefined)
    }
    if (await scriptContent(request, decodeURIComponent(url.pathname))) return send(response, 204, undefined)
    const [, changed] = REPOSITORY_SCRIPT.exec(decodeURIComponent(url.pathname)) ?? []
    if (changed !== undefined && request.method === 'POST') {
      const change = RepositoryScript.parse(await readJson(request))
      if ('renameTo' in change || 'recreate' in change) world.changeRepository(changed, change)
      else content.setState(changed, change)
      return send(response, 204, undefined)
    }
    const [, committed] = COMMIT_SCRIPT.exec(decodeURIComponent(url.pathname)) ?? []
    if (committed !== undefined && request.method === 'POST')
      return send(response, 200, { sha: commits.add(committed, CommitChange.parse(await readJson(request))) })
    const [, filled] = CONTENT_SCRIPT.exec(decodeURIComponent(url.pathname)) ?? []
    if (filled !== undefined && request.method === 'PUT') {
      content.change(filled, ContentChange.parse(await readJson(request)))
      return send(response, 204, undefined)
    }
    const [, repo, number] = SCRIPT.exec(decodeURIComponent(url.pathname)) ?? []
    if (repo === undefined || number === undefined) return send(response, 404, { message: 'no such script' })
    if (request.method === 'DELETE') world.remove(repo, Number(number))
    else world.set(repo, Number(number), PullChange.parse(await readJson(request)))
    await notifyHook(repo, Number(number))
    send(response, 200, world.find(repo, Number(number)) ?? {})
  }

  const limits = (path: string): Record<string, string> => {
    const now = Date.now()
    if (now >= allowance.until) allowance = { until: now + HOUR_MS, used: 0 }
    if (now >= searches.until) searches = { until: now + MINUTE_MS, used: 0 }
    const isSearch = path.startsWith('/search/') && limitsSearches
    const [limit, { until, used }] = isSearch ? [SEARCHES_PER_MINUTE, searches] : [limitPerHour, allowance]
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(0, limit - used)),
      'x-ratelimit-reset': String(Math.ceil(until / 1_000)),
      'x-ratelimit-resource': isSearch ? 'search' : 'core',
    }
  }

  /** Answer of the API with its headers. */
  const answerOf = (request: IncomingMessage, url: URL): RestAnswer => {
    if (request.headers.authorization !== `Bearer ${LOCAL_CODEHOST_TOKEN}`) return { status: 401, body: { message: 'Bad credentials' } }
    if (request.method !== 'GET') return { status: 405, body: { message: 'Method Not Allowed' } }
    if (url.pathname === LIMIT_PATH) return { status: 200, body: { rate: { limit: limitPerHour } } }
    if (url.pathname.startsWith('/search/') && limitsSearches && searches.until > Date.now()) {
      if (searches.used >= SEARCHES_PER_MINUTE) return { status: 403, body: { message: 'API rate limit exceeded' } }
      searches.used += 1
    }
    const addresses = { apiUrl: `http://${request.headers.host}`, webUrl: `https://${LOCAL_WEB_HOST}` }
    const found = commits.answer(url) ?? answerRest(world, content, { url, accept: request.headers.accept ?? '', addresses })
    if (found.status !== 200) return found
    const etag = `W/"${createHash('sha256').update(JSON.stringify(found.body)).digest('hex')}"`
    if (request.headers['if-none-match'] === etag) return { status: 304, body: undefined, headers: { etag } }
    allowance.used += 1
    return { ...found, headers: { etag } }
  }

  const rest = (request: IncomingMessage, response: ServerResponse, url: URL): void => {
    const path = `${url.pathname}${url.search}`
    const failure = world.failureFor(path)
    const answer: RestAnswer = failure === undefined ? answerOf(request, url) : { body: { message: 'scripted' }, ...failure }
    const { status, body, raw, headers } = answer
    if (path !== LIMIT_PATH) requests.push({ path, status, conditional: status === 304 })
    const all = { ...limits(path), ...headers }
    if (status === 0) response.destroy()
    else if (raw !== undefined) response.writeHead(status, { ...all, 'content-type': raw.type }).end(raw.text)
    else send(response, status, body, all)
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
    commits,
    content,
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
