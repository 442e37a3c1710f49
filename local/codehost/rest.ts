import type { CodehostContent } from './content.ts'
import { closedPullsPage, contentsPage, type HostAddresses, issuePage, repositoryPage, timelinePage } from './pages.ts'
import { searchIssues } from './search.ts'
import type { CodehostWorld, ScriptedPull } from './world.ts'

/** A page of the host's REST API: a body, or a status without one. */
export interface RestAnswer {
  status: number
  body: unknown
  /** Sent instead of the body, under its own media type. */
  raw?: { text: string; type: string }
  headers?: Record<string, string>
}

const notFound: RestAnswer = { status: 404, body: { message: 'Not Found', documentation_url: 'https://codehost.example/docs' } }
const ok = (body: unknown): RestAnswer => ({ status: 200, body })

const pullBody = (pull: ScriptedPull, webUrl: string) => ({
  html_url: `${webUrl}/${pull.fullName}/pull/${pull.number}`,
  number: pull.number,
  title: pull.title,
  body: pull.body,
  state: pull.state,
  merged: pull.merged,
  merged_at: pull.mergedAt,
  merge_commit_sha: pull.mergeCommit,
  draft: pull.draft,
  user: { login: pull.author },
  head: { sha: pull.headSha },
  base: { ref: pull.baseRef, repo: { id: pull.repoId, full_name: pull.fullName, default_branch: pull.defaultBranch } },
})

const paged = <T>(items: T[], query: URLSearchParams): T[] => {
  const size = Math.min(Number(query.get('per_page') ?? 30), 100)
  const start = (Number(query.get('page') ?? 1) - 1) * size
  return items.slice(start, start + size)
}

const reviewBody = ({ reviewer, state, association }: ScriptedPull['reviews'][number]) => ({
  user: { login: reviewer },
  state: state.toUpperCase(),
  author_association: association,
})

const START = Date.parse('2026-01-01T00:00:00Z')
const timeOf = (index: number): string => new Date(START + index * 1_000).toISOString()

const statusBody = (status: ScriptedPull['statuses'][number], index: number) => ({ id: index + 1, updated_at: timeOf(index), ...status })
const runBody = ({ app, ...run }: ScriptedPull['runs'][number], index: number) => ({
  id: index + 1,
  started_at: timeOf(index),
  ...run,
  app: { id: 1, slug: app },
})

const ofPull = (pull: ScriptedPull, rest: string, query: URLSearchParams, webUrl: string): RestAnswer => {
  if (rest === '') return ok(pullBody(pull, webUrl))
  return rest === '/reviews' ? ok(paged(pull.reviews.map(reviewBody), query)) : notFound
}

const ofCommit = (pull: ScriptedPull, rest: string, query: URLSearchParams): RestAnswer => {
  if (rest === '/status')
    return ok({ sha: pull.headSha, total_count: pull.statuses.length, statuses: paged(pull.statuses.map(statusBody), query) })
  if (rest === '/check-runs') return ok({ total_count: pull.runs.length, check_runs: paged(pull.runs.map(runBody), query) })
  return notFound
}

/** A request to the API. */
interface RestRequest {
  url: URL
  /** Header `accept`. */
  accept: string
  addresses: HostAddresses
}

const RAW_TYPE = 'application/vnd.github.raw+json'

const gone: RestAnswer = { status: 410, body: { message: 'This issue was deleted' } }
const moved = (location: string): RestAnswer => ({ status: 301, body: { message: 'Moved Permanently' }, headers: { location } })

const search = (world: CodehostWorld, content: CodehostContent, { url, addresses }: RestRequest): RestAnswer => {
  const found = searchIssues(content, url.searchParams)
  if (!found.ok) return { status: 422, body: { message: found.message, documentation_url: 'https://codehost.example/docs' } }
  const items = found.issues.map((issue) => ({ ...issuePage(issue, world.repoIdOf(issue.repo), addresses), score: 1 }))
  return ok({ total_count: found.total, incomplete_results: false, items })
}

const ofIssue = (
  world: CodehostWorld,
  content: CodehostContent,
  repo: string,
  id: string,
  rest: string,
  request: RestRequest,
): RestAnswer => {
  const number = Number(id)
  const transfer = content.transferOf(repo, number)
  if (transfer !== undefined) return moved(`/repos/${transfer}/issues/${id}${rest}${request.url.search}`)
  const issue = Number.isInteger(number) && number > 0 ? content.findIssue(repo, number) : undefined
  if (issue === null) return gone
  if (issue === undefined) return notFound
  if (rest === '') return ok(issuePage(issue, world.repoIdOf(repo), request.addresses))
  return rest === '/timeline' ? ok(paged(timelinePage(issue, world, request.addresses), request.url.searchParams)) : notFound
}

const ofContents = (content: CodehostContent, repo: string, path: string, { accept }: RestRequest): RestAnswer => {
  const found = contentsPage(content.filesOf(repo), path.replace(/^\/|\/$/g, ''))
  if (found === undefined) return notFound
  const { text, page } = found
  return text !== undefined && accept.includes(RAW_TYPE) ? { ...ok(page), raw: { text, type: `${RAW_TYPE}; charset=utf-8` } } : ok(page)
}

/** Answers a page of the repository itself: its facts, its closed pull requests, an issue, or its files. */
const ofRepository = (world: CodehostWorld, content: CodehostContent, repo: string, rest: string, request: RestRequest): RestAnswer => {
  const [, kind = '', id = '', page = ''] = /^\/([^/]+)(?:\/([^/]*)(.*))?$/s.exec(rest) ?? []
  const { missing, private: isPrivate } = content.stateOf(repo)
  if (missing || isPrivate) return notFound
  if (rest === '') return ok(repositoryPage(world.currentNameOf(world.originOf(repo)), world.repoIdOf(repo), content, request.addresses))
  if (kind === 'issues') return ofIssue(world, content, repo, id, page, request)
  if (kind === 'contents') return ofContents(content, repo, `${id}${page}`, request)
  const isList = rest === '/pulls' && request.url.searchParams.get('state') === 'closed'
  return isList ? ok(paged(closedPullsPage(repo, world.repoIdOf(repo), content, world), request.url.searchParams)) : notFound
}

const PATH = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/s
const OF_PULLS = /^\/(pulls|commits)\/([^/]+)(\/.*)?$/s

/** Answers a GET of the API from the current world. */
export const answerRest = (world: CodehostWorld, content: CodehostContent, request: RestRequest): RestAnswer => {
  const { url, addresses } = request
  const path = decodeURIComponent(url.pathname)
  if (path === '/search/issues') return search(world, content, request)
  const [, owner, name, page = ''] = PATH.exec(path) ?? []
  if (owner === undefined || name === undefined) return notFound
  const repo = `${owner}/${name}`
  const newName = world.newNameOf(repo)
  if (newName !== undefined) return moved(`/repos/${newName}${page}${url.search}`)
  const [, kind, id = '', rest = ''] = OF_PULLS.exec(page) ?? []
  if (kind === undefined) return ofRepository(world, content, repo, page, request)
  if (kind === 'pulls') {
    const pull = world.find(repo, Number(id))
    return pull === undefined || pull.private ? notFound : ofPull(pull, rest, url.searchParams, addresses.webUrl)
  }
  const owns = (pull: ScriptedPull) => pull.headSha === id && world.find(repo, pull.number) === pull
  const pull = world.all().find(owns)
  return pull === undefined || pull.private ? notFound : ofCommit(pull, rest, url.searchParams)
}
