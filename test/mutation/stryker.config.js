// Which rules are mutated and by what they are judged: `npm run mutate`.

/** Rules about money, eligibility and verification: what must not change without a test that fails. */
const RULES = [
  'activities/verification/{handlers,evaluate}.ts',
  'domain/accounts/{balance-sheet,gas-grant,withdrawal}.ts',
  'domain/catalogue/{foreign-terms,funding,placeholder,settlement-terms}.ts',
  'domain/chain/{account-position,escrow-state}.ts',
  'domain/common/{fact,instants,money}.ts',
  'domain/credit/*.ts',
  'domain/disputes/{operator-input,evidence,chain-alignment,outcome,payout,readers,stage,verdict-names}.ts',
  'domain/eligibility/{assessment,claim-economics,claim-state,evaluate,exposure,facts,priority-window}.ts',
  'domain/eligibility/gates/*.ts',
  'domain/eligibility/views/{claim-money,estimate}.ts',
  'domain/pool/*.ts',
  'domain/pull-requests/{address,blockers,checks,ci-summary,decision,disclosure,expected,lookup,maintainer-policy}.ts',
  'domain/pull-requests/{observation,repository,reviews,score}.ts',
  'domain/reputation/{scores,tiers}.ts',
  'domain/sessions/{close,replaced-verdict,state-machine}.ts',
  'domain/settlement/award.ts',
  'domain/verification/*.ts',
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
  thresholds: { high: 98, low: 97, break: 97 },
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: '.cache/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
}
