import whole from '../../jest.config.js'

const { globalSetup: _stack, globalTeardown: _end, testRunner: _native, testSequencer: _order, ...shared } = whole

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
  testMatch: ['<rootDir>/test/domain/**/*.test.ts', '<rootDir>/test/activities/verification/{handlers,evaluate,sources}.test.ts'],
  // Worlds that are generated take seconds a run; a trie comes from a package without CommonJS.
  testPathIgnorePatterns: ['/eligibility/properties', '/pool/vesting-model', '/chain/receipt-trie', '/receipts/'],
}
