import { z } from 'zod'
import type { RestAnswer } from './rest.ts'
import type { CodehostWorld } from './world.ts'
import { newSha, Sha } from './world.ts'

/** A scripted commit of a branch. */
export const CommitChange = z.strictObject({
  message: z.string(),
  sha: Sha.optional(),
  branch: z.string().default('main'),
  /** Time of the committer; now when left out. */
  at: z.iso.datetime().optional(),
})

interface ScriptedCommit {
  repo: string
  sha: string
  message: string
  branch: string
  at: string
}

const COMMITS = /^\/repos\/([^/]+\/[^/]+)\/commits$/

/** Commits of branches: the merges of pull requests, and those that a script adds. */
export const createCommits = (world: CodehostWorld) => {
  let scripted: ScriptedCommit[] = []

  const mergesOf = (repo: string): ScriptedCommit[] =>
    world.all().flatMap(({ fullName, number, title, author, baseRef, mergeCommit, mergedAt }) =>
      fullName.toLowerCase() === repo && mergeCommit !== null && mergedAt !== null
        ? [
            {
              repo,
              sha: mergeCommit,
              message: `Merge pull request #${number} from ${author}/change\n\n${title}`,
              branch: baseRef,
              at: mergedAt,
            },
          ]
        : [],
    )

  return {
    add: (repo: string, change: z.input<typeof CommitChange>): string => {
      const { sha = newSha(), at = new Date().toISOString(), ...commit } = CommitChange.parse(change)
      scripted.push({ repo: repo.toLowerCase(), sha, at, ...commit })
      return sha
    },

    clear: (): void => {
      scripted = []
    },

    /** Page of `GET /repos/{owner}/{repo}/commits`, newest first; undefined for another path. */
    answer: (url: URL): RestAnswer | undefined => {
      const [, name] = COMMITS.exec(decodeURIComponent(url.pathname)) ?? []
      if (name === undefined) return undefined
      const newName = world.newNameOf(name)
      if (newName !== undefined)
        return { status: 301, body: { message: 'Moved Permanently' }, headers: { location: `/repos/${newName}/commits${url.search}` } }
      const repo = name.toLowerCase()
      const isKnown = world.all().some(({ fullName }) => fullName.toLowerCase() === repo) || scripted.some((commit) => commit.repo === repo)
      if (!isKnown) return { status: 404, body: { message: 'Not Found' } }
      const query = url.searchParams
      const size = Math.min(Number(query.get('per_page') ?? 30), 100)
      const start = (Number(query.get('page') ?? 1) - 1) * size
      const since = Date.parse(query.get('since') ?? '1970-01-01T00:00:00Z')
      const found = [...scripted.filter((commit) => commit.repo === repo), ...mergesOf(repo)]
        .filter(({ branch, at }) => branch === (query.get('sha') ?? 'main') && Date.parse(at) >= since)
        .reverse()
        .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
      const body = found.slice(start, start + size).map(({ sha, message, at }) => ({ sha, commit: { message, committer: { date: at } } }))
      return { status: 200, body }
    },
  }
}
