import { afterEach, describe, expect, test } from '@jest/globals'
import { isAlreadyKnown } from '../../../client/cli/chain/pending.ts'
import { NodeRefusal } from '../../../client/cli/chain/rpc.ts'
import { interruptedBy } from '../../../client/cli/run.ts'
import { mine, type ScriptedChain, startScriptedChain } from '../support/scripted-chain.ts'
import { problem, type Script } from '../support/scripted-service.ts'

let chain: ScriptedChain
afterEach(() => chain.close())

const start = async (scripts?: Record<string, Script>): Promise<void> => {
  chain = await startScriptedChain(scripts)
}
const DEPOSIT = ['deposit', '1.5', '--yes']
const deposit = (...more: string[]) => chain.run([...DEPOSIT, ...more])
const hashOnRecord = (): string => String(chain.record()?.hash)

/** Leaves a deposit that the node took and did not mine: its caller ends the command when it asks for the receipt. */
const leaveUnmined = async (): Promise<{ hash: string; raw: string }> => {
  chain.node.isMining = false
  const interruption = new AbortController()
  chain.node.onCall = (method) => {
    if (method === 'eth_getTransactionReceipt' && chain.node.taken.length > 0) interruption.abort(interruptedBy('SIGINT'))
  }
  expect((await chain.run(DEPOSIT, interruption.signal)).exit).toBe(130)
  chain.node.onCall = () => undefined
  return { hash: hashOnRecord(), raw: String(chain.record()?.raw) }
}

test('a deposit survives a node that closes the connection of each call once, and the node gets one transaction', async () => {
  await start()
  const counts = new Map<string, number>()
  chain.node.cuts = (method) => {
    const count = (counts.get(method) ?? 0) + 1
    counts.set(method, count)
    return count === 1
  }
  expect((await deposit()).exit).toBe(0)
  expect([...counts.keys()]).toEqual(expect.arrayContaining(['eth_chainId', 'eth_getTransactionCount', 'eth_sendRawTransaction']))
  expect(new Set(chain.node.taken).size).toBe(1)
})

describe('a deposit that is repeated', () => {
  test('after the balance could not be read was reported already, and the report says so', async () => {
    await start({ 'GET /account': (_request, response) => problem(response, 500, 'internal_error') })
    const { exit, document } = await deposit()
    expect([exit, document.liquid, document.transactions]).toEqual([0, null, [expect.objectContaining({ hash: chain.node.taken[0] })]])
    expect(chain.record()).toBeUndefined()
  })

  test('after it was mined and not reported is not sent again', async () => {
    await start()
    const { hash, raw } = await leaveUnmined()
    mine(chain.node, hash, raw)
    expect(await deposit()).toMatchObject({ exit: 0, document: { transactions: [{ hash }] } })
    expect(chain.node.taken).toEqual([hash])
  })

  test.each([
    'already known',
    'AlreadyKnown',
    'Known transaction',
    'nonce too low',
    'replacement transaction underpriced',
    'Too Many Requests',
  ])('while the node has it and answers %j follows it', async (message) => {
    await start()
    const { hash, raw } = await leaveUnmined()
    chain.node.refusal = () => message
    let polls = 0
    chain.node.onCall = (method) => {
      if (method !== 'eth_getTransactionReceipt') return
      polls += 1
      if (polls === 4) mine(chain.node, hash, raw)
    }
    expect(await deposit()).toMatchObject({ exit: 0, document: { transactions: [{ hash }] } })
    expect(chain.node.taken).toEqual([hash])
  })

  test.each(['Too Many Requests', 'insufficient funds for gas'])(
    'after the node refused it with %j sends the same transaction',
    async (message) => {
      await start()
      chain.node.refusal = () => message
      const { exit, document } = await deposit()
      expect([exit, document.detail]).toEqual([5, expect.stringContaining(message)])
      const hash = hashOnRecord()
      expect(document.transactionHash).toBe(hash)
      expect((await deposit()).document.transactionHash).toBe(hash)
      chain.node.refusal = () => undefined
      expect(await deposit()).toMatchObject({ exit: 0, document: { transactions: [{ hash }] } })
      expect(chain.node.taken).toEqual([hash])
    },
  )

  test('while an earlier transaction of the wallet is not mined waits for both', async () => {
    await start()
    chain.node.mined = 1
    const { hash, raw } = await leaveUnmined()
    chain.node.mined = 0
    chain.node.taken = []
    let polls = 0
    chain.node.onCall = (method) => {
      if (method !== 'eth_getTransactionReceipt') return
      polls += 1
      if (polls === 4) chain.node.mined = 1
      if (polls === 5) mine(chain.node, hash, raw)
    }
    expect(await deposit()).toMatchObject({ exit: 0, document: { transactions: [{ hash }] } })
    expect(chain.node.taken).toEqual([hash])
  })

  test('after another transaction used its nonce is sent with the next nonce', async () => {
    await start()
    const { hash } = await leaveUnmined()
    chain.node.taken = []
    chain.node.mined = 1
    chain.node.refusal = (before) => (before < 2 ? 'nonce too low' : undefined)
    chain.node.isMining = true
    const { exit, document } = await deposit()
    expect([exit, document.transactions.length]).toEqual([0, 1])
    expect(document.transactions[0].hash).not.toBe(hash)
    expect(chain.node.taken).toEqual([document.transactions[0].hash])
  })
})

describe('a deposit is refused without a transaction', () => {
  test.each([
    ['the token has other decimals than the service states', { decimals: 18 }, {}, 'and the token 0x.* has 18'],
    ['the service built it for another token', {}, { address: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0' }, 'another asset'],
    ['the service built it with other decimals', {}, { decimals: 18 }, 'another asset'],
    ['the service built it with another symbol', {}, { symbol: 'DOT' }, 'another asset'],
  ])('when %s', async (_, node, asset, reason) => {
    await start()
    Object.assign(chain.node, node)
    chain.built.asset = { ...chain.built.asset, ...asset }
    const { exit, document } = await deposit()
    expect([exit, document.detail]).toEqual([1, expect.stringMatching(reason)])
    expect([chain.node.taken, chain.record()]).toEqual([[], undefined])
  })
})

describe('a deposit that ends before its transaction is mined', () => {
  test.each([
    ['a time limit', 5, 'did not end within 3 seconds'],
    ['SIGINT', 130, 'Interrupted.'],
    ['SIGTERM', 143, 'Interrupted.'],
  ])('by %s reports the hash with the exit code %s', async (cause, code, reason) => {
    await start()
    chain.node.isMining = false
    const interruption = new AbortController()
    const isSignal = cause.startsWith('SIG')
    chain.node.onCall = (method) => {
      if (method === 'eth_getTransactionReceipt' && isSignal) interruption.abort(interruptedBy(cause as 'SIGINT'))
    }
    // On a busy machine the limit must not end the deposit before the signal does.
    const { exit, document } = await chain.run([...DEPOSIT, ...(isSignal ? [] : ['--timeout', '3'])], interruption.signal)
    expect([exit, document.exitCode, document.transactionHash]).toEqual([code, code, hashOnRecord()])
    expect(document.detail).toMatch(new RegExp(`${reason}.*${hashOnRecord()} may have been sent`))
  })
})

test.each([
  ['already known', true],
  ['AlreadyKnown', true],
  ['transaction already imported', true],
  ['ALREADY_EXISTS', true],
  ['known transaction: 0xab', true],
  ['tx already in mempool', true],
  ['nonce too low: next nonce 8', true],
  ['Too Many Requests', false],
  ['insufficient funds', false],
])('a refusal with %j says that the transaction is known: %s', async (message, expected) => {
  await start()
  expect(isAlreadyKnown(new NodeRefusal('node.example', 'eth_sendRawTransaction', message))).toBe(expected)
})
