import { bodyFacts } from '../../../domain/ingestion/github/issue.ts'
import { githubKey } from '../../../domain/ingestion/github.ts'
import type { Unfit } from '../../../domain/ingestion/provider.ts'
import { boundText } from '../../../domain/ingestion/source-text.ts'
import { repoKey } from '../../../domain/pull-requests/address.ts'
import { isRepoName } from '../../../domain/pull-requests/expected.ts'
import type { GithubInput, GithubIssue } from '../../../schemas/ingestion/github.ts'
import type { RepositoryPolicy } from '../../../schemas/pull-requests/policy.ts'
import { repositoryPath } from '../../codehost/paths.ts'
import { type RepositoryFacts, repositoryOf } from '../../codehost/repository-shapes.ts'
import { READING_MAX_AGE_SECONDS, type ReadRepository, type SourceMemory } from '../http/memory.ts'
import { type Source, SourceFailure, type SourceHttp, type UnreadItem } from '../source.ts'
import { createGithubSearch, FIRST_SEARCH, type Hits, SearchCursor } from './github-search.ts'
import { ClosedPulls, type GithubHit, RepositoryPage, Timeline, type TimelineEvents } from './github-shapes.ts'
import { assertOrigin, parseAnswer, parseCursor } from './shape.ts'

export interface GithubSourceDeps {
  /** Requests to the API of the code host, which add its token. */
  http: SourceHttp
  /** Base address of the API. */
  baseUrl: string
  /** Host in the addresses of issues. */
  webHost: string
  /** Policy of `owner/name` in its current spelling, which was just read. Throws `SourceFailure`. */
  readPolicy: (repo: string, known: RepositoryFacts) => Promise<RepositoryPolicy | null>
  /** Stars of a repository that the query does not name. */
  minimumStars: number
  /** Epoch ms by the wall clock. */
  now: () => number
  /** Repositories that the process has read. */
  repositories: SourceMemory['repositories']
}

/** Searches of one page of candidates while their hits are none. */
const SEARCHES = 5
const PAGE_BYTES = 4 * 1024 * 1024
const TIMELINE_EVENTS = 100
const TIMELINE_PAGES = 3
/** Age of a repository that the query does not name. */
const MINIMUM_AGE_DAYS = 90
/** A repository is asked for once a run, which takes less. Its claims read it again. */
const REPOSITORY_MAX_AGE_MS = READING_MAX_AGE_SECONDS * 1_000

const MEMBERS: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])
/** The host answers so for what is deleted, gone to where the token sees nothing, or blocked. A limit is none of them: it fails the request. */
const ABSENT = [403, 404, 410, 451]
const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

const isAbsent = ({ status }: { status: number }): boolean => ABSENT.includes(status)
const newestOf = (times: readonly string[]): string | null => [...times].sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? null

const labelsOf = ({ labels }: GithubHit): string[] =>
  (labels ?? [])
    .map((label) => boundText(typeof label === 'string' ? label : (label.name ?? ''), 60))
    .filter((label) => label !== '')
    .slice(0, 30)

const assigneesOf = ({ assignee, assignees }: GithubHit): string[] => {
  const logins = [assignee, ...(assignees ?? [])].flatMap((user) => (user == null ? [] : [boundText(user.login, 100)]))
  return [...new Set(logins)].slice(0, 20)
}

/** Repositories that a query asks for by name, lower case. */
const namedRepositories = ({ query }: GithubInput): ReadonlySet<string> =>
  new Set([...query.matchAll(/(?<![^\s(])repo:"?([^\s"()]+)/gi)].map(([, repo = '']) => repoKey(repo)))

/** What the timeline says of an issue of the repository. */
const readEvents = (events: TimelineEvents, repo: string): Pick<GithubIssue, 'openPullRequests' | 'lastMaintainerCommentAt'> => {
  const pulls = events.flatMap(({ event, source }) => {
    const issue = event === 'cross-referenced' ? source?.issue : null
    const isOpenPull = issue?.pull_request != null && issue.state === 'open'
    return isOpenPull ? [`${boundText(issue.repository?.full_name ?? repo, 201)}#${issue.number}`] : []
  })
  const comments = events.flatMap(({ event, author_association: association, created_at: at }) =>
    event === 'commented' && at !== null && MEMBERS.has(association ?? '') ? [at] : [],
  )
  return { openPullRequests: [...new Set(pulls)].slice(0, 20), lastMaintainerCommentAt: newestOf(comments) }
}

const GONE: Unfit = { reason: 'issue_gone', detail: 'The issue is gone, or the host does not show it.' }
const REPO_GONE: Unfit = { reason: 'repo_gone', detail: 'The repository is gone, or the host does not show it.' }
const TOO_LONG: Unfit = { reason: 'issue_too_long', detail: 'Its timeline is longer than the service reads.' }

/** A timeline that is longer than the service reads costs its issue, and is no reason to end the run. */
const refuseTooLong = (error: unknown): Unfit => {
  if (error instanceof SourceFailure && error.fault === 'source_too_large') return TOO_LONG
  throw error
}

/** What was read of some hits: `count` of them. */
interface Issues {
  issues: GithubIssue[]
  unread: UnreadItem[]
  count: number
}

/** Client of the code host: open issues of a query, last changed first, with what repository and timeline say of them. */
export const createGithubSource = (deps: GithubSourceDeps): Source<GithubInput, GithubIssue> => {
  const { http, baseUrl, webHost, minimumStars, now, repositories } = deps
  const base = baseUrl.replace(/\/$/, '')
  const policies = new Map<string, RepositoryPolicy | null>()

  const get = async (path: string, maxBytes: number, accept: readonly number[] = []) => {
    const read = await http.getJson({ url: `${base}${path}`, headers: HEADERS, maxBytes, accept })
    assertOrigin(read.answer, base)
    return read
  }
  const search = createGithubSearch(get)

  /** `owner/name` of a hit as the search spells it. */
  const repoOf = ({ repository_url: address }: GithubHit): string => {
    const repo = address.startsWith(`${base}/repos/`) ? address.slice(`${base}/repos/`.length) : null
    if (!isRepoName(repo)) throw new SourceFailure('source_unreadable', 'a result of the search is of another host')
    return repo
  }

  const readMerge = async (repo: string): Promise<string | null> => {
    const { value } = await get(`${repositoryPath(repo)}/pulls?state=closed&sort=updated&direction=desc&per_page=30`, PAGE_BYTES)
    const pulls = parseAnswer(ClosedPulls, value, 'a list of pull requests')
    return newestOf(pulls.flatMap(({ merged_at: at }) => (at === null ? [] : [at])))
  }

  const requestRepository = async (repo: string): Promise<ReadRepository['found']> => {
    const { value, answer } = await get(repositoryPath(repo), PAGE_BYTES, ABSENT)
    if (isAbsent(answer)) return 'absent'
    const page = parseAnswer(RepositoryPage, value, 'a repository')
    const { id, full_name: name, archived, disabled, private: isPrivate, created_at: createdAt, stargazers_count: stars } = page
    if (!isRepoName(name)) throw new SourceFailure('source_unreadable', 'a repository has no name')
    const facts = { name, id, isArchived: archived, isDisabled: disabled, isPrivate, createdAt, stars }
    const takesWork = !archived && !disabled && !isPrivate
    const known = repositoryOf(value)
    if (known === null) throw new SourceFailure('source_unreadable', 'the answer is not a repository')
    return { repository: { ...facts, lastMergedAt: takesWork ? await readMerge(name) : null }, known, takesWork }
  }

  /** Repository of that name now, after renames and transfers; `absent` without one. */
  const readRepository = async (repo: string): Promise<ReadRepository['found']> => {
    const read = repositories.get(repoKey(repo))
    if (read !== undefined && now() - read.readAt < REPOSITORY_MAX_AGE_MS) return read.found
    const found = await requestRepository(repo)
    repositories.set(repoKey(repo), { found, readAt: now() })
    return found
  }

  /** Policy of a repository, once a page: the rows have what any process has read since. */
  const readPolicy = async (name: string, known: RepositoryFacts): Promise<RepositoryPolicy | null> => {
    const policy = policies.has(name) ? (policies.get(name) ?? null) : await deps.readPolicy(name, known)
    policies.set(name, policy)
    return policy
  }

  /** Events of an issue, the first of many; why not for an issue that is gone. */
  const readTimeline = async (repo: string, number: number): Promise<TimelineEvents | Unfit> => {
    const events: TimelineEvents = []
    for (let page = 1; page <= TIMELINE_PAGES; page += 1) {
      const path = `${repositoryPath(repo)}/issues/${number}/timeline?per_page=${TIMELINE_EVENTS}&page=${page}`
      const { value, answer } = await get(path, PAGE_BYTES, ABSENT)
      if (isAbsent(answer)) return GONE
      const found = parseAnswer(Timeline, value, 'a timeline')
      events.push(...found)
      if (found.length < TIMELINE_EVENTS) break
    }
    return events
  }

  /** A candidate, or why it could not be read. */
  const readIssue = async (hit: GithubHit, named: ReadonlySet<string>): Promise<GithubIssue | UnreadItem> => {
    const repo = repoOf(hit)
    const found = await readRepository(repo)
    if (found === 'absent') return { key: githubKey(repoKey(repo), hit.number), ...REPO_GONE }
    const { repository } = found
    const policy = found.takesWork ? await readPolicy(repository.name, found.known) : null
    const { number, title, body } = hit
    const events = policy === null ? [] : await readTimeline(repository.name, number).catch(refuseTooLong)
    if ('reason' in events) return { key: githubKey(repository.id, number), ...events }
    return {
      repository,
      needs: named.has(repoKey(repository.name)) ? null : { stars: minimumStars, ageDays: MINIMUM_AGE_DAYS },
      number,
      url: `https://${webHost}/${repository.name}/issues/${number}`,
      title: boundText(title ?? '', 300),
      body: boundText(body ?? '', 2_000),
      ...bodyFacts(body ?? ''),
      labels: labelsOf(hit),
      state: hit.state === 'open' ? 'open' : 'closed',
      isLocked: hit.locked ?? false,
      comments: hit.comments ?? 0,
      assignees: assigneesOf(hit),
      ...readEvents(events, repository.name),
      updatedAt: hit.updated_at,
      policy,
      readAt: now(),
    }
  }

  /** Candidates among the hits. Where the budget of the run ends in their middle, those before it. Throws `SourceFailure` where it ends before the first. */
  const readIssues = async (hits: readonly GithubHit[], named: ReadonlySet<string>): Promise<Issues> => {
    const issues: GithubIssue[] = []
    const unread: UnreadItem[] = []
    for (const [index, hit] of hits.entries()) {
      try {
        const issue = await readIssue(hit, named)
        if ('reason' in issue) unread.push(issue)
        else issues.push(issue)
      } catch (error) {
        const isSpent = error instanceof SourceFailure && error.fault === 'budget_exhausted'
        if (!isSpent || index === 0) throw error
        return { issues, unread, count: index }
      }
    }
    return { issues, unread, count: hits.length }
  }

  return {
    readPage: async (input, cursor) => {
      let place: SearchCursor | null = parseCursor(SearchCursor, cursor, FIRST_SEARCH)
      const items: GithubIssue[] = []
      const unread: UnreadItem[] = []
      const named = namedRepositories(input)
      for (let searches = 0; place !== null && items.length + unread.length === 0 && searches < SEARCHES; searches += 1) {
        const { hits, nextAfter }: Hits = await search(input, place)
        const read = await readIssues(hits, named)
        items.push(...read.issues)
        unread.push(...read.unread)
        place = nextAfter(read.count)
      }
      return { items, unread, next: place === null ? null : JSON.stringify(place) }
    },
  }
}
