import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { observeJournal } from '../../activities/observability/journal.ts'
import { createMetrics } from '../../api/observability/metrics.ts'
import { claimBond } from '../../domain/eligibility/claim-economics.ts'
import { canMove } from '../../domain/sessions/state-machine.ts'
import { CLAIM_STATES } from '../../schemas/catalogue/claim-status.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { SEARCH } from '../../schemas/processes.ts'
import { SESSION_STATUSES } from '../../schemas/sessions/record.ts'
import { readSettings, Settings } from '../../schemas/settings.ts'
import { observeActivities } from '../../workers/observability/activity-log.ts'
import { createGauges, createRecordGauges } from '../../workers/observability/metrics.ts'
import { files, manifest, ROOT, read } from './files.ts'

const pages = files().filter((path) => path.endsWith('.md'))

/** Cells of the table rows in a text. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(2, line.lastIndexOf('|'))
        .split(' | ')
        .map((cell) => cell.trim()),
    )

const section = (page: string, title: string): string => {
  const text = read(page)
  const begin = text.indexOf(`\n## ${title}\n`)
  if (begin === -1) throw new Error(`${page} has no section ${title}`)
  const end = text.indexOf('\n## ', begin + 1)
  return text.slice(begin, end === -1 ? undefined : end)
}

describe('every page', () => {
  test.each(pages)('%s: its links lead to files', (page) => {
    const targets = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target]) => target ?? '')
      .filter((target) => !/^\w+:/.test(target))
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([])
  })

  test.each(pages)('%s: the files it names exist', (page) => {
    const named = [
      ...read(page).matchAll(/`((?:schemas|domain|activities|workflows|api|workers|migrations|local|examples|test)\/[\w./-]*)`/g),
    ]
    expect(named.map(([, path]) => path ?? '').filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test.each(pages)('%s: the commands it gives exist', (page) => {
    const { scripts } = manifest()
    const text = read(page)
    const run = [...text.matchAll(/npm run ([a-z]+)/g)].map(([, script]) => script ?? '')
    const plain = [...text.matchAll(/npm (start|test|stop)\b/g)].map(([, script]) => script ?? '')
    expect([...run, ...plain].filter((script) => !(script in scripts))).toEqual([])
    const started = [...text.matchAll(/node ([\w/-]+\.ts)/g)].map(([, file]) => file ?? '')
    expect(started.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  test.each(pages)('%s: the routes it names are operations', (page) => {
    const known = operationList.map(({ method, path }) => `${method} ${path}`)
    const named = [...read(page).matchAll(/\b(GET|POST) (\/[\w/:.-]+)/g)].map(([, method, path]) => `${method} ${path}`)
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })
})

describe('every table', () => {
  const blocks = (text: string): string[][] =>
    text
      .split(/\n(?!\|)/)
      .map((part) => part.split('\n').filter((line) => line.startsWith('|')))
      .filter((lines) => lines.length > 0)

  test.each(pages)('%s: has a head, ends before a heading, and names nothing twice', (page) => {
    const tables = blocks(read(page))
    expect(tables.filter(([, rule]) => !/^\|[\s:|-]+\|$/.test(rule ?? '')).map(([head]) => head)).toEqual([])
    const doubled = tables.flatMap((lines) => {
      const names = lines.slice(2).map((line) => line.split(' | ')[0]?.trim())
      return names.filter((name, index) => name !== '|' && names.indexOf(name) !== index)
    })
    expect(doubled).toEqual([])
    expect(read(page)).not.toMatch(/\|\n#/)
  })
})

describe('the README', () => {
  test('begins with the two commands, and says what every script does', () => {
    const text = read('README.md')
    const blocks = [...text.matchAll(/```sh\n([^`]+)```/g)].map(([, block]) => block?.trim())
    expect(blocks.slice(0, 2)).toEqual(['npm ci && npm run demo -- --once', 'npm ci && npm test'])
    const wanted = ['start', 'status', 'stop', 'demo', 'time', 'test', 'check', 'api', 'worker', 'migrate']
    expect(wanted.filter((script) => !(script in manifest().scripts))).toEqual([])
    expect(wanted.filter((script) => !new RegExp(`npm (run )?${script}\\b`).test(text))).toEqual([])
  })
})

describe('operations.md', () => {
  const settings = rowsOf(section('docs/operations.md', 'Settings')).filter(([name]) => name?.startsWith('`'))

  test('describes every setting once, and no other', () => {
    expect(settings.map(([name]) => name?.replaceAll('`', ''))).toEqual(Object.keys(Settings.shape))
  })

  test('tells the defaults that hold', () => {
    const given = readSettings({ DATABASE_URL: 'required', CHAIN_FILE: 'required' }) as unknown as Record<string, unknown>
    const shown = (value: unknown): string => {
      if (value === undefined) return '–'
      if (Array.isArray(value)) return value.length === 0 ? '(empty)' : value.join(',')
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    }
    const expected = Object.keys(Settings.shape).map((name) => [name, shown(given[name])])
    expect(settings.map(([name, value]) => [name?.replaceAll('`', ''), value?.replaceAll('`', '')])).toEqual(expected)
  })

  test('tells what to do about every figure that is published, and about no other', () => {
    const registry = new Registry()
    createGauges(registry)
    createRecordGauges(registry)
    const pool = { pool: () => ({ max: 1, inUse: 0, idle: 0, waiting: 0 }) }
    observeActivities(registry, pino({ enabled: false }))
    observeJournal(registry, pino({ enabled: false }))
    const published = [...registry.getMetricsAsArray(), ...createMetrics(pool).registry.getMetricsAsArray()].map(({ name }) => name)
    const text = read('docs/operations.md')
    const begin = text.indexOf('### What to watch')
    const rows = rowsOf(text.slice(begin, text.indexOf('\n### ', begin + 1))).filter((row) => row.length === 5 && row[0]?.startsWith('`'))
    const told = rows.flatMap(([names]) => [...(names ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''))
    expect(told.filter((name) => !name.startsWith('temporal_')).sort()).toEqual([...new Set(published)].sort())
    expect(new Set(told).size).toBe(told.length)
  })

  test('gives the commands for every search attribute', () => {
    const commands = [...read('docs/operations.md').matchAll(/search-attribute create --namespace agent-work --name (\w+) --type (\w+)/g)]
    const types = { KEYWORD: 'Keyword', DATETIME: 'Datetime' } as const
    expect(commands.map(([, name, type]) => `${name} ${type}`)).toEqual(
      Object.values(SEARCH).map(({ name, type }) => `${name} ${types[type]}`),
    )
  })
})

describe('product.md', () => {
  test('shows bonds as the rule computes them', () => {
    const digits = /^\d+$/
    const vectors = rowsOf(section('docs/product.md', 'Money')).filter((row) => row.length === 4 && row.every((cell) => digits.test(cell)))
    expect(vectors.length).toBeGreaterThan(4)
    for (const [reward = '', stake, fee, locked] of vectors) {
      const bond = claimBond(BigInt(reward), { stakeBps: 1000, feeBps: 200, minFeeRaw: 50_000n }, false)
      expect([reward, `${bond.stakeRaw}`, `${bond.feeRaw}`, `${bond.lockRaw}`]).toEqual([reward, stake, fee, locked])
    }
  })

  test('names every claim state', () => {
    const text = section('docs/product.md', 'States')
    expect(CLAIM_STATES.filter((state) => !text.includes(state))).toEqual([])
  })
})

describe('the session graph', () => {
  const edges = (pairs: [string | undefined, string | undefined][]): string[] => pairs.map(([from, to]) => `${from} → ${to}`).sort()
  const legal = edges(
    SESSION_STATUSES.flatMap((from) => SESSION_STATUSES.filter((to) => canMove(from, to)).map((to): [string, string] => [from, to])),
  )

  test('is drawn as it is', () => {
    const drawn = [...read('docs/architecture.md').matchAll(/^ {2}(\w+) --> (\w+)(?:: .*)?$/gm)].filter(
      ([, from]) => from !== 'api' && from !== 'activities',
    )
    const moves = drawn.filter(([, from]) => (SESSION_STATUSES as readonly string[]).includes(from ?? ''))
    expect(edges(moves.map(([, from, to]) => [from, to]))).toEqual(legal)
  })

  test('is told as it is', () => {
    const rows = rowsOf(section('docs/product.md', 'States')).filter(([status]) =>
      (SESSION_STATUSES as readonly string[]).includes(status ?? ''),
    )
    const told = rows.flatMap(([status, , next]) => (next?.match(/[a-z_]+/g) ?? []).map((to): [string | undefined, string] => [status, to]))
    expect(edges(told)).toEqual(legal)
  })
})

describe('the decision records', () => {
  test('are all in the list and in its order, numbered without a gap, with context, decision and consequences', () => {
    const records = files().filter((path) => /^docs\/adr\/\d{4}-/.test(path))
    expect(records.length).toBeGreaterThan(10)
    const listed = [...read('docs/adr/README.md').matchAll(/\((\d{4}-[\w-]+\.md)\)/g)].map(([, name]) => `docs/adr/${name}`)
    expect(listed).toEqual(records)
    records.forEach((path, index) => {
      expect(path).toContain(`/${String(index + 1).padStart(4, '0')}-`)
      expect(read(path)).toMatch(new RegExp(`^# ${index + 1}\\. `))
      for (const part of ['Context', 'Decision', 'Consequences']) expect(read(path)).toContain(`**${part}.**`)
    })
  })
})
