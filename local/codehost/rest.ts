import type { CodehostWorld, ScriptedPull } from './world.ts'

/** A page of the host's REST API: a body, or a status without one. */
export interface RestAnswer {
  status: number
  body: unknown
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

const PATH = /^\/repos\/([^/]+)\/([^/]+)\/(pulls|commits)\/([^/]+)(\/.*)?$/

/** Answers a GET of the API from the current world. */
export const answerRest = (world: CodehostWorld, url: URL, webUrl: string): RestAnswer => {
  const content = world.contents.answer(url)
  if (content !== null) return content
  const [, owner = '', name = '', kind, id = '', rest = ''] = PATH.exec(decodeURIComponent(url.pathname)) ?? []
  const repo = `${owner}/${name}`
  const newName = world.newNameOf(repo)
  if (newName !== undefined)
    return {
      status: 301,
      body: { message: 'Moved Permanently' },
      headers: { location: `/repos/${newName}/${kind}/${id}${rest}${url.search}` },
    }
  if (kind === 'pulls') {
    const pull = world.find(repo, Number(id))
    return pull === undefined || pull.private ? notFound : ofPull(pull, rest, url.searchParams, webUrl)
  }
  const owns = (pull: ScriptedPull) => pull.headSha === id && world.find(repo, pull.number) === pull
  const pull = kind === 'commits' ? world.all().find(owns) : undefined
  return pull === undefined || pull.private ? notFound : ofCommit(pull, rest, url.searchParams)
}
