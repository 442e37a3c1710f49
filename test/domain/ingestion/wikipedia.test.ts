import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { revisionKey } from '../../../domain/catalogue/source.ts'
import { wikipediaRules } from '../../../domain/ingestion/wikipedia.ts'
import { knownTemplate, taskOf } from '../../../domain/ingestion/wikipedia-tasks.ts'
import { buildJob } from '../../../domain/verification/listing.ts'
import { JobInput } from '../../../schemas/catalogue/job-input.ts'
import { MAINTENANCE_CATEGORIES, WIKIPEDIA_TASKS, WikipediaInput, type WikipediaItem } from '../../../schemas/ingestion/wikipedia.ts'
import { LISTING } from '../builders/job.ts'

const article = (changes: Partial<WikipediaItem> = {}): WikipediaItem => ({
  language: 'en',
  pageId: 4711,
  title: 'Example suspension bridge',
  namespace: 0,
  revisionId: '1201456789',
  revisedAt: '2026-01-02T03:04:05.000Z',
  sizeBytes: 12_345,
  isMissing: false,
  isRedirect: false,
  category: 'All articles with unsourced statements',
  templates: ['Citation needed'],
  ...changes,
})

const { scoreOf, unfitOf, jobOf, keyOf, contentOf, textsOf } = wikipediaRules
const jobFor = (item: WikipediaItem) => JobInput.parse(jobOf(item, scoreOf(item)))
const built = (item: WikipediaItem) => buildJob(JobInput.parse(jobFor(item)), LISTING)

const FRESHNESS = { templates: ['Update'] }
const INFOBOX = { templates: ['Cleanup infobox'] }

describe('the score of an article', () => {
  test.each<[string, Partial<WikipediaItem>, number]>([
    ['citation repair with a template', {}, 85],
    ['freshness check with a template', FRESHNESS, 83],
    ['infobox consistency with a template', INFOBOX, 81],
    ['no template', { templates: [] }, 70],
    ['no template in a category of old articles', { templates: [], category: 'Articles in need of updating' }, 68],
    ['no template in a category of infoboxes', { templates: [], category: 'Articles with infobox faults' }, 66],
    ['no revision', { revisionId: null }, 70],
    ['no page', { pageId: null }, 75],
    ['no title', { title: '' }, 75],
    ['a list', { title: 'List of bridges' }, 70],
    ['several lists', { title: 'Lists of bridges' }, 70],
    ['a timeline', { title: 'Example war timeline' }, 70],
    ['a list of the German edition', { title: 'Liste der Brücken' }, 70],
    ['a title that only begins like a list', { title: 'Listing ship' }, 85],
    ['nothing but a title of a list', { revisionId: null, pageId: null, templates: [], title: 'List of bridges' }, 30],
  ])('of %s is the sum of its lines', (_name, changes, total) => {
    expect(scoreOf(article(changes)).total).toBe(total)
  })

  test('names each line with its points', () => {
    expect(scoreOf(article({ title: 'List of bridges' })).parts).toEqual([
      ['base', 25],
      ['revision', 15],
      ['page', 10],
      ['Citation repair', 20],
      ['maintenance template', 15],
      ['list or timeline', -15],
    ])
  })

  test.each<[Partial<WikipediaItem>, string, string, boolean]>([
    [{}, 'starter', 'starter', true],
    [INFOBOX, 'starter', 'starter', true],
    [{ templates: [] }, 'starter-plus', 'starter', false],
    [{ ...FRESHNESS, title: 'List of bridges' }, 'starter-plus', 'starter', false],
    [{ templates: [], title: 'List of bridges' }, 'review-needed', 'pro', false],
  ])('of %j makes the job %s, of the tier %s', (changes, estimatedDifficulty, tier, onboardingWaiverEligible) => {
    expect(jobFor(article(changes))).toMatchObject({ estimatedDifficulty, onboardingWaiverEligible, tier })
  })
})

describe('the task of an article', () => {
  test.each<[string[], string, string]>([
    [['Citation needed'], '', 'citation_repair'],
    [['Update inline', 'Update'], '', 'freshness_check'],
    [['Contradict'], '', 'infobox_consistency'],
    [['Update', 'Citation needed'], '', 'citation_repair'],
    [['Update', 'Outdated', 'Citation needed'], '', 'freshness_check'],
    [[], 'All Wikipedia articles in need of updating', 'freshness_check'],
    [[], 'Articles using infobox templates with no data rows', 'infobox_consistency'],
    [[], 'Anything else', 'citation_repair'],
  ])('with the templates %j in the category "%s" is %s', (templates, category, task) => {
    expect(taskOf({ templates, category })).toBe(task)
  })

  test.each([
    ['Template:Citation needed', 'Citation needed'],
    ['Vorlage:Dead_link', 'Dead link'],
    ['Template:cn', 'Cn'],
    ['Template:Infobox bridge', null],
    ['', null],
    ['Template:', null],
    [':'.repeat(1_000_000), null],
  ])('knows the template %s as %s', (title, name) => {
    expect(knownTemplate(title)).toBe(name)
  })
})

describe('an article that is no work', () => {
  test.each<[string, Partial<WikipediaItem>]>([
    ['page_missing', { isMissing: true }],
    ['page_missing', { pageId: null }],
    ['page_redirect', { isRedirect: true }],
    ['page_no_article', { namespace: 1 }],
    ['page_no_article', { namespace: null }],
    ['revision_missing', { revisionId: null }],
    ['title_unusable', { title: '' }],
    ['title_unusable', { title: '\u200b ' }],
    ['title_unusable', { title: '<script>alert(1)</script>' }],
    ['title_unusable', { title: 'A\u0000B' }],
    ['title_unusable', { title: 'é'.repeat(128) }],
    ['title_unusable', { title: '\ud800'.toWellFormed() }],
  ])('is unfit as %s', (reason, changes) => {
    expect(unfitOf(article(changes))?.reason).toBe(reason)
  })

  test('has a key all the same', () => {
    expect(keyOf(article({ pageId: null, isMissing: true, title: 'Gone page' }))).toBe('en:title-gone-page:citation_repair')
  })
})

describe('the job of an article', () => {
  test.each<[Partial<WikipediaItem>, string]>([
    [{}, 'wiki-en-4711-citation-repair-example-suspension-bridge'],
    [FRESHNESS, 'wiki-en-4711-freshness-check-example-suspension-bridge'],
    [{ title: 'Ærø–Brücke (1962)' }, 'wiki-en-4711-citation-repair-r-brucke-1962'],
    [{ title: '東京', language: 'ja' }, 'wiki-ja-4711-citation-repair'],
    [{ title: '-- "Quoted" --' }, 'wiki-en-4711-citation-repair-quoted'],
    [{ language: 'zh-min-nan', title: 'x'.repeat(255) }, `wiki-zh-min-nan-4711-citation-repair-${'x'.repeat(83)}`],
  ])('of %j has the id %s', (changes, id) => {
    expect(jobFor(article(changes)).id).toBe(id)
    expect(id.length).toBeLessThanOrEqual(120)
  })

  test('of a citation repair is judged by quotes from the pinned revision', () => {
    const { definition } = built(article())
    expect(definition).toMatchObject({
      title: 'Citation repair: Example suspension bridge',
      rewardAmountRaw: '400000',
      claimTtlSeconds: 3600,
      retryLimit: 1,
      lane: 'benchmark-showcase',
      outputSchemaRef: 'schema://jobs/wikipedia-citation-repair-output-v2',
      verifierConfig: {
        handler: 'benchmark',
        minimumMatches: 2,
        requiredKeywords: ['1201456789', 'https://en.wikipedia.org/w/index.php?oldid=1201456789'],
        anchorEvidence: { kind: 'wikipedia_revision_wikitext', language: 'en', revisionId: '1201456789', normalization: 'whitespace' },
      },
    })
  })

  test.each([
    [FRESHNESS, 'schema://jobs/wikipedia-freshness-check-output'],
    [INFOBOX, 'schema://jobs/wikipedia-infobox-consistency-output'],
  ])('of %j is judged by terms that its instructions name', (changes, outputSchemaRef) => {
    const { verifierConfig, agentInstructions, ...rest } = built(article(changes)).definition
    expect(rest.outputSchemaRef).toBe(outputSchemaRef)
    if (verifierConfig.handler !== 'benchmark') throw new Error('another handler')
    expect(verifierConfig.anchorEvidence).toBeUndefined()
    expect(verifierConfig.minimumMatches).toBe(5)
    for (const term of verifierConfig.requiredKeywords) expect(agentInstructions.join('\n')).toContain(term)
  })

  test('names page, revision, authors and licence, and asks for a proposal only', () => {
    const { definition } = built(article({ title: 'AC/DC: "Bridge"?' }))
    expect(definition.source).toMatchObject({
      type: 'wikipedia_article',
      pageUrl: 'https://en.wikipedia.org/wiki/AC/DC:_%22Bridge%22%3F',
      pinnedRevisionUrl: 'https://en.wikipedia.org/w/index.php?oldid=1201456789',
      authorsUrl: 'https://en.wikipedia.org/w/index.php?curid=4711&action=history',
      license: 'CC BY-SA 4.0',
      taskType: 'citation_repair',
      proposalOnly: true,
    })
    expect(revisionKey(definition)).toBe('en:4711:1201456789')
    expect(definition.agentInstructions[0]).toBe('Propose only; do not edit the article.')
    expect(definition.description).toContain("“AC/DC: 'Bridge'?”")
  })

  test('of any fit page is one that can be listed: its verifier rejects every filler', () => {
    const titles = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('TODO', 'done', 'Value', 'n/a', 'Fix', '-'))
    const items = fc.record({
      language: fc.constantFrom('en', 'de', 'zh-min-nan'),
      pageId: fc.option(fc.integer({ min: 1, max: 2 ** 40 })),
      title: titles,
      namespace: fc.constantFrom(0, 0, 0, 1),
      revisionId: fc.option(fc.integer({ min: 1, max: 2 ** 45 }).map(String)),
      revisedAt: fc.constant(null),
      sizeBytes: fc.constant(null),
      isMissing: fc.constant(false),
      isRedirect: fc.constant(false),
      category: titles.map((title) => title || 'A'),
      templates: fc.subarray(['Cn', 'Update', 'Contradict', 'Outdated']),
    })
    fc.assert(
      fc.property(items, (item) => {
        expect(scoreOf(item).total).toBeGreaterThanOrEqual(0)
        expect(keyOf(item).length).toBeLessThan(200)
        if (unfitOf(item) !== null) return
        const job = jobFor(item)
        expect(JobInput.parse(job)).toEqual(job)
        expect(buildJob(job, LISTING).definition.id).toBe(job.id)
      }),
      { numRuns: 150 },
    )
  })

  test('changes with the revision, under the same key', () => {
    const [first, second] = [article(), article({ revisionId: '1201456790' })]
    expect(keyOf(first)).toBe('en:4711:citation_repair')
    expect(keyOf(second)).toBe(keyOf(first))
    expect(contentOf(second)).not.toEqual(contentOf(first))
    expect(jobFor(second).id).toBe(jobFor(first).id)
  })

  test('shows one text of the source', () => {
    expect(textsOf(article())).toEqual([{ pointer: '/title', value: 'Example suspension bridge' }])
  })
})

describe('the inputs of a run', () => {
  test('are English maintenance categories by default', () => {
    expect(WikipediaInput.parse({})).toEqual({ language: 'en', categories: MAINTENANCE_CATEGORIES })
  })

  test.each([
    { language: 'de' },
    { language: 'EN' },
    { language: 'en.evil' },
    { categories: [] },
    { categories: Array.from({ length: 11 }, (_, number) => `C${number}`) },
    { categories: [' '] },
    { categories: ['x'.repeat(201)] },
    { titles: ['A'] },
  ])('refuse %j', (input) => {
    expect(WikipediaInput.safeParse(input).success).toBe(false)
  })

  test('take categories of another edition', () => {
    expect(WikipediaInput.safeParse({ language: 'de', categories: ['Wikipedia:Belege fehlen'] }).success).toBe(true)
  })

  test('know a name and points of every task', () => {
    const templates = { citation_repair: 'Cn', freshness_check: 'Update', infobox_consistency: 'Contradict' }
    const names = WIKIPEDIA_TASKS.map((task) => jobFor(article({ templates: [templates[task]] })).title.split(':')[0])
    expect(names).toEqual(['Citation repair', 'Freshness check', 'Infobox consistency'])
  })
})
