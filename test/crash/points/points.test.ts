import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { POINTS } from './points.ts'

const folder = new URL('../../../migrations/', import.meta.url)
const schema = readdirSync(folder)
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n')

const statements = POINTS.flatMap(({ name, at }) => (at !== 'waiting' && at.on === 'sql' ? [{ name, call: at.call }] : []))

describe('points at a statement', () => {
  test.each(statements.map(({ name, call }) => [name, call]))('%s names what the database has: %s', (_name, call) => {
    const names = [...call.matchAll(/"([^"]+)"/g)].map(([, name]) => name)
    expect(names).not.toEqual([])
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(schema))).toEqual([])
  })

  test('no two have one name', () => expect(new Set(POINTS.map(({ name }) => name)).size).toBe(POINTS.length))
})
