import { choice, flag, type JobSchema, jobSchema, list, record, records, type SchemaNode, text, texts } from './parts.ts'

const article: Record<string, SchemaNode> = {
  page_title: text('Title of the article.'),
  revision_id: text('Revision the work refers to.'),
}
const reviewNotes = text('What an editor should know before acting.')

const citationFinding: Record<string, SchemaNode> = {
  section: text('Section the claim stands in.'),
  problem: choice('What is wrong.', 'dead_link', 'missing_citation', 'weak_source', 'outdated_source', 'claim_mismatch'),
  current_claim: text('The claim as it stands.'),
  evidence_url: text('Address that shows the problem.'),
}

const citationRepair = (name: string, title: string, finding: Record<string, SchemaNode>): JobSchema =>
  jobSchema(name, title, 'Citations of an article that need repair, each with a proposed change.', {
    ...article,
    citation_findings: list('Citations that need repair.', record('One citation.', finding), 1),
    proposed_changes: records('Changes proposed to an editor.', 1, 'One change.', {
      change_type: choice('Kind of change.', 'replace_citation', 'add_citation', 'flag_for_editor_review'),
      target_text: text('Text to change.'),
      replacement_text: text('Text to put in its place.'),
      source_url: text('Address of the source.'),
    }),
    review_notes: reviewNotes,
  })

export const WIKIPEDIA_SCHEMAS: readonly JobSchema[] = [
  jobSchema(
    'wikipedia-maintenance-input',
    'Encyclopedia maintenance task',
    'An article at a fixed revision and the maintenance it needs. The result is a proposal, never an edit.',
    {
      project: choice('The encyclopedia.', 'wikipedia'),
      pageTitle: text('Title of the article.'),
      pageUrl: text('Address of the article.'),
      revisionId: text('Revision the work refers to.'),
      taskType: choice('Kind of maintenance.', 'citation_repair', 'freshness_check', 'infobox_consistency'),
      instructions: texts('What to do, step by step.', 1),
      'language?': text('Language edition, for example en.'),
      'lang?': text('Short name of the language edition.'),
      'articleUrl?': text('Address of the article for readers.'),
      'pinnedRevisionUrl?': text('Address of exactly this revision.'),
      'proposalOnly?': flag('True if nothing may be edited.'),
      'attributionPolicy?': text('How sources must be named.'),
      'outputSchemaUrl?': text('Address of the schema of the result.'),
      'sourceUrls?': texts('Sources to start from.'),
    },
  ),
  citationRepair('wikipedia-citation-repair-output', 'Citation repair', citationFinding),
  citationRepair('wikipedia-citation-repair-output-v2', 'Citation repair with quotes', {
    ...citationFinding,
    source_quote: text('Exact words of the pinned revision.'),
  }),
  jobSchema(
    'wikipedia-freshness-check-output',
    'Freshness check',
    'Claims of an article that may have aged, each with its present state.',
    {
      ...article,
      freshness_findings: records('Claims that were checked.', 1, 'One claim.', {
        claim: text('The claim as it stands.'),
        status: choice('Its present state.', 'current', 'outdated', 'unclear', 'needs_editor_review'),
        evidence_url: text('Address that shows it.'),
        note: text('What was found.'),
      }),
      recommended_editor_actions: texts('What an editor should do.', 1),
      risk_level: text('Risk of leaving the article as it stands.'),
    },
  ),
  jobSchema('wikipedia-infobox-consistency-output', 'Infobox consistency', 'Fields of an infobox compared with text and sources.', {
    ...article,
    checked_fields: records('Fields that were checked.', 1, 'One field.', {
      field: text('Name of the field.'),
      current_value: text('Its present value.'),
      evidence_url: text('Address that shows it.'),
      status: choice('What came out.', 'consistent', 'inconsistent', 'missing_source', 'needs_editor_review'),
      note: text('What was found.'),
    }),
    proposed_changes: records('Changes proposed to an editor.', 1, 'One change.', {
      field: text('Name of the field.'),
      target_text: text('Text to change.'),
      replacement_text: text('Text to put in its place.'),
      source_url: text('Address of the source.'),
    }),
    review_notes: reviewNotes,
  }),
]
