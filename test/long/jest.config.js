import whole from '../../jest.config.js'

/** Suites of minutes: outages, restarts, kills, crowds, disputes, every edge of the graph. `npm run test:long`. */
export default { ...whole, rootDir: '../..', testMatch: ['<rootDir>/test/long/**/*.test.ts'] }
