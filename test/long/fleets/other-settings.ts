// One stack whose settings differ from the local ones. A module that registers tests on it is imported by other-settings.test.ts.
import { useWorld } from '../../e2e/support/world.ts'

export const world = useWorld({
  env: {
    // The service prepares what the arbitrator signs and sends.
    ARBITRATOR_KEY: '',
    // One job of 1 USDC and its gas; a second one needs a raise of 1.1 or more.
    WORKER_OPEN_EXPOSURE_CAP_RAW: '1100000',
    // With tier perks the cap would also rise with the reward bank.
    NON_YIELD_TIER_PERKS_ENABLED: 'false',
  },
})
