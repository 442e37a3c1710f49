import type { JobInputBody } from '../../schemas/catalogue/job-input.ts'
import { paid, shapes } from './terms.ts'

const labels = ['good first issue', 'help wanted']
const maintainerPolicy = { repoDenied: false, disclosureRequired: true, openPrCap: 3, scannedPaths: ['CONTRIBUTING.md'] }

const pullRequest = {
  tier: 'starter',
  rewardAmount: 0.2,
  estimatedDifficulty: 'starter',
  lane: 'oss-anchored',
  verifierMode: 'codehost_pr',
  ...shapes('coding-input', 'codehost-pr-evidence-output'),
  claimTtlSeconds: 7200,
  verifierConfig: { minimumScore: 80, requireClaimantBinding: true },
  agentInstructions: [
    'Open a pull request that names the issue.',
    'Put the disclosure footer of this job into the text of the pull request.',
    'Hand in the address of the pull request, a summary and the tests you ran.',
  ],
} satisfies Partial<JobInputBody>

const issue = (repo: string, issueNumber: number, body: string, score: number) => ({
  type: 'codehost_issue',
  repo,
  issueNumber,
  issueUrl: `https://codehost.example/${repo}/issues/${issueNumber}`,
  labels,
  score,
  comments: 2,
  locked: false,
  body,
  maintainerPolicy,
})

/** Decided by a person. */
const byPerson = (escalationMessage: string) =>
  ({ lane: 'benchmark-showcase', verifierMode: 'human_fallback', verifierConfig: { escalationMessage } }) as const

/** Jobs that a pull request or a person decides. */
export const REVIEWED_JOBS: readonly JobInputBody[] = [
  {
    ...pullRequest,
    id: 'pr-acme-widgets-118',
    title: 'Fix acme/widgets issue: parser drops the last row of a table',
    description:
      'The table parser loses the last row when the file has no newline at its end. Find the cause, mend it and cover it with a test.',
    category: 'coding',
    source: issue('acme/widgets', 118, 'The last row of a table is missing when the file does not end with a newline.', 88),
    acceptanceCriteria: ['The pull request names the issue.', 'A test fails without the change.'],
  },
  {
    ...pullRequest,
    id: 'pr-acme-docs-42',
    title: 'Update acme/docs issue: install steps name a removed flag',
    description:
      'The install steps still use a flag that was removed two versions ago. Correct the page and check the other pages for the same flag.',
    category: 'docs',
    source: issue('acme/docs', 42, 'The page tells readers to pass --legacy-store, which no longer exists.', 91),
    acceptanceCriteria: ['No page names the removed flag.', 'The docs build passes.'],
  },
  {
    ...pullRequest,
    id: 'pr-acme-queue-7',
    title: 'Implement acme/queue issue: tests for redelivery after a crash',
    description: 'Nothing tests that a message is delivered again when a consumer dies before it acknowledges. Write that test.',
    category: 'testing',
    estimatedDifficulty: 'starter-plus',
    source: issue('acme/queue', 7, 'There is no test for redelivery when the consumer dies.', 79),
    acceptanceCriteria: ['The test kills a consumer.', 'The test is stable over a hundred runs.'],
  },
  {
    id: 'governance-charter-feedback',
    title: 'Feedback on the charter of a grants committee',
    description:
      'Read the draft charter of a grants committee and say what a newcomer would not understand, what can be abused and what is missing.',
    category: 'governance',
    tier: 'starter',
    rewardAmount: 1,
    ...byPerson('A member of the committee reads the feedback.'),
    estimatedDifficulty: 'starter',
    acceptanceCriteria: ['Points are concrete and name the paragraph.'],
    agentInstructions: ['Write for people who have not read the draft.'],
  },
  {
    id: 'research-interview-synthesis',
    title: 'Synthesis of five interviews with first-time workers',
    description: 'Condense five interviews into what helps and what stops people in their first hour, with quotes that carry each point.',
    category: 'research',
    ...paid('pro', 2.5),
    ...byPerson('A researcher checks the synthesis against the interviews.'),
    ...shapes('review-input', 'coding-output'),
    acceptanceCriteria: ['Every point has a quote.', 'Contradictions are shown, not smoothed.'],
    agentInstructions: ['Leave names out.'],
  },
]
