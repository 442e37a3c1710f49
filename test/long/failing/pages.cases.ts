// What a person sees in a browser while a part of the service is away.
import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { fillPages, type PageName } from '../../e2e/common/page-addresses.ts'
import { inTurns } from '../../support/cases/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { readPage } from '../../support/pages/read-page.ts'
import { readBankAt, world } from './failing.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'

/** The filled service gives the address of each. */
const NAMES = ['home', 'jobs', 'job', 'badge', 'agents', 'pool', 'documentation', 'verification'] as const satisfies PageName[]
type Name = (typeof NAMES)[number]

let paths: Record<PageName, string>

interface Seen {
  status: number
  /** What a reader sees, without what stands in commands and ids. */
  words: string
  text: string
}

const open = async (path: string): Promise<Seen> => {
  const response = await fetch(world().base + path, { headers: { accept: BROWSER } })
  const text = await response.text()
  expect([path, response.headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8'])
  const words = readPage(text.replaceAll(/<(code|pre)[ >][^<]*<\/\1>/g, '')).texts.join(' ')
  return { status: response.status, words: words.replaceAll(/\s+/g, ' '), text }
}

/** No page tells a person what only a program or an engineer reads. */
const PROGRAM = /\bat \S+ \(|node:|ECONN|Error:|converges|outcome may be unknown|\b(?:undefined|null|NaN)\b|\[object/

const openAll = async (): Promise<Record<Name, Seen>> => {
  const seen = await Promise.all(NAMES.map(async (name) => [name, await open(paths[name])] as const))
  for (const [name, { words }] of seen) expect([name, words.match(PROGRAM)]).toEqual([name, null])
  return Object.fromEntries(seen) as Record<Name, Seen>
}

/** All pages, once they have these statuses and the jobs are known or not. */
const becomes = (statuses: Record<Name, number>, isKnown: (seen: Record<Name, Seen>) => boolean = () => true) =>
  eventually('the pages', openAll, (seen) => JSON.stringify(statusOf(seen)) === JSON.stringify(statuses) && isKnown(seen))

const statusOf = (seen: Record<Name, Seen>) => Object.fromEntries(NAMES.map((name) => [name, seen[name].status]))

const WHOLE: Record<Name, number> = {
  ...{ home: 200, jobs: 200, job: 200, badge: 200 },
  ...{ agents: 200, pool: 200, documentation: 200, verification: 200 },
}

const INSTANT = /<time datetime="\d{4}-[^"]*Z" title="\d{4}-[^"]*Z">/

interface Away {
  takeAway: () => Promise<void>
  /** Pages that are refused; all others open. */
  refused?: Partial<Record<Name, number>>
  says: Partial<Record<Name, RegExp>>
  /** What a page no longer knows. */
  hides?: Partial<Record<Name, RegExp>>
  /** Pages whose note says when. */
  dated?: readonly Name[]
}

const NO_DATABASE = /The database of this service does not answer.*What to do Wait 2 seconds and load this page again/
const UNKNOWN_JOBS = /The service read the chain last \d+ \w+ \d+, \d\d:\d\d UTC/

const NO_CLAIM = /No claim is taken right now: a part of the service does not answer, found \d+ \w+ \d+, \d\d:\d\d UTC/

const killChain = async (): Promise<void> => {
  await world().chain.flush()
  await world().chain.kill()
}

const AWAY: Record<string, Away> = {
  'the database': {
    takeAway: () => world().postgres.kill(),
    refused: { jobs: 503, job: 503, badge: 503, agents: 503 },
    says: {
      ...{ jobs: NO_DATABASE, job: NO_DATABASE, badge: NO_DATABASE, agents: NO_DATABASE },
      home: /Some figures cannot be read right now\. Tried \d+ \w+ \d+, \d\d:\d\d UTC/,
      pool: /Read at block \d+ of chain \d+, \d+ \w+/,
    },
    hides: { home: /can be claimed now|from submission to payment|wait for a decision|Paid last/ },
    dated: ['home', 'pool'],
  },
  'the chain, for longer than a reading of it counts': {
    takeAway: async () => {
      await killChain()
      await readBankAt(Date.now() - 3_600_000)
    },
    says: {
      home: /Unknown how many jobs can be claimed now/,
      jobs: new RegExp(`How many can be claimed is unknown right now\\..*${UNKNOWN_JOBS.source}`),
      job: new RegExp(`Funding not read yet.*${UNKNOWN_JOBS.source}`),
      pool: /Not readable now The chain did not answer\. Deposits are not affected; try again in a minute\./,
    },
    hides: { home: /\b0 jobs|No job without a bond is open/, jobs: /\b0 can be|No job/, pool: /\d USDC/ },
    dated: ['home', 'jobs', 'job'],
  },
  'the workflow engine': {
    takeAway: () => world().temporal.kill(),
    says: { badge: /1 USDC/, home: NO_CLAIM, jobs: NO_CLAIM, job: NO_CLAIM },
    dated: ['home', 'jobs', 'job'],
  },
}

const test = inTurns(2)

describe('pages', () => {
  // Here, so that it runs after the modules before this one.
  beforeAll(async () => {
    ;({ paths } = await fillPages(world()))
  })

  describe.each(Object.keys(AWAY))('without %s', (part) => {
    test('a page that can answer says what is old and since when, and the others say in words what to do', async () => {
      const { takeAway, refused = {}, says, hides = {}, dated = [] } = AWAY[part] as Away
      await becomes(WHOLE, ({ jobs }) => !jobs.words.includes('The service read the chain last'))
      await takeAway()
      // A process asks the engine again after some seconds.
      const areWordsThere = (pages: Record<Name, Seen>) =>
        Object.entries(says).every(([name, words]) => words.test(pages[name as Name].words))
      const seen = await becomes({ ...WHOLE, ...refused }, areWordsThere)
      for (const [name, words] of Object.entries(says)) expect(seen[name as Name].words).toMatch(words)
      for (const [name, words] of Object.entries(hides)) expect([name, seen[name as Name].words.match(words)]).toEqual([name, null])
      for (const name of dated) expect(seen[name].text).toMatch(INSTANT)
    })
  })

  describe('while the service waits for its chain to start', () => {
    const api = () => {
      const [one] = world().apis
      if (one === undefined) throw new Error('the fleet has no API')
      return one
    }
    afterAll(async () => {
      if (!api().isUp()) await api().start()
    })

    test('every page says so, and opens once the chain is there', async () => {
      await api().stop()
      await killChain()
      await api().start()
      for (const { status, words } of Object.values(await openAll())) {
        expect(status).toBe(503)
        expect(words).toMatch(/The service is starting and waits for its chain.*What to do Wait 2 seconds and load this page again/)
      }
      await world().chain.start()
      await becomes(WHOLE)
    })
  })
})
