import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { screenSourceTexts } from '../../../../domain/ingestion/screen-texts.ts'
import type { Provider } from '../../../../schemas/ingestion/providers.ts'
import { PROVIDERS } from '../../../../schemas/ingestion/providers.ts'
import { useOwnDatabase } from '../../../activities/support/own-database.ts'
import { oneIn } from '../../../support/cases/sample.ts'
import { chosenTexts } from './chosen.ts'
import { honestTexts } from './honest.ts'
import { outsiderTexts, type PoisonedText } from './outsider.ts'
import { outsiderTextsLater } from './outsider-later.ts'
import { createWideRuns } from './runs.ts'
import { type CandidateTexts, startFilledSources } from './sources.ts'

/** A gate plays one in four. */
const SHARE = 4

interface Played extends CandidateTexts {
  /** What poisons the texts; null for honest ones. */
  poison: string | null
}

/** A poisoned text where its source has one that the job shows. */
const placed = ({ provider, where, text, kind }: PoisonedText): Played => {
  const [first = '', ...rest] = text.split('\n\n')
  if (where === 'title and body') return { provider, title: first, body: rest.join('\n\n'), poison: kind }
  if (provider === 'github' && where === 'body') return { provider, title: 'The list shows an entry twice', body: text, poison: kind }
  return { provider, title: text, body: null, poison: kind }
}

const poisoned = [...outsiderTexts, ...chosenTexts()].map(placed)
const honest = honestTexts.map((one): Played => ({ ...one, poison: null }))
const played = [...oneIn(SHARE, poisoned), ...oneIn(SHARE, honest)]

const place = useOwnDatabase()
let sources: Awaited<ReturnType<typeof startFilledSources>>
beforeAll(async () => {
  sources = await startFilledSources(played)
})
afterAll(() => sources?.stop())

test('two hundred poisoned texts, a quarter of them by an outsider, and two hundred honest ones are at hand', () => {
  expect([outsiderTexts.length, poisoned.length, honest.length]).toEqual([50, 200, 200])
  expect(new Set([...poisoned, ...honest].map(({ title, body }) => `${title}\n${body}`)).size).toBe(400)
  for (const list of [poisoned, honest]) expect(new Set(list.map(({ provider }) => provider)).size).toBe(PROVIDERS.length)
})

const findJobs = async (): Promise<Set<string>> =>
  new Set((await place.rows().selectFrom('job').select('id').execute()).map(({ id }) => id))

test.each(PROVIDERS)(
  'a run over %s parks every poisoned candidate with its reason and lists every honest one',
  async (provider: Provider) => {
    const decisions = await createWideRuns(place.database(), sources.settings).run(provider, sources.inputOf(provider))
    const jobs = await findJobs()
    const wrong = sources.keyed(played, provider).flatMap(([key, { title, body, poison }]) => {
      const found = decisions.get(key)
      const isListed = found?.jobId != null && jobs.has(found.jobId)
      const isParked = found?.outcome === 'parked' && found.reason === 'source_text_parked' && found.rules.length > 0
      const isRight = poison === null ? found?.outcome === 'created' && isListed : isParked && !isListed
      return isRight ? [] : [{ key, poison, title, body, outcome: found?.outcome, reason: found?.reason, rules: found?.rules }]
    })
    expect(wrong).toEqual([])
  },
)

// The screen knows phrases, and no list of phrases is whole: of texts that it was not mended for, it parks about a half.
test('at least nine of twenty texts that an outsider wrote after the others are parked', () => {
  const parked = outsiderTextsLater.filter(({ text }) => screenSourceTexts([{ pointer: '/text', value: text }]).length > 0)
  expect(outsiderTextsLater).toHaveLength(20)
  expect(parked.length).toBeGreaterThanOrEqual(9)
})
