/** What the maintainers of a repository say of contributions by agents, from the strictest. */
export const POLICY_VERDICTS = ['denies', 'human_required', 'disclose', 'allows'] as const
export type PolicyVerdict = (typeof POLICY_VERDICTS)[number]

/** Policy of a repository at the last reading of its files. */
export interface RepositoryPolicy {
  /** `owner/name` in the host's current spelling. */
  repo: string
  /** Numeric id of the host, which survives a rename. */
  repoId: number
  verdict: PolicyVerdict
  /** Code of a refusal: `repo_denylisted`, `repo_ai_policy_denies_agent_contributions`, `maintainer_stop_signal`; null unless the verdict is `denies`. */
  reason: string | null
  /** File that decided; null where none did. */
  path: string | null
  /** The sentence that decided, at most 300 characters; null likewise. */
  quote: string | null
  /** True where the files forbid that a commit names an agent in a trailer, such as `Co-authored-by` or `Assisted-by`. */
  forbidsTrailers: boolean
  /** True where the repository takes no change any more: archived, disabled, or without pull requests. */
  isClosed: boolean
  /** Files that were read, those of the organisation's own repository as `.github:<path>`. */
  scannedPaths: string[]
  /** Epoch ms, wall clock. */
  readAt: number
}

/** An issue from which a job came, at its last reading. */
export interface SourceIssue {
  number: number
  /** `missing`: deleted, moved to another repository, or not visible. */
  state: 'open' | 'closed' | 'missing'
  /** What its title and body say. */
  verdict: PolicyVerdict
  reason: string | null
  quote: string | null
}
