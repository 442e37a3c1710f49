import { globSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import judges from '../mutation/jest.config.js'
import config from '../mutation/stryker.config.js'
import { ROOT } from './files.ts'

/** A pattern with alternatives in braces, one pattern for each. */
const alternatives = (pattern: string): string[] => {
  const [, before, words, after] = /^(.*)\{(.+)\}(.*)$/.exec(pattern) ?? []
  return words === undefined ? [pattern] : words.split(',').map((word) => `${before}${word}${after}`)
}

test.each(config.mutate.flatMap(alternatives))('a rule that is to be mutated is there: %s', (pattern) => {
  expect(globSync(pattern, { cwd: ROOT })).not.toEqual([])
})

test.each(judges.testMatch)('a test that judges rules is there: %s', (pattern) => {
  expect(globSync(pattern.replace('<rootDir>/', ''), { cwd: ROOT })).not.toEqual([])
})
