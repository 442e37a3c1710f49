import { afterEach, describe, expect, test } from '@jest/globals'
import { encodeCall, word } from '../../../client/cli/chain/calls.ts'
import { CORE, type ScriptedChain, startScriptedChain, TOKEN } from '../support/scripted-chain.ts'
import { json, type Script } from '../support/scripted-service.ts'

let chain: ScriptedChain
afterEach(() => chain.close())

const IDS: [string, string] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`]
const HELD = 3_000_000n
const amountOf = (raw: bigint) => ({ raw: raw.toString(), decimals: 6, display: '' })

/** A wallet with 3 USDC in each of some strategies; `bend` alters what the service builds. */
const start = async (ids: readonly string[], bend: (template: Record<string, unknown>) => Record<string, unknown> = (same) => same) => {
  const asked: string[] = []
  const build = (response: Parameters<Script>[1], data: string, more: object = {}) => {
    const template = { step: 'home', from: chain.wallet, to: CORE, data, value: '0', chainId: 31_337 }
    json(response, 200, { templates: [bend(template)], ...more })
  }
  chain = await startScriptedChain({
    'GET /account/position': (_request, response) =>
      json(response, 200, {
        available: true,
        account: { asset: { symbol: 'USDC', address: TOKEN, decimals: 6 }, available: amountOf(2_000_000n) },
        places: ids.map((id) => ({
          place: 'strategy',
          id,
          amount: amountOf(HELD),
          nextActions: [{ kind: 'http', method: 'POST', path: '/account/recall/transactions', description: '' }],
        })),
        ownershipProof: { address: CORE },
      }),
    'POST /account/idle-allocation/revoke': (_request, response) => {
      asked.push('revoke')
      json(response, 200, { revoked: true, stillLent: [] })
    },
    'POST /account/recall/transactions': ({ body }, response) => {
      const { amount, strategyId = IDS[0] } = JSON.parse(body) as { amount?: string; strategyId?: string }
      asked.push(`recall ${amount ?? 'all'} from ${strategyId}`)
      const raw = BigInt(amount ?? HELD)
      const words = [word(chain.wallet), word(strategyId), word(raw)]
      build(response, encodeCall('deallocateIdleFunds(address,bytes32,uint256)', ...words), {
        recall: { strategyId, label: 'pool', amount: amountOf(raw) },
      })
    },
    'POST /account/withdraw/transactions': ({ body }, response) => {
      const { amount } = JSON.parse(body) as { amount: string }
      build(response, encodeCall('withdraw(address,uint256)', word(TOKEN), word(BigInt(amount))))
    },
  })
  return asked
}

describe('recall', () => {
  test('ends the consent, then brings everything back from each strategy', async () => {
    const asked = await start(IDS)
    const { exit, document } = await chain.run(['recall', '--yes'])
    expect([exit, document.transactions.length, chain.node.taken.length]).toEqual([0, 2, 2])
    expect(asked).toEqual(['revoke', `recall all from ${IDS[0]}`, `recall all from ${IDS[1]}`])
    expect(chain.record()).toBeUndefined()
  })

  test('of an amount takes exactly that', async () => {
    const asked = await start(IDS.slice(0, 1))
    expect((await chain.run(['recall', '1.5', '--yes'])).exit).toBe(0)
    expect(asked).toEqual(['revoke', `recall 1500000 from ${IDS[0]}`])
  })

  test('without lent balance ends the consent and sends nothing', async () => {
    const asked = await start([])
    const { exit, document } = await chain.run(['recall', '--yes'])
    expect([exit, document.transactions, asked]).toEqual([0, [], ['revoke']])
    expect(chain.node.taken).toEqual([])
  })
})

test('withdraw pays the amount to the wallet', async () => {
  await start([])
  const { exit, document } = await chain.run(['withdraw', '1.5', '--yes'])
  expect([exit, document.transactions.length, chain.node.taken.length]).toEqual([0, 1, 1])
})

test.each([
  ['another contract', { to: TOKEN }, 'another contract'],
  ['another chain', { chainId: 1 }, 'another chain'],
  ['another wallet', { from: TOKEN }, 'another wallet'],
  ['another call', { data: encodeCall('withdraw(address,uint256)', word(CORE), word(1n)) }, 'argument 1|is not'],
])('recall and withdraw send nothing that the service built for %s', async (_name, change, reason) => {
  await start(IDS.slice(0, 1), (template) => ({ ...template, ...change }))
  for (const command of [['recall'], ['withdraw', '1']]) {
    const { exit, document } = await chain.run([...command, '--yes'])
    expect([exit, document.detail]).toEqual([1, expect.stringMatching(reason)])
  }
  expect(chain.node.taken).toEqual([])
})
