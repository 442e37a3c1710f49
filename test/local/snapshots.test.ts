import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { findSnapshot, type Snapshot, saveSnapshot, snapshotOf } from '../../local/snapshots.ts'
import { useDirectory } from './support/directory.ts'
import { CHECKOUT } from './support/start-process.ts'

const directory = useDirectory()
let cache: string
let lines: string[]
const snapshot = (key = 'now', name = 'database'): Snapshot => ({ cache, name, key })
const save = (of: Snapshot, text = 'data'): Promise<void> =>
  saveSnapshot(
    of,
    (line) => lines.push(line),
    async (content) => {
      mkdirSync(join(content, 'base'), { recursive: true })
      writeFileSync(join(content, 'base', 'table'), text)
    },
  )
const table = (found: string | undefined): string | undefined => found && readFileSync(join(found, 'base', 'table'), 'utf8')

beforeEach(() => {
  cache = mkdtempSync(join(directory, 'cache-'))
  lines = []
})

describe('a snapshot', () => {
  test('is found by its name and key', async () => {
    await save(snapshot())
    expect(table(findSnapshot(snapshot()))).toBe('data')
    expect([findSnapshot(snapshot('later')), findSnapshot(snapshot('now', 'chain'))]).toEqual([undefined, undefined])
  })

  test.each<[string, (entry: string) => void | Promise<void>]>([
    ['has a truncated file', (entry) => truncateSync(join(entry, 'content', 'base', 'table'), 2)],
    [
      'has other content of the same size',
      (entry) => {
        writeFileSync(join(entry, 'content', 'base', 'table'), 'DATA')
        utimesSync(join(entry, 'content', 'base', 'table'), 1, 1)
      },
    ],
    ['lacks a file', (entry) => rmSync(join(entry, 'content', 'base', 'table'))],
    ['has one file more', (entry) => writeFileSync(join(entry, 'content', 'other'), '')],
    ['has no content', (entry) => rmSync(join(entry, 'content'), { recursive: true })],
    ['has no manifest', (entry) => rmSync(join(entry, 'manifest'))],
    ['comes from a later time', (entry) => utimesSync(join(entry, 'manifest'), 9_000_000_000, 9_000_000_000)],
    [
      'belongs to another key',
      async (entry) => {
        await save(snapshot('earlier'))
        renameSync(join(cache, 'database-earlier'), entry)
      },
    ],
  ])('is removed and saved again when it %s', async (_damage, change) => {
    await save(snapshot())
    await change(join(cache, 'database-now'))
    expect(findSnapshot(snapshot())).toBeUndefined()
    expect(existsSync(join(cache, 'database-now'))).toBe(false)
    await save(snapshot(), 'new data')
    expect([table(findSnapshot(snapshot())), lines]).toEqual(['new data', []])
  })

  test('has another key once a source has other content, or there is one more', async () => {
    const sources = mkdtempSync(join(directory, 'sources-'))
    const current = () => snapshotOf(cache, 'database', [relative(CHECKOUT, join(sources, '*.ts'))])
    writeFileSync(join(sources, 'table.ts'), 'one')
    await save(current())
    expect(table(findSnapshot(current()))).toBe('data')
    writeFileSync(join(sources, 'table.ts'), 'two')
    expect(findSnapshot(current())).toBeUndefined()
    writeFileSync(join(sources, 'table.ts'), 'one')
    writeFileSync(join(sources, 'index.ts'), '')
    expect(findSnapshot(current())).toBeUndefined()
    rmSync(join(sources, 'index.ts'))
    expect(table(findSnapshot(current()))).toBe('data')
  })

  test('replaces those of other keys and abandoned ones, but none that is being written', async () => {
    await save(snapshot('earlier'))
    await save(snapshot('earlier', 'chain'))
    for (const part of ['abandoned', 'active']) mkdirSync(join(cache, `database-now.part-${part}`))
    utimesSync(join(cache, 'database-now.part-abandoned'), 1, 1)
    await save(snapshot())
    expect(readdirSync(cache).sort()).toEqual(['chain-earlier', 'database-now', 'database-now.part-active'])
  })

  test('is saved once by several at once', async () => {
    await Promise.all([save(snapshot(), 'one'), save(snapshot(), 'two'), save(snapshot(), 'six')])
    expect([readdirSync(cache), lines]).toEqual([['database-now'], []])
    expect(table(findSnapshot(snapshot()))).toMatch(/one|two|six/)
  })

  test('is reported and left out when it cannot be saved', async () => {
    writeFileSync(join(cache, 'file'), '')
    await save({ ...snapshot(), cache: join(cache, 'file') })
    await saveSnapshot(
      snapshot(),
      (line) => lines.push(line),
      async () => Promise.reject(new Error('no space')),
    )
    expect(lines).toEqual([
      expect.stringMatching(/^The database could not be cached: .*file/),
      'The database could not be cached: no space',
    ])
    expect(readdirSync(cache)).toEqual(['file'])
  })
})
