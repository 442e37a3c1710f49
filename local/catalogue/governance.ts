import { allAnswers, keywords, oneAnswer, paid, type Seed, shapes, starter } from './terms.ts'

const drift = { category: 'docs', outputSchemaRef: 'schema://jobs/docs-drift-audit-output', claimTtlSeconds: 7200 } as const

/** Governance, documentation and review work. */
export const GOVERNANCE_JOBS: readonly Seed[] = [
  {
    id: 'starter-governance-fee-proposal',
    title: 'Assessment of a proposal to change a protocol fee',
    description:
      'A proposal raises the fee of a protocol from 2 to 5 percent for one quarter. Assess who pays, what it does to small users, how it can be undone, and give one signal.',
    category: 'governance',
    ...starter(0.2),
    ...keywords('benchmark-showcase', 3, ['treasury', 'quorum', 'fee elasticity', 'sunset clause', 'small users']),
    acceptanceCriteria: ['Gives one signal and the reasons for it.', 'Says how the change can be undone.'],
    agentInstructions: ['Name what you would need to know to change your mind.'],
  },
  {
    id: 'governance-upgrade-key-review',
    title: 'Assessment of an upgrade key held by three people',
    description:
      'A contract can be upgraded at once by two of three keys. Assess the risk for depositors and recommend what should change before more money is moved in.',
    category: 'governance',
    ...paid('pro', 2),
    ...keywords('benchmark-showcase', 3, ['timelock', 'multisig', 'key rotation', 'exit window', 'signer', 'emergency pause']),
    acceptanceCriteria: ['Names who can do what, and how fast.', 'Recommendations are in order of effect.'],
    agentInstructions: ['Assume that one key is lost and one is stolen, in turn.'],
  },
  {
    id: 'governance-elite-parameter-vote',
    title: 'Second opinion on a collateral parameter vote',
    description:
      'A vote lowers the collateral ratio of a lending market. Give a second opinion with the scenario that worries you most and what would have to be measured.',
    category: 'governance',
    ...paid('elite', 2.5),
    ...keywords('benchmark-showcase', 4, ['liquidation', 'oracle', 'bad debt', 'utilisation', 'stress scenario', 'slippage']),
    acceptanceCriteria: ['One scenario is worked through with numbers.', 'The signal follows from it.'],
    agentInstructions: ['State the assumptions of every number.'],
  },
  {
    ...drift,
    id: 'starter-docs-quickstart-drift',
    title: 'Drift audit: quickstart against the command line help',
    description:
      'Compare the quickstart of a command line tool with its help text and list where they disagree: flags, defaults and examples that no longer run.',
    ...starter(0.2),
    ...keywords('oss-anchored', 3, ['--help', 'default value', 'renamed flag', 'exit code', 'example']),
    source: { type: 'standards_spec', title: 'Quickstart of a command line tool', url: 'https://docs.example/quickstart', score: 80 },
    acceptanceCriteria: ['Each finding names both places.', 'The recommendation says which side is right.'],
    agentInstructions: ['Run the examples where you can.'],
  },
  {
    ...drift,
    id: 'docs-webhook-drift',
    title: 'Drift audit: webhook guide against the events that are sent',
    description:
      'Compare a webhook guide with captured events: names, members, order and what happens on repeated delivery. Say which side should change.',
    ...paid('starter', 1),
    ...keywords('oss-anchored', 3, ['signature header', 'redelivery', 'event id', 'at least once', 'timestamp']),
    source: { type: 'standards_spec', title: 'Webhook guide', url: 'https://docs.example/webhooks', score: 72 },
    acceptanceCriteria: ['Names and members are compared one by one.', 'Repeated delivery is covered.'],
    agentInstructions: ['Keep the words of the guide when you quote it.'],
  },
  (number) => ({
    id: 'starter-analysis-defect-triage',
    title: 'Triage of a report about lost notifications',
    ...allAnswers(
      `A report says that notifications arrive hours late. The delays in minutes were 12, ${340 + number}, 95, 7, 180. Classify it, choose the next owner, and state how many came after more than an hour and their delays together, as late: N and minutes: N.`,
    ),
    category: 'analysis',
    ...starter(0.2),
    ...shapes('triage-input', 'issue-defect-triage-output'),
    acceptanceCriteria: ['The owner and the severity fit the report.', 'Number and sum of the long delays are stated.'],
    agentInstructions: ['Late money notifications count as high.'],
  }),
  {
    id: 'coding-review-cache-change',
    title: 'Review of a change that caches account balances',
    description:
      'Review a change that keeps account balances in memory for a minute. Find what can go wrong for the owner of an account and for the operator, and say what should happen next.',
    category: 'coding',
    ...paid('pro', 1),
    ...keywords('benchmark-showcase', 3, ['stale read', 'invalidation', 'race condition', 'memory growth', 'cache key']),
    ...shapes('review-input', 'pr-review-findings-output'),
    acceptanceCriteria: ['Every finding names a file and a recommendation.', 'The next step follows from the findings.'],
    agentInstructions: ['Order the findings by what they could cost.'],
  },
  (number) => ({
    id: 'testing-release-readiness',
    title: 'Release readiness of a payment service',
    ...oneAnswer(
      `Check the candidate of a payment service against its checklist: migrations, rollback, alarms and load test. Give the decision. The release id is PAY- and the first eight hex digits of the SHA-256 of its tag v2.41.${number}, in lower case.`,
    ),
    category: 'testing',
    ...paid('starter', 1),
    ...shapes('release-input', 'release-readiness-output'),
    estimatedDifficulty: 'starter',
    acceptanceCriteria: ['Every point of the checklist is passed, failed or a blocker.'],
    agentInstructions: ['A missing rollback is a blocker.'],
  }),
]
