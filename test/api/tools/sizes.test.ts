import { expect, test } from '@jest/globals'
import { listTools } from '../../../api/tools/descriptors.ts'

/** Bytes that a model reads of a list before its first call. */
const LONGEST_LIST = 25_000

test.each(['poster', 'savings', 'worker', 'operator'] as const)('the list of the toolset %s has at most 25,000 bytes', (set) => {
  expect(Buffer.byteLength(JSON.stringify(listTools([set])))).toBeLessThanOrEqual(LONGEST_LIST)
})
