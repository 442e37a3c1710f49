import whole from '../../jest.config.js'

const { globalSetup: _stack, globalTeardown: _end, testRunner: _native, testSequencer: _order, ...shared } = whole

/** Test suites of pure rules, by folder of test/domain. */
const SUITES = {
  accounts: 'balance-sheet gas-grant withdrawal',
  catalogue: 'funding settlement-terms',
  chain: 'escrow-state',
  common: 'instants money',
  credit: 'attestation limits quotes',
  disputes: 'outcome payout stage verdict-names',
  eligibility: 'claim-economics claim-state evaluate exposure priority-window',
  'eligibility/gates': 'gates',
  'eligibility/views': 'definition estimate preflight',
  pool: 'events quotes shares vesting',
  'pull-requests': 'disclosure expected maintainer-policy repository',
  reputation: 'scores tiers',
  sessions: 'close every-state replaced-verdict state-machine',
  verification: 'auto-settlement codehost-pr config late-verdict listing next-step verifiers',
}

const JUDGES = Object.entries(SUITES).flatMap(([folder, names]) => names.split(' ').map((name) => `${folder}/${name}`))

/** The tests of pure rules alone: no database, no chain, no engine. */
export default {
  ...shared,
  // As CommonJS: modules of the other kind are loaded anew for every mutant and never let go, which costs seconds and gigabytes.
  extensionsToTreatAsEsm: [],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } }],
  },
  rootDir: '../..',
  testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
  // Each mutated rule is run against the tests of that rule, without the generated-world property test, which takes seconds a run.
  testMatch: [
    ...JUDGES.map((name) => `<rootDir>/test/domain/${name}.test.ts`),
    '<rootDir>/test/activities/verification/{handlers,evaluate,sources}.test.ts',
  ],
}
