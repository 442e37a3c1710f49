import type { PullRequestReading, PullRequestRef } from '../../schemas/pull-requests/record.ts'
import type { Settings } from '../../schemas/settings.ts'
import { type CodehostApi, createCodehostApi } from '../codehost/client.ts'
import { repositoryPath } from '../codehost/paths.ts'
import { pullOf, reviewsOf, runsOf, statusesOf } from '../codehost/shapes.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'

/** Reads one pull request with its checks and reviews. Failures are answers. */
export type ReadPullRequest = (ref: PullRequestRef) => Promise<PullRequestReading>

const PER_PAGE = 100
/** A longer list counts as unavailable, since its first pages do not suffice for a verdict. */
const MAX_PAGES = 5

/** Every item of a list; null if a page could not be read or the list is too long. */
const readAll = async <T>(api: CodehostApi, path: string, itemsOf: (value: unknown) => T[] | null): Promise<T[] | null> => {
  const all: T[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await api.get(`${path}${path.includes('?') ? '&' : '?'}per_page=${PER_PAGE}&page=${page}`)
    const items = answer.ok ? itemsOf(answer.value) : null
    if (items === null) return null
    all.push(...items)
    if (items.length < PER_PAGE) return all
  }
  return null
}

const readFrom = async (api: CodehostApi, { owner, repo, number }: PullRequestRef): Promise<PullRequestReading> => {
  const base = repositoryPath(`${owner}/${repo}`)
  const answer = await api.get(`${base}/pulls/${number}`)
  if (!answer.ok) return { status: 'unavailable', ...answer.failure }
  const pull = pullOf(answer.value)
  if (pull === null) return { status: 'unavailable', reason: 'codehost_bad_answer', isTransient: true, retryAfterSeconds: null }
  // In sequence: hosts limit parallel requests separately.
  const statuses = await readAll(api, `${base}/commits/${pull.headSha}/status`, statusesOf)
  const runs = await readAll(api, `${base}/commits/${pull.headSha}/check-runs?filter=latest`, runsOf)
  const reviews = await readAll(api, `${base}/pulls/${number}/reviews`, reviewsOf)
  return { status: 'verified', pull, statuses, runs, reviews }
}

export interface PullRequestDeps {
  settings: Pick<Settings, 'CODEHOST_API_URL' | 'CODEHOST_WEB_HOST' | 'CODEHOST_TOKEN' | 'CODEHOST_TIMEOUT_SECONDS'>
  fetch: GuardedFetch
  now?: () => number
}

/** Creates the reader for the configured code host. Without a token it reads nothing, and it never requests other hosts. */
export const createPullRequests = ({ settings, fetch, now = Date.now }: PullRequestDeps): ReadPullRequest => {
  const { CODEHOST_TOKEN: token, CODEHOST_API_URL: baseUrl, CODEHOST_WEB_HOST: webHost } = settings
  if (token === undefined) return async () => ({ status: 'skipped', reason: 'codehost_token_not_configured' })
  const timeoutMs = Math.ceil(settings.CODEHOST_TIMEOUT_SECONDS * 1_000)
  const api = createCodehostApi({ fetch, baseUrl, token, timeoutMs, now })
  return async (ref) => (ref.host === webHost ? readFrom(api, ref) : { status: 'not_applicable', reason: 'codehost_host_not_configured' })
}
