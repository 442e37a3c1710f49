import { choice, count, flag, jobSchema, matching, record, text, texts } from './parts.ts'

export const codingInput = jobSchema('coding-input', 'Coding task', 'A programming task with the criteria its result is judged by.', {
  task: text('What has to be built or changed.'),
  acceptanceCriteria: texts('What must hold for the result to be accepted.', 1),
  'repo?': text('Repository the task belongs to.'),
  'files?': texts('Files worth reading first.'),
})

export const codingOutput = jobSchema('coding-output', 'Coding result', 'The result of a programming task, with how far it got.', {
  summary: text('What was done, in a few sentences.'),
  output: text('The result itself: code, patch or findings.'),
  status: choice('How far the work got.', 'complete', 'partial', 'blocked'),
  'filesChanged?': texts('Paths of the files that changed.'),
})

const ciStatus = choice('State of the checks on the pull request.', 'unknown', 'pending', 'passing', 'failing')

export const codehostPrEvidenceOutput = jobSchema(
  'codehost-pr-evidence-output',
  'Pull request evidence',
  'A pull request offered as the work of a code-host issue, with how it was tested.',
  {
    prUrl: text('Address of the pull request, https://<host>/<owner>/<repo>/pull/<number>.'),
    summary: text('What the pull request changes and why.'),
    tests: text('Commands that were run and what they printed.'),
    'notes?': text('Anything a reviewer should know besides.'),
    'prBody?': text('Text of the pull request.'),
    'issueNumber?': count('Number of the issue the pull request answers.', 1),
    'issueUrl?': text('Address of that issue.'),
    'commitUrl?': text('Address of the commit.'),
    'branchUrl?': text('Address of the branch.'),
    'filesChanged?': texts('Paths of the files that changed.'),
    'referencesIssue?': flag('True if the pull request names the issue.'),
    'checksPassing?': flag('True if every check is green.'),
    'ciStatus?': ciStatus,
    'reviewApproved?': flag('True if a maintainer approved the pull request.'),
    'merged?': flag('True if the pull request is merged.'),
  },
)

export const dependencyRemediationInput = jobSchema(
  'dependency-remediation-input',
  'Dependency remediation task',
  'A vulnerable dependency and the version that removes the vulnerability.',
  {
    ecosystem: choice('Package ecosystem.', 'npm'),
    packageName: text('Name of the vulnerable package.'),
    vulnerableVersion: text('Version in use.'),
    fixedVersion: text('First version without the vulnerability.'),
    advisoryIds: texts('Ids of the advisories.', 1),
    instructions: texts('What to do, step by step.', 1),
    'repo?': text('Repository that uses the package.'),
    'manifestPath?': text('Path of the manifest that names it.'),
    'advisoryUrls?': texts('Addresses of the advisories.'),
  },
)

export const dependencyRemediationOutput = jobSchema(
  'dependency-remediation-output',
  'Dependency remediation result',
  'A pull request that moves a dependency off its vulnerable version.',
  {
    prUrl: text('Address of the pull request.'),
    packageName: text('Name of the package.'),
    vulnerableVersion: text('Version before.'),
    fixedVersion: text('Version after.'),
    advisoryIds: texts('Ids of the advisories it settles.', 1),
    summary: text('What changed and what was checked.'),
    tests: text('Commands that were run and what they printed.'),
    'repo?': text('Repository that was changed.'),
    'manifestPath?': text('Path of the manifest.'),
    'lockfilesUpdated?': texts('Lock files that changed.'),
    'filesChanged?': texts('Paths of the files that changed.'),
    'ciStatus?': ciStatus,
    'checksPassing?': flag('True if every check is green.'),
    'notes?': text('Anything a reviewer should know besides.'),
  },
)

export const patchSubmissionOutput = jobSchema(
  'patch-submission-output',
  'Patch submission',
  'A patch file by its digest and address, and the commit it applies to.',
  {
    patch: record('The patch file.', {
      sha256: matching('SHA-256 of the file, 64 hex digits.', '^(0x)?[0-9a-fA-F]{64}$', '0'.repeat(64)),
      bytes: count('Size of the file.', 1),
      locator: record('Where the file is.', {
        kind: choice('How the file is fetched.', 'https'),
        url: matching('Address of the file.', '^https://.+', 'https://files.example/change.patch'),
      }),
      'format?': choice('What is at the address.', 'file'),
    }),
    baseCommit: matching('Commit the patch applies to, 40 hex digits.', '^[0-9a-f]{40}$', '0'.repeat(40)),
    submittingAgent: record('Who made the patch.', { wallet: text('Address of the claiming wallet.') }),
  },
)
