import { createHash } from 'node:crypto'
import { mix } from '../sources/seeded.ts'
import type { CodehostContent } from './content.ts'
import type { LocalIssue } from './seed.ts'
import type { CodehostWorld } from './world.ts'

const DAY_MS = 86_400_000
const iso = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 19)}Z`

/** Addresses of the host: of its API and of its pages. */
export interface HostAddresses {
  apiUrl: string
  webUrl: string
}

const user = (login: string) => ({ login, type: 'User', site_admin: false })

/** An issue. Source: GitHub REST v3, "Get an issue". */
export const issuePage = (issue: LocalIssue, repoId: number, { apiUrl, webUrl }: HostAddresses) => {
  const { repo, number, isPull, labels, assignees } = issue
  const path = `${repo}/${isPull ? 'pull' : 'issues'}/${number}`
  return {
    id: repoId * 100_000 + number,
    url: `${apiUrl}/repos/${repo}/issues/${number}`,
    repository_url: `${apiUrl}/repos/${repo}`,
    html_url: `${webUrl}/${path}`,
    number,
    title: issue.title,
    body: issue.body,
    user: user('reporter-1'),
    labels: labels.map((name, index) => ({ id: index + 1, name, color: 'ededed', default: false, description: null })),
    state: issue.state,
    state_reason: null,
    locked: issue.isLocked,
    active_lock_reason: null,
    assignee: assignees[0] === undefined ? null : user(assignees[0]),
    assignees: assignees.map(user),
    milestone: null,
    comments: issue.comments,
    created_at: iso(issue.createdAt),
    updated_at: iso(issue.updatedAt),
    closed_at: issue.state === 'closed' ? iso(issue.updatedAt) : null,
    author_association: 'NONE',
    ...(isPull && { pull_request: { url: `${apiUrl}/repos/${repo}/pulls/${number}`, html_url: `${webUrl}/${path}` } }),
  }
}

const mentionedBy = (issue: LocalIssue, world: CodehostWorld): { number: number; state: string; merged: boolean }[] => {
  const names = new RegExp(`#${issue.number}(?![0-9])`)
  const scripted = world.all().filter(({ fullName, body }) => fullName.toLowerCase() === issue.repo.toLowerCase() && names.test(body ?? ''))
  return [...issue.openPulls.map((number) => ({ number, state: 'open', merged: false })), ...scripted]
}

/** Events of an issue, oldest first. Source: GitHub REST v3, "List timeline events for an issue". */
export const timelinePage = (issue: LocalIssue, world: CodehostWorld, { webUrl }: HostAddresses): unknown[] => {
  const { repo, createdAt, maintainerCommentAt, comments } = issue
  const comment = (at: number, login: string, association: string) => ({
    event: 'commented',
    user: user(login),
    actor: user(login),
    author_association: association,
    created_at: iso(at),
    updated_at: iso(at),
    body: 'Thank you for the report.',
  })
  const strangers = Array.from({ length: Math.max(0, comments - 1) }, (_, index) => comment(createdAt + index * 60_000, 'reader-1', 'NONE'))
  const references = mentionedBy(issue, world).map(({ number, state, merged }) => ({
    event: 'cross-referenced',
    actor: user('contributor'),
    created_at: iso(createdAt),
    source: {
      type: 'issue',
      issue: {
        number,
        state,
        repository: { full_name: repo },
        html_url: `${webUrl}/${repo}/pull/${number}`,
        pull_request: { html_url: `${webUrl}/${repo}/pull/${number}`, merged_at: merged ? iso(createdAt) : null },
      },
    },
  }))
  const labels = issue.labels.map((name) => ({ event: 'labeled', actor: user('member-1'), created_at: iso(createdAt), label: { name } }))
  return [
    ...labels,
    ...strangers,
    ...references,
    ...(maintainerCommentAt === null ? [] : [comment(maintainerCommentAt, 'member-1', 'MEMBER')]),
  ]
}

/** A repository. Source: GitHub REST v3, "Get a repository". */
export const repositoryPage = (repo: string, id: number, content: CodehostContent, { apiUrl, webUrl }: HostAddresses) => {
  const [owner = '', name = ''] = repo.split('/')
  const { archived, disabled, private: isPrivate, hasPullRequests, createdAt, stars } = content.stateOf(repo)
  return {
    id,
    name,
    full_name: repo,
    owner: { ...user(owner), type: 'Organization' },
    private: isPrivate,
    html_url: `${webUrl}/${repo}`,
    url: `${apiUrl}/repos/${repo}`,
    fork: false,
    archived,
    disabled,
    visibility: isPrivate ? 'private' : 'public',
    has_issues: true,
    has_pull_requests: hasPullRequests,
    default_branch: 'main',
    created_at: iso(createdAt),
    pushed_at: iso(content.newest),
    stargazers_count: stars,
    forks_count: Math.floor(stars / 4),
    license: { key: 'apache-2.0', spdx_id: 'Apache-2.0' },
  }
}

/** Closed pull requests of a repository, last changed first. Source: GitHub REST v3, "List pull requests". */
export const closedPullsPage = (repo: string, id: number, content: CodehostContent, world: CodehostWorld): unknown[] => {
  const scripted = world.all().filter(({ fullName, state }) => fullName.toLowerCase() === repo.toLowerCase() && state === 'closed')
  const changed = content.newest - (mix(id, 1) % 120) * DAY_MS
  const row = (number: number, merged: boolean, at: number) => ({
    number,
    state: 'closed',
    merged_at: merged ? iso(at) : null,
    closed_at: iso(at),
    updated_at: iso(at),
  })
  return [...scripted.map(({ number, merged }) => row(number, merged, content.newest)), row(202, false, changed), row(200, true, changed)]
}

const blobSha = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')

/** Files above this have no content in JSON, bytes. */
const INLINE_BYTES = 1024 * 1024

/** A file or a directory; undefined where there is none. Source: GitHub REST v3, "Get repository content". */
export const contentsPage = (files: ReadonlyMap<string, string>, path: string): { text?: string; page: unknown } | undefined => {
  const text = files.get(path)
  if (text !== undefined) {
    const isInline = Buffer.byteLength(text) <= INLINE_BYTES
    const name = path.split('/').at(-1) ?? ''
    const members = { type: 'file', name, path, sha: blobSha(text), size: Buffer.byteLength(text) }
    const content = isInline
      ? Buffer.from(text)
          .toString('base64')
          .replaceAll(/(.{60})/g, '$1\n')
      : ''
    return { text, page: { ...members, encoding: isInline ? 'base64' : 'none', content } }
  }
  const prefix = path === '' ? '' : `${path}/`
  const names = new Set(
    [...files.keys()].filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length).split('/')[0] ?? ''),
  )
  if (names.size === 0) return undefined
  const page = [...names].sort().map((name) => {
    const own = files.get(`${prefix}${name}`)
    const size = own === undefined ? 0 : Buffer.byteLength(own)
    return { type: own === undefined ? 'dir' : 'file', name, path: `${prefix}${name}`, sha: blobSha(own ?? name), size }
  })
  return { page }
}
