import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { operationList } from '../../../schemas/operations/registry.ts'
import { type Call, crowd, distinct, finalAnswer, isReplay } from '../../e2e/support/concurrency.ts'
import { type Effects, moved, quietCounts } from '../../e2e/support/effects.ts'
import type { Reply } from '../../e2e/support/http.ts'
import { CASES, type Case, openStage, type Subject } from '../../e2e/support/mutations.ts'
import { fingerprint } from '../../e2e/support/world.ts'
import { inTurns, sampleOf } from '../../support/cases/sample.ts'
import { extra, openedWorld } from './two-of-each.ts'

let stage: Awaited<ReturnType<typeof openStage>>
beforeAll(async () => {
  stage = await openStage(openedWorld(), extra)
})
afterAll(() => stage?.close())

type Kind<Name extends Case['kind']> = Extract<Case, { kind: Name }>
const casesOf = <Name extends Case['kind']>(kind: Name): [string, Kind<Name>][] =>
  Object.entries<Case>(CASES).filter((entry): entry is [string, Kind<Name>] => entry[1].kind === kind)

const mutations = operationList.filter(({ method }) => method !== 'GET')
const specOf = (id: string): (typeof mutations)[number] => {
  const found = mutations.find((spec) => spec.id === id)
  if (found === undefined) throw new Error(`${id} is no mutation of the registry`)
  return found
}
/** Mutations with a key whose effects are counted. A sample has one of each way to have one effect. */
const KEYED = sampleOf(casesOf('keyed'), ([, { oneTransaction, protectsItself, inBetween }]) => [
  [oneTransaction, protectsItself, inBetween.length > 0],
])

const pathOf = (id: string, params: Record<string, string> = {}): string =>
  specOf(id).path.replaceAll(/:([A-Za-z]+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''))

let keys = 0
const newKey = (id: string): string => {
  keys += 1
  return `${id} ${keys}`
}

const look = (): Promise<Effects> => quietCounts(stage.world, stage.engine)

/** What an act changed since a look at what was still; it is looked at when everything is still again. */
const effectsSince = async <T>(before: Effects, act: () => Promise<T>): Promise<{ result: T; effects: Effects; after: Effects }> => {
  const result = await act()
  const after = await look()
  return { result, effects: moved(before, after), after }
}

/** The other content of a subject. */
const otherOf = ({ agent, params, other, otherParams }: Subject) =>
  other === null ? null : { agent, params: otherParams ?? params ?? {}, body: other }

const callOf = (id: string, { agent, params, body }: Pick<Subject, 'agent' | 'params' | 'body'>, key: string): Call => ({
  path: pathOf(id, params),
  body,
  token: agent.token(),
  key,
})

/** As if the process that had the answer had died before it was stored; a transaction stores it with the effect. */
const loseAnswer = async (key: string): Promise<void> => {
  const lost = { responseStatus: null, responseBody: null, completedAt: null }
  await stage.world.database.rows
    .updateTable('idempotency_key')
    .set(lost)
    .where('key', '=', key)
    .where('workflowId', 'is not', null)
    .execute()
}

/** What an answer says about its request; the records that it shows may have moved on. */
const statementsOf = (reply: Reply | undefined, shownOnce: readonly string[]): object =>
  Object.fromEntries(Object.entries(reply?.body ?? {}).filter(([name, value]) => typeof value === 'boolean' && !shownOnce.includes(name)))

/** The print of everything but the keys themselves. */
const withoutKeys = async (): Promise<Record<string, string>> => {
  const { idempotency_key: _keys, ...rest } = await fingerprint(stage.world)
  return rest
}

describe.each(KEYED)('%s under one key', (id, { oneTransaction, shownOnce = [], prepare }) => {
  test('has the effect of one request for four duplicates at each of two processes, and one answer for all and for ever', async () => {
    const [alone, subject] = [await prepare(stage), await prepare(stage)]
    const key = newKey(id)
    const call = callOf(id, subject, key)
    const single = await effectsSince(await look(), async () => {
      const reply = await finalAnswer(stage.world, 0, callOf(id, alone, newKey(id)))
      await alone.settled?.()
      return reply
    })
    const duplicates = await effectsSince(single.after, async () => {
      const replies = await crowd(stage.world, () => call)
      await subject.settled?.()
      return replies
    })
    expect(single.result.status).toBeLessThan(300)
    expect(Object.keys(single.effects).filter((name) => name !== 'idempotency_key')).not.toEqual([])
    expect(distinct(duplicates.result, shownOnce)).toHaveLength(1)
    expect(duplicates.result[0]?.status).toBeLessThan(300)
    expect(duplicates.effects).toEqual(single.effects)
    expect(statementsOf(duplicates.result[0], shownOnce)).toEqual(statementsOf(single.result, shownOnce))
    if (oneTransaction) expect(duplicates.result.filter((reply) => !isReplay(reply))).toHaveLength(1)

    const [before, stood] = [await fingerprint(stage.world), await withoutKeys()]
    const later = [await finalAnswer(stage.world, 0, call), await finalAnswer(stage.world, 1, call)]
    expect(later.map(isReplay)).toEqual([true, true])
    expect(distinct([...duplicates.result, ...later], shownOnce)).toHaveLength(1)
    const other = otherOf(subject)
    for (const api of other === null ? [] : [0, 1]) {
      const { status, body } = await finalAnswer(stage.world, api, callOf(id, other ?? subject, key))
      expect([status, body.code]).toEqual([422, 'idempotency_key_reused'])
    }
    expect(await fingerprint(stage.world)).toEqual(before)

    await loseAnswer(key)
    const resumed = await finalAnswer(stage.world, 1, call)
    expect([resumed.status, await withoutKeys()]).toEqual([duplicates.result[0]?.status, stood])
    expect(statementsOf(resumed, shownOnce)).toEqual(statementsOf(duplicates.result[0], shownOnce))

    const { answer, ...theirSubject } = subject.stranger
    const theirs = await finalAnswer(stage.world, 1, callOf(id, theirSubject, key))
    expect([theirs.status, isReplay(theirs)]).toEqual([answer, false])
  })
})

const inThree = inTurns(3)

describe.each(casesOf('keyed'))('a key of %s', (id, { inBetween, shownOnce = [], prepare }) => {
  inThree('stands for one of two contents that arrive at once', async () => {
    const subject = await prepare(stage)
    const key = newKey(id)
    const other = otherOf(subject)
    const calls = [callOf(id, subject, key), callOf(id, other ?? subject, key)] as const
    const replies = await crowd(stage.world, (index) => calls[index % 2 === 0 ? 0 : 1], { codes: inBetween })
    await subject.settled?.()
    const [accepted, refused] = [replies.filter(({ status }) => status < 300), replies.filter(({ status }) => status >= 300)]
    expect(distinct(refused)).toEqual(other === null ? [] : ['422 idempotency_key_reused'])
    expect([distinct(accepted, shownOnce).length, accepted.length]).toEqual([1, other === null ? replies.length : replies.length / 2])
  })
})

describe.each(KEYED.filter(([, { protectsItself }]) => protectsItself))('%s without a key', (id, { prepare }) => {
  test('has the effect of one request for four duplicates at each of two processes', async () => {
    const [alone, subject] = [await prepare(stage), await prepare(stage)]
    const keyless = ({ agent, body }: Subject): Call => ({ path: pathOf(id), body, token: agent.token(), key: undefined })
    const single = await effectsSince(await look(), async () => {
      await finalAnswer(stage.world, 0, keyless(alone))
      await alone.settled?.()
    })
    const duplicates = await effectsSince(single.after, async () => {
      const replies = await crowd(stage.world, () => keyless(subject))
      await subject.settled?.()
      return replies
    })
    expect([...new Set(duplicates.result.map(({ status }) => status))]).toEqual([200])
    expect(duplicates.effects).toEqual(single.effects)
  })
})

describe.each(sampleOf(casesOf('natural'), ([, { accepted }]) => [accepted]))(
  '%s without a key',
  (id, { because, accepted, refusal, differing, prepare }) => {
    test(`has one effect for four duplicates at each of two processes: ${because}`, async () => {
      const path = pathOf(id)
      const [alone, subject] = [await prepare(stage), await prepare(stage)]
      const single = await effectsSince(await look(), () => finalAnswer(stage.world, 0, { path, key: undefined, ...alone }))
      const duplicates = await effectsSince(single.after, () => crowd(stage.world, () => ({ path, key: undefined, ...subject })))
      expect(single.result.status).toBe(200)
      expect(single.effects).not.toEqual({})
      const winners = duplicates.result.filter(({ status }) => status === 200)
      expect(winners.length > 0 && (accepted === 'some' || winners.length === 1)).toBe(true)
      expect(distinct(winners, differing)).toHaveLength(1)
      const others = duplicates.result.filter(({ status }) => status !== 200)
      expect(distinct(others).filter((answer) => answer !== `401 ${refusal}`)).toEqual([])
      expect(duplicates.effects).toEqual(single.effects)
    })
  },
)

describe.each(sampleOf(casesOf('pure'), ([, { because }]) => [because]))('%s', (id, { because, prepare }) => {
  test(`changes nothing, however often it is asked: ${because}`, async () => {
    const call = { path: pathOf(id), key: undefined, ...(await prepare(stage)) }
    const { result, effects } = await effectsSince(await look(), () => crowd(stage.world, () => call))
    expect([...new Set(result.map(({ status }) => status))]).toEqual([200])
    expect(effects).toEqual({})
  })
})

describe.each(casesOf('exempt'))('%s', (id, { because }) => {
  test(`is exempt: ${because}`, () => {
    expect(mutations.find((spec) => spec.id === id)?.idempotent).toBeUndefined()
  })
})
