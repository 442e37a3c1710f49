// What a new subject costs: it is added to a copy of the source tree, which is then checked as every commit is.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { files, ROOT } from '../repository/files.ts'
import { copyWithToy } from '../repository/toy-copy.ts'

let copy: ReturnType<typeof copyWithToy>
beforeAll(() => {
  copy = copyWithToy()
  expect(run('npm', 'run', 'format')).toBe('passed')
})
afterAll(() => rmSync(copy.root, { recursive: true }))

const run = (command: string, ...args: string[]): string => {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: copy.root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
  return status === 0 ? 'passed' : `${stdout}${stderr}`
}

test('a subject with an operation, a workflow, a loop and an event of the chain changes three files outside its folders', () => {
  const changed = files().filter((path) => !readFileSync(join(ROOT, path)).equals(readFileSync(join(copy.root, path))))
  expect(changed).toEqual(['docs/architecture.md', 'schemas/subjects.ts', 'workflows/index.ts'])
})

test('the copy passes the check of every commit', () => expect(run('npm', 'run', 'check')).toBe('passed'), 600_000)

test('the check of directions covers its module', () => {
  const path = join(copy.root, 'workers/toys/subject.ts')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, `import type {} from '../../activities/pool/records.ts'\n${text}`)
  expect(run(process.execPath, 'test/repository/directions.ts')).toContain('workers/toys/subject.ts → activities/pool/records.ts')
})
