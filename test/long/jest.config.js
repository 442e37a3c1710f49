import whole from '../../jest.config.js'

/** What is down, frozen, restarted or killed for a while: `npm run test:long`. */
export default { ...whole, rootDir: '../..', testMatch: ['<rootDir>/test/long/**/*.test.ts'] }
