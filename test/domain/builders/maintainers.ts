import type { RepositoryPolicy } from '../../../schemas/pull-requests/policy.ts'

/** Policy of a repository whose maintainers ask for nothing. */
export const policyOf = (repo: string, changes: Partial<RepositoryPolicy> = {}): RepositoryPolicy => ({
  repo,
  repoId: [...repo].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_000_007, 7),
  verdict: 'allows',
  reason: null,
  path: null,
  quote: null,
  forbidsTrailers: false,
  isClosed: false,
  scannedPaths: [],
  readAt: 0,
  ...changes,
})
