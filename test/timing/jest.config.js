import whole from '../../jest.config.js'

/** What must be timed: one file after another, with nothing else beside it. */
export default {
  ...whole,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/timing/**/*.test.ts'],
  maxWorkers: 1,
}
