import type { JobDefinition, JobSource, JsonValue } from '../../schemas/catalogue/job-definition.ts'
import { repoKey } from './address.ts'
import { isWhole } from './expected.ts'
import { parseRepository } from './repository.ts'

const isObject = (value: JsonValue | undefined): value is { [key: string]: JsonValue } =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Maintainer policy of a job's source; empty without one. */
export const maintainerPolicy = (source: JobSource | undefined): { [key: string]: JsonValue } =>
  isObject(source?.maintainerPolicy) ? source.maintainerPolicy : {}

/** True when a pattern, `owner/name` or `owner/*`, names the repository. */
export function isDeniedRepo(repo: string, patterns: readonly string[]): boolean {
  const key = repoKey(repo)
  const [owner] = key.split('/')
  return patterns.includes(key) || patterns.includes(`${owner}/*`)
}

/** Every repository that a source names. */
function reposOf(source: JobSource | undefined): string[] {
  const declared = isObject(source?.declared) ? source.declared : {}
  const named = [source ?? {}, declared].flatMap(({ repo, repoUrl, issueUrl }) => [repo, repoUrl, issueUrl].map(parseRepository))
  return [...new Set(named.filter((repo) => repo !== null))]
}

/** Denial of a job's source. */
export interface Denial {
  /** Denied repository; null where the source denies itself and names no readable repository. */
  repo: string | null
}

/** Denial of a source by the list or by its own policy; null when neither denies it. */
export function denialOf(source: JobSource | undefined, patterns: readonly string[]): Denial | null {
  const repos = reposOf(source)
  const listed = repos.find((repo) => isDeniedRepo(repo, patterns))
  if (listed !== undefined) return { repo: listed }
  return maintainerPolicy(source).repoDenied === true ? { repo: repos[0] ?? null } : null
}

/** Types of sources whose jobs count against the cap of their repository. */
const CAPPED_SOURCES: ReadonlySet<string> = new Set(['codehost_issue', 'osv_advisory'])

/** Maximum number of open pull requests in the job's repository; null for a job without an issue or advisory. Source: lifecycle, "Submit". */
export function openPrCap({ source, verifierMode }: Pick<JobDefinition, 'source' | 'verifierMode'>, usual: number): number | null {
  if (verifierMode !== 'codehost_pr' || source === undefined || !CAPPED_SOURCES.has(source.type)) return null
  const { openPrCap: cap } = maintainerPolicy(source)
  return isWhole(cap) && cap >= 0 ? cap : usual
}
