import type { BenchmarkConfig } from '../../schemas/catalogue/job-definition.ts'
import type { JobInputBody } from '../../schemas/catalogue/job-input.ts'
import { jobSchemaByRef } from '../../schemas/catalogue/job-schemas/registry.ts'
import type { OsvAdvisory, OsvPackage } from '../../schemas/ingestion/osv.ts'
import type { SourceText } from '../../schemas/ingestion/record.ts'
import { collapseSpace, isStorable } from '../common/text.ts'
import { usableKeywords } from '../verification/benchmark.ts'
import { compareVersions } from './osv/semver.ts'
import type { ProviderRules, Score, Unfit } from './provider.ts'
import { PULL_REQUEST_JOB, pullRequestInstructions } from './pull-request-job.ts'
import { sumScore } from './score.ts'
import { boundLine, quoteText, uniqueSlugOf } from './source-text.ts'

const AUDIT_SCHEMA = 'schema://jobs/coding-output'
/** Fewest terms that an audit has to name. Source: lifecycle, "Ingest". */
const MINIMUM_TERMS = 3
/** Most ids that a job shows, most terms that it is judged by, and most advisories that it describes. */
const MAX_TERMS = 60
const MAX_SHOWN = 10
const MAX_TERM_LENGTH = 200
/** Characters of an advisory from which it is too long for a first job. */
const LONG_TEXT = 8_000

/** Version that settles every advisory; null where one of them names none. */
export const settlingVersion = ({ advisories }: OsvPackage): string | null => {
  const versions = advisories.map(({ fixedVersion }) => fixedVersion).filter((version) => version !== null)
  if (versions.length < advisories.length) return null
  return versions.sort((a, b) => compareVersions(a, b) ?? 0).at(-1) ?? null
}

const idsOf = ({ advisories }: OsvPackage): string[] => [...new Set(advisories.flatMap(({ id, aliases }) => [id, ...aliases]))]

const severityPart = (advisories: readonly OsvAdvisory[]): readonly [string, number] | null => {
  const highest = Math.max(...advisories.map(({ cvss }) => cvss ?? 0))
  if (highest >= 9) return ['severity from 9', 25]
  if (highest >= 7) return ['severity from 7', 20]
  return highest >= 4 ? ['severity from 4', 10] : null
}

const scoreOf = (item: OsvPackage): Score => {
  const ids = idsOf(item)
  return sumScore([
    ['base', 30],
    settlingVersion(item) !== null && ['fixed version', 30],
    severityPart(item.advisories),
    ids.some((id) => id.startsWith('CVE-')) && ['CVE', 10],
    ids.some((id) => id.startsWith('GHSA-')) && ['GHSA', 5],
    item.advisories.some(({ textLength }) => textLength > LONG_TEXT) && ['long text', -10],
  ])
}

/** Source: lifecycle, "Ingest". */
const difficultyOf = ({ total }: Score): 'starter' | 'starter-plus' | 'review-needed' => {
  if (total >= 85) return 'starter-plus'
  return total >= 70 ? 'starter' : 'review-needed'
}

/** Terms by which an audit is judged: package, version in use, fixed version, and one id of each advisory. Its aliases name the same one again. */
const termsOf = (item: OsvPackage): string[] => {
  const fixed = settlingVersion(item)
  const terms = [item.name, item.version, ...(fixed === null ? [] : [fixed]), ...item.advisories.map(({ id }) => id)]
  // A cut term would be found in no work.
  const whole = terms.filter((term) => term.length <= MAX_TERM_LENGTH && isStorable(term)).map(collapseSpace)
  return [...new Set(whole)].filter((term) => term !== '').slice(0, MAX_TERMS)
}

/** Number of terms that count as evidence. An audit has to name all of them. */
const countUsable = (terms: readonly string[]): number => {
  const config = {
    handler: 'benchmark' as const,
    version: 2,
    requiredKeywords: [...terms],
    minimumMatches: MINIMUM_TERMS,
  } satisfies BenchmarkConfig
  return usableKeywords(config, jobSchemaByRef(AUDIT_SCHEMA) ?? null).length
}

const unfitOf = (item: OsvPackage): Unfit | null => {
  if (item.advisories.length === 0) return { reason: 'no_advisory', detail: 'No advisory concerns the version.' }
  if (item.repository === null) {
    if (countUsable(termsOf(item)) >= MINIMUM_TERMS) return null
    return { reason: 'too_few_terms', detail: 'The advisories have too few names by which work could be judged.' }
  }
  return settlingVersion(item) === null ? { reason: 'no_fixed_version', detail: 'No version settles every advisory.' } : null
}

const jobIdOf = ({ name, version, repository }: OsvPackage): string =>
  [
    'osv-npm',
    uniqueSlugOf(name, 50),
    uniqueSlugOf(version, 20),
    ...(repository === null ? [] : [uniqueSlugOf(`${repository.name}/${repository.manifestPath}`, 38)]),
  ].join('-')

const summariesOf = ({ advisories }: OsvPackage): string => {
  const quotes = advisories
    .slice(0, MAX_SHOWN)
    .map(({ id, summary }) => `${boundLine(id, 60)} ${boundLine(summary, 200) === '' ? '' : quoteText(summary, 200)}`.trim())
  const rest = advisories.length - quotes.length
  return `${quotes.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const sourceOf = (item: OsvPackage, { total }: Score) => ({
  type: 'osv_advisory',
  ecosystem: item.ecosystem,
  packageName: item.name,
  vulnerableVersion: item.version,
  ...(settlingVersion(item) === null ? {} : { fixedVersion: settlingVersion(item) }),
  advisoryIds: item.advisories.map(({ id }) => boundLine(id, 60)),
  aliases: idsOf(item)
    .slice(0, MAX_TERMS)
    .map((id) => boundLine(id, 60)),
  advisoryUrls: item.advisories.map(({ id }) => `https://osv.dev/vulnerability/${encodeURIComponent(boundLine(id, 60))}`),
  score: total,
})

/** Members of a job in any form. */
const commonOf = (item: OsvPackage, score: Score) => {
  const difficulty = difficultyOf(score)
  return {
    ...PULL_REQUEST_JOB,
    id: jobIdOf(item),
    category: 'coding',
    tier: difficulty === 'review-needed' ? 'pro' : 'starter',
    onboardingWaiverEligible: difficulty === 'starter',
    estimatedDifficulty: difficulty,
    rewardAmount: 0.3,
  } satisfies Partial<JobInputBody>
}

const auditOf = (item: OsvPackage, score: Score): JobInputBody => {
  const { name, version } = item
  const terms = termsOf(item)
  return {
    ...commonOf(item, score),
    title: boundLine(`Vulnerability audit of ${name} ${version}`, 240),
    description:
      `Audit what the advisories about ${name} ${version} (npm) mean for a project that uses it: ${summariesOf(item)}. ` +
      'Name each advisory, what it makes possible, the versions that it concerns and the version that settles it.',
    verifierMode: 'benchmark',
    verifierConfig: { requiredKeywords: terms, minimumMatches: countUsable(terms) },
    inputSchemaRef: 'schema://jobs/coding-input',
    outputSchemaRef: AUDIT_SCHEMA,
    acceptanceCriteria: ['Every advisory is named by its id.', 'The version in use and the version that settles each advisory are named.'],
    agentInstructions: [
      'Read each advisory at its address.',
      'Say which calls of the package are concerned and what to do without an upgrade.',
    ],
    source: sourceOf(item, score),
  }
}

const upgradeOf = (item: OsvPackage, repository: NonNullable<OsvPackage['repository']>, score: Score): JobInputBody => {
  const { name, version } = item
  const { manifestPath, policy } = repository
  const fixed = settlingVersion(item) ?? 'a version without them'
  return {
    ...commonOf(item, score),
    title: boundLine(`Upgrade ${name} ${version} in ${repository.name}`, 240),
    description:
      `${manifestPath} of ${repository.name} has ${name} ${version}, which advisories concern: ${summariesOf(item)}. ` +
      `Open a pull request that moves it to ${fixed} or later and keeps the tests passing.`,
    verifierMode: 'codehost_pr',
    verifierConfig: {
      minimumScore: 80,
      requireIssueReference: false,
      requireTestEvidence: true,
      acceptMergedAsApproved: true,
      requireClaimantBinding: true,
    },
    inputSchemaRef: 'schema://jobs/dependency-remediation-input',
    outputSchemaRef: 'schema://jobs/dependency-remediation-output',
    acceptanceCriteria: [`${manifestPath} no longer has ${name} ${version}.`, 'The tests of the repository pass.'],
    agentInstructions: [
      'Name the advisories in the pull request.',
      'An open pull request that refers to no issue is paid once a maintainer approves or merges it.',
      ...(policy === null ? [] : pullRequestInstructions(policy)),
    ],
    source: {
      ...sourceOf(item, score),
      repo: repository.name,
      ...(policy !== null && { repoId: policy.repoId }),
      repoUrl: repository.url,
      manifestPath,
    },
  }
}

const textsOf = ({ advisories, repository }: OsvPackage): readonly SourceText[] => [
  ...advisories.flatMap(({ id, aliases, summary }, index) => [
    { pointer: `/advisories/${index}/id`, value: id },
    ...aliases.map((value, alias) => ({ pointer: `/advisories/${index}/aliases/${alias}`, value })),
    { pointer: `/advisories/${index}/summary`, value: summary },
  ]),
  ...(repository === null ? [] : [{ pointer: '/repository/manifestPath', value: repository.manifestPath }]),
]

/** Rules of vulnerable package versions. Source: lifecycle, "Ingest". */
export const osvRules: ProviderRules<OsvPackage> = {
  provider: 'osv',
  keyOf: ({ ecosystem, name, version, repository }) =>
    [
      `${ecosystem}:${name}@${version}`,
      ...(repository === null ? [] : [`${repository.policy?.repoId ?? repository.name.toLowerCase()}:${repository.manifestPath}`]),
    ].join(':'),
  contentOf: ({ name, version, advisories, repository }) => ({
    name,
    version,
    manifestPath: repository?.manifestPath ?? null,
    advisories: advisories.map(({ id, aliases, summary, fixedVersion }) => ({ id, aliases, summary, fixedVersion })),
  }),
  scoreOf,
  unfitOf,
  textsOf,
  jobOf: (item, score) => (item.repository === null ? auditOf(item, score) : upgradeOf(item, item.repository, score)),
}
