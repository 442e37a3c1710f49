import type { JobDefinition, JobSource, JsonValue } from '../schemas/job-definition.ts'
import { repoKey } from './verification/pull-request/address.ts'
import { expectedWork, isWhole } from './verification/pull-request/expected.ts'

const isObject = (value: JsonValue | undefined): value is { [key: string]: JsonValue } =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** What a job's source says about the wishes of its maintainers; empty when it says nothing. */
export const maintainerPolicy = (source: JobSource | undefined): { [key: string]: JsonValue } =>
  isObject(source?.maintainerPolicy) ? source.maintainerPolicy : {}

/** True when a pattern, `owner/name` or `owner/*`, names the repository. */
export function isDeniedRepo(repo: string, patterns: readonly string[]): boolean {
  const key = repoKey(repo)
  const [owner] = key.split('/')
  return patterns.includes(key) || patterns.includes(`${owner}/*`)
}

/** The path of an address of a code host: of a page, of its API, or of a repository for git. */
const pathIn = (text: string): string => {
  const git = /^[^/@\s]+@[^/:\s]+:(.*)$/.exec(text)?.[1]
  if (git !== undefined) return git
  if (text.includes('://') && URL.canParse(text)) return new URL(text).pathname.replace(/^\/repos\//, '/')
  return text.replace(/^(?:[a-z0-9-]+\.)+[a-z]+(?::[0-9]+)?\//i, '')
}

/** `owner/name` of a repository or of a page of it, however it is written: as a name, with `.git`, as an address. Null for other text. */
function repoIn(text: JsonValue | undefined): string | null {
  if (typeof text !== 'string') return null
  const [owner, name] = pathIn(text.trim())
    .replace(/[?#].*$/s, '')
    .split('/')
    .filter((part) => part !== '')
  return owner === undefined || name === undefined ? null : `${owner}/${name.replace(/\.git$/i, '')}`
}

/** Every repository to which a source leads whoever takes the job. */
function reposOf(source: JobSource | undefined): string[] {
  const declared = isObject(source?.declared) ? source.declared : {}
  const named = [expectedWork(source).repo, ...[source ?? {}, declared].flatMap(({ repo, issueUrl }) => [repoIn(repo), repoIn(issueUrl)])]
  return [...new Set(named.filter((repo) => repo !== null))]
}

/** The repository of a job that nobody may be sent to; null when its source names none, or one that is free. */
export function deniedRepo(source: JobSource | undefined, patterns: readonly string[]): string | null {
  const repos = reposOf(source)
  const denied = repos.find((repo) => isDeniedRepo(repo, patterns))
  return denied ?? (maintainerPolicy(source).repoDenied === true ? (repos[0] ?? null) : null)
}

/** Pull requests that may be open in the job's repository at a time; null for a job that is not about an issue there. Source: lifecycle, "Submit". */
export function openPrCap({ source, verifierMode }: Pick<JobDefinition, 'source' | 'verifierMode'>, usual: number): number | null {
  if (verifierMode !== 'codehost_pr' || source?.type !== 'codehost_issue') return null
  const { openPrCap: cap } = maintainerPolicy(source)
  return isWhole(cap) && cap >= 0 ? cap : usual
}
