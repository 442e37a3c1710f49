import type { JobInputBody } from '../../schemas/catalogue/job-input.ts'
import type { GithubIssue } from '../../schemas/ingestion/github.ts'
import type { SourceText } from '../../schemas/ingestion/record.ts'
import { DAY_MS } from '../common/instants.ts'
import { DOCS_LABELS, declinedLabel, plainLabels, TEST_LABELS, titleHas } from './github/issue.ts'
import { scoreGithubIssue } from './github/score.ts'
import type { ProviderRules, Score, Unfit } from './provider.ts'
import { PULL_REQUEST_JOB, pullRequestInstructions } from './pull-request-job.ts'
import { boundLine, boundText, quoteText, uniqueSlugOf } from './source-text.ts'

type Category = 'docs' | 'testing' | 'coding'

const categoryOf = ({ labels, title }: GithubIssue): Category => {
  const plain = plainLabels(labels)
  if (DOCS_LABELS.some((label) => plain.has(label))) return 'docs'
  if (TEST_LABELS.some((label) => plain.has(label))) return 'testing'
  if (titleHas(title, 'docs')) return 'docs'
  return titleHas(title, 'tests') ? 'testing' : 'coding'
}

const VERBS: Readonly<Record<Category, string>> = { docs: 'Update', testing: 'Implement', coding: 'Fix' }
const CRITERIA: Readonly<Record<Category, string>> = {
  docs: 'The pages are right and the docs build passes.',
  testing: 'The tests fail without the behaviour that they check.',
  coding: 'A test fails without the change.',
}

/** Source: lifecycle, "Ingest". */
const difficultyOf = ({ total }: Score): 'starter' | 'starter-plus' | 'review-needed' => {
  if (total >= 85) return 'starter'
  return total >= 65 ? 'starter-plus' : 'review-needed'
}

const textOf = ({ title, body, labels }: GithubIssue): readonly SourceText[] => [
  { pointer: '/title', value: title },
  { pointer: '/body', value: body },
  ...labels.map((value, index) => ({ pointer: `/labels/${index}`, value })),
]

const isBlank = (text: string): boolean => boundText(text, 100) === ''

/** Why a repository could have been made for its job; null for an old one that others know, and for one that the operator names. */
const unknownUnfit = ({ repository: { name, createdAt, stars }, needs, readAt }: GithubIssue): Unfit | null => {
  if (needs === null) return null
  const { ageDays, stars: minimumStars } = needs
  const isOld = createdAt !== null && readAt - Date.parse(createdAt) >= ageDays * DAY_MS
  if (!isOld) return { reason: 'repo_too_young', detail: `${name} is younger than ${ageDays} days.` }
  if (stars >= minimumStars) return null
  return { reason: 'repo_too_few_stars', detail: `${name} has ${stars} stars, ${minimumStars} needed.` }
}

const unfitOf = (issue: GithubIssue): Unfit | null => {
  const { repository, state, labels, title, body } = issue
  const { name } = repository
  if (state !== 'open') return { reason: 'issue_closed', detail: 'The issue is closed.' }
  if (repository.isPrivate) return { reason: 'repo_private', detail: `${name} is private.` }
  if (repository.isArchived) return { reason: 'repo_archived', detail: `${name} is archived.` }
  if (repository.isDisabled) return { reason: 'repo_disabled', detail: `${name} is disabled.` }
  const unknown = unknownUnfit(issue)
  if (unknown !== null) return unknown
  const declined = declinedLabel(labels)
  if (declined !== null) return { reason: 'issue_declined', detail: `The issue has the label ${declined}.` }
  if (isBlank(title) && isBlank(body)) return { reason: 'issue_empty', detail: 'The issue has neither title nor text.' }
  return null
}

const sourceOf = (issue: GithubIssue, { total }: Score) => ({
  type: 'codehost_issue',
  repo: issue.repository.name,
  repoId: issue.repository.id,
  issueNumber: issue.number,
  issueUrl: issue.url,
  labels: issue.labels.slice(0, 30).map((label) => boundLine(label, 60)),
  score: total,
  comments: issue.comments,
  locked: issue.isLocked,
  body: boundText(issue.body, 2_000),
})

const descriptionOf = ({ repository: { name }, number, title, body }: GithubIssue): string => {
  const quote = quoteText(isBlank(body) ? title : body, 600)
  return `Resolve issue ${number} of ${name} with a pull request. Its author writes: ${quote} Read the whole issue before you begin.`
}

const jobOf = (issue: GithubIssue, score: Score): JobInputBody => {
  const { repository, number, policy } = issue
  const category = categoryOf(issue)
  const difficulty = difficultyOf(score)
  const title = boundLine(issue.title, 120) || `issue ${number}`
  return {
    ...PULL_REQUEST_JOB,
    id: githubJobId(repository.name, number),
    title: boundLine(`${VERBS[category]} ${repository.name} issue: ${title}`, 240),
    description: descriptionOf(issue),
    category,
    tier: difficulty === 'review-needed' ? 'pro' : 'starter',
    onboardingWaiverEligible: difficulty === 'starter',
    rewardAmount: 0.2,
    verifierMode: 'codehost_pr',
    verifierConfig: {
      minimumScore: 80,
      requireIssueReference: true,
      requireTestEvidence: true,
      acceptMergedAsApproved: true,
      requireClaimantBinding: true,
    },
    inputSchemaRef: 'schema://jobs/coding-input',
    outputSchemaRef: 'schema://jobs/codehost-pr-evidence-output',
    estimatedDifficulty: difficulty,
    acceptanceCriteria: [`The pull request resolves issue ${number} and names it.`, CRITERIA[category]],
    agentInstructions: [
      `Open a pull request in ${repository.name} that names issue ${number}.`,
      ...(policy === null ? [] : pullRequestInstructions(policy)),
    ],
    source: sourceOf(issue, score),
  }
}

/** Id of the job of an issue, `pr-<repo>-<n>`. */
export const githubJobId = (repo: string, number: number): string => `pr-${uniqueSlugOf(repo, 120 - `pr--${number}`.length)}-${number}`

/** Key of an issue by the id of its repository; by its name where the host shows no id. */
export const githubKey = (repository: number | string, number: number): string => `${repository}#${number}`

/** Rules of issues of the code host. Source: lifecycle, "Ingest". */
export const githubRules: ProviderRules<GithubIssue> = {
  provider: 'github',
  // By the id of the repository: a rename makes no second job of the same issue.
  keyOf: ({ repository, number }) => githubKey(repository.id, number),
  contentOf: ({ repository, number, title, body, labels }) => ({ repoId: repository.id, number, title, body, labels: [...labels].sort() }),
  scoreOf: scoreGithubIssue,
  unfitOf,
  textsOf: textOf,
  jobOf,
}
