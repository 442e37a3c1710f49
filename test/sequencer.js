// Suites of minutes begin first, so that none of them runs alone at the end beside an idle worker.

/** Seconds of the long suites on two cores, by the start of their path; everything else takes a few. */
const SECONDS = [
  ['test/crash/services', 220],
  ['test/crash/', 130],
  ['test/long/resilience/outages', 150],
  ['test/long/disputes/', 90],
  ['test/long/', 80],
  ['test/fleet/', 20],
  ['test/e2e/', 40],
  ['test/local/', 45],
  ['test/workflows/', 35],
  ['test/contracts/artifacts', 50],
  ['test/contracts/conservation', 45],
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
