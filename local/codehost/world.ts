import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { seededRepositoryId } from './seed.ts'

/** Path of the limits of a token. A request to it counts against no limit. */
export const LIMIT_PATH = '/rate_limit'

export const Sha = z.string().regex(/^[0-9a-f]{40}$/)
/** Ids and times of checks count up in the order of the script unless it names them. */
const Status = z.object({
  id: z.int().optional(),
  updated_at: z.string().optional(),
  context: z.string(),
  state: z.enum(['success', 'pending', 'failure', 'error']),
  description: z.string().nullable().default(null),
})
const Run = z.object({
  id: z.int().optional(),
  name: z.string(),
  app: z.string().default('ci'),
  status: z.string().default('completed'),
  conclusion: z.string().nullable().default(null),
  started_at: z.string().nullable().optional(),
})
const Review = z.object({ reviewer: z.string(), state: z.string(), association: z.string().default('MEMBER') })

/** What a script may set of a pull request. */
const PullMembers = z.strictObject({
  title: z.string(),
  body: z.string().nullable(),
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  draft: z.boolean(),
  baseRef: z.string(),
  defaultBranch: z.string(),
  headSha: Sha,
  author: z.string(),
  /** A private repository answers 404. */
  private: z.boolean(),
  statuses: z.array(Status),
  runs: z.array(Run),
  reviews: z.array(Review),
})

/** A scripted change of a pull request; absent members stay unchanged. Checks belong to the head commit: a new head has none. */
export const PullChange = PullMembers.partial()
export type PullChange = z.input<typeof PullChange>

export type ScriptedPull = z.infer<typeof PullMembers> & {
  fullName: string
  number: number
  repoId: number
  /** Commit and time of the merge; null before it. */
  mergeCommit: string | null
  mergedAt: string | null
}

/** A scripted change of a repository: another name or owner under the same id, or another repository of this name. */
export const RepositoryChange = z.union([z.strictObject({ renameTo: z.string() }), z.strictObject({ recreate: z.literal(true) })])
export type RepositoryChange = z.infer<typeof RepositoryChange>

/** A scripted failure that replaces the next `times` answers. */
export const Failure = z.strictObject({
  /** Part of the path it is for; every path but that of the limits when left out. */
  path: z.string().default(''),
  /** 0 closes the connection without an answer. */
  status: z.int(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
  times: z.int().min(1).default(1),
})
export type Failure = z.infer<typeof Failure>

/** A new random commit id. */
export const newSha = (): string => randomBytes(20).toString('hex')

const keyOf = (repo: string, number: number): string => `${repo.toLowerCase()}#${number}`

/** Everything the fake host knows. */
export const createCodehostWorld = () => {
  const pulls = new Map<string, ScriptedPull>()
  const repoIds = new Map<string, number>()
  /** New names of renamed repositories by their old ones, lower case. */
  const renamed = new Map<string, string>()
  let lastRepoId = 0
  let failures: Failure[] = []

  /** Ids count up in the order of first use; none is used again. */
  const repoIdOf = (repo: string): number => {
    const seeded = repoIds.get(repo.toLowerCase()) ?? seededRepositoryId(repo)
    if (seeded !== undefined) return seeded
    lastRepoId += 1
    repoIds.set(repo.toLowerCase(), lastRepoId)
    return lastRepoId
  }
  /** Names under which renamed repositories were seeded, by their present ones, lower case. */
  const origins = new Map<string, string>()
  const originOf = (repo: string): string => origins.get(repo.toLowerCase()) ?? repo
  const find = (repo: string, number: number): ScriptedPull | undefined => pulls.get(keyOf(repo, number))

  const newNameOf = (repo: string): string | undefined => renamed.get(repo.toLowerCase())
  return {
    find,
    all: (): ScriptedPull[] => [...pulls.values()],

    /** Opens a pull request, or changes it. */
    set: (repo: string, number: number, change: PullChange): ScriptedPull => {
      const { merged, ...members } = PullChange.parse(change)
      const before: ScriptedPull = find(repo, number) ?? {
        fullName: repo,
        number,
        title: `Change ${number}`,
        body: '',
        state: 'open',
        merged: false,
        mergeCommit: null,
        mergedAt: null,
        headSha: newSha(),
        draft: false,
        baseRef: 'main',
        defaultBranch: 'main',
        repoId: repoIdOf(repo),
        author: 'contributor',
        private: false,
        statuses: [],
        runs: [],
        reviews: [],
      }
      const hasNewHead = members.headSha !== undefined && members.headSha !== before.headSha
      const pull: ScriptedPull = {
        ...before,
        ...(hasNewHead && { statuses: [], runs: [] }),
        ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
        ...(merged !== undefined && { merged }),
        ...(merged === true && { state: 'closed' }),
        ...(merged === true && before.mergeCommit === null && { mergeCommit: newSha(), mergedAt: new Date().toISOString() }),
      }
      pulls.set(keyOf(repo, number), pull)
      return pull
    },

    /** Numeric id of a repository, which survives a rename. */
    repoIdOf,
    /** The name under which the content of a repository was seeded or scripted first. */
    originOf,
    /** The present name of a repository by its first one. */
    currentNameOf: (origin: string): string => {
      let name = origin
      for (let next = renamed.get(name.toLowerCase()); next !== undefined; next = renamed.get(name.toLowerCase())) name = next
      return name
    },

    /** The name under which a renamed repository answers; undefined for any other. */
    newNameOf,

    /** Renames a repository, or replaces it by another one that takes over its name and pull requests. */
    changeRepository: (repo: string, change: RepositoryChange): void => {
      const name = 'renameTo' in change ? change.renameTo : repo
      const repoId = 'renameTo' in change ? repoIdOf(repo) : lastRepoId + 1
      const moved = [...pulls.values()].filter(({ fullName }) => fullName.toLowerCase() === repo.toLowerCase())
      repoIds.delete(repo.toLowerCase())
      repoIds.set(name.toLowerCase(), repoId)
      if (!('renameTo' in change)) lastRepoId = repoId
      for (const { number } of moved) pulls.delete(keyOf(repo, number))
      for (const pull of moved) pulls.set(keyOf(name, pull.number), { ...pull, fullName: name, repoId })
      renamed.delete(name.toLowerCase())
      if (name === repo) return
      renamed.set(repo.toLowerCase(), name)
      origins.set(name.toLowerCase(), originOf(repo))
      origins.delete(repo.toLowerCase())
    },

    remove: (repo: string, number: number): void => {
      pulls.delete(keyOf(repo, number))
    },

    fail: (failure: z.input<typeof Failure>): void => {
      failures.push(Failure.parse(failure))
    },

    /** The scripted failure for a request; each call uses it once. */
    failureFor: (path: string): Failure | undefined => {
      const failure = failures.find((candidate) => path.includes(candidate.path) && (candidate.path !== '' || path !== LIMIT_PATH))
      if (failure === undefined) return undefined
      failure.times -= 1
      failures = failures.filter(({ times }) => times > 0)
      return failure
    },

    clear: (): void => {
      pulls.clear()
      renamed.clear()
      origins.clear()
      failures = []
    },
  }
}
export type CodehostWorld = ReturnType<typeof createCodehostWorld>
