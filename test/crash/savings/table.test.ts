import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { TOPICS } from '../../../domain/events/topics.ts'
import * as workflows from '../../../workflows/index.ts'
import { PROCESSES, SAVINGS_POINTS } from './table.ts'

/**
 * Processes of the other crash points alone, those that repeat the same work for ever, webhooks, which the storm has, and the work of runners, which
 * keep no records.
 */
const ELSEWHERE = [
  'dispute',
  'verifierRun',
  'chainFollower',
  'audit',
  'sessionLog',
  'staleSweep',
  'integritySweep',
  'webhook',
  'profileExecution',
]

const folder = new URL('../../../migrations/', import.meta.url)
const schema = readdirSync(folder)
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n')

const nameOf = (what: string, { name }: { name?: string }): string => (name === undefined ? what : `${what}-${name}`)

const EFFECTS = Object.entries(PROCESSES).flatMap(([process, { scenarios, steps, outside = {} }]) => [
  ...Object.entries(steps).flatMap(([step, effects]) =>
    effects.map(({ isMidway = false, ...effect }) => ({
      ...{ scenarios, scenario: effect.scenario, outgoing: effect.record, isWhole: !isMidway },
      name: `${process}/${nameOf(step, effect)}`,
    })),
  ),
  ...Object.entries(outside).flatMap(([what, effects]) =>
    effects.map((found) => ({
      ...{ scenarios, scenario: found.scenario, outgoing: found.effect, isWhole: false },
      name: `${process}/${found.in}-${nameOf(what, found)}`,
    })),
  ),
])

describe('the table of the savings processes', () => {
  test('has a row for every workflow that is not crashed elsewhere', () => {
    expect([...Object.keys(PROCESSES), ...ELSEWHERE].sort()).toEqual(Object.keys(workflows).sort())
  })

  test.each(EFFECTS)(
    '$name lies in a scenario of its process and is met before and after it',
    ({ name, scenario, scenarios, outgoing, isWhole }) => {
      expect(Object.keys(scenarios)).toContain(scenario)
      const instants = SAVINGS_POINTS.filter((point) => point.name.startsWith(`${name}/`)).map(({ instant }) => instant)
      const around = outgoing.on === undefined ? ['written', ...(isWhole ? [] : ['committed'])] : ['sending', 'sent']
      expect(instants).toEqual(expect.arrayContaining([...around, ...(isWhole ? ['begun', 'recorded'] : [])]))
    },
  )

  test.each(EFFECTS.filter(({ outgoing }) => outgoing.on === undefined))(
    '$name is recorded by a statement on a table and an event that exist',
    ({ outgoing }) => {
      const [, table] = /"([^"]+)"/.exec(outgoing.call) ?? []
      expect(schema).toContain(`create table ${table} (`)
      expect(table === 'event' ? outgoing.of.filter((topic) => !(topic in TOPICS)) : []).toEqual([])
    },
  )

  test('no two points have one name', () => expect(new Set(SAVINGS_POINTS.map(({ name }) => name)).size).toBe(SAVINGS_POINTS.length))
})
