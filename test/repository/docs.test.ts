import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { canMove } from '../../domain/sessions/state-machine.ts'
import { AUDIT_CHECKS } from '../../schemas/audit/checks.ts'
import { operationList } from '../../schemas/operations/registry.ts'
import { SESSION_STATUSES } from '../../schemas/sessions/record.ts'
import { readSettings, Settings } from '../../schemas/settings.ts'
import { CONSOLE_SETTINGS } from './console-settings.ts'
import { files, manifest, ROOT, read } from './files.ts'
import { captured, rowsOf, section } from './texts/documents.ts'
import { publishedMetrics, watchedRows } from './texts/metrics.ts'

const pages = files().filter((path) => path.endsWith('.md'))

/** What of a page is wrong, one line each; `find` gives it for the text of a page. */
const wrongIn = (find: (text: string, page: string) => readonly string[]): string[] =>
  pages.flatMap((page) => find(read(page), page).map((wrong) => `${page}: ${wrong}`))
const isMissing = (path: string): boolean => !existsSync(join(ROOT, path))

describe('every page', () => {
  test('links to existing files', () => {
    const targets = (text: string): string[] => captured(text, /\]\(([^)#\s]+)(?:#[^)]*)?\)/g).filter((target) => !/^\w+:/.test(target))
    expect(wrongIn((text, page) => targets(text).filter((target) => isMissing(join(dirname(page), target))))).toEqual([])
  })

  test('names existing files', () => {
    const named = /`((?:schemas|domain|activities|workflows|api|workers|migrations|contracts|local|examples|operate|test)\/[\w./-]*)`/g
    expect(wrongIn((text) => captured(text, named).filter(isMissing))).toEqual([])
  })

  test('gives existing commands', () => {
    const { scripts } = manifest()
    const called = (text: string): string[] => [
      ...captured(text, /npm run ([a-z:-]*[a-z])/g),
      ...captured(text, /npm (start|test|stop)\b/g),
    ]
    expect(wrongIn((text) => called(text).filter((script) => !(script in scripts)))).toEqual([])
    expect(wrongIn((text) => captured(text, /node ([\w/-]+\.ts)/g).filter(isMissing))).toEqual([])
  })

  test('lets git ignore each file that its commands write into a checkout', () => {
    const written = pages.flatMap((page) =>
      captured(read(page), /```sh\n([^`]+)```/g).flatMap((block) => captured(block, /(?: > |--example )([\w.-]+)/g)),
    )
    const packed = captured(read('examples/agent-with-client/README.md'), /npm install \.\/(\S+)/g)
    const all = [...new Set([...written, ...packed, '.env'])]
    expect(all.length).toBeGreaterThan(3)
    const { stdout } = spawnSync('git', ['check-ignore', ...all], { cwd: ROOT, encoding: 'utf8' })
    expect(stdout.trim().split('\n').sort()).toEqual(all.sort())
  })

  test('names a setting, or another word of the source in capitals, only where there is one', () => {
    const sources = files().filter((path) => !path.endsWith('.md') && !path.startsWith('test/'))
    const source = new Set(sources.flatMap((path) => captured(read(path), /([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)/g)))
    const named = (text: string) => captured(text, /(?<!\w)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?!\w|…)/g)
    const isKnown = (name: string) => source.has(name) || source.has(name.replace(/_FILE$/, ''))
    expect(wrongIn((text) => [...new Set(named(text))].filter((name) => !isKnown(name)))).toEqual([])
  })

  /** Sentences that deny what a setting offers: every word of its name stands in them. */
  const denials = (text: string): string[] =>
    captured(text, /([^.|\n]*\bnot supported\b[^.|\n]*)/g).filter((sentence) =>
      Object.keys(Settings.shape).some((name) => name.split('_').every((word) => new RegExp(`\\b${word}s?\\b`, 'i').test(sentence))),
    )

  test('denies nothing that a setting offers', () => {
    expect(denials('TLS and API keys for Temporal are not supported, so keep it inside.')).toHaveLength(1)
    expect(wrongIn(denials)).toEqual([])
  })

  test('names existing routes', () => {
    const known = operationList.map(({ method, path }) => `${method} ${path}`)
    expect(wrongIn((text) => captured(text, /\b((?:GET|POST) \/[\w/:.-]+)/g).filter((route) => !known.includes(route)))).toEqual([])
  })
})

describe('the README', () => {
  test('begins with the demo and the tests', () => {
    const blocks = [...read('README.md').matchAll(/```sh\n([^`]+)```/g)].map(([, block]) => block?.trim())
    expect(blocks.slice(0, 2)).toEqual(['npm ci && npm run demo -- --once', 'npm ci && npm test'])
  })
})

describe('operations.md', () => {
  const settings = rowsOf(section('docs/operations.md', 'Settings')).filter(([name]) => name?.startsWith('`'))

  test('its settings table lists every setting once', () => {
    expect(settings.map(([name]) => name?.replaceAll('`', '')).sort()).toEqual(Object.keys(Settings.shape).sort())
  })

  test('its table of the console lists every setting of the console once', () => {
    const rows = rowsOf(section('docs/operations.md', 'Console')).filter(([name]) => name?.startsWith('`'))
    expect(rows.map(([name]) => name?.replaceAll('`', '')).sort()).toEqual(CONSOLE_SETTINGS.toSorted())
  })

  test('its settings table gives the defaults of the code', () => {
    const given = readSettings({ DATABASE_URL: 'required', CHAIN_FILE: 'required' }) as unknown as Record<string, unknown>
    const shown = (value: unknown): string => {
      if (value === undefined) return '–'
      if (Array.isArray(value)) return value.length === 0 ? '(empty)' : value.join(',')
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    }
    const listed = settings.map(([name, value]) => [name?.replaceAll('`', '') ?? '', value?.replaceAll('`', '')] as const)
    expect(listed).toEqual(listed.map(([name]) => [name, shown(given[name])]))
  })

  test('its table of what to watch lists every published metric once', async () => {
    const listed = watchedRows().flatMap(({ metrics }) => metrics)
    expect(listed.filter((name) => !name.startsWith('temporal_')).sort()).toEqual([...(await publishedMetrics())].sort())
    expect(new Set(listed).size).toBe(listed.length)
  })

  test('explains every check of the audit, with what an operator does', () => {
    const text = section('docs/operations.md', 'The audit found something').replaceAll('`', '')
    const missing = Object.entries(AUDIT_CHECKS).filter(([name, { meaning, remedy }]) => !text.includes(`- ${name}. ${meaning} ${remedy}`))
    expect(missing).toEqual([])
  })
})

describe('architecture.md', () => {
  test('draws every legal move of a session, and no other', () => {
    const isStatus = (name: string | undefined): boolean => SESSION_STATUSES.some((status) => status === name)
    const legal = SESSION_STATUSES.flatMap((from) => SESSION_STATUSES.filter((to) => canMove(from, to)).map((to) => `${from} --> ${to}`))
    const arrows = [...read('docs/architecture.md').matchAll(/^ {2}(\w+) --> (\w+)(?:: .*)?$/gm)]
    const drawn = arrows.filter(([, from]) => isStatus(from)).map(([, from, to]) => `${from} --> ${to}`)
    expect(drawn.sort()).toEqual(legal.sort())
  })
})

describe('the decision records', () => {
  test('are listed in order, numbered without a gap, each with context, decision and consequences', () => {
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
