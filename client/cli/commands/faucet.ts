import { sleep } from '../../src/timing.ts'
import { encodeCall, word } from '../chain/calls.ts'
import { awaitReceipt } from '../chain/pending.ts'
import { assertChain, createRpc, NodeRefusal, type Rpc } from '../chain/rpc.ts'
import { readChain } from '../chain/wallet.ts'
import type { Context } from '../context.ts'
import { refused } from '../failures.ts'
import { checksumAddress } from '../key/address.ts'
import { formatAmount, parseUnits, wholeUnits } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { openPublic } from '../service/open.ts'
import { isLoopback } from '../state/directory.ts'

/** Account of the local stack that pays. Its node holds the key, which is public. */
const LOCAL_FAUCET = '0x976ea74026e726554db657fa54763abd0c3a0aa9'
const DEFAULT_AMOUNT = '5'
const GAS_RAW = 10n ** 17n
const ATTEMPTS = 5

/** Throws unless service and node run on this machine and the node is that of the local stack. */
const assertLocal = async (rpc: Rpc, { baseUrl, rpcUrl }: { baseUrl: string; rpcUrl: string }): Promise<void> => {
  const where = new URL(rpcUrl).host
  if (!isLoopback(baseUrl) || !isLoopback(rpcUrl))
    throw refused('The faucet pays on a local chain only, and this service or its node is on another machine. Nothing was sent.')
  const client = await rpc('web3_clientVersion')
  if (!client.toLowerCase().startsWith('anvil'))
    throw refused(`The faucet pays on a local chain only, and the node at ${where} is ${client}. Nothing was sent.`)
}

/** Sends from the faucet, for which the node signs; another process can take the same nonce at the same time. */
const pay = async (rpc: Rpc, signal: AbortSignal, call: { to: string; data?: string; value?: string }): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await awaitReceipt(rpc, await rpc('eth_sendTransaction', [{ from: LOCAL_FAUCET, ...call }]), signal)
      return
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof NodeRefusal) || !/nonce|underpriced|already|known/i.test(error.reason)) throw error
      await sleep(200, signal)
    }
  }
}

/** `faucet`: test money and gas for the wallet that is signed in. */
export const faucet = async (context: Context): Promise<Report> => {
  const { baseUrl, signal } = context
  const { wallet } = context.state.getSession()
  const { rpcUrl, fee, asset, chainId } = await readChain((await openPublic(context)).client, context)
  const rpc = createRpc(rpcUrl, signal)
  await assertLocal(rpc, { baseUrl, rpcUrl })
  if (asset === undefined || chainId === undefined) throw refused('The service does not name its asset.')
  await assertChain(rpc, chainId)
  const amountRaw = parseUnits(context.arguments[0] ?? DEFAULT_AMOUNT, asset)
  await pay(rpc, signal, { to: wallet, value: `0x${GAS_RAW.toString(16)}` })
  await pay(rpc, signal, { to: asset.address, data: encodeCall('mint(address,uint256)', word(wallet), word(amountRaw)) })
  const paid = formatAmount({ raw: amountRaw, decimals: asset.decimals }, asset.symbol)
  return {
    document: { wallet, asset: asset.symbol, amountRaw, gasRaw: GAS_RAW },
    lines: [
      `${checksumAddress(wallet)} got ${paid} and ${wholeUnits(GAS_RAW, fee.decimals)} ${fee.symbol} for gas.`,
      '',
      `  agent-work deposit ${wholeUnits(amountRaw, asset.decimals)}`,
    ],
  }
}
