export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  // Tests that take minutes run separately: `npm run test:long`.
  testMatch: ['<rootDir>/test/**/*.test.ts', '!**/test/long/**'],
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
  testTimeout: 60_000,
  // Most suites wait for a database, a node or an engine: three workers use two cores.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/sequencer.js',
}
