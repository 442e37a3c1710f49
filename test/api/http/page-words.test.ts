// Every state that an answer can have, as words on its page: no code, no member without a value, no number that lost digits.
import { describe, expect, test } from '@jest/globals'
import { CLAIM_REASONS } from '../../../schemas/catalogue/claim-status.ts'
import { ERRORS, type ErrorCode } from '../../../schemas/errors.ts'
import { readPage } from '../../support/pages/read-page.ts'
import { COPIES, type Leaf, leavesOf, RENDERINGS, type Rendering, renderHome, withValue } from '../../support/pages/renderings.ts'

type Path = Leaf[0]

/** What a reader sees outside of code, commands and ids. */
const wordsOf = (page: string): string => readPage(page.replaceAll(/<(code|pre)[ >][^<]*<\/\1>/g, '')).texts.join('\n')

/** What no person reads: values that a program prints for want of words, and names of codes and members. */
const PROGRAM = /\b(?:undefined|null|NaN|Infinity|Invalid Date)\b|\[object|\b[a-z\d]+(?:_[a-z\d]+)+\b/gi

const programWords = async (rendering: Rendering, answer: Rendering['answer']): Promise<string[]> =>
  wordsOf(await rendering.render(answer)).match(PROGRAM) ?? []

interface Issue {
  code: string
  path: PropertyKey[]
  values?: unknown[]
  errors?: Issue[][]
}

const optionsIn = (issues: readonly Issue[]): unknown[] =>
  issues.flatMap(({ values = [], errors = [] }) => [...values, ...errors.flatMap((inner) => optionsIn(inner))])

/** Values that the shape names for a place; none where it takes any text. */
const optionsAt = ({ answer, shape }: Rendering, path: Path): unknown[] => {
  const { error } = shape.safeParse(withValue(answer, path, 'no value of this place'))
  return optionsIn((error?.issues ?? []) as Issue[])
}

/** Every place in an answer, inner objects and lists too. */
const placesOf = (answer: Rendering['answer']): Path[] => {
  const places = leavesOf(answer).flatMap(([path]) => path.map((_name, index) => path.slice(0, index + 1)))
  return [...new Map(places.map((path) => [path.join('/'), path])).values()]
}

/** The answer with each value that its shape allows in each of its places, one at a time. */
const variants = (rendering: Rendering): (readonly [change: string, answer: Rendering['answer']])[] => {
  const { answer, shape } = rendering
  const given = (path: Path): unknown[] => [null, undefined, [], 0, '0', '', ...optionsAt(rendering, path)]
  return placesOf(answer).flatMap((path) =>
    given(path).flatMap((value) => {
      const changed = withValue(answer, path, value)
      return shape.safeParse(changed).success ? [[`${path.join('.')} = ${JSON.stringify(value)}`, changed] as const] : []
    }),
  )
}

/** The shape of a copy leaves its members open, so those of the record are tried. */
const { 'shared session': _session, 'shared dispute': _dispute, ...closed } = RENDERINGS
const ALL = { ...closed, ...COPIES }

describe.each(Object.entries(ALL))('the page of %s', (_name, rendering) => {
  test('says every state in words, and leaves out what has no value', async () => {
    const faults: string[] = []
    for (const [change, answer] of variants(rendering))
      for (const word of await programWords(rendering, answer)) faults.push(`${change}: ${word}`)
    expect(faults).toEqual([])
  })
})

describe('the states of a job', () => {
  test.each([...CLAIM_REASONS, ...(Object.keys(ERRORS) as ErrorCode[]), 'paused_system'])('%s has words in the list', async (reason) => {
    const { jobs } = RENDERINGS
    const page = wordsOf(await jobs.render(withValue(jobs.answer, ['jobs', 0, 'reason'], reason)))
    expect(page.match(PROGRAM)).toBeNull()
  })
})

describe('money beyond 2^53', () => {
  /** Base units of which a number loses digits, with the places of the recorded answers. */
  const RAW = '9007199254740993000001'
  const WHOLE = '9007199254740993.000001'

  const amounts = ({ answer, shape }: Rendering): Path[] =>
    leavesOf(answer)
      .filter(([path, value]) => ['raw', 'amount'].includes(String(path.at(-1))) && /^[0-9]+$/.test(String(value)))
      .map(([path]) => path)
      .filter((path) => shape.safeParse(withValue(answer, path, RAW)).success)

  test.each(['badge', 'profile', 'pool', 'badges at the root', 'a copied dispute'] as const)('is exact on the page of %s', async (name) => {
    const rendering = ALL[name] as Rendering
    const changed = amounts(rendering).reduce((answer, path) => withValue(answer, path, RAW), rendering.answer)
    const shown = wordsOf(await rendering.render(changed)).match(/\d{9,}[.\d]*(?= (?:USDC|[A-Z]))/g) ?? []
    expect([shown.length > 0, [...new Set(shown)]]).toEqual([true, [WHOLE]])
  })
})

test('the page of the service says that something is missing, and shows nothing in the place of what cannot be read', async () => {
  const { text, isWhole } = await renderHome({})
  expect(isWhole).toBe(false)
  expect(wordsOf(text)).toContain('Some figures cannot be read right now.')
  expect(wordsOf(text).match(PROGRAM)).toBeNull()
})
