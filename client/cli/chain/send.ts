import { refused } from '../failures.ts'
import { keccak } from '../key/address.ts'
import { confirm } from '../key/prompt.ts'
import { loadAccount } from '../key/viem.ts'
import { wholeUnits } from '../output/amounts.ts'
import { formatPairs } from '../output/text.ts'
import type { BuiltTransaction } from './calls.ts'
import { settle } from './pending.ts'
import { NodeRefusal, type Receipt } from './rpc.ts'
import type { SentTransaction } from './sent-file.ts'
import type { Wallet } from './wallet.ts'

/** A transaction that was checked and can be shown and sent. */
export interface PreparedTransaction extends BuiltTransaction {
  /** The call for people, such as `deposit(USDC, 2.5)`. */
  call: string
}

const estimateFees = async ({ rpc, address }: Wallet, { step, to, data }: BuiltTransaction) => {
  try {
    const [gas, block, tip] = await Promise.all([
      rpc('eth_estimateGas', [{ from: address, to, data, value: '0x0' }]),
      rpc('eth_getBlockByNumber', ['latest', false]),
      rpc('eth_maxPriorityFeePerGas').catch(() => rpc('eth_gasPrice')),
    ])
    const maxPriorityFeePerGas = BigInt(tip)
    return {
      gas: (BigInt(gas) * 12n) / 10n,
      maxPriorityFeePerGas,
      maxFeePerGas: 2n * BigInt(block.baseFeePerGas ?? '0x0') + maxPriorityFeePerGas,
    }
  } catch (error) {
    if (error instanceof NodeRefusal) throw refused(`The chain would refuse ${step}: ${error.message}. Nothing was sent.`)
    throw error
  }
}

const assertGas = async ({ rpc, address, fee }: Wallet, costRaw: bigint): Promise<void> => {
  const balance = BigInt(await rpc('eth_getBalance', [address, 'latest']))
  if (balance >= costRaw) return
  const missing = `The wallet has ${wholeUnits(balance, fee.decimals)} ${fee.symbol}, and the transaction can cost ${wholeUnits(costRaw, fee.decimals)}.`
  throw refused(`${missing} Nothing was sent.`, 'On a local chain: agent-work faucet')
}

const show = (wallet: Wallet, transaction: PreparedTransaction, { number, costRaw }: { number: string; costRaw: bigint }): void => {
  const { fee, chainId, rpcHost, context } = wallet
  // Programs that send without asking read the result alone.
  const write = context.options.yes === true ? context.output.note : context.output.show
  write(
    `Transaction ${number}: ${transaction.step}`,
    ...formatPairs([
      ['  call', transaction.call],
      ['  contract', transaction.to],
      ['  chain', `${chainId}, by ${rpcHost}`],
      ['  gas', `at most ${wholeUnits(costRaw, fee.decimals)} ${fee.symbol}`],
    ]),
  )
}

const confirmSending = async ({ context }: Wallet): Promise<void> => {
  if (context.options.yes === true) return
  await confirm('Sign and send it?', {
    reason: 'There is no terminal to ask at. Add --yes to send without asking.',
    outcome: 'Nothing was sent.',
    signal: context.signal,
  })
}

type Fees = Awaited<ReturnType<typeof estimateFees>>

const sign = async (wallet: Wallet, { to, data }: BuiltTransaction, fees: Fees) => {
  const nonce = Number(await wallet.rpc('eth_getTransactionCount', [wallet.address, 'pending']))
  const account = await loadAccount(await wallet.openKey())
  const call = { to: to as `0x${string}`, data: data as `0x${string}` }
  const raw = await account.signTransaction({ type: 'eip1559', chainId: wallet.chainId, nonce, ...fees, ...call })
  return { raw, nonce, hash: `0x${keccak(Buffer.from(raw.slice(2), 'hex')).toString('hex')}` }
}

/** Puts a signed transaction on record, sends it and waits for it. */
const deliver = async (wallet: Wallet, sent: SentTransaction): Promise<Receipt> => {
  wallet.file.write(sent)
  const receipt = await settle(wallet, sent, () => wallet.context.output.note(`Sent: ${sent.hash}`))
  if (receipt !== undefined) return receipt
  throw refused(`Another transaction of the wallet used the nonce ${sent.nonce}: ${sent.hash} cannot be mined.`, 'Repeat the same command.')
}

/** Shows, signs and sends transactions in their order, each after the one before it was mined. The last one stays on record. */
export const sendAll = async (wallet: Wallet, purpose: string, transactions: readonly PreparedTransaction[]) => {
  const done: { step: string; hash: string; blockNumber: number }[] = []
  for (const [index, transaction] of transactions.entries()) {
    const fees = await estimateFees(wallet, transaction)
    const costRaw = fees.gas * fees.maxFeePerGas
    show(wallet, transaction, { number: `${index + 1} of ${transactions.length}`, costRaw })
    await assertGas(wallet, costRaw)
    await confirmSending(wallet)
    const { step } = transaction
    const sent = { ...(await sign(wallet, transaction, fees)), purpose, step, isLast: index === transactions.length - 1 }
    const { blockNumber } = await deliver(wallet, sent)
    done.push({ step, hash: sent.hash, blockNumber: Number(blockNumber) })
  }
  return done
}
