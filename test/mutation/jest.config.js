import whole from '../../jest.config.js'

const { globalSetup: _stack, globalTeardown: _end, testSequencer: _order, ...shared } = whole

/** The tests of pure rules alone: no database, no chain, no engine. */
export default {
  ...shared,
  rootDir: '../..',
  testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
  // A law over generated worlds takes seconds for every mutant; what it proves is judged by the vectors here.
  testPathIgnorePatterns: ['eligibility-law'],
  testMatch: ['<rootDir>/test/domain/**/*.test.ts', '<rootDir>/test/verifiers/**/*.test.ts'],
}
