import type { ChainLog, LoggedBlock, LoggedTransaction } from './log.ts'
import type { Rpc } from './rpc.ts'

/** Of a transaction with another member per type: the members that `eth_sendTransaction` takes, and the signature. */
type RpcTransaction = { hash: string; from: string; nonce: string; r: string; input: string; type: string; [member: string]: unknown }
type RpcBlock = {
  number: string
  timestamp: string
  hash: string
  baseFeePerGas: string
  parentHash: string
  transactions: RpcTransaction[]
}

const POLL_MS = 250
/** After the chain has ended, some reads fail before the follower notices. */
const TOLERATED_FAILURES = 8
const hex = (value: number): string => `0x${value.toString(16)}`

const isSigned = ({ r }: RpcTransaction): boolean => BigInt(r) !== 0n

const unsigned = ({ from, nonce, to, value, gas, input: data, type, gasPrice, ...market }: RpcTransaction) => {
  const { maxFeePerGas, maxPriorityFeePerGas, accessList } = market
  const price = type === '0x2' ? { maxFeePerGas, maxPriorityFeePerGas, accessList } : { gasPrice }
  return { from, nonce, ...(to === null ? {} : { to }), value, gas, data, ...price }
}

const loggedForm = async (rpc: Rpc, transaction: RpcTransaction): Promise<LoggedTransaction> =>
  isSigned(transaction) ? rpc<string>('eth_getRawTransactionByHash', [transaction.hash]) : unsigned(transaction)

const readBlock = async (rpc: Rpc, number: number): Promise<{ block: LoggedBlock; parentHash: string }> => {
  const read = await rpc<RpcBlock | null>('eth_getBlockByNumber', [hex(number), true])
  if (!read) throw new Error(`the chain has no block ${number}`)
  const transactions = await Promise.all(read.transactions.map((transaction) => loggedForm(rpc, transaction)))
  const { hash, baseFeePerGas, parentHash } = read
  return { block: { number, timestamp: Number(read.timestamp), hash, baseFeePerGas, transactions }, parentHash }
}

/** The newest logged block that the chain has; after a roll-back the log may be ahead. */
const commonAncestor = async (rpc: Rpc, log: ChainLog, height: number): Promise<number> => {
  for (let number = Math.min(height, log.head()?.number ?? 0); number > 0; number--) {
    const read = await rpc<RpcBlock | null>('eth_getBlockByNumber', [hex(number), false])
    if (read?.hash === log.blocks()[number - 1]?.hash) return number
  }
  return 0
}

/** Appends the blocks up to the chain's head to the log. */
const catchUp = async (rpc: Rpc, log: ChainLog): Promise<void> => {
  const head = await rpc<RpcBlock>('eth_getBlockByNumber', ['latest', false])
  const height = Number(head.number)
  const logged = log.head()?.number ?? 0
  if (height < logged || (height === logged && logged > 0 && head.hash !== log.head()?.hash))
    log.rollBack(await commonAncestor(rpc, log, height))
  for (let number = (log.head()?.number ?? 0) + 1; number <= height; number++) {
    const { block, parentHash } = await readBlock(rpc, number)
    const parent = log.head()
    if (parent && parent.hash !== parentHash) {
      log.rollBack(await commonAncestor(rpc, log, parent.number))
      return catchUp(rpc, log)
    }
    log.append(block)
  }
}

export type ChainFollower = {
  /** Resolves when everything mined before the call is in the log. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Keeps the log at the chain's head, by a subscription to new blocks and by polling in case one is lost. */
export const followChain = (rpc: Rpc, rpcUrl: string, log: ChainLog, onError: (error: unknown) => void): ChainFollower => {
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let waiting = false
  const flush = (): Promise<void> => {
    if (waiting) return running
    waiting = true
    running = running
      .catch(() => undefined)
      .then(() => {
        waiting = false
        return catchUp(rpc, log)
      })
    return running
  }
  let failures = 0
  const wake = () =>
    void flush().then(
      () => (failures = 0),
      (error: unknown) => {
        failures += 1
        if (failures === TOLERATED_FAILURES && !stopped) onError(error)
      },
    )
  const socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'))
  socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  socket.onmessage = wake
  const poll = setInterval(wake, POLL_MS)
  return {
    flush,
    async stop() {
      stopped = true
      clearInterval(poll)
      socket.close()
      await running.catch(() => undefined)
    },
  }
}
