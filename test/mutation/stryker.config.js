// Which rules are mutated and by what they are judged: `npm run mutate`.

/** Rules about money, eligibility and verification: what must not change without a test that fails. */
const RULES = [
  'activities/verifiers/{benchmark,codehost-pr,deterministic,handler,human-fallback,verdicts}.ts',
  'domain/balance-sheet.ts',
  'domain/claim-economics.ts',
  'domain/claim-state.ts',
  'domain/disclosure.ts',
  'domain/dispute/{by-hand,evidence,look,money-view,outcome,payout,readers,replaced-verdict,stage,words}.ts',
  'domain/escrow-state.ts',
  'domain/escrow-terms.ts',
  'domain/eligibility.ts',
  'domain/eligibility/*.ts',
  'domain/estimate.ts',
  'domain/exposure.ts',
  'domain/funding.ts',
  'domain/instants.ts',
  'domain/maintainer-policy.ts',
  'domain/money.ts',
  'domain/priority-window.ts',
  'domain/reputation.ts',
  'domain/session-close.ts',
  'domain/session-graph.ts',
  'domain/settlement-terms.ts',
  'domain/tiers.ts',
  'domain/verification/**/*.ts',
]

export default {
  packageManager: 'npm',
  // Stryker would rewrite it with an API that this TypeScript does not have; nothing here needs it.
  tsconfigFile: 'none',
  testRunner: 'jest',
  jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  // What only runs while a module loads would cost every test; tables of constants have tests of their own.
  ignoreStatic: true,
  mutate: RULES,
  ignorePatterns: ['.local', '.cache', '.git', 'coverage', 'docs'],
  tempDirName: '.cache/mutation',
  concurrency: 2,
  timeoutMS: 10_000,
  // What is known of an unchanged rule under unchanged tests is kept: a run after a change judges what the change touched.
  incremental: true,
  incrementalFile: '.cache/mutation-known.json',
  thresholds: { high: 90, low: 85, break: 85 },
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: '.cache/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
}
