import type { JobDefinition, JobSource, JsonValue } from '../../schemas/catalogue/job-definition.ts'
import { repoKey, webHost } from './address.ts'
import { renderMarkdown, renderTitle } from './markdown.ts'

/** Repository and issue that a job expects of a pull request. */
export interface ExpectedWork {
  /** `owner/name`; null when the job names none. */
  repo: string | null
  issueNumber: number | null
  /** Host of the issue's or repository's address, lower case; null when the job gives no address. */
  host: string | null
}

const REPO = /^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/
/** True for a safe integer. */
export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** Relative path segments and the `.git` suffix, which no repository name has. */
const NO_REPO_NAME = /(?:^|\/)\.{1,2}(?:\/|$)|\.git$/i

/** True for `owner/name`. */
export const isRepoName = (text: unknown): text is string => typeof text === 'string' && REPO.test(text) && !NO_REPO_NAME.test(text)

const hostOf = (address: JsonValue | undefined): string | null => {
  if (typeof address !== 'string') return null
  const [, host] = /^https:\/\/([A-Za-z0-9.-]+(?::[0-9]+)?)\//.exec(address) ?? []
  return host === undefined ? null : webHost(host)
}

/** True for the https address of the source's issue: in its repository, with its number where it names one. */
export const leadsToIssue = (address: unknown, { repo, issueNumber }: Pick<ExpectedWork, 'repo' | 'issueNumber'>): boolean => {
  const [, name, number] =
    (typeof address === 'string' && /^https:\/\/[^/@\s]+\/([^/\s]+\/[^/\s]+)\/issues\/([1-9][0-9]*)(?:[?#]\S*)?$/.exec(address)) || []
  return name !== undefined && repo !== null && repoKey(name) === repoKey(repo) && (issueNumber === null || number === String(issueNumber))
}

/** Repository and issue of a job's source; external jobs declare theirs under `source.declared`. */
export function expectedWork(source: JobSource | undefined): ExpectedWork {
  // Spreading a value that is no object adds none of the members below.
  const facts: Record<string, JsonValue | undefined> = { ...(source?.declared as object | null | undefined), ...source }
  const { repo, issueNumber, issueUrl, repoUrl } = facts
  return {
    repo: isRepoName(repo) ? repo : null,
    issueNumber: isWhole(issueNumber) && issueNumber > 0 ? issueNumber : null,
    host: hostOf(issueUrl) ?? hostOf(repoUrl),
  }
}

/** Id that the code host gave the job's repository when it was listed; null for a job without one. A repository that is created again has another. */
export const expectedRepositoryId = (source: JobSource | undefined): number | null => (isWhole(source?.repoId) ? source.repoId : null)

/** Work that a pull request of the job must answer; null for jobs of other verifier modes. */
export const expectedPullRequest = ({ verifierMode, source }: Pick<JobDefinition, 'verifierMode' | 'source'>): ExpectedWork | null =>
  verifierMode === 'codehost_pr' ? expectedWork(source) : null

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * True when a text names the issue as `#7`, `GH-7`, `owner/name#7` or address, on the host of the job where it names one.
 * Without an expected number any issue counts.
 */
export function namesIssue(text: string, { repo, issueNumber, host }: ExpectedWork): boolean {
  const number = `${issueNumber === null ? '[1-9][0-9]{0,9}' : String(issueNumber)}(?!\\w)`
  const name = repo === null ? '[\\w.-]{1,100}/[\\w.-]{1,100}' : escapePattern(repoKey(repo))
  const site = host === null ? '[\\w.:-]{1,260}' : `(?:www\\.)?${escapePattern(host)}`
  const address = `https?://${site}/${name}/issues/${number}`
  const forms = [`(?<![\\w/&])#${number}`, `(?<![\\w/-])GH-${number}`, `(?<![\\w./-])${name}#${number}`, address]
  return forms.some((form) => new RegExp(form, 'i').test(text))
}

/** True when the page of a pull request names the issue: its title, the rendered text, or the target of a link. */
export function pageNamesIssue({ title, body }: { title: string; body: string | null }, expected: ExpectedWork): boolean {
  const { prose, links } = renderMarkdown(body ?? '')
  const addresses = links.filter((link) => link.includes('/issues/'))
  return [renderTitle(title), prose, ...addresses].some((text) => namesIssue(text, expected))
}
