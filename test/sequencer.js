// The slowest suites begin first, so that none of them runs alone at the end beside an idle worker.

/** Seconds that a slow suite takes on two cores, by the first prefix of its path; every other takes a few. */
const SECONDS = [
  ['test/long/failing/', 180],
  ['test/long/fleets/two-of-each', 120],
  ['test/long/storm/', 75],
  ['test/long/sessions/every-transition', 100],
  ['test/long/crash/one-world', 110],
  ['test/long/cross-chain/', 60],
  ['test/long/workflows/blocked-steps', 25],
  ['test/long/fleets/other-settings', 100],
  ['test/long/locked-deposits/', 85],
  ['test/long/accounts/', 30],
  ['test/long/workflows/', 45],
  ['test/long/disputes/receipts', 50],
  ['test/long/disputes/', 80],
  ['test/long/claims/deadlines', 60],
  ['test/long/claims/', 20],
  ['test/long/common/browser', 60],
  ['test/long/common/toy-subject', 120],
  ['test/long/common/guides', 100],
  ['test/long/common/docs-blocks', 110],
  ['test/long/common/', 30],
  ['test/long/contracts/', 25],
  ['test/long/local/one-directory', 150],
  ['test/long/local/chain-restart', 5],
  ['test/long/local/postgres-restart', 5],
  ['test/long/local/services', 25],
  ['test/long/local/', 45],
  ['test/long/chain/nonce-command', 15],
  ['test/long/chain/', 35],
  ['test/long/crash/command', 25],
  ['test/long/resilience/closed-checkout', 30],
  ['test/long/resilience/pool', 15],
  ['test/long/sessions/close', 30],
  ['test/long/pull-requests/', 35],
  ['test/long/client/cli', 100],
  ['test/long/client/', 15],
  ['test/long/', 50],
  ['test/activities/disputes/', 60],
  ['test/activities/audit/', 20],
  ['test/workflows/claims/', 25],
  ['test/e2e/claims/approved-claim', 30],
  ['test/e2e/', 30],
  ['test/workflows/', 15],
  ['test/activities/', 10],
  ['test/api/', 5],
  ['test/domain/eligibility/properties', 10],
]

const secondsOf = ({ path, context }) => {
  const inside = path.slice(context.config.rootDir.length + 1)
  return SECONDS.find(([start]) => inside.startsWith(start))?.[1] ?? 0
}

/** What jest asks of the order of its tests. */
export default class Sequencer {
  sort(tests) {
    return [...tests].sort((left, right) => secondsOf(right) - secondsOf(left) || left.path.localeCompare(right.path))
  }

  shard(tests, { shardIndex, shardCount }) {
    return this.sort(tests).filter((_test, index) => index % shardCount === shardIndex - 1)
  }

  allFailedTests(tests) {
    return tests
  }

  cacheResults() {}
}
