import { expect, test } from '@jest/globals'
import { type AbiParameter, keccak256, stringToHex, toEventSignature, toFunctionSignature } from 'viem'
import { type ContractArtifact, type ContractName, loadArtifact } from '../../contracts/artifact.ts'

type Item = ContractArtifact['abi'][number]

const types = (parameters: readonly AbiParameter[]): string =>
  parameters.map((p) => ('components' in p ? `(${types(p.components)})${p.type.slice(5)}` : p.type)).join(',')

/** Kind and full meaning: a getter that lost `view` or an event that lost an index is another item. */
const describeItem = (item: Item): readonly [kind: string, text: string] => {
  switch (item.type) {
    case 'function':
      return ['function', `${toFunctionSignature(item)} ${item.stateMutability} -> (${types(item.outputs)})`]
    case 'event':
      return ['event', `${toEventSignature(item)} ${item.inputs.map(({ indexed }) => (indexed ? 'indexed' : 'data')).join(',')}`]
    case 'error':
      return ['error', `${item.name}(${types(item.inputs)})`]
    default:
      return [item.type, '']
  }
}

/** Number and digest of each kind of item; none for a kind without items. */
const digestsOf = (abi: readonly Item[]): string[] => {
  const described = abi.map(describeItem)
  return ['function', 'event', 'error'].flatMap((kind) => {
    const texts = [...new Set(described.flatMap(([of, text]) => (of === kind ? [text] : [])))].sort()
    return texts.length === 0 ? [] : [`${texts.length} ${kind}s ${keccak256(stringToHex(texts.join('\n'))).slice(2, 18)}`]
  })
}

// The deployed contracts on the public networks have exactly these interfaces, so a change here must be deliberate.
// The call tables in activities/chain/abi/ show which item has changed.
test.each<[ContractName, string[]]>([
  ['DepositPoolV2', ['60 functions a6d439c42efe84a0', '16 events 6bd29725c44f0750', '35 errors e5d24c921d579bc8']],
  ['CreditPool', ['56 functions d3d13894a89886a3', '13 events b1a191cd94692154', '26 errors d7f9d953c4d79e79']],
  ['IStrategyAdapter', ['8 functions 3ae93cbd8a6de9c8']],
  ['IAsyncStrategyAdapter', ['14 functions 6016cbc3220f6b4e']],
  ['IDepositPoolVenueAdapter', ['7 functions 6d2202365287036f']],
  ['XcmWrapperV22', ['27 functions 7f1c1b6f34b27434', '11 events 9aca124d1761c05d', '16 errors 8af04018fd6404e8']],
  ['HydrationUsdcAdapterV22', ['32 functions ac0ebb4ee4ab0f69', '10 events 0470e43df8ac9782', '10 errors 68f5b0fae9f67057']],
  ['IXcm', ['3 functions 9235c25a7240c2ed']],
  ['TreasuryPolicy', ['61 functions 7939514d924189af', '26 events f739a959d1ea3b3e', '3 errors 02f02ca7d2e77201']],
  ['StrategyAdapterRegistry', ['6 functions eae0bcf123fbf8e3', '2 events 87cae7246056041a', '2 errors 8856ef0f50b8f46b']],
  ['AgentAccountCore', ['42 functions 5ed6e68fd4979942', '23 events 2a654b0ff2820897', '19 errors 1932dd76451112cb']],
  ['ReputationSBT', ['18 functions f4960f0a19cdf820', '3 events 1dae67f0dec734de', '2 errors 0c1d77c50e7419d0']],
  ['EscrowCore', ['68 functions 74c34ab2c76fa24a', '24 events 37ebe51b5204b40a', '15 errors 9a9d044d12cff4c0']],
  ['MockVDotAdapter', ['12 functions bc2d1f2d311fb7ca', '3 events b48f0aa22cce9b68', '7 errors b57c4e99679d7b3d']],
])('the compiled interface of %s is the published one', async (name, digests) => {
  const { abi } = await loadArtifact(name)
  expect(digestsOf(abi)).toEqual(digests)
})
