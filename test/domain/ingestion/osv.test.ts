import { describe, expect, test } from '@jest/globals'
import { fixedVersionOf, rangesOfEvents } from '../../../domain/ingestion/osv/advisory.ts'
import { cvssBaseScore, severityOf } from '../../../domain/ingestion/osv/cvss.ts'
import { compareVersions } from '../../../domain/ingestion/osv/semver.ts'
import { osvRules, settlingVersion } from '../../../domain/ingestion/osv.ts'
import { buildJob } from '../../../domain/verification/listing.ts'
import { approvesByRule, rejectsPlaceholders } from '../../../domain/verification/placeholder-check.ts'
import { JobInput } from '../../../schemas/catalogue/job-input.ts'
import { jobSchemaByRef } from '../../../schemas/catalogue/job-schemas/registry.ts'
import { type OsvAdvisory, OsvInput, type OsvPackage } from '../../../schemas/ingestion/osv.ts'
import { LISTING } from '../builders/job.ts'
import { advisory, inRepository, osvPackage } from './items.ts'

const totalOf = (...changes: Partial<OsvAdvisory>[]): number => osvRules.scoreOf(osvPackage({ advisories: changes.map(advisory) })).total
const jobOf = (changes: Partial<OsvPackage> = {}): JobInput => {
  const item = osvPackage(changes)
  return JobInput.parse(osvRules.jobOf(item, osvRules.scoreOf(item)))
}
const FULL = advisory({ id: 'GHSA-aaaa-bbbb-cccc', aliases: ['CVE-2026-1234'], cvss: 9.8, fixedVersion: '1.2.9' })

describe('the score of a package version', () => {
  test.each<[string, Partial<OsvAdvisory>, number]>([
    ['nothing but an advisory', {}, 30],
    ['a fixed version', { fixedVersion: '1.2.4' }, 60],
    ['severity 9', { cvss: 9 }, 55],
    ['severity 8.9', { cvss: 8.9 }, 50],
    ['severity 7', { cvss: 7 }, 50],
    ['severity 6.9', { cvss: 6.9 }, 40],
    ['severity 4', { cvss: 4 }, 40],
    ['severity 3.9', { cvss: 3.9 }, 30],
    ['an id of CVE', { id: 'CVE-2026-1' }, 40],
    ['an alias of CVE', { aliases: ['CVE-2026-1'] }, 40],
    ['an id of GHSA', { id: 'GHSA-aaaa-bbbb-cccc' }, 35],
    ['a text of 8,000 characters', { textLength: 8_000 }, 30],
    ['a longer text', { textLength: 8_001 }, 20],
    ['everything', FULL, 100],
  ])('counts %s', (_name, changes, points) => {
    expect(totalOf(changes)).toBe(points)
  })

  test('counts the worst of several advisories, and a fixed version only if it settles all', () => {
    expect(totalOf({ cvss: 4, fixedVersion: '1.2.4' }, { cvss: 9 })).toBe(55)
    expect(totalOf({ fixedVersion: '1.2.4' }, { fixedVersion: '2.0.0' })).toBe(60)
  })
})

describe('the version that settles', () => {
  test.each([
    [['1.2.4', '1.10.0', '1.9.9'], '1.10.0'],
    [['1.2.4', null], null],
    [['2.0.0', '2.0.0-rc.1'], '2.0.0'],
  ])('the advisories fixed in %j is %p', (versions, settles) => {
    expect(settlingVersion(osvPackage({ advisories: versions.map((fixedVersion) => advisory({ fixedVersion })) }))).toBe(settles)
  })

  test.each([
    ['1.2.3', [{ introduced: '0' }, { fixed: '1.2.4' }], '1.2.4'],
    ['1.2.3', [{ introduced: '0' }, { fixed: '1.2.3' }], null],
    ['2.1.0', [{ introduced: '1.0.0' }, { fixed: '1.5.0' }, { introduced: '2.0.0' }, { fixed: '2.2.0' }], '2.2.0'],
    ['2.1.0', [{ introduced: '3.0.0' }, { fixed: '3.2.0' }], null],
    ['2.1.0', [{ introduced: '0' }], null],
    ['2.1.0', [{ fixed: '2.2.0' }], null],
    ['latest', [{ introduced: '0' }, { fixed: '2.2.0' }], null],
  ])('%s with the events %j is %p', (version, events, fixed) => {
    expect(fixedVersionOf(version, rangesOfEvents(events))).toBe(fixed)
  })

  test.each([
    ['1.2.3', '1.2.3', 0],
    ['1.2.3', '1.10.0', -1],
    ['1.0.0-alpha', '1.0.0', -1],
    ['1.0.0-alpha.1', '1.0.0-alpha.beta', -1],
    ['1.0.0-2', '1.0.0-10', -1],
    ['1.0.0-beta', '1.0.0-alpha.9', 1],
    ['1.0.0+a', '1.0.0+b', 0],
    ['v2', '2.0.0', 0],
  ])('orders %s and %s', (a, b, order) => {
    expect(Math.sign(compareVersions(a, b) ?? Number.NaN)).toBe(order)
  })

  test.each(['', 'x', '1.x', '^1.0.0', '1.2.3.4'])('has no order for %p', (text) => {
    expect(compareVersions(text, '1.0.0')).toBeNull()
  })
})

describe('the severity of an advisory', () => {
  test.each([
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:H/I:N/A:N', 5.3],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H/E:P', 7.5],
    ['CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:N', 0],
    ['CVSS:3.1/AV:N', null],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', null],
    ['9.8', null],
  ])('of the vector %s is %p', (vector, score) => {
    expect(cvssBaseScore(vector)).toBe(score)
  })

  test.each([
    [['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H'], 'CRITICAL', 7.5],
    [['CVSS:4.0/AV:N'], 'CRITICAL', 9],
    [[], 'high', 7],
    [[], 'MODERATE', 4],
    [[], 'LOW', 0.1],
    [[], 'unknown', null],
    [[], null, null],
  ])('of the vectors %j and the word %p is %p', (vectors, word, severity) => {
    expect(severityOf(vectors, word)).toBe(severity)
  })
})

describe('a package version that is no work', () => {
  test.each<[string, Partial<OsvPackage>]>([
    ['no_advisory', { advisories: [] }],
    ['too_few_terms', { name: 'output', advisories: [advisory()] }],
    ['no_fixed_version', { repository: inRepository() }],
  ])('is skipped as %s', (reason, changes) => {
    expect(osvRules.unfitOf(osvPackage(changes))?.reason).toBe(reason)
  })

  test('is not one with three terms', () => {
    expect(osvRules.unfitOf(osvPackage())).toBeNull()
    expect(osvRules.unfitOf(osvPackage({ advisories: [FULL], repository: inRepository() }))).toBeNull()
  })
})

describe('the job of a package version', () => {
  test('without a repository is an audit that names advisories, package and versions', () => {
    const built = buildJob(jobOf({ advisories: [FULL] }), LISTING)
    expect(built.definition).toMatchObject({
      id: 'osv-npm-left-merge-1.2.3',
      title: 'Vulnerability audit of left-merge 1.2.3',
      lane: 'oss-anchored',
      tier: 'starter',
      estimatedDifficulty: 'starter-plus',
      rewardAmountRaw: '300000',
      claimTtlSeconds: 7_200,
      retryLimit: 1,
      outputSchemaRef: 'schema://jobs/coding-output',
      verifierConfig: {
        handler: 'benchmark',
        requiredKeywords: ['left-merge', '1.2.3', '1.2.9', 'GHSA-aaaa-bbbb-cccc'],
        minimumMatches: 4,
      },
      source: { type: 'osv_advisory', packageName: 'left-merge', vulnerableVersion: '1.2.3', fixedVersion: '1.2.9', score: 100 },
    })
    expect(rejectsPlaceholders(built)).toBe(true)
  })

  test('is approved for work that names them, and not for work about another package', () => {
    const built = buildJob(jobOf({ advisories: [FULL] }), LISTING)
    const schema = jobSchemaByRef(built.definition.outputSchemaRef) ?? {}
    const judge = (output: string) => approvesByRule(built, schema, { summary: 'Audit', output, status: 'complete' })
    expect(judge('left-merge 1.2.3 has GHSA-aaaa-bbbb-cccc; 1.2.9 settles it.')).toBe(true)
    expect(judge('right-merge 1.2.3 is fine.')).toBe(false)
    expect(judge('left-merge 1.2.3 and 1.2.9 have CVE-2026-1234.')).toBe(false)
  })

  test('needs the package, both versions and an id of every advisory, however many there are', () => {
    const advisories = Array.from({ length: 30 }, (_, index) =>
      advisory({
        id: `OSV-2026-${100 + index}`,
        aliases: ['CVE-1', 'CVE-2', 'CVE-3'].map((id) => `${id}-${index}`),
        fixedVersion: '1.3.0',
      }),
    )
    const built = buildJob(jobOf({ advisories }), LISTING)
    expect(built.definition.verifierConfig).toMatchObject({ minimumMatches: 33 })
    expect(rejectsPlaceholders(built)).toBe(true)
    const schema = jobSchemaByRef(built.definition.outputSchemaRef) ?? {}
    const whole = ['left-merge 1.2.3 1.3.0', ...advisories.map(({ id }) => id)]
    const judge = (texts: readonly string[]) =>
      approvesByRule(built, schema, { summary: 'Audit', output: texts.join(' '), status: 'complete' })
    expect(judge(whole)).toBe(true)
    expect(judge(whole.slice(0, -1))).toBe(false)
    expect(judge(['left-merge 1.2.3 1.3.0', ...advisories.flatMap(({ aliases }) => aliases)])).toBe(false)
  })

  test('counts no term that is a member of the result', () => {
    const { verifierConfig } = jobOf({ name: 'output', advisories: [FULL] })
    expect(verifierConfig).toMatchObject({ requiredKeywords: ['output', '1.2.3', '1.2.9', 'GHSA-aaaa-bbbb-cccc'], minimumMatches: 3 })
  })

  test('in a repository is a pull request without an issue', () => {
    const built = buildJob(jobOf({ advisories: [FULL], repository: inRepository() }), LISTING)
    expect(built.definition).toMatchObject({
      title: 'Upgrade left-merge 1.2.3 in acme/widgets',
      verifierConfig: { handler: 'codehost_pr', minimumScore: 80, requireIssueReference: false, requireClaimantBinding: true },
      inputSchemaRef: 'schema://jobs/dependency-remediation-input',
      outputSchemaRef: 'schema://jobs/dependency-remediation-output',
      source: {
        repo: 'acme/widgets',
        repoUrl: 'https://codehost.example/acme/widgets',
        manifestPath: 'package-lock.json',
      },
    })
    expect(rejectsPlaceholders(built)).toBe(true)
  })

  test('of long and strange texts is valid and of bounded size', () => {
    const strange = ['\u0000', '\ud800', '<script>', 'é'.repeat(100_000), ''].map((text, index) =>
      advisory({
        id: `OSV-${index}-${text}`,
        aliases: Array.from({ length: 20 }, (_, alias) => `${text}${alias}`),
        summary: text,
        modified: null,
      }),
    )
    const built = buildJob(jobOf({ advisories: [...strange, ...strange, ...strange] }), LISTING)
    expect(JSON.stringify(built.definition).length).toBeLessThan(60_000)
  })

  test.each([
    [84, 'starter', true],
    [85, 'starter-plus', false],
    [70, 'starter', true],
    [69, 'review-needed', false],
  ])('with %d points is %s', (total, estimatedDifficulty, onboardingWaiverEligible) => {
    const { tier, ...job } = osvRules.jobOf(osvPackage(), { total, parts: [] })
    expect(job).toMatchObject({ estimatedDifficulty, onboardingWaiverEligible })
    expect(tier).toBe(total < 70 ? 'pro' : 'starter')
  })
})

describe('the id of a package version', () => {
  const idOf = (name: string, version = '1.0.0', repository: OsvPackage['repository'] = null) => jobOf({ name, version, repository }).id

  test('keeps a plain name, and differs for names that look alike', () => {
    expect(idOf('left-merge')).toBe('osv-npm-left-merge-1.0.0')
    const names = [
      'left-merge',
      'Left--merge',
      '@left/merge',
      'left.merge',
      'left_merge',
      'left~merge',
      `${'a'.repeat(213)}b`,
      'a'.repeat(214),
    ]
    expect(new Set(names.map((name) => idOf(name))).size).toBe(names.length)
  })

  test('has at most 120 characters and is a slug', () => {
    const id = idOf('@a/'.padEnd(214, 'x'), `1.0.0-${'r'.repeat(90)}`, inRepository({ name: `${'o'.repeat(39)}/${'n'.repeat(100)}` }))
    expect(id.length).toBeLessThanOrEqual(120)
    expect(id).toMatch(/^osv-npm-[a-z0-9]+(?:[-._][a-z0-9]+)*$/)
  })

  test('differs by repository and lock file', () => {
    const places = [null, inRepository(), inRepository({ manifestPath: 'web/package-lock.json' }), inRepository({ name: 'acme/gadgets' })]
    expect(new Set(places.map((place) => idOf('left-merge', '1.0.0', place))).size).toBe(4)
    const keys = places.map((repository) => osvRules.keyOf(osvPackage({ repository })))
    expect(new Set(keys).size).toBe(3)
  })
})

test('a changed summary is another version of a package version, a changed time is none', () => {
  const contentOf = (changes: Partial<OsvAdvisory>) => osvRules.contentOf(osvPackage({ advisories: [advisory(changes)] }))
  expect(contentOf({ modified: null, cvss: 9 })).toEqual(contentOf({}))
  expect(contentOf({ summary: 'Other' })).not.toEqual(contentOf({}))
})

test('the texts that a screen reads are those of the advisories and the path', () => {
  const pointers = osvRules.textsOf(osvPackage({ advisories: [FULL], repository: inRepository() })).map(({ pointer }) => pointer)
  expect(pointers).toEqual(['/advisories/0/id', '/advisories/0/aliases/0', '/advisories/0/summary', '/repository/manifestPath'])
})

describe('the input of a run', () => {
  const npm = (name: string, version = '1.0.0') => ({ packages: [{ ecosystem: 'npm', name, version }] })
  const manifest = (changes: Record<string, unknown>) => ({ manifests: [{ repo: 'acme/widgets', path: 'package-lock.json', ...changes }] })

  test('looks up a hundred package versions at most by default', () => {
    expect(OsvInput.parse(npm('a'))).toEqual({ ...npm('a'), manifests: [], maxPackageTargets: 100 })
  })

  test.each([
    npm('@scope/name'),
    npm('a', '1.0.0-rc.1+b'),
    manifest({}),
    manifest({ path: 'packages/web app/package-lock.json', ref: 'release/2.x' }),
  ])('may be %j', (input) => {
    expect(OsvInput.safeParse(input).success).toBe(true)
  })

  test.each([
    {},
    { packages: [], manifests: [] },
    npm('../x'),
    npm('a b'),
    npm('a', '^1.0.0'),
    npm('a', 'latest'),
    { packages: [{ ecosystem: 'PyPI', name: 'a', version: '1' }] },
    { ...npm('a'), maxPackageTargets: 0 },
    { ...npm('a'), maxPackageTargets: 501 },
    { ...npm('a'), query: 'x' },
    manifest({ repo: 'acme' }),
    manifest({ repo: 'acme/..' }),
    manifest({ path: '../package-lock.json' }),
    manifest({ path: '/package-lock.json' }),
    manifest({ path: 'yarn.lock' }),
    manifest({ ref: 'a?b' }),
  ])('may not be %j', (input) => {
    expect(OsvInput.safeParse(input).success).toBe(false)
  })
})
