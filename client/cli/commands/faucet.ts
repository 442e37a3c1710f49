import { encodeCall, word } from '../chain/calls.ts'
import { awaitReceipt } from '../chain/pending.ts'
import { assertChain, createRpc, NodeRefusal, pause, type Rpc } from '../chain/rpc.ts'
import { readChain } from '../chain/wallet.ts'
import type { Context } from '../context.ts'
import { notSignedIn, refused } from '../failures.ts'
import { checksumAddress, keccak } from '../key/address.ts'
import { loadMnemonicAccount } from '../key/viem.ts'
import { formatAmount, parseUnits, wholeUnits } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { openPublic } from '../service/open.ts'
import { isLoopback } from '../state/directory.ts'

/** Public mnemonic of Ethereum tools and the account of it that pays on the local stack. It is no secret and worth nothing elsewhere. */
const LOCAL_FAUCET = { mnemonic: 'test test test test test test test test test test test junk', index: 6 }
const DEFAULT_AMOUNT = '5'
const GAS_RAW = 10n ** 17n
const ATTEMPTS = 5

/** Throws unless service and node run on this machine and the node is that of the local stack. */
const assertLocal = async (rpc: Rpc, { baseUrl, rpcUrl }: { baseUrl: string; rpcUrl: string }): Promise<void> => {
  const where = new URL(rpcUrl).host
  if (!isLoopback(baseUrl) || !isLoopback(rpcUrl))
    throw refused('The faucet pays on a local chain only, and this service or its node is on another machine. Nothing was sent.')
  const client = await rpc<string>('web3_clientVersion')
  if (!client.toLowerCase().startsWith('anvil'))
    throw refused(`The faucet pays on a local chain only, and the node at ${where} is ${client}. Nothing was sent.`)
}

/** Sends from the faucet; another process can take the same nonce at the same time. */
const pay = async (
  rpc: Rpc,
  { chainId, signal }: { chainId: number; signal: AbortSignal },
  call: { to: string; data: string; value: bigint },
) => {
  const account = await loadMnemonicAccount(LOCAL_FAUCET.mnemonic, LOCAL_FAUCET.index)
  const to = call.to as `0x${string}`
  const data = call.data as `0x${string}`
  for (let attempt = 1; ; attempt += 1) {
    const [nonce, price] = await Promise.all([
      rpc<string>('eth_getTransactionCount', [account.address, 'pending']),
      rpc<string>('eth_gasPrice'),
    ])
    const request = {
      type: 'legacy',
      chainId,
      nonce: Number(nonce),
      gasPrice: 2n * BigInt(price),
      gas: 200_000n,
      to,
      data,
      value: call.value,
    } as const
    const raw = await account.signTransaction(request)
    try {
      await rpc('eth_sendRawTransaction', [raw])
      return await awaitReceipt(rpc, `0x${keccak(Buffer.from(raw.slice(2), 'hex')).toString('hex')}`, signal)
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof NodeRefusal) || !/nonce|underpriced|already|known/i.test(error.reason)) throw error
      await pause(signal, 200)
    }
  }
}

/** `faucet`: test money and gas for the wallet that is signed in. */
export const faucet = async (context: Context): Promise<Report> => {
  const { baseUrl, signal } = context
  const { client, wallet } = openPublic(context)
  if (wallet === undefined) throw notSignedIn(`No wallet is signed in at ${baseUrl}.`)
  const { rpcUrl, fee, asset, chainId } = await readChain(client, context)
  const rpc = createRpc(rpcUrl, signal)
  await assertLocal(rpc, { baseUrl, rpcUrl })
  if (asset === undefined || chainId === undefined) throw refused('The service does not name its asset.')
  await assertChain(rpc, chainId)
  const amountRaw = parseUnits(context.arguments[0] ?? DEFAULT_AMOUNT, asset)
  const to = { chainId, signal }
  await pay(rpc, to, { to: wallet, data: '0x', value: GAS_RAW })
  await pay(rpc, to, { to: asset.address, data: encodeCall('mint(address,uint256)', word(wallet), word(amountRaw)), value: 0n })
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
