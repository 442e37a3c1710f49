// The slowest suites begin first, so that none of them runs alone at the end beside an idle worker. In a gate the slow ones take turns.
import { inTurn, secondsOf } from './turns.ts'

/** What jest asks of the order of its tests. */
export default class Sequencer {
  sort(tests) {
    // .ci/run names its commit. Every other run plays all files that it is asked for.
    const { TURNS_OF_COMMIT: commit } = process.env
    const played = commit === undefined ? tests : inTurn(tests, commit)
    if (played.length < tests.length) {
      console.error(`${tests.length - played.length} slow files have their turn at other commits; npm run test:long plays all`)
    }
    return [...played].sort((left, right) => secondsOf(right) - secondsOf(left) || left.path.localeCompare(right.path))
  }

  shard(tests, { shardIndex, shardCount }) {
    return this.sort(tests).filter((_test, index) => index % shardCount === shardIndex - 1)
  }

  allFailedTests(tests) {
    return tests
  }

  cacheResults() {}
}
