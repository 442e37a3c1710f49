import { describe, expect, test } from '@jest/globals'
import {
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
  parseAbi,
  toEventHash,
  toEventSignature,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'
import { type ContractArtifact, loadArtifact } from '../../local/contracts/artifact.ts'
import { ABI_TABLES, type AbiTable } from './support/abi-tables.ts'

type Item = ContractArtifact['abi'][number]

const types = (parameters: readonly AbiParameter[]): string =>
  parameters.map((p) => ('components' in p ? `(${types(p.components)})${p.type.slice(5)}` : p.type)).join(',')

const indexedFlags = (item: AbiEvent): string => item.inputs.map((p) => (p.indexed ? 'indexed' : 'data')).join(',')

/** Key and full meaning of one entry: a getter that lost `view` or an event that lost an index is another entry. */
function describeItem(item: Item): readonly [string, string] | undefined {
  if (item.type === 'function') {
    const { stateMutability, outputs } = item
    return [toFunctionSelector(item), `function ${toFunctionSignature(item)} ${stateMutability} -> (${types(outputs)})`]
  }
  if (item.type === 'event') return [toEventHash(item), `event ${toEventSignature(item)} ${indexedFlags(item)}`]
  if (item.type !== 'error') return undefined
  const asFunction: AbiFunction = { type: 'function', name: item.name, inputs: item.inputs, outputs: [], stateMutability: 'view' }
  return [toFunctionSelector(asFunction), `error ${toFunctionSignature(asFunction)}`]
}

const describeAll = (abi: readonly Item[]): Record<string, string> =>
  Object.fromEntries(abi.map(describeItem).filter((entry) => entry !== undefined))

const readable = (table: AbiTable): readonly Item[] => parseAbi([...table.structs, ...Object.values(table.entries)])

describe('the compiled interface equals the published one', () => {
  for (const name of Object.keys(ABI_TABLES) as (keyof typeof ABI_TABLES)[]) {
    test(`${name} has every selector, topic and error of the table and no other`, async () => {
      const { abi } = await loadArtifact(name)
      expect(describeAll(abi)).toEqual(describeAll(readable(ABI_TABLES[name])))
    })

    test(`the table of ${name} carries the right selectors and topics`, () => {
      const table = ABI_TABLES[name]
      const computed = Object.keys(describeAll(readable(table)))
      expect(new Set(computed)).toEqual(new Set(Object.keys(table.entries)))
    })
  }
})
