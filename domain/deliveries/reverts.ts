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

/** An abbreviation of a commit has at least seven digits. */
const REVERTS_COMMIT = /\bthis reverts (?:merge )?commit ([0-9a-f]{7,64})\b/gi
const REVERTS_PULL = /^[ \t]*reverts[ \t]+([\w.-]{1,100}\/[\w.-]{1,100})?#([1-9][0-9]{0,8})\b/gim
const PULL_OF_MESSAGE = /^merge pull request #([1-9][0-9]{0,8}) |\(#([1-9][0-9]{0,8})\)[ \t]*$/i

/** Number of the pull request that a commit of the default branch merged; null when its message names none. */
const pullOfCommit = ({ message }: BranchCommit): number | null => {
  const [, merged, squashed] = PULL_OF_MESSAGE.exec(message.split('\n', 1)[0] ?? '') ?? []
  const number = merged ?? squashed
  return number === undefined ? null : Number(number)
}

/** Pull requests whose own text may state a revert, because the message of their merge mentions one. In the order of the commits. */
export const revertCandidates = (commits: readonly BranchCommit[], { number }: Pick<Merge, 'number'>): number[] => {
  const numbers = commits.filter(({ message }) => /\brevert/i.test(message)).map(pullOfCommit)
  return [...new Set(numbers)].filter((found) => found !== null && found !== number) as number[]
}

/** What a text takes back. */
interface Reverts {
  /** Commits, maybe abbreviated. */
  commits: string[]
  pulls: number[]
}

const revertsIn = (text: string, repo: string): Reverts => ({
  commits: [...text.matchAll(REVERTS_COMMIT)].map(([, sha = '']) => sha.toLowerCase()),
  pulls: [...text.matchAll(REVERTS_PULL)]
    .filter(([, named]) => named === undefined || repoKey(named) === repoKey(repo))
    .map(([, , number]) => Number(number)),
})

const takesBack = ({ commits, pulls }: Reverts, sha: string, pull: number | null): boolean =>
  commits.some((named) => sha.startsWith(named)) || (pull !== null && pulls.includes(pull))

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
  /** Reverts that no newer one takes back, newest first. */
  const effective: RevertingCommit[] = []
  const isTakenBack = (sha: string, pull: number | null): boolean =>
    effective.some(({ byMessage, byPull }) => takesBack(byMessage, sha, pull) || takesBack(byPull, sha, pull))
  for (const commit of commits) {
    const pull = pullOfCommit(commit)
    const byMessage = revertsIn(commit.message, merge.repo)
    const byPull = revertsIn((pull !== null && textOf.get(pull)) || '', merge.repo)
    const isRevert = [byMessage, byPull].some(({ commits: shas, pulls }) => shas.length + pulls.length > 0)
    if (isRevert && !isTakenBack(commit.sha, pull)) effective.push({ sha: commit.sha, pull, byMessage, byPull })
  }
  const found = effective.find(
    ({ byMessage, byPull }) => takesBack(byMessage, merge.mergeCommit, merge.number) || takesBack(byPull, merge.mergeCommit, merge.number),
  )
  if (found === undefined) return null
  return takesBack(found.byMessage, merge.mergeCommit, merge.number) ? found.sha : `#${found.pull}`
}
