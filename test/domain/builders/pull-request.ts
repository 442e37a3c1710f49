import { disclosureFooter } from '../../../domain/pull-requests/disclosure.ts'
import { judgePullRequest, type PullRequestCase } from '../../../domain/verification/codehost-pr.ts'
import type { CodehostPrConfig } from '../../../schemas/catalogue/job-definition.ts'
import type { CheckRun, CommitStatus, PullRequestPage } from '../../../schemas/codehost/record.ts'
import type { PullRequestReading } from '../../../schemas/pull-requests/record.ts'

export const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SESSION = `job-1:${WALLET}`
export const PR_URL = 'https://codehost.example/acme/widgets/pull/12'
export const claimant = { wallet: WALLET.toLowerCase(), sessionId: SESSION }

/** A text that names the issue and the claimant, as the footer does. */
export const BODY = `Fixes #7.\n\n${disclosureFooter({ wallet: WALLET, sessionId: SESSION, definitionUrl: 'https://work.example/job' })}`

export const prConfig = (changes: Partial<CodehostPrConfig> = {}): CodehostPrConfig => ({
  handler: 'codehost_pr',
  version: 1,
  minimumScore: 80,
  requireIssueReference: true,
  requireTestEvidence: true,
  acceptMergedAsApproved: true,
  requireClaimantBinding: true,
  ...changes,
})

const page = (changes: Partial<PullRequestPage> = {}): PullRequestPage => ({
  htmlUrl: PR_URL,
  repo: 'acme/widgets',
  repoId: 1,
  baseRef: 'main',
  defaultBranch: 'main',
  number: 12,
  title: 'Keep the last row',
  body: BODY,
  state: 'open',
  merged: false,
  draft: false,
  headSha: 'a'.repeat(40),
  author: 'worker',
  ...changes,
})

export const run = (name: string, conclusion: string | null, status = conclusion === null ? 'in_progress' : 'completed'): CheckRun => ({
  id: 1,
  name,
  app: 'ci',
  status,
  conclusion,
  startedAt: '2026-01-01T00:00:00Z',
})
export const commitStatus = (context: string, state: CommitStatus['state'], description = ''): CommitStatus => ({
  id: 1,
  context,
  state,
  description,
  updatedAt: '2026-01-01T00:00:00Z',
})

export type Verified = Extract<PullRequestReading, { status: 'verified' }>
export const reading = (pull: Partial<PullRequestPage> = {}, parts: Partial<Omit<Verified, 'status' | 'pull'>> = {}): Verified => ({
  status: 'verified',
  pull: page(pull),
  statuses: [],
  runs: [run('test', 'success')],
  reviews: [],
  ...parts,
})

export const work = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  prUrl: PR_URL,
  summary: 'The parser keeps the last row.',
  tests: 'npm test: 12 passed',
  ...changes,
})

const prCase = (changes: Partial<PullRequestCase> = {}): PullRequestCase => ({
  config: prConfig(),
  definition: {
    verifierMode: 'codehost_pr',
    source: { type: 'codehost_issue', repo: 'acme/widgets', issueNumber: 7, issueUrl: 'https://codehost.example/acme/widgets/issues/7' },
  },
  submission: work(),
  claimant,
  reading: reading(),
  knownRepository: null,
  ...changes,
})

export const judge = (changes: Partial<PullRequestCase> = {}) => judgePullRequest(prCase(changes))
