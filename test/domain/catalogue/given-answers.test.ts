import { expect, test } from '@jest/globals'
import { type Answered, givesAnswersAway } from '../../../domain/catalogue/given-answers.ts'

const job = (matchMode: Answered['matchMode'], ...values: string[]): Answered => ({
  matchMode,
  expectedOutputs: values.map((value) => ({ value, salt: '0x' })),
})
const exact = (...values: string[]) => job('exact', ...values)
const all = (...values: string[]) => job('contains_all', ...values)

test.each<[string, Answered, Answered[], boolean]>([
  ['the first job of a task', exact('42'), [], false],
  ['another value', exact('42'), [exact('17')], false],
  ['the value in another spelling', exact(' FORTY  two'), [exact('forty two')], true],
  ['one value of several', exact('42', '17'), [exact('17', '3')], true],
  ['a value that stands in a longer one', exact('4'), [exact('42')], false],
  ['one of two that are both asked for', all('42', '17'), [exact('3')], false],
  ['a part of what an older one asks for', all('42', '3'), [all('42', '17')], false],
  ['all that two older ones hold together', all('42', '17'), [exact('42'), exact('17')], true],
  ['a word of an older value', all('late'), [exact('late: 3')], true],
  ['the value of an older one among others', all('42', 'tapir'), [exact('42')], true],
  ['the last part of what an older one asks for', exact('17'), [all('42', '17'), exact('42')], true],
  ['another value beside two that have one value', exact('green'), [exact('42'), exact('42')], false],
])('%s gives no answer away, or is found out', (_name, added, others, expected) => {
  expect(givesAnswersAway(added, others)).toBe(expected)
})
