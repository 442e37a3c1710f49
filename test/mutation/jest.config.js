import whole from '../../jest.config.js'

const { globalSetup: _stack, globalTeardown: _end, testSequencer: _order, ...shared } = whole

const JUDGES = [
  'balance-sheet claim-economics claim-state disclosure dispute-outcome dispute-payout dispute-stage dispute-words eligibility eligibility-gates escrow-state estimate exposure funding',
  'instants job-definition job-input late-verdict maintainer-policy money preflight priority-window pull-request pull-request-first-sight pull-request-target replaced-verdict',
  'repository-address reputation session-close session-graph settlement-terms tiers totality verification verification-next-step verifier-config',
].flatMap((names) => names.split(' '))

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
  // Whoever changes a rule hears of it from the tests of that rule. Not among them is the law over generated worlds, which takes seconds a time.
  testMatch: [...JUDGES.map((name) => `<rootDir>/test/domain/${name}.test.ts`), '<rootDir>/test/verifiers/**/*.test.ts'],
}
