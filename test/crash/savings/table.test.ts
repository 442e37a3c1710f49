import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { TOPICS } from '../../../domain/events/topics.ts'
import * as workflows from '../../../workflows/index.ts'
import { PROCESSES, SAVINGS_POINTS } from './table.ts'

/** Processes of the other crash points, those that repeat the same work for ever, and webhooks, which the storm has. */
const ELSEWHERE = ['claimSession', 'dispute', 'verifierRun', 'chainFollower', 'audit', 'sessionLog', 'webhook']

const folder = new URL('../../../migrations/', import.meta.url)
const schema = readdirSync(folder)
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n')

const EFFECTS = Object.entries(PROCESSES).flatMap(([process, { scenarios, steps }]) =>
  Object.entries(steps).flatMap(([step, effects]) =>
    effects.map((effect) => ({ ...effect, name: `${process}/${step}${effect.name === undefined ? '' : `-${effect.name}`}`, scenarios })),
  ),
)

describe('the table of the savings processes', () => {
  test('has a row for every workflow that is not crashed elsewhere', () => {
    expect([...Object.keys(PROCESSES), ...ELSEWHERE].sort()).toEqual(Object.keys(workflows).sort())
  })

  test.each(EFFECTS)('$name lies in a scenario of its process and is met at three moments or more', ({ name, scenario, scenarios }) => {
    expect(Object.keys(scenarios)).toContain(scenario)
    const instants = SAVINGS_POINTS.filter((point) => point.name.startsWith(`${name}/`)).map(({ instant }) => instant)
    expect(instants).toEqual(expect.arrayContaining(['begun', 'written', 'recorded']))
  })

  test.each(EFFECTS)('$name is recorded by a statement on a table and an event that exist', ({ record }) => {
    const [, table] = /"([^"]+)"/.exec(record.call) ?? []
    expect(schema).toContain(`create table ${table} (`)
    expect(table === 'event' ? record.of.filter((topic) => !(topic in TOPICS)) : []).toEqual([])
  })

  test('no two points have one name', () => expect(new Set(SAVINGS_POINTS.map(({ name }) => name)).size).toBe(SAVINGS_POINTS.length))
})
