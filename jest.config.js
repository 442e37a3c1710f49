export default {
  // Test files share the modules of their worker, and Node strips the types: the runner loads them by `import`.
  testRunner: '<rootDir>/test/jest/native-runner.js',
  testEnvironment: '<rootDir>/test/jest/environment.js',
  transform: {},
  // Tests that take minutes or measure time run separately: `npm run test:long`, `npm run test:timing`.
  testMatch: ['<rootDir>/test/**/*.test.ts', '!**/test/long/**', '!**/test/timing/**'],
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
  // Ends a test that hangs. It proves nothing, so it is wide for a busy machine, and longer than the two minutes of `eventually`.
  testTimeout: 180_000,
  // Most suites wait for a database, a node or an engine: three workers use two cores.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/sequencer.js',
}
