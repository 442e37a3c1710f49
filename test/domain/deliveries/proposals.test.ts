import { describe, expect, test } from '@jest/globals'
import { normaliseText } from '../../../domain/common/text.ts'
import { adoptedTexts, findProposal } from '../../../domain/deliveries/proposals.ts'
import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import { builtJob, jobBody } from '../builders/job.ts'

const job = (changes: object): JobDefinition => builtJob(jobBody(changes)).definition
const source = { type: 'wikipedia_article', language: 'en', pageTitle: 'Bridge', revisionId: '1234' }
const anchored = {
  verifierTerms: undefined,
  verifierMinimumMatches: undefined,
  verifierConfig: {
    requiredKeywords: ['bridge', 'river'],
    anchorEvidence: { kind: 'wikipedia_revision_wikitext' as const, language: 'de', revisionId: '77' },
  },
}
const changes = (...texts: unknown[]) => ({ proposed_changes: texts.map((text) => ({ replacement_text: text })) })

describe('the proposal of a submission', () => {
  test.each<[string, object, unknown, unknown]>([
    ['is about the article of the job', { source }, changes('A  New\nText'), { language: 'en', revisionId: '1234', texts: ['a new text'] }],
    ['is about the revision that the verifier reads', { ...anchored }, changes('x'), { language: 'de', revisionId: '77', texts: ['x'] }],
    [
      'keeps the positions of changes without a text',
      { source },
      changes(null, ' ', 'x'),
      { language: 'en', revisionId: '1234', texts: ['', '', 'x'] },
    ],
    ['does not exist without a text', { source }, changes('', null), null],
    ['does not exist without changes', { source }, { freshness_findings: [] }, null],
    ['does not exist where changes are no list', { source }, { proposed_changes: 'x' }, null],
    ['does not exist for plain text', { source }, null, null],
    ['does not exist for a job about something else', { source: { ...source, type: 'openapi_spec' } }, changes('x'), null],
    [
      'does not exist for a language that is no part of a host',
      { source: { ...source, language: 'en.evil.example/' } },
      changes('x'),
      null,
    ],
    ['does not exist for a revision that is no number', { source: { ...source, revisionId: '12&revids=3' } }, changes('x'), null],
  ])('%s', (_title, terms, submission, expected) => {
    expect(findProposal(job(terms), submission)).toEqual(expected)
  })
})

describe('an adopted text', () => {
  test.each<[string, string[], string, string, number[]]>([
    ['stands in the current revision and not in the pinned one', ['new text'], 'old text', 'some new text here', [0]],
    [
      'is compared after the normalisation of the project',
      [normaliseText('große  Strasse 1½')],
      '',
      'Eine GROSSE\n Straße  1\u00bd'.normalize('NFD'),
      [0],
    ],
    ['is not one that the pinned revision had', ['old text'], 'Old  Text', 'Old Text', []],
    ['is not one that is missing', ['new text'], 'a', 'b', []],
    ['is named by its position', ['x1', '', 'x3'], '', 'x3 only', [2]],
    ['is never an empty one', ['', ''], '', 'anything', []],
  ])('%s', (_title, texts, pinned, current, expected) => {
    expect(adoptedTexts({ texts }, pinned, current)).toEqual(expected)
  })
})
