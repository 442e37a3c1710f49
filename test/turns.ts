// Which test files are slow, and which of them have their turn at a commit.
import { createHash } from 'node:crypto'
import { relative } from 'node:path'

/** A test file as jest names it to its sequencer. */
interface TestFile {
  path: string
  context: { config: { rootDir: string } }
}

/** Seconds that a slow suite takes on two cores, by the first prefix of its path; every other takes a few. */
const SECONDS: readonly (readonly [prefix: string, seconds: number])[] = [
  ['test/long/failing/', 270],
  ['test/long/fleets/two-of-each', 280],
  ['test/long/storm/', 180],
  ['test/long/sessions/every-transition', 100],
  ['test/long/crash/one-world', 300],
  ['test/long/cross-chain/', 60],
  ['test/long/workflows/blocked-steps', 25],
  ['test/long/fleets/other-settings', 100],
  ['test/long/locked-deposits/', 85],
  ['test/long/accounts/', 30],
  ['test/long/workflows/', 45],
  ['test/long/disputes/receipts', 50],
  ['test/long/disputes/', 220],
  ['test/long/claims/deadlines', 60],
  ['test/long/claims/', 20],
  ['test/long/common/browser', 60],
  ['test/long/common/toy-subject', 120],
  ['test/long/common/first-steps', 290],
  ['test/long/paid-verification/escrow', 180],
  ['test/long/common/guides', 100],
  ['test/long/common/docs-blocks', 140],
  ['test/long/common/', 30],
  ['test/long/contracts/', 25],
  ['test/long/local/one-directory', 360],
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
  ['test/long/client/cli', 210],
  ['test/long/client/', 15],
  ['test/long/production/restore', 70],
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

/** A test file that takes this long is slow. */
const SLOW_SECONDS = 40
/** One of so many seconds of the slow files plays in a gate. */
const SHARE = 4

const pathOf = ({ path, context }: TestFile): string => relative(context.config.rootDir, path)
/** Seconds that a file takes on two cores, as far as it is slow. */
export const secondsOf = (test: TestFile): number => SECONDS.find(([start]) => pathOf(test).startsWith(start))?.[1] ?? 0

/** The tests without the slow ones whose turn is at another commit: the name of a commit orders them, and the first quarter of their time plays. */
export const inTurn = <Test extends TestFile>(tests: readonly Test[], commit: string): Test[] => {
  const slow = tests
    .map((test) => ({ test, path: pathOf(test), seconds: secondsOf(test) }))
    .filter(({ seconds }) => seconds >= SLOW_SECONDS)
    .map((one) => ({ ...one, place: createHash('sha256').update(`${commit} ${one.path}`).digest('hex') }))
    .sort((left, right) => (left.place < right.place ? -1 : 1))
  let left = slow.reduce((sum, { seconds }) => sum + seconds, 0) / SHARE
  const waiting = new Set<Test>()
  for (const { test, seconds } of slow) {
    if (left <= 0) waiting.add(test)
    left -= seconds
  }
  return tests.filter((test) => !waiting.has(test))
}
