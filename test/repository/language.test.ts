import { describe, expect, test } from '@jest/globals'
import { files, read } from './files.ts'

/** Words that names, comments and titles do not use, each with the term to use. */
const REPLACED: Record<string, string> = {
  anybody: 'the actor',
  desk: 'the run or its state',
  door: 'endpoint or server',
  heard: 'received or seen',
  'held story': 'describeBlockedStep',
  house: 'repository',
  insist: 'retryUntilAccepted',
  'made anew': 'recreated',
  nobody: 'the actor',
  'past the service': 'directly on chain',
  news: 'pending events',
  pulse: 'version',
  purse: 'balance',
  said: 'payload or stated',
  silence: 'time-out',
  silenced: 'applied',
  somebody: 'the actor',
  standstill: 'blocked step',
  'stands still': 'is blocked',
  told: 'notified or shown',
  untold: 'not notified',
  twin: 'repeated request or duplicate',
  whoever: 'the actor',
  bury: 'markDead',
  'deal with': 'processDecision',
  'doubt about': 'needsRecheck',
  'hand over': 'deliverDecision',
  'hang up': 'closeProbe',
  'job room': 'openPullRequestCapacity',
  'look at chain': 'reconcileWithChain',
  'look at pull request': 'readPullRequest',
  'may pass': 'isTransient',
  'need intent': 'getIntent',
  'need session': 'getSession',
  'no room': 'capReachedError',
  'patient timeout': 'stallTolerantTimeout',
  'people called': 'markUnderReview',
  regain: 'resubmitAfterReorg',
  scene: 'DisputeContext',
  story: 'status text',
  'telling of': 'describeDecision',
  unheard: 'ignoredParams',
}
const BANNED = new RegExp(
  `(?<![a-z])(?:${Object.keys(REPLACED)
    .map((word) => word.replaceAll(' ', '[\\s-]+'))
    .join('|')})s?(?![a-z])`,
  'i',
)

/** Names on the wire, in the database and on a command line, which keep their spelling. */
const WIRE_VALUES = ["'nobody'", 'nobody, worker', 'nobody:', 'workerDoor', 'news.example']
const withoutWireValues = (text: string): string => WIRE_VALUES.reduce((rest, value) => rest.replaceAll(value, ''), text)

/** Words of a name in camel case, apart. */
const apart = (text: string): string => text.replaceAll(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2').replaceAll('_', ' ')

/** The banned words of a source text, strings included: error texts and details are for people. */
const bannedIn = (text: string): string[] =>
  text.split('\n').flatMap((line, index) => (BANNED.test(apart(withoutWireValues(line))) ? [`${index + 1}: ${line.trim()}`] : []))

const SOURCES = /^(?:activities|api|domain|schemas|workflows|workers|migrations|contracts|local|examples|client|test)\/.*\.ts$/
/** Files that name such words: this one, what the screen of listings looks for, and texts of attackers. */
const STILL = ['test/repository/language.test.ts', 'domain/postings/screen/', 'test/domain/postings/screen', 'test/long/ingestion/poison/']
const isRead = (path: string): boolean => SOURCES.test(path) && !path.includes('/abi/') && !STILL.some((exempt) => path.startsWith(exempt))

describe('the language of the source', () => {
  test('uses the terms of the field', () => {
    const found = files().filter(isRead)
    expect(found.length).toBeGreaterThan(1_000)
    expect(found.flatMap((path) => bannedIn(read(path)).map((line) => `${path}:${line}`))).toEqual([])
  })

  test('each replaced word is found in comments, names and texts', () => {
    const missed = Object.keys(REPLACED).filter((word) => {
      const name = word.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
      const lines = [`// the ${word} of it`, `const ${name}Count = 1`, `const text = '${word.toUpperCase()}'`]
      return lines.some((line) => bannedIn(line).length !== 1)
    })
    expect(missed).toEqual([])
  })
})
