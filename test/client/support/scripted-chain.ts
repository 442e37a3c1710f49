import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256, parseTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { encodeCall, word } from '../../../client/cli/chain/calls.ts'
import { run } from '../../../client/cli/run.ts'
import { createStateDirectory } from '../../../client/cli/state/directory.ts'
import { json, raw, type Script, startScriptedService } from './scripted-service.ts'

const CHAIN_ID = 31_337
export const TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
export const CORE = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512'

/** A node in memory. It mines what it takes, unless `isMining` is false. */
export interface ScriptedNode {
  mined: number
  isMining: boolean
  decimals: number
  /** Hashes that it took, in their order. */
  taken: string[]
  receipts: Set<string>
  /** Message with which it refuses a transaction; undefined to take it. */
  refusal: (sentBefore: number) => string | undefined
  /** Called with each method. */
  onCall: (method: string) => void
  /** Text that it answers to a method instead; undefined for its own. */
  bend: (method: string) => string | undefined
  /** Whether it closes the connection of a call without an answer, after it took the call. */
  cuts: (method: string) => boolean
  calls: string[]
}

type Call = { id: number; method: string; params: string[] }

const hex = (value: number | bigint): string => `0x${value.toString(16)}`

const answerOf = (node: ScriptedNode, { method, params }: Call): unknown => {
  const [first = ''] = params
  const receipt = { status: '0x1', blockNumber: '0x1', transactionHash: first }
  switch (method) {
    case 'eth_chainId':
      return hex(CHAIN_ID)
    case 'eth_call':
      return `0x${word(BigInt(node.decimals))}`
    case 'eth_estimateGas':
      return hex(100_000)
    case 'eth_getBlockByNumber':
      return { baseFeePerGas: '0x1' }
    case 'eth_maxPriorityFeePerGas':
      return '0x1'
    case 'eth_getBalance':
      return hex(10n ** 18n)
    case 'eth_getTransactionCount':
      return hex(node.mined)
    case 'eth_getTransactionByHash':
      return node.taken.includes(first) ? { hash: first } : null
    case 'eth_getTransactionReceipt':
      return node.receipts.has(first) ? receipt : null
    case 'eth_sendRawTransaction': {
      const sentBefore = node.calls.filter((name) => name === method).length - 1
      const refusal = node.refusal(sentBefore)
      if (refusal !== undefined) throw new Error(refusal)
      const hash = keccak256(first as `0x${string}`)
      node.taken.push(hash)
      if (node.isMining) mine(node, hash, first)
      return hash
    }
    default:
      throw new Error(`the method ${method} does not exist`)
  }
}

/** Mines a transaction. */
export const mine = (node: ScriptedNode, hash: string, raw: string): void => {
  const { nonce = 0 } = parseTransaction(raw as `0x02${string}`) as TransactionSerializableEIP1559
  if (nonce !== node.mined) return
  node.mined += 1
  node.receipts.add(hash)
}

const nodeScript =
  (node: ScriptedNode): Script =>
  ({ body }, response) => {
    const call = JSON.parse(body) as Call
    node.calls.push(call.method)
    node.onCall(call.method)
    const bent = node.bend(call.method)
    if (bent !== undefined) return raw(response, 200, bent)
    try {
      const result = answerOf(node, call)
      if (node.cuts(call.method)) return void response.destroy()
      json(response, 200, { jsonrpc: '2.0', id: call.id, result })
    } catch (error) {
      json(response, 200, { jsonrpc: '2.0', id: call.id, error: { code: -32_000, message: (error as Error).message } })
    }
  }

const ASSET = { symbol: 'USDC', address: TOKEN, decimals: 6 }

/** A service with its node, and the command line of a wallet that is signed in there. `scripts` replaces answers of the service. */
export const startScriptedChain = async (scripts: Record<string, Script> = {}) => {
  const node: ScriptedNode = {
    mined: 0,
    isMining: true,
    decimals: 6,
    taken: [],
    receipts: new Set(),
    refusal: () => undefined,
    onCall: () => undefined,
    bend: () => undefined,
    cuts: () => false,
    calls: [],
  }
  const built = { asset: ASSET }
  const key = generatePrivateKey()
  const wallet = privateKeyToAccount(key).address.toLowerCase()
  const template = (data: string) => ({ step: 'deposit', from: wallet, to: CORE, data, value: '0', chainId: CHAIN_ID })
  const service = await startScriptedService({
    'GET /health': ({ headers }, response) => json(response, 200, { auth: { mode: 'strict', domain: headers.host, chainId: CHAIN_ID } }),
    'POST /node': nodeScript(node),
    'GET /pool': (request, response) =>
      json(response, 200, {
        available: true,
        chainId: CHAIN_ID,
        asset: ASSET,
        broadcast: { rpcUrls: [`http://${request.headers.host}/node`] },
      }),
    'GET /account/position': (_request, response) => json(response, 200, { available: true, account: { asset: ASSET } }),
    'POST /account/deposit/transactions': ({ body }, response) => {
      const { amount } = JSON.parse(body) as { amount: string }
      const data = encodeCall('deposit(address,uint256)', word(TOKEN), word(BigInt(amount)))
      json(response, 200, { asset: built.asset, templates: [template(data)] })
    },
    'GET /account': (_request, response) =>
      json(response, 200, { wallet, liquid: { USDC: { asset: 'USDC', raw: '7000000', decimals: 6 } } }),
    ...scripts,
  })
  const directory = mkdtempSync(join(tmpdir(), 'agent-work-'))
  const keyFile = join(directory, 'raw')
  writeFileSync(keyFile, key, { mode: 0o600 })
  const state = createStateDirectory(directory, service.baseUrl)
  const expiresAt = new Date(Date.now() + 20 * 3_600_000).toISOString()
  state.writeSession({
    baseUrl: service.baseUrl,
    wallet,
    token: 'token-of-this-test',
    expiresAt,
    keyFile,
    service: { domain: new URL(service.baseUrl).host, chainId: CHAIN_ID },
  })
  const env: Record<string, string> = {}
  const runAs = async (args: readonly string[], interruption = new AbortController().signal) => {
    const [out, error]: [string[], string[]] = [[], []]
    const exit = await run([...args, '--dir', directory, '--base-url', service.baseUrl], {
      env,
      out: { write: (text: string) => out.push(text) },
      error: { write: (text: string) => error.push(text) },
      interruption,
    })
    return { exit, out: out.join(''), error: error.join('') }
  }
  return {
    node,
    built,
    service,
    state,
    wallet,
    /** Variables of the environment of each command. */
    env,
    /** Transaction on record. */
    record: (): Record<string, unknown> | undefined => {
      const [name] = readdirSync(directory).filter((one) => one.startsWith('transaction-'))
      return name === undefined ? undefined : JSON.parse(readFileSync(join(directory, name), 'utf8'))
    },
    /** Runs a command with `--json`. */
    run: async (args: readonly string[], interruption?: AbortSignal) => {
      const { exit, out, error } = await runAs([...args, '--json'], interruption)
      // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the command answered.
      return { exit, document: JSON.parse(out || error) as any }
    },
    /** Runs a command without `--json`. */
    runForPeople: (args: readonly string[]) => runAs(args),
    close: async (): Promise<void> => {
      await service.close()
      rmSync(directory, { recursive: true })
    },
  }
}
export type ScriptedChain = Awaited<ReturnType<typeof startScriptedChain>>
