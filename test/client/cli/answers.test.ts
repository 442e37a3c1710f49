import { afterEach, describe, expect, test } from '@jest/globals'
import { type ScriptedChain, startScriptedChain } from '../support/scripted-chain.ts'

let chain: ScriptedChain
afterEach(() => chain.close())

const PAGE = '<html>welcome</html>'

describe('a node that answers oddly is named with the method and the place', () => {
  test.each([
    ['eth_chainId', '{"result":null}', '/result is null in place of a hex quantity'],
    ['eth_chainId', '{}', '/result is absent in place of a hex quantity'],
    ['eth_chainId', '[]', 'the whole is a list in place of an object'],
    ['eth_chainId', 'null', 'the whole is null in place of an object'],
    ['eth_chainId', PAGE, 'it is not JSON'],
    ['eth_chainId', '', 'it is not JSON'],
    ['eth_call', '{"result":7}', '/result is a number in place of hex bytes'],
    ['eth_estimateGas', '{"result":"much"}', '/result is a text in place of a hex quantity'],
    ['eth_getBlockByNumber', '{"result":[]}', '/result is a list in place of an object'],
    ['eth_getBlockByNumber', '{"result":{"baseFeePerGas":7}}', '/result/baseFeePerGas is a number in place of a hex quantity'],
    ['eth_getBalance', '{"result":{}}', '/result is an object in place of a hex quantity'],
    ['eth_getTransactionCount', '[1]', 'the whole is a list in place of an object'],
    ['eth_getTransactionReceipt', '{"result":{"status":1}}', '/result/status is a number in place of a hex quantity'],
    ['eth_sendRawTransaction', '{"error":"no"}', '/result is absent in place of a hash'],
  ])('for %s with %s', async (method, body, fault) => {
    chain = await startScriptedChain()
    chain.node.bend = (asked) => (asked === method ? body : undefined)
    const { exit, document } = await chain.run(['deposit', '1', '--yes'])
    const { host } = new URL(chain.service.baseUrl)
    expect(document.detail).toContain(`${host} gives no answer of a node to ${method}: 200: ${fault}.`)
    expect([exit, document.code]).toEqual([4, 'unreachable'])
  })
})
