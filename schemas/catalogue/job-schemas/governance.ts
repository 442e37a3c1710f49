import { choice, type JobSchema, jobSchema, records, text, texts } from './parts.ts'

export const GOVERNANCE_SCHEMAS: readonly JobSchema[] = [
  jobSchema('governance-input', 'Governance task', 'A proposal to assess and the kind of answer that is wanted.', {
    proposal: text('The proposal, as text or address.'),
    requestedOutcome: text('What the answer must decide or show.'),
    'constraints?': texts('Limits the answer must respect.'),
  }),
  jobSchema('governance-output', 'Governance assessment', 'An assessment of a proposal with one clear signal.', {
    summary: text('The assessment and its reasons.'),
    decisionSignal: choice('What the assessment recommends.', 'approve', 'reject', 'revise'),
    'recommendations?': texts('Changes or next steps.'),
  }),
  jobSchema('review-input', 'Review task', 'A subject to review, how far the review goes and its rubric.', {
    subject: text('What is reviewed.'),
    reviewScope: text('What the review covers and what not.'),
    rubric: texts('Points the review must answer.', 1),
    'files?': texts('Files under review.'),
  }),
  jobSchema('pr-review-findings-output', 'Review findings', 'Findings of a code review with a recommended next step.', {
    summary: text('The review in a few sentences.'),
    findings: records('What was found.', 1, 'One finding.', {
      severity: text('How serious it is.'),
      file: text('File it concerns.'),
      issue: text('What is wrong.'),
      recommendation: text('What to do about it.'),
    }),
    risk_level: text('Risk of merging as it stands.'),
    files_touched: texts('Files the change touches.', 1),
    recommended_next_step: choice('What should happen next.', 'merge', 'fix_and_retest', 'request_changes'),
  }),
  jobSchema('release-input', 'Release task', 'A release candidate and the checklist it must pass.', {
    release_id: text('Name or version of the release.'),
    checklist: texts('Points to check.', 1),
    'context?': texts('Background the check may need.'),
  }),
  jobSchema(
    'release-readiness-output',
    'Release readiness',
    'Which points of the checklist hold, which do not, and the decision that follows.',
    {
      release_id: text('Name or version of the release.'),
      checks_passed: texts('Points that hold.'),
      checks_failed: texts('Points that do not hold.'),
      blockers: texts('What must be fixed before the release.'),
      go_no_go: choice('The decision.', 'go', 'no_go'),
    },
  ),
  jobSchema('triage-input', 'Triage task', 'A report to classify and the owners it may go to.', {
    report: text('The report as it came in.'),
    routingOptions: texts('Owners to choose from.', 1),
    'componentHints?': texts('Components that may be concerned.'),
  }),
  jobSchema('issue-defect-triage-output', 'Defect triage', 'A report classified and routed to its owner.', {
    category: choice('Kind of report.', 'bug', 'ops', 'docs', 'governance', 'integration'),
    severity: choice('How serious it is.', 'low', 'medium', 'high', 'critical'),
    component: choice('Component it concerns.', 'api', 'indexer', 'frontend', 'contracts', 'ops'),
    repro_clarity: choice('How clear the steps to reproduce it are.', 'clear', 'partial', 'unclear'),
    next_owner: choice('Who should take it next.', 'backend', 'frontend', 'ops', 'contracts', 'docs'),
    duplication_risk: text('Whether it may repeat a known report, and which.'),
  }),
]
