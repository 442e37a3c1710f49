import { posix } from 'node:path'
import { expect, test } from '@jest/globals'
import { files } from './files.ts'

/** Folders of records that are numbered or recorded, one file each. */
const RECORDS = /^(docs\/(adr|pictures)|contracts\/artifacts|migrations|test\/(histories|frozen\/[^/]+\/histories))$/
const MOST_FILES = 16

test('a folder holds at most sixteen files', () => {
  const counts = new Map<string, number>()
  for (const folder of files().map((path) => posix.dirname(path))) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  expect([...counts].filter(([folder, count]) => count > MOST_FILES && !RECORDS.test(folder))).toEqual([])
})
