import type { JobSource, JsonValue } from '../../schemas/catalogue/job-definition.ts'
import { repoKey } from './address.ts'

/** What the job asks a pull request to be about. */
export interface ExpectedWork {
  /** `owner/name`; null when the job names none. */
  repo: string | null
  issueNumber: number | null
  /** Host of the issue's or repository's address, lower case; null when the job gives no address. */
  host: string | null
}

const REPO = /^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/
/** True for a whole number that is held exactly. */
export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** Parts of a path that lead elsewhere, and the ending of an address for git: no host gives a repository such a name. */
const NO_NAME = /(?:^|\/)\.{1,2}(?:\/|$)|\.git$/i

/** True for `owner/name`. */
export const isRepoName = (text: unknown): text is string => typeof text === 'string' && REPO.test(text) && !NO_NAME.test(text)

const hostOf = (address: JsonValue | undefined): string | null => {
  if (typeof address !== 'string') return null
  const [, host] = /^https:\/\/([A-Za-z0-9.-]+(?::[0-9]+)?)\//.exec(address) ?? []
  return host?.toLowerCase() ?? null
}

/** Whether an address leads to the issue that a source names: an https page of its repository, of that number where one is named. */
export const leadsToIssue = (address: unknown, { repo, issueNumber }: Pick<ExpectedWork, 'repo' | 'issueNumber'>): boolean => {
  const [, name, number] =
    (typeof address === 'string' && /^https:\/\/[^/@\s]+\/([^/\s]+\/[^/\s]+)\/issues\/([1-9][0-9]*)(?:[?#]\S*)?$/.exec(address)) || []
  return name !== undefined && repo !== null && repoKey(name) === repoKey(repo) && (issueNumber === null || number === String(issueNumber))
}

/** Repository and issue of a job's source; external jobs declare theirs under `source.declared`. */
export function expectedWork(source: JobSource | undefined): ExpectedWork {
  // Spreading what is no record adds nothing that is read here.
  const facts: Record<string, JsonValue | undefined> = { ...(source?.declared as object | null | undefined), ...source }
  const { repo, issueNumber, issueUrl, repoUrl } = facts
  return {
    repo: isRepoName(repo) ? repo : null,
    issueNumber: isWhole(issueNumber) && issueNumber > 0 ? issueNumber : null,
    host: hostOf(issueUrl) ?? hostOf(repoUrl),
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** True when a text names the issue: `#7`, `owner/name#7` or its address. Without an expected number any issue counts. */
export function namesIssue(text: string, { repo, issueNumber }: ExpectedWork): boolean {
  const number = issueNumber === null ? '[1-9][0-9]{0,9}' : String(issueNumber)
  const name = repo === null ? '[\\w.-]{1,100}/[\\w.-]{1,100}' : escaped(repoKey(repo))
  const forms = [`(?<![\\w/&])#${number}(?![0-9])`, `(?<![\\w/])${name}#${number}(?![0-9])`, `/${name}/issues/${number}(?![0-9])`]
  return forms.some((form) => new RegExp(form, 'i').test(text))
}
