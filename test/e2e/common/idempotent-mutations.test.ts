import { expect, test } from '@jest/globals'
import { operationList } from '../../../schemas/operations/registry.ts'
import { CASES, type Case } from '../support/mutations.ts'

const mutations = operationList.filter(({ method }) => method !== 'GET')
const rows = Object.entries<Case>(CASES)

test('the table of mutations has a row for every operation of the registry that is no GET', () => {
  expect(Object.keys(CASES).sort()).toEqual(mutations.map(({ id }) => id).sort())
})

test('it calls keyed exactly what the registry calls idempotent', () => {
  const keyed = rows.filter(([, row]) => row.kind === 'keyed').map(([id]) => id)
  expect(keyed.sort()).toEqual(
    mutations
      .filter(({ idempotent }) => idempotent !== undefined)
      .map(({ id }) => id)
      .sort(),
  )
})

test('it says of everything without a key why it needs none', () => {
  const reasons = rows.map(([, row]) => (row.kind === 'keyed' ? 'keyed' : row.because))
  expect(reasons.filter((reason) => reason === '')).toEqual([])
})
