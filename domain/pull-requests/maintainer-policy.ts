import type { JobDefinition, JobSource, JsonValue } from '../../schemas/catalogue/job-definition.ts'
import { repoKey } from './address.ts'
import { isWhole } from './expected.ts'
import { repoIn } from './repository.ts'

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

/** Every repository to which a source leads whoever takes the job. */
function reposOf(source: JobSource | undefined): string[] {
  const declared = isObject(source?.declared) ? source.declared : {}
  const named = [source ?? {}, declared].flatMap(({ repo, repoUrl, issueUrl }) => [repo, repoUrl, issueUrl].map(repoIn))
  return [...new Set(named.filter((repo) => repo !== null))]
}

/** Why nobody may be sent to a job's source. */
export interface Denial {
  /** The repository it is about; null where the source denies itself and names none that can be read. */
  repo: string | null
}

/** What stands against a source: a repository on the list, or its own word. Null where nothing does. */
export function denialOf(source: JobSource | undefined, patterns: readonly string[]): Denial | null {
  const repos = reposOf(source)
  const listed = repos.find((repo) => isDeniedRepo(repo, patterns))
  if (listed !== undefined) return { repo: listed }
  return maintainerPolicy(source).repoDenied === true ? { repo: repos[0] ?? null } : null
}

/** Pull requests that may be open in the job's repository at a time; null for a job that is not about an issue there. Source: lifecycle, "Submit". */
export function openPrCap({ source, verifierMode }: Pick<JobDefinition, 'source' | 'verifierMode'>, usual: number): number | null {
  if (verifierMode !== 'codehost_pr' || source?.type !== 'codehost_issue') return null
  const { openPrCap: cap } = maintainerPolicy(source)
  return isWhole(cap) && cap >= 0 ? cap : usual
}
