import { describe, expect, test } from '@jest/globals'
import { findViolations, parseChanges } from '../../../../domain/paid-verification/git-patch/changes.ts'
import { isCovered } from '../../../../domain/paid-verification/git-patch/paths.ts'
import { parseReport } from '../../../../domain/paid-verification/git-patch/report.ts'

const SOURCE = { nonce: 'n0nce', sentinel: 'sentinel-1', root: '/box/src' }
const FILE = '/box/src/test/a.test.js'
const line = (name: string, status: string, nesting = 0, file = FILE): string => `n0nce ${JSON.stringify({ name, nesting, file, status })}`
const parse = (...lines: string[]) => parseReport(lines.join('\n'), SOURCE)

describe('the report of a test run', () => {
  test('names tests by file and suites', () => {
    const { tests } = parse(
      line('adds', 'passed', 2),
      line('inner', 'passed', 1),
      line('other', 'failed', 1),
      line('sum', 'failed'),
      line('last', 'skipped'),
    )
    expect({ ...tests }).toEqual({
      'test/a.test.js > sum > inner > adds': 'passed',
      'test/a.test.js > sum > inner': 'passed',
      'test/a.test.js > sum > other': 'failed',
      'test/a.test.js > sum': 'failed',
      'test/a.test.js > last': 'skipped',
    })
  })

  test('keeps two tests of one name apart', () => {
    expect(Object.keys(parse(line('adds', 'passed'), line('adds', 'failed')).tests)).toEqual([
      'test/a.test.js > adds',
      'test/a.test.js > adds #2',
    ])
  })

  test("tells the judge's own test from the others", () => {
    const { tests, sentinels } = parse(line('adds', 'passed'), line(`sentinel-1 ${FILE}`, 'failed', 0, '/in/judge/sentinel.mjs'))
    expect([Object.keys(tests), { ...sentinels }]).toEqual([['test/a.test.js > adds'], { 'test/a.test.js': 'failed' }])
  })

  test('names a file that failed as a whole, and takes none for a test', () => {
    const report = parse(line('test/a.test.js', 'failed'), line('test/b.test.js', 'passed', 0, '/box/src/test/b.test.js'))
    expect([Object.keys(report.tests), report.failedFiles]).toEqual([[], ['test/a.test.js']])
  })

  test.each([
    ['a report of another kind', 'ok 1 - adds'],
    ['a line without the word', line('adds', 'passed').slice('n0nce '.length)],
    ['a line with another word', line('adds', 'passed').replace('n0nce', 'other')],
    ['a broken line', 'n0nce {"name":'],
    ['a line without a status', 'n0nce {"name":"adds","nesting":0,"file":"a"}'],
    ['a line with terminal codes', `\u001b[2K${line('adds', 'passed')}`],
  ])('counts %s as strange and takes no test from it', (_name, text) => {
    const { tests, strangeLines } = parse(text)
    expect([Object.keys(tests), strangeLines]).toEqual([[], 1])
  })

  test('takes names for names', () => {
    const { tests } = parse(line('__proto__', 'passed'), line('constructor', 'passed'))
    expect(Object.keys(tests)).toEqual(['test/a.test.js > __proto__', 'test/a.test.js > constructor'])
  })
})

describe('patterns of paths', () => {
  test.each<[string, string, boolean]>([
    ['src', 'src/a.js', true],
    ['src/', 'src/a/b.js', true],
    ['src', 'src2/a.js', false],
    ['src/*.js', 'src/a.js', true],
    ['src/*.js', 'src/a/b.js', false],
    ['src/**', 'src/a/b.js', true],
    ['**/package.json', 'package.json', true],
    ['**/package.json', 'a/b/package.json', true],
    ['**/package.json', 'a/package.json.md', false],
    ['**/*.test.*', 'a/sum.test.js', true],
    ['**/*.test.*', 'a/sumtest.js', false],
    ['**/package.json', 'Package.JSON', true],
    ['caf\u00e9', 'cafe\u0301/a', true],
    ['a+b', 'aab', false],
  ])('%s and %s', (pattern, path, covered) => {
    expect(isCovered(path, [pattern])).toBe(covered)
  })
})

const raw = (path: string, before = '100644', after = '100644'): string =>
  `:${before} ${after} ${'a'.repeat(40)} ${'b'.repeat(40)} M\0${path}\0`
const RULES = { allowedPaths: ['src'], protectedPaths: ['src/frozen'], maximumChangedFiles: 2 }

describe('the changes of a patch', () => {
  test('are read with their modes', () => {
    expect(parseChanges(raw('src/a.js') + raw('b c\n', '000000', '120000'))).toEqual([
      { path: 'src/a.js', before: '100644', after: '100644' },
      { path: 'b c\n', before: '000000', after: '120000' },
    ])
    expect(parseChanges('')).toEqual([])
  })

  test.each(['x', 'x\0', raw('src/a.js').slice(0, -1), `${raw('a')}\0`])('are not read from another text: %j', (text) => {
    expect(parseChanges(text)).toBeNull()
  })

  test.each<[string, string, string[]]>([
    ['a source', raw('src/a.js'), []],
    ['a path outside', raw('lib/a.js'), ['path_not_allowed']],
    ['a protected path', raw('src/frozen/a.js'), ['path_protected']],
    ['a test', raw('src/a.test.js'), ['path_protected']],
    ['a manifest', raw('src/package.json'), ['path_protected']],
    ['a hook', raw('.husky/pre-commit'), ['path_protected', 'path_not_allowed']],
    ['attributes', raw('src/.gitattributes'), ['path_protected']],
    ['a link', raw('src/a', '000000', '120000'), ['no_plain_file']],
    ['a file made of a link', raw('src/a', '120000', '100644'), ['no_plain_file']],
    ['a submodule', raw('src/a', '000000', '160000'), ['no_plain_file']],
    ['a name with a line feed', raw('src/a\nb'), ['hostile_path']],
    ['a name with terminal codes', raw('src/\u001b[31m'), ['hostile_path']],
    ['a name that turns its direction', raw('src/\u202esj.a'), ['hostile_path']],
    ['a name that climbs', raw('src/../../a'), ['hostile_path']],
    ['three files', raw('src/a') + raw('src/b') + raw('src/c'), ['too_many_files']],
  ])('break the rules: %s', (_name, text, codes) => {
    expect([...new Set(findViolations(parseChanges(text) ?? [], RULES).map(({ code }) => code))]).toEqual(codes)
  })
})
