import { z } from 'zod'
import { findRevert, type MergedText, revertCandidates } from '../../domain/deliveries/reverts.ts'
import type { DeliveryReading } from '../../schemas/deliveries/record.ts'
import type { PullRequestRef } from '../../schemas/pull-requests/record.ts'
import type { Settings } from '../../schemas/settings.ts'
import { type ApiAnswer, type CodehostApi, createCodehostApi } from '../codehost/client.ts'
import { isAbsent, repositoryPath } from '../codehost/paths.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'

/** Reads what became of a pull request. Failures are answers. `repoId` is the repository of its first reading; null before it. */
export type ReadPullRequestDelivery = (ref: PullRequestRef, repoId: number | null) => Promise<DeliveryReading>

const PER_PAGE = 100
/** A default branch with more commits since the merge cannot be searched for a revert. */
const MAX_PAGES = 10
/** Pull requests whose texts are read for a revert. */
const MAX_CANDIDATES = 5

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/)

/** Source: GitHub REST v3, "Get a pull request". */
const Pull = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  merged_at: z.iso.datetime({ offset: true }).nullish(),
  merge_commit_sha: Sha.nullish(),
  base: z.object({ repo: z.object({ id: z.int(), full_name: z.string(), default_branch: z.string().min(1) }) }),
})

/** Source: GitHub REST v3, "List commits". */
const Commits = z.array(z.object({ sha: Sha, commit: z.object({ message: z.string() }) }))

const unreadable = (failure: string): DeliveryReading & { ok: false } => ({ ok: false, failure })

type Parsed<T> = { ok: true; value: T } | (DeliveryReading & { ok: false })

const parse = <T>(answer: ApiAnswer, schema: z.ZodType<T>): Parsed<T> => {
  if (!answer.ok) return unreadable(answer.failure.reason)
  const found = schema.safeParse(answer.value)
  return found.success ? { ok: true, value: found.data } : unreadable('codehost_bad_answer')
}

/** Commits of the default branch since the merge, newest first. */
const readCommits = async (api: CodehostApi, base: string, branch: string, since: string): Promise<Parsed<z.infer<typeof Commits>>> => {
  const all: z.infer<typeof Commits> = []
  const query = new URLSearchParams({ sha: branch, since: new Date(since).toISOString(), per_page: String(PER_PAGE) })
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const found = parse(await api.get(`${base}/commits?${query}&page=${page}`), Commits)
    if (!found.ok) return found
    all.push(...found.value)
    if (found.value.length < PER_PAGE) return { ok: true, value: all }
  }
  return unreadable('codehost_list_too_long')
}

const readTexts = async (api: CodehostApi, base: string, numbers: readonly number[]): Promise<Parsed<MergedText[]>> => {
  const texts: MergedText[] = []
  for (const number of numbers.slice(0, MAX_CANDIDATES)) {
    const found = parse(await api.get(`${base}/pulls/${number}`), Pull)
    if (!found.ok) return found
    if (found.value.merged) texts.push({ number, title: found.value.title, body: found.value.body ?? '' })
  }
  return { ok: true, value: texts }
}

/** A pull request that is gone from a repository that can be read was not merged: hosts delete only pull requests of deleted authors. */
const readAbsent = async (api: CodehostApi, base: string, failure: string): Promise<DeliveryReading> => {
  const commits = parse(await api.get(`${base}/commits?per_page=1`), Commits)
  if (!commits.ok) return unreadable(failure)
  return { ok: true, facts: { kind: 'pull_request', state: 'closed', isMerged: false, mergeCommit: null, revertedBy: null } }
}

const readFrom = async (api: CodehostApi, { owner, repo, number }: PullRequestRef, repoId: number | null): Promise<DeliveryReading> => {
  const base = repositoryPath(`${owner}/${repo}`)
  const found = parse(await api.get(`${base}/pulls/${number}`), Pull)
  if (!found.ok) return isAbsent({ reason: found.failure }) ? readAbsent(api, base, found.failure) : found
  const { state, merged, merged_at: mergedAt, merge_commit_sha: mergeCommit, base: target } = found.value
  if (repoId !== null && target.repo.id !== repoId) return unreadable('repository_replaced')
  if (!merged) return { ok: true, facts: { kind: 'pull_request', state, isMerged: false, mergeCommit: null, revertedBy: null } }
  if (!mergedAt || !mergeCommit) return unreadable('codehost_bad_answer')
  const commits = await readCommits(api, base, target.repo.default_branch, mergedAt)
  if (!commits.ok) return commits
  const branch = commits.value.map(({ sha, commit }) => ({ sha, message: commit.message }))
  const texts = await readTexts(api, base, revertCandidates(branch, { number }))
  if (!texts.ok) return texts
  const revertedBy = findRevert({ repo: target.repo.full_name, number, mergeCommit }, branch, texts.value)
  return { ok: true, facts: { kind: 'pull_request', state: 'closed', isMerged: true, mergeCommit, revertedBy } }
}

export interface PullRequestDeliveryDeps {
  settings: Pick<Settings, 'CODEHOST_API_URL' | 'CODEHOST_WEB_HOST' | 'CODEHOST_TOKEN' | 'CODEHOST_TIMEOUT_SECONDS'>
  fetch: GuardedFetch
  /** Epoch ms by the system clock, which the host shares. */
  now?: () => number
}

/** Creates the reader for the configured code host. Without a token it reads nothing, and it never requests other hosts. */
export const createPullRequestDeliveries = ({ settings, fetch, now = Date.now }: PullRequestDeliveryDeps): ReadPullRequestDelivery => {
  const { CODEHOST_TOKEN: token, CODEHOST_API_URL: baseUrl, CODEHOST_WEB_HOST: webHost } = settings
  if (token === undefined) return async () => unreadable('codehost_token_not_configured')
  const timeoutMs = Math.ceil(settings.CODEHOST_TIMEOUT_SECONDS * 1_000)
  const api = createCodehostApi({ fetch, baseUrl, token, timeoutMs, now })
  return async (ref, repoId) => (ref.host === webHost ? readFrom(api, ref, repoId) : unreadable('codehost_host_not_configured'))
}
