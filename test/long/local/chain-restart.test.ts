import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createRpc, type Rpc } from '../../../local/chain/rpc.ts'
import { type LocalChain, setChainOffset, startChain } from '../../../local/chain/start.ts'
import { type StateFiles, stateFiles } from '../../../local/files.ts'
import { choosePorts } from '../../../local/ports.ts'
import { createProcesses, type Processes } from '../../../local/processes.ts'
import { eventually } from '../../support/eventually.ts'
import { openDirectory } from '../../support/state-directory.ts'

const BLOCKS = 40
const say = () => undefined

let directory: string
let files: StateFiles
let processes: Processes
let port: number
let chain: LocalChain
let rpc: Rpc
/** Of children that ended without a request to end. */
let deaths: string[]

const head = () => rpc<{ number: string; hash: string }>('eth_getBlockByNumber', ['latest', false])

beforeEach(async () => {
  directory = openDirectory('chain-return')
  files = stateFiles(directory)
  deaths = []
  processes = createProcesses({ logs: files.logs, recordFile: files.processes, onDeath: ({ name }) => deaths.push(name) })
  const chosen = await choosePorts({ rpc: 0 })
  port = chosen.ports.rpc
  await chosen.release()
  chain = await startChain({ processes, files, port, offsetSeconds: 0, say })
  rpc = createRpc(chain.rpcUrl)
  for (let block = 0; block < BLOCKS; block++) await rpc('evm_mine')
  await chain.flush()
})
afterEach(async () => {
  await chain.stop()
  processes.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Whatever services see of the chain meanwhile: the numbers of its newest blocks. */
const watched = async (work: () => Promise<void>): Promise<Set<number>> => {
  const seen = new Set<number>()
  let over = false
  const watching = (async () => {
    while (!over) {
      const number = await rpc<string>('eth_blockNumber').catch(() => undefined)
      if (number !== undefined) seen.add(Number(number))
    }
  })()
  await work()
  over = true
  await watching
  return seen
}

const killed = async (): Promise<void> => {
  await processes.stop(chain.child, 0, 'SIGKILL')
  await chain.stop()
}

test.each([
  ['is cut off', '{"block":{"number":"0x'],
  ['is of another program', '{}'],
])(
  'a chain whose saved state %s has every block after its restart, also after a rollback, and no reader sees fewer',
  async (_how, state) => {
    await rpc('anvil_reorg', [1, []])
    await chain.flush()
    const before = await head()
    await killed()
    writeFileSync(files.chainState, state)
    const seen = await watched(async () => {
      chain = await startChain({ processes, files, port, offsetSeconds: 0, say })
    })
    expect(await head()).toEqual(before)
    expect([...seen]).toEqual([BLOCKS])
    expect(deaths).toEqual([])
  },
)

test('a chain on which a contract sent a transaction in its own name mines that again', async () => {
  const [sender] = (await rpc<string[]>('eth_accounts')) as [string]
  const contract = `0x${'c'.repeat(40)}`
  await rpc('anvil_impersonateAccount', [contract])
  const transactions = [
    { from: sender, data: `0x73${contract.slice(2)}ff`, value: '0xde0b6b3a7640000' },
    { from: contract, to: sender, value: '0x1' },
    { from: contract, data: '0x00', gasPrice: '0x77359400', gas: '0x20000' },
  ]
  for (const [index, transaction] of transactions.entries()) {
    expect(await rpc('eth_sendTransaction', [transaction])).toMatch(/^0x/)
    // Each spends what the one before it paid.
    await eventually('the transaction is in a block', head, ({ number }) => Number(number) === BLOCKS + index + 1)
  }
  await chain.flush()
  const before = await head()
  await killed()
  chain = await startChain({ processes, files, port, offsetSeconds: 0, say })
  expect(await head()).toEqual(before)
})

/** A saved state in which an account has sent one transaction more than the blocks tell. */
const oneTransactionAhead = (saved: string, sender: string): string => {
  const state = JSON.parse(saved) as { accounts: Record<string, { nonce: number }> }
  const account = state.accounts[sender.toLowerCase()]
  if (account === undefined) throw new Error(`the state has no account ${sender}`)
  account.nonce += 1
  return JSON.stringify(state)
}

test('a chain whose saved state has a transaction that its newest block has not comes back whole all the same', async () => {
  await chain.stop()
  const saved = readFileSync(files.chainState, 'utf8')
  chain = await startChain({ processes, files, port, offsetSeconds: 0, say })
  const [from] = (await rpc<string[]>('eth_accounts')) as [string]
  await rpc('eth_sendTransaction', [{ from, to: from, value: '0x1' }])
  await eventually('the transaction is in a block', head, ({ number }) => Number(number) > BLOCKS)
  await chain.flush()
  const before = await head()
  await killed()
  writeFileSync(files.chainState, oneTransactionAhead(saved, from))
  chain = await startChain({ processes, files, port, offsetSeconds: 0, say })
  expect(await head()).toEqual(before)
  expect(deaths).toEqual([])
})

test('a chain whose saved state has a transaction of which no block tells is mined anew', async () => {
  const [from] = (await rpc<string[]>('eth_accounts')) as [string]
  const before = await head()
  await chain.stop()
  writeFileSync(files.chainState, oneTransactionAhead(readFileSync(files.chainState, 'utf8'), from))
  chain = await startChain({ processes, files, port, offsetSeconds: 0, say })
  expect(await head()).toEqual(before)
  expect(Number(await rpc('eth_getTransactionCount', [from, 'latest']))).toBe(0)
  expect(deaths).toEqual([])
})

/** Ends the first child before it could save anything, as a machine does that has no time for it. `leaves` is what it finds of an earlier end. */
const hurried = (leaves: () => void): Processes => {
  let stops = 0
  const stop: Processes['stop'] = async (child, graceMs, by) => {
    stops += 1
    await processes.stop(child, stops === 1 ? 0 : graceMs, stops === 1 ? 'SIGKILL' : by)
    if (stops === 1) leaves()
  }
  return { ...processes, stop }
}

test.each([
  ['nothing', () => rmSync(files.chainState, { force: true })],
  ['an older state', () => undefined],
])(
  'a chain that was brought back aside and could not be saved, so that there is %s, is brought back aside again',
  async (_what, leaves) => {
    await chain.stop()
    chain = await startChain({ processes, files, port, offsetSeconds: 0, say })
    await rpc('evm_mine')
    await chain.flush()
    const before = await head()
    await killed()
    const seen = await watched(async () => {
      chain = await startChain({ processes: hurried(leaves), files, port, offsetSeconds: 0, say })
    })
    expect(await head()).toEqual(before)
    expect([...seen]).toEqual([BLOCKS + 1])
    expect(deaths).toEqual([])
  },
)

test('a chain that ends while many send to it saves a state that is of use', async () => {
  const accounts = await rpc<string[]>('eth_accounts')
  let over = false
  const sending = Promise.all(
    accounts.map(async (from) => {
      while (!over) await rpc('eth_sendTransaction', [{ from, to: from, value: '0x1', gas: '0x5208' }]).catch(() => undefined)
    }),
  )
  await eventually('the chain has twice as many blocks', head, ({ number }) => Number(number) >= 2 * BLOCKS)
  await chain.stop()
  over = true
  await sending
  const height = chain.log.head()?.number
  const lines: string[] = []
  chain = await startChain({ processes, files, port, offsetSeconds: 0, say: (line) => lines.push(line) })
  expect(Number((await head()).number)).toBe(height)
  expect(lines).toEqual([])
  expect(deaths).toEqual([])
})

/** Asks for a block until the chain mines one. The returned function ends the requests and says whether one succeeded. */
const eagerly = () => {
  let over = false
  const mining = (async () => {
    while (!over) if (await rpc('evm_mine').catch(() => undefined)) return true
    return false
  })()
  return async () => {
    over = true
    return mining
  }
}

const HOURS = 7200

test('a chain that mined without a log keeps its last blocks, and its next block is no older than they are', async () => {
  await setChainOffset(rpc, HOURS)
  await rpc('evm_mine')
  const before = await rpc<{ number: string; timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  await chain.stop()
  const lines = readFileSync(files.chainLog, 'utf8').split('\n')
  writeFileSync(files.chainLog, `${lines.slice(0, -3).join('\n')}\n`)
  const finish = eagerly()
  chain = await startChain({ processes, files, port, offsetSeconds: 0, say })
  expect(await finish()).toBe(true)
  await chain.flush()
  const [last, mined] = chain.log.blocks().slice(BLOCKS)
  expect(last).toMatchObject({ number: Number(before.number), timestamp: Number(before.timestamp) })
  expect(mined?.timestamp).toBeGreaterThanOrEqual(Number(before.timestamp))
  expect(deaths).toEqual([])
})

const MINED_AGAIN = expect.stringContaining('mining every block again')
const ENDS: [string, () => Promise<void>][] = [
  ['ended in order', () => chain.stop()],
  [
    'was killed with an older state',
    async () => {
      await chain.stop()
      chain = await startChain({ processes, files, port, offsetSeconds: HOURS, say })
      await rpc('evm_mine')
      await chain.flush()
      await killed()
    },
  ],
  ['was killed before it saved anything', () => killed()],
]

test.each(ENDS)(
  'a chain that %s restarts from its saved state, no reader sees fewer blocks, and its next block is no older than the last',
  async (_how, end) => {
    await setChainOffset(rpc, HOURS)
    await rpc('evm_mine')
    await chain.flush()
    await end()
    const height = chain.log.head()?.number ?? Number.NaN
    const lines: string[] = []
    const finish = eagerly()
    const seen = await watched(async () => {
      chain = await startChain({ processes, files, port, offsetSeconds: HOURS, say: (line) => lines.push(line) })
    })
    expect(await finish()).toBe(true)
    await chain.flush()
    const [parent, mined] = chain.log.blocks().slice(height - 1)
    expect(mined?.timestamp).toBeGreaterThanOrEqual(parent?.timestamp ?? Number.NaN)
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(height)
    expect(lines).not.toContainEqual(MINED_AGAIN)
    await killed()
    chain = await startChain({ processes, files, port, offsetSeconds: HOURS, say })
    expect(Number((await head()).number)).toBe(height + 1)
    expect(deaths).toEqual([])
  },
)
