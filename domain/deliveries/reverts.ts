import { repoKey } from '../pull-requests/address.ts'

/** A commit of the default branch. */
export interface BranchCommit {
  sha: string
  message: string
}

/** Text of a merged pull request of the same repository. */
export interface MergedText {
  number: number
  title: string
  body: string
}

/** The pull request whose merge may have been taken back. */
export interface Merge {
  /** `owner/name`. */
  repo: string
  number: number
  mergeCommit: string
}

const VERB = '(?:reverts?|reverting|back(?:s|ing|ed)?[ -]?out|undo|undoes|roll(?:s|ed|ing)?[ -]?back)'
/** Where a line, or a sentence that begins with "this", says that it takes something back. */
const TAKES_BACK = `(?:^[ \\t>*-]*|\\bthis )(?:(?:commit|change|patch|pull request|PR) )?${VERB}\\b:?`
/** An abbreviation of a commit has at least seven digits. */
const COMMIT = '\\b[0-9a-f]{7,64}\\b'
const REVERTS_COMMITS = new RegExp(
  `${TAKES_BACK}\\s+(?:(?:the|merge|following|commits?|changesets?|revisions?)[\\s:]+){0,4}(${COMMIT}(?:(?:[\\s,&]|and|-){1,6}${COMMIT}){0,30})`,
  'gim',
)
/** A number after such a verb, as `#7`, `owner/name#7` or the address of a pull request. */
const REVERTS_PULL = new RegExp(
  `${TAKES_BACK}[ \\t]+(?:(?:the|changes|of|from|in|merge|merged|pull[ -]?request|pull|PR|MR|number)[ \\t:]+){0,6}<?(?:https?://[^/\\s]{1,200}/)?([\\w.-]{1,100}/[\\w.-]{1,100})?(?:#|/pulls?/)([1-9][0-9]{0,8})\\b`,
  'gim',
)
const REVERTS_TITLE = new RegExp(
  `^[ \\t]*${VERB}(?:\\([^)]{1,60}\\))?!?:?[ \\t]+["'“‘\`](.{1,400})["'”’\`](?:[ \\t]*\\(#[1-9][0-9]{0,8}\\))?[ \\t.]*$`,
  'i',
)
/** What git calls the revert of a revert. */
const REAPPLIES_TITLE = /^[ \t]*reapply "(.{1,400})"(?:[ \t]*\(#[1-9][0-9]{0,8}\))?[ \t]*$/i
const IS_REVERT = new RegExp(`^[ \\t]*${VERB}\\b`, 'i')
const PULL_OF_MESSAGE = /^merge pull request #([1-9][0-9]{0,8})\b|\(#([1-9][0-9]{0,8})\)[ \t]*$/i

const firstLineOf = (text: string): string => text.split('\n', 1)[0] ?? ''
const withoutNumber = (title: string): string =>
  title
    .trim()
    .replace(/\(#[1-9][0-9]{0,8}\)$/, '')
    .trim()
/** Titles by which a revert may name a commit: its first line, and that of the pull request which it merged. */
const titlesOf = ({ message }: BranchCommit): string[] => {
  const lines = message.split('\n')
  const isMerge = /^merge pull request #/i.test(message)
  return [lines[0] ?? '', withoutNumber(lines[0] ?? ''), ...(isMerge ? [lines.slice(1).find((line) => line.trim() !== '') ?? ''] : [])]
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Number of the pull request that a commit of the default branch merged; null when its message names none. */
const pullOfCommit = ({ message }: Pick<BranchCommit, 'message'>): number | null => {
  const [, merged, squashed] = PULL_OF_MESSAGE.exec(firstLineOf(message)) ?? []
  const number = merged ?? squashed
  return number === undefined ? null : Number(number)
}

/** Pull requests whose own text may state a revert, because the message of their merge mentions one. In the order of the commits. */
export const revertCandidates = (commits: readonly BranchCommit[], { number }: Pick<Merge, 'number'>): number[] => {
  const numbers = commits
    .filter(({ message }) => /\b(?:revert|back(?:s|ed|ing)?[ -]?out|undo|roll(?:s|ed|ing)?[ -]?back)/i.test(message))
    .map(pullOfCommit)
  return [...new Set(numbers)].filter((found) => found !== null && found !== number) as number[]
}

/** What a text takes back. */
interface Reverts {
  /** Commits, maybe abbreviated. */
  commits: string[]
  pulls: number[]
  /** Titles of commits that are named without a number. */
  titles: string[]
}

/** What the first line of a revert quotes: a number where the quoted title has one, else the title. */
const quotedIn = (line: string): Pick<Reverts, 'pulls' | 'titles'> => {
  const [, reapplied] = REAPPLIES_TITLE.exec(line) ?? []
  if (reapplied !== undefined) return { pulls: [], titles: [`Revert "${reapplied}"`] }
  const [, quoted] = REVERTS_TITLE.exec(line) ?? []
  if (quoted === undefined) return { pulls: [], titles: [] }
  // A number in the title of a quoted revert is that of what was reverted first.
  const pull = IS_REVERT.test(quoted) && !/\(#\d+\)[ \t]*$/.test(quoted) ? null : pullOfCommit({ message: quoted })
  return pull === null ? { pulls: [], titles: [quoted.trim()] } : { pulls: [pull], titles: [] }
}

const revertsIn = (text: string, repo: string): Reverts => {
  const quoted = quotedIn(firstLineOf(text))
  const named = [...text.matchAll(REVERTS_PULL)]
    .filter(([, name]) => name === undefined || repoKey(name) === repoKey(repo))
    .map(([, , number]) => Number(number))
  return {
    commits: [...text.matchAll(REVERTS_COMMITS)].flatMap(([, list = '']) => list.toLowerCase().match(new RegExp(COMMIT, 'g')) ?? []),
    pulls: [...named, ...quoted.pulls],
    titles: quoted.titles,
  }
}

/** A commit, the pull request that it merged, and its titles. */
interface Named {
  sha: string
  pull: number | null
  titles: string[]
}

const takesBack = ({ commits, pulls, titles }: Reverts, named: Named): boolean =>
  commits.some((start) => named.sha.startsWith(start)) ||
  (named.pull !== null && pulls.includes(named.pull)) ||
  titles.some((title) => named.titles.includes(title))

interface RevertingCommit {
  sha: string
  pull: number | null
  byMessage: Reverts
  byPull: Reverts
}

/**
 * The commit, or `#` and the number of the merged pull request, that takes a merge back; null for none. A revert that was itself taken back does
 * not count. `commits` are those of the default branch since the merge, newest first.
 */
export const findRevert = (merge: Merge, commits: readonly BranchCommit[], merged: readonly MergedText[]): string | null => {
  const textOf = new Map(merged.map(({ number, title, body }) => [number, `${title}\n${body}`]))
  const own = commits.find(({ sha }) => sha === merge.mergeCommit)
  const target: Named = { sha: merge.mergeCommit, pull: merge.number, titles: own === undefined ? [] : titlesOf(own) }
  /** Reverts that no newer one takes back, newest first. */
  const effective: RevertingCommit[] = []
  for (const commit of commits) {
    if (commit.sha === merge.mergeCommit) continue
    const pull = pullOfCommit(commit)
    const byMessage = revertsIn(commit.message, merge.repo)
    const byPull = revertsIn((pull !== null && textOf.get(pull)) || '', merge.repo)
    // A pull request is merged once: a later revert that has its number takes it back.
    if (pull === merge.number && IS_REVERT.test(commit.message)) byMessage.pulls.push(pull)
    const isRevert = [byMessage, byPull].some((found) => found.commits.length + found.pulls.length + found.titles.length > 0)
    const named: Named = { sha: commit.sha, pull: pull === merge.number ? null : pull, titles: titlesOf(commit) }
    const isTakenBack = effective.some((newer) => takesBack(newer.byMessage, named) || takesBack(newer.byPull, named))
    if (isRevert && !isTakenBack) effective.push({ sha: commit.sha, pull, byMessage, byPull })
  }
  const found = effective.find(({ byMessage, byPull }) => takesBack(byMessage, target) || takesBack(byPull, target))
  if (found === undefined) return null
  return takesBack(found.byMessage, target) ? found.sha : `#${found.pull}`
}
