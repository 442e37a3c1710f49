import type { PullRequestRef } from '../../schemas/pull-requests/record.ts'
import { evidenceText } from '../common/text.ts'

const NAME = '[A-Za-z0-9_.-]{1,100}'
const ADDRESS = `https?://([A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?)/(${NAME})/(${NAME})/pull/([1-9][0-9]{0,8})`
/** Path of a page of the pull request, such as its files or a commit, without `..`. */
const PAGE = '(?:/(?!\\.{1,2}(?:[/?#]|$))[A-Za-z0-9_.-]*)*'
const WHOLE = new RegExp(`^${ADDRESS}${PAGE}(?:[?#]\\S*)?$`, 'i')
const ANYWHERE = new RegExp(`(?<![A-Za-z0-9])${ADDRESS}(?![0-9A-Za-z])`, 'i')
/** Longest address that is read, with what stands around it. */
const MAX_LENGTH = 2_000
const MARKDOWN_LINK = /^\[[^\]]*\]\(([^\s()]+)(?:\s[^()]*)?\)$/
/** Pairs of characters that people put around an address. */
const AROUND = /^(?:<([^<>]*)>|\(([^()]*)\)|(["'`]|\*{1,3}|_{1,3})(.*)\3)$/
const TRAILING = /[.,;:!?]+$/

const isName = (name: string): boolean => name !== '.' && name !== '..'

/** Host of a web address in lower case, without `www.`. */
export const webHost = (host: string): string => host.toLowerCase().replace(/^www\./, '')

function refOf(match: RegExpExecArray | null): PullRequestRef | null {
  if (match === null) return null
  // Every group of the pattern takes part in a match.
  const [host, owner, repo, number] = match.slice(1) as [string, string, string, string]
  if (!isName(owner) || !isName(repo)) return null
  const lower = webHost(host)
  return { host: lower, owner, repo, number: Number(number), url: `https://${lower}/${owner}/${repo}/pull/${number}` }
}

const unwrap = (text: string): string => {
  const bare = text.trim().replace(TRAILING, '')
  const [, link] = MARKDOWN_LINK.exec(bare) ?? []
  const [, angled, bracketed, , quoted] = AROUND.exec(bare) ?? []
  return link ?? angled ?? bracketed ?? quoted ?? bare
}

/**
 * The pull request an address names, `https://<host>/<owner>/<repo>/pull/<n>`, or one of its pages; null for any other text. The address may use
 * http or `www.`, have punctuation after it, and stand in brackets, quotes,
 * emphasis or a Markdown link.
 */
export function parsePullRequestUrl(text: string): PullRequestRef | null {
  if (text.length > MAX_LENGTH) return null
  // Twice: a link may hold an address in angle brackets.
  return refOf(WHOLE.exec(unwrap(unwrap(text)).replace(TRAILING, '')))
}

const memberOf = (submission: unknown, member: string): string | null => {
  const value = (submission as Record<string, unknown> | null)?.[member]
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Pull request of a submission. `address` without `ref` has another form. */
export interface OfferedPullRequest {
  address: string | null
  ref: PullRequestRef | null
}

/** Finds the pull request in `prUrl`, `pullRequestUrl`, or the text's first address. Source: lifecycle, "codehost_pr". */
export function offeredPullRequest(submission: unknown): OfferedPullRequest {
  const address = memberOf(submission, 'prUrl') ?? memberOf(submission, 'pullRequestUrl')
  if (address !== null) return { address, ref: parsePullRequestUrl(address) }
  const ref = refOf(ANYWHERE.exec(evidenceText(submission)))
  return { address: ref?.url ?? null, ref }
}

/** `owner/name` in lower case: hosts compare repositories without regard to case. */
export const repoKey = (repo: string): string => repo.toLowerCase()
export const repoOf = ({ owner, repo }: PullRequestRef): string => `${owner}/${repo}`
