import type { GithubIssue } from '../../../schemas/ingestion/github.ts'
import type { OsvAdvisory, OsvPackage } from '../../../schemas/ingestion/osv.ts'
import type { RepositoryPolicy } from '../../../schemas/pull-requests/policy.ts'
import { NOW } from '../builders/job.ts'

const DAY_MS = 86_400_000
export const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString()

export const policyOf = (changes: Partial<RepositoryPolicy> = {}): RepositoryPolicy => ({
  repo: 'acme/widgets',
  repoId: 7,
  verdict: 'allows',
  forbidsTrailers: false,
  reason: null,
  path: null,
  quote: null,
  isClosed: false,
  scannedPaths: ['CONTRIBUTING.md'],
  readAt: NOW,
  ...changes,
})

/** An issue without anything that gives or takes points. */
export const githubIssue = (changes: Partial<GithubIssue> = {}): GithubIssue => ({
  repository: {
    ...{ name: 'acme/widgets', id: 7, isArchived: false, isDisabled: false, isPrivate: false },
    ...{ createdAt: daysAgo(900), stars: 40, lastMergedAt: daysAgo(1) },
  },
  needs: { stars: 10, ageDays: 90 },
  number: 118,
  url: 'https://codehost.example/acme/widgets/issues/118',
  title: 'Parser drops the last row',
  body: 'The last row is missing.',
  bodyLength: 24,
  hasReproduction: false,
  hasAcceptanceCriteria: false,
  labels: [],
  state: 'open',
  isLocked: false,
  comments: 2,
  assignees: [],
  openPullRequests: [],
  lastMaintainerCommentAt: null,
  updatedAt: daysAgo(2),
  policy: policyOf(),
  readAt: NOW,
  ...changes,
})

export const advisory = (changes: Partial<OsvAdvisory> = {}): OsvAdvisory => ({
  id: 'OSV-2026-1',
  aliases: [],
  summary: 'Prototype pollution by a crafted key',
  textLength: 900,
  cvss: null,
  fixedVersion: null,
  modified: daysAgo(30),
  ...changes,
})

export const osvPackage = (changes: Partial<OsvPackage> = {}): OsvPackage => ({
  ecosystem: 'npm',
  name: 'left-merge',
  version: '1.2.3',
  advisories: [advisory()],
  repository: null,
  ...changes,
})

export const inRepository = (changes: Partial<NonNullable<OsvPackage['repository']>> = {}): NonNullable<OsvPackage['repository']> => ({
  name: 'acme/widgets',
  url: 'https://codehost.example/acme/widgets',
  manifestPath: 'package-lock.json',
  policy: policyOf(),
  ...changes,
})
