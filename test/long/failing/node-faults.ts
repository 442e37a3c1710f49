// How nodes fail in the field. Each fault stands for one kind; a row of the suite lives through it with a claim and a dispute.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call, Fate, Fault, HttpAnswer } from '../../activities/support/node-gate.ts'

/** Asks the real node. */
type Ask = (method: string, params?: unknown[]) => Promise<unknown>

export interface FaultRow {
  name: string
  /** What the node does not give as asked. The gate plays one fault of each kind. */
  kind: 'batches and rates' | 'records' | 'head' | 'connection'
  fault: (ask: Ask) => Fault | Promise<Fault>
  /** True if a claim is refused while the fault lasts; any other goes through by itself. */
  isRefused?: boolean
  /** What `/health` says of the indexer before the fault ends. */
  indexer?: 'behind'
  /** A warning of `/health` during the fault. */
  warning?: string
}

const hex = (value: number): string => `0x${Math.max(0, value).toString(16)}`
const isHash = (value: unknown): value is string => typeof value === 'string'
const rpcError = (code: number, message: string): HttpAnswer => ({
  status: 200,
  body: { jsonrpc: '2.0', id: null, error: { code, message } },
})
const logsOf = (change: (log: Record<string, unknown>) => Record<string, unknown>[]) => (result: unknown) =>
  (result as Record<string, unknown>[]).flatMap(change)
const headOf = async (ask: Ask): Promise<number> => Number(await ask('eth_blockNumber'))

/** Every so many requests this answer. */
const everyRequest = (count: number, answer: HttpAnswer | 'cut'): Fault => {
  let requests = 0
  return {
    request: () => {
      requests += 1
      return requests % count === 0 ? answer : undefined
    },
  }
}

/** Logs of blocks mined since the fault began are missing. */
const hideLogs = async (ask: Ask): Promise<Fault> => {
  const since = await headOf(ask)
  return {
    call: ({ method }) => (method === 'eth_getLogs' ? { change: logsOf((log) => (Number(log.blockNumber) > since ? [] : [log])) } : 'pass'),
  }
}

/** A receipt is an error at the first three questions for it. */
const indexSlowly = (): Fault => {
  const asked = new Map<unknown, number>()
  return {
    call: ({ method, params: [hash] = [] }): Fate => {
      if (method !== 'eth_getTransactionReceipt') return 'pass'
      asked.set(hash, (asked.get(hash) ?? 0) + 1)
      return (asked.get(hash) ?? 0) > 3 ? 'pass' : { error: 'transaction indexing is in progress', code: -32_000 }
    },
  }
}

const WORDINGS = ['already known', 'Known transaction', 'Transaction Already Imported', 'AlreadyKnown', 'duplicate']

/** A broadcast takes effect and is answered with an error, each time in other words. */
const refuseKnown = (): Fault => {
  let sent = 0
  return {
    call: ({ method }) => {
      if (method !== 'eth_sendRawTransaction') return 'pass'
      sent += 1
      return { error: WORDINGS[sent % WORDINGS.length] ?? '', code: -32_000, isForwarded: true }
    },
  }
}

/** Replaces the tag of the newest block. */
const withHead = (call: Call, head: number): Fate => {
  if (call.method === 'eth_blockNumber') return { change: () => hex(head) }
  const params = call.params?.map((value) => (value === 'latest' || value === 'pending' ? hex(head) : value))
  return { ...(params && { params }) }
}

const BLOCKS_BACK = 3

/** Every third question for the newest block gets one that is three blocks older. What came before the fault is older than that. */
const jumpBack = async (ask: Ask): Promise<Fault> => {
  await ask('anvil_mine', [hex(BLOCKS_BACK)])
  let asked = 0
  return {
    call: async (call) => {
      if (call.method !== 'eth_blockNumber' && !(call.method === 'eth_getBlockByNumber' && call.params?.[0] === 'latest')) return 'pass'
      asked += 1
      return asked % 3 === 0 ? withHead(call, (await headOf(ask)) - BLOCKS_BACK) : 'pass'
    },
  }
}

/** The newest block, its state and its counts are a second and a half old. */
const lag = async (ask: Ask): Promise<Fault> => {
  const heads = [{ at: 0, head: await headOf(ask) }]
  return {
    call: async (call) => {
      const now = Date.now()
      const head = await headOf(ask)
      if (heads.at(-1)?.head !== head) heads.push({ at: now, head })
      return call.method === 'eth_sendRawTransaction' ? 'pass' : withHead(call, heads.findLast(({ at }) => now - at >= 1_500)?.head ?? head)
    },
  }
}

/** The first block after the fault began is missing for some seconds, with its receipts, logs and transactions. */
const withholdBlock = async (ask: Ask): Promise<Fault> => {
  const withheld = (await headOf(ask)) + 1
  let endsAt: number | null = null
  const isWithheld = (block: unknown): boolean => isHash(block) && Number(block) === withheld
  const without = (value: unknown): unknown => {
    const { number, blockNumber } = (value ?? {}) as { number?: unknown; blockNumber?: unknown }
    return isWithheld(number) || isWithheld(blockNumber) ? null : value
  }
  const methods = new Set(['eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getTransactionReceipt', 'eth_getTransactionByHash'])
  return {
    call: async ({ method, params }) => {
      if ((await headOf(ask)) >= withheld) endsAt ??= Date.now() + 2_000
      if (endsAt !== null && Date.now() > endsAt) return 'pass'
      if (method === 'eth_getLogs') return { change: logsOf((log) => (isWithheld(log.blockNumber) ? [] : [log])) }
      const isNewest = params?.[0] === 'latest' || params?.[0] === 'pending'
      return methods.has(method) && !isNewest ? { change: without } : 'pass'
    },
  }
}

/** State of all but the two newest blocks is gone. */
const prune = (ask: Ask): Fault => ({
  call: async ({ method, params }) => {
    const block = params?.[1]
    const isOld = method === 'eth_call' && isHash(block) && block.startsWith('0x') && Number(block) < (await headOf(ask)) - 1
    return isOld ? { error: 'missing trie node', code: -32_000 } : 'pass'
  },
})

/** Another chain: other blocks, no contracts, no receipts, high counts. */
const answerForAnotherChain = (): Fault => ({
  call: ({ method }): Fate => {
    switch (method) {
      case 'eth_chainId':
        return { change: () => '0x1' }
      case 'eth_blockNumber':
        return { change: () => '0xffffff' }
      case 'eth_getBlockByNumber':
      case 'eth_getBlockByHash':
        return { change: (block) => ({ ...(block as object), number: '0xffffff', hash: `0x${'7'.repeat(64)}` }) }
      case 'eth_call':
        return { change: () => '0x' }
      case 'eth_getTransactionCount':
        return { change: () => '0xffff' }
      case 'eth_getLogs':
        return { change: () => [] }
      case 'eth_sendRawTransaction':
        return { error: 'invalid chain id for signer', code: -32_000 }
      default:
        return method.startsWith('eth_getTransaction') ? { change: () => null } : 'pass'
    }
  },
})

export const FAULTS: FaultRow[] = [
  {
    name: 'refuses batches of more than ten',
    kind: 'batches and rates',
    fault: () => ({ request: (calls) => (calls.length > 10 ? rpcError(-32_600, 'batch too large') : undefined) }),
    warning: 'blockchain_batches_refused',
  },
  { name: 'answers without the logs of new blocks', kind: 'records', fault: hideLogs, indexer: 'behind' },
  { name: 'has receipts whose indexing is in progress', kind: 'records', fault: indexSlowly },
  {
    name: 'limits the rate and names a pause',
    kind: 'batches and rates',
    fault: () => everyRequest(8, { status: 429, headers: { 'retry-after': '1' } }),
  },
  { name: 'limits the rate and names no pause', kind: 'batches and rates', fault: () => everyRequest(5, { status: 429 }) },
  {
    name: 'gives logs the time 0',
    kind: 'records',
    fault: () => ({
      call: ({ method }) => (method === 'eth_getLogs' ? { change: logsOf((log) => [{ ...log, blockTimestamp: '0x0' }]) } : 'pass'),
    }),
  },
  { name: 'answers a batch in another order', kind: 'batches and rates', fault: () => ({ arrange: (answers) => answers.toReversed() }) },
  { name: 'has a head that jumps back', kind: 'head', fault: jumpBack },
  { name: 'says of a transaction in five wordings that it is known', kind: 'records', fault: refuseKnown },
  { name: 'withholds a block', kind: 'head', fault: withholdBlock },
  { name: 'is a second and a half late', kind: 'head', fault: lag },
  { name: 'has pruned its state', kind: 'records', fault: prune },
  {
    name: 'is slow',
    kind: 'connection',
    fault: () => ({
      request: async () => {
        await sleep(200)
        return undefined
      },
    }),
  },
  { name: 'closes connections', kind: 'connection', fault: () => everyRequest(7, 'cut') },
  { name: 'serves another chain after a failover', kind: 'head', fault: answerForAnotherChain, isRefused: true },
  // The last one: batches stay small for minutes.
  {
    name: 'answers a batch with one error',
    kind: 'batches and rates',
    fault: () => ({ request: (_calls, isBatch) => (isBatch ? rpcError(-32_000, 'batch requests are not supported') : undefined) }),
    warning: 'blockchain_batches_refused',
  },
]
