import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { Worker } from '@temporalio/worker'
import { ISOLATION } from '../../../workers/temporal/isolation.ts'
import * as workflows from '../../../workflows/index.ts'
import { frozenHistories, frozenReleases } from '../../freeze/frozen.ts'
import { workflowBundle } from '../../support/workflow-bundle.ts'
import '../support/runtime.ts'

const HISTORIES = new URL('../../histories/', import.meta.url)
/** Workflows without end are continued as new. */
const ENDLESS: ReadonlySet<string> = new Set(['chainFollower', 'sessionLog'])

const texts = Object.fromEntries(
  readdirSync(HISTORIES).map((file) => [file.replace('.json', ''), readFileSync(new URL(file, HISTORIES), 'utf8')]),
)

/** Those of releases, which processes may still have. */
const frozen = Object.fromEntries(
  frozenReleases().flatMap((release) =>
    readdirSync(frozenHistories(release)).map((file) => [
      `${release}/${file.replace('.json', '')}`,
      readFileSync(join(frozenHistories(release), file), 'utf8'),
    ]),
  ),
)

describe('the recorded histories', () => {
  test('are whole runs of every workflow', () => {
    const runs = Object.entries(texts).map(([name, text]) => {
      const { events } = JSON.parse(text) as { events: Record<string, { workflowType?: { name: string } }>[] }
      const end = `workflowExecution${ENDLESS.has(name) ? 'ContinuedAsNew' : 'Completed'}EventAttributes`
      return [name.split('-')[0], events[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name, end in (events.at(-1) ?? {})]
    })
    expect(runs.filter(([name, type, isWhole]) => name !== type || !isWhole)).toEqual([])
    expect([...new Set(runs.map(([name]) => name))].sort()).toEqual(Object.keys(workflows).sort())
  })

  test('name no machine', () => {
    for (const [name, text] of Object.entries(texts)) {
      const found = [...text.matchAll(/"(?:identity|stackTrace)":"([^"]*)"/g)].map(([, value]) => value)
      expect([name, ...found.filter((value) => value !== '' && value !== 'recorder')]).toEqual([name])
      expect(text).not.toMatch(/file:\/\/|\.ts:\d|node_modules/)
    }
  })

  test('are replayed, with those of every release, by the present code without a difference', async () => {
    const histories = Object.entries({ ...texts, ...frozen }).map(([workflowId, text]) => ({
      workflowId,
      history: JSON.parse(text) as unknown,
    }))
    const results: [string, string | undefined][] = []
    const options = { workflowBundle: await workflowBundle(), ...ISOLATION }
    for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) results.push([workflowId, error?.message])
    expect(results.sort()).toEqual(
      Object.keys({ ...texts, ...frozen })
        .map((name) => [name, undefined])
        .sort(),
    )
  })
})

test('no workflow has a local activity', () => {
  const sources = globSync('workflows/**/*.ts').map((file) => [file, readFileSync(file, 'utf8')] as const)
  expect(sources.length).toBeGreaterThan(Object.keys(workflows).length)
  expect(sources.filter(([, source]) => source.includes('proxyLocalActivities')).map(([file]) => file)).toEqual([])
})
