import type { GithubIssue } from '../../../schemas/ingestion/github.ts'
import { DAY_MS } from '../../common/instants.ts'
import type { Score } from '../provider.ts'
import { type ScorePart, sumScore } from '../score.ts'
import { DOCS_LABELS, NEGATIVE_LABELS, plainLabels, TEST_LABELS, titleHas } from './issue.ts'

const LABEL_POINTS = {
  'good first issue': 30,
  'help wanted': 20,
  ...Object.fromEntries([...DOCS_LABELS, ...TEST_LABELS].map((label) => [label, 15])),
  bug: 10,
  ...Object.fromEntries(NEGATIVE_LABELS.map((label) => [label, -20])),
}

/** Age at which a comment or merge says that the maintainers are away, days. */
const COMMENT_MAX_DAYS = 180
const MERGE_MAX_DAYS = 90

/** Whether an instant is known and lies further back; false for null and for what is no instant. */
const isOlder = (iso: string | null, days: number, now: number): boolean => iso !== null && now - Date.parse(iso) > days * DAY_MS

const bodyParts = ({ bodyLength, hasReproduction, hasAcceptanceCriteria }: GithubIssue): readonly ScorePart[] => [
  bodyLength >= 120 && bodyLength <= 4_000 && ['body length', 10],
  bodyLength > 8_000 && ['long body', -15],
  hasReproduction && ['reproduction', 5],
  hasAcceptanceCriteria && ['acceptance criteria', 5],
]

const stateParts = ({
  isLocked,
  comments,
  assignees,
  openPullRequests,
  lastMaintainerCommentAt,
  repository,
  readAt,
}: GithubIssue): readonly ScorePart[] => [
  comments > 15 && ['many comments', -10],
  isLocked && ['locked', -40],
  assignees.length > 0 && ['assigned', -25],
  openPullRequests.length > 0 && ['open pull request', -30],
  isOlder(lastMaintainerCommentAt, COMMENT_MAX_DAYS, readAt) && ['no recent maintainer comment', -10],
  (repository.lastMergedAt === null || isOlder(repository.lastMergedAt, MERGE_MAX_DAYS, readAt)) && ['no recent merge', -10],
]

const titleParts = ({ title }: GithubIssue): readonly ScorePart[] => [
  titleHas(title, 'tests') && ['title tests', 20],
  titleHas(title, 'docs') && ['title docs', 18],
  titleHas(title, 'clean') && ['title validation or refactor', 12],
  titleHas(title, 'risky') && ['title crash, security or auth', -20],
]

/** Score of an issue. Source: lifecycle, "Ingest", and the additions of capabilities, "Ingestion from six sources". */
export const scoreGithubIssue = (issue: GithubIssue): Score => {
  const labels = plainLabels(issue.labels)
  return sumScore([
    ...Object.entries(LABEL_POINTS).map(([label, points]) => labels.has(label) && ([`label ${label}`, points] as const)),
    ...titleParts(issue),
    ...bodyParts(issue),
    ...stateParts(issue),
  ])
}
