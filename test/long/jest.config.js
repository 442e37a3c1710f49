import whole from '../../jest.config.js'

/** The long tier: outages, races, crash points, random play of the contracts, exhaustive tables, the command lines of the local stack. */
export default {
  ...whole,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/long/**/*.test.ts'],
  testTimeout: 300_000,
  // Most of these suites wait for deadlines, restarts and time-outs: three of them use two cores for two thirds of the time.
  maxWorkers: 3,
}
