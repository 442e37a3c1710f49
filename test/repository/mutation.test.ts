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

const findNothing = (patterns: string[]): string[] => patterns.filter((pattern) => globSync(pattern, { cwd: ROOT }).length === 0)

test('every rule that is to be mutated is there', () => {
  expect(findNothing(config.mutate.flatMap(alternatives))).toEqual([])
})

test('every test that judges rules is there', () => {
  expect(findNothing(judges.testMatch.map((pattern) => pattern.replace('<rootDir>/', '')))).toEqual([])
})
