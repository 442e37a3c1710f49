import { createHash } from 'node:crypto'
import { z } from 'zod'

/** As of the REST API, of which these pages are a part. */
interface RestAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

const ScriptedIssue = z.strictObject({
  title: z.string().default('An issue'),
  body: z.string().nullable().default(''),
  state: z.enum(['open', 'closed']).default('open'),
  /** Where a transferred issue is now. */
  movedTo: z.string().optional(),
  isDeleted: z.boolean().default(false),
})

/** What a script may set of a repository besides its pull requests; absent members stay. */
export const ContentChange = z.strictObject({
  /** Texts by path; null removes a file. */
  files: z.record(z.string(), z.string().nullable()).optional(),
  /** Issues by number. An issue that no script names is open. */
  issues: z.record(z.string(), ScriptedIssue).optional(),
  archived: z.boolean().optional(),
  /** Answers 404, as a deleted repository does. */
  isGone: z.boolean().optional(),
})
export type ContentChange = z.input<typeof ContentChange>

interface Repository {
  files: Map<string, string>
  issues: Map<string, z.infer<typeof ScriptedIssue>>
  archived: boolean
  isGone: boolean
}

const notFound: RestAnswer = { status: 404, body: { message: 'Not Found' } }
const ok = (body: unknown): RestAnswer => ({ status: 200, body })
const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex')

const listingOf = ({ files }: Repository, folder: string): RestAnswer => {
  const prefix = folder === '' ? '' : `${folder}/`
  const names = new Map<string, string | null>()
  for (const [path, text] of files) {
    if (!path.startsWith(prefix)) continue
    const [name = '', ...rest] = path.slice(prefix.length).split('/')
    names.set(name, rest.length === 0 ? text : null)
  }
  if (names.size === 0) return notFound
  const entries = [...names].map(([name, text]) => ({
    name,
    path: `${prefix}${name}`,
    type: text === null ? 'dir' : 'file',
    size: text?.length ?? 0,
    sha: hashOf(text ?? name),
  }))
  return ok(entries)
}

const PATH = /^\/repos\/([^/]+\/[^/]+)(?:\/(contents|issues)(?:\/(.*))?)?$/

/** Files and issues of the fake host. `idOf` gives the numeric id of a repository, `newNameOf` the name of a renamed one. */
export const createContents = (hosts: { idOf: (repo: string) => number; newNameOf: (repo: string) => string | undefined }) => {
  const repositories = new Map<string, Repository>()
  const find = (repo: string): Repository => {
    const known = repositories.get(repo.toLowerCase())
    if (known !== undefined) return known
    // An owner has no repository for its files until a script gives it one.
    const isGone = repo.endsWith('/.github')
    return { files: new Map(isGone ? [] : [['README.md', `# ${repo}\n`]]), issues: new Map(), archived: false, isGone }
  }

  const issueOf = (repo: string, number: string): RestAnswer => {
    const issue = find(repo).issues.get(number) ?? ScriptedIssue.parse({})
    if (issue.isDeleted) return { status: 410, body: { message: 'This issue was deleted' } }
    const { title, body, state, movedTo } = issue
    const address = `https://api.codehost.example/repos/${movedTo ?? repo}`
    return ok({ number: Number(number), title, body, state, repository_url: address })
  }

  return {
    /** Changes a repository, which exists from then on. */
    set: (repo: string, change: ContentChange): void => {
      const { files = {}, issues = {}, archived, isGone } = ContentChange.parse(change)
      const before = find(repo)
      for (const [path, text] of Object.entries(files)) {
        if (text === null) before.files.delete(path)
        else before.files.set(path, text)
      }
      for (const [number, issue] of Object.entries(issues)) before.issues.set(number, issue)
      const known = repositories.has(repo.toLowerCase())
      repositories.set(repo.toLowerCase(), {
        ...before,
        archived: archived ?? before.archived,
        isGone: isGone ?? (known && before.isGone),
      })
    },

    /** Answer to a request for a repository, a file, a folder or an issue; null for every other path. */
    answer: (url: URL): RestAnswer | null => {
      const [whole, repo, kind, rest = ''] = PATH.exec(decodeURIComponent(url.pathname)) ?? []
      if (whole === undefined || repo === undefined) return null
      const newName = hosts.newNameOf(repo)
      if (newName !== undefined) {
        const path = [`/repos/${newName}`, ...(kind === undefined ? [] : [kind]), ...(rest === '' ? [] : [rest])].join('/')
        return { status: 301, body: { message: 'Moved Permanently' }, headers: { location: `${path}${url.search}` } }
      }
      const found = find(repo)
      if (found.isGone) return notFound
      if (kind === undefined) return ok({ id: hosts.idOf(repo), full_name: repo, archived: found.archived, disabled: false })
      if (kind === 'issues') return /^[1-9][0-9]*$/.test(rest) ? issueOf(repo, rest) : null
      const text = found.files.get(rest)
      if (text === undefined) return listingOf(found, rest.replace(/\/$/, ''))
      return ok({ type: 'file', path: rest, sha: hashOf(text), encoding: 'base64', content: Buffer.from(text).toString('base64') })
    },

    clear: (): void => repositories.clear(),
  }
}
