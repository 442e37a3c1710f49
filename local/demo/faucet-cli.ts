import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { parseUnitsExact } from '../../domain/common/money.ts'
import { readChainFile } from '../../schemas/chain/chain-file.ts'
import { AddressInput } from '../../schemas/operations/values.ts'
import { createRpc } from '../chain/rpc.ts'
import { getRunning } from '../info.ts'
import { runProgram } from '../program.ts'
import { STATE_DIRECTORY } from '../stack.ts'
import { assertLocalChain } from '../time/move.ts'
import { createChainView } from './chain.ts'

const USAGE = `usage: npm run faucet -- ADDRESS [--usdc AMOUNT] [--gas] [--dir DIR]

Pays test money to a wallet on the chain of the running local stack; without an option 5 USDC and gas.`

const DEFAULT_USDC = '5'

const OPTIONS = { usdc: { type: 'string' }, gas: { type: 'boolean' }, dir: { type: 'string' }, help: { type: 'boolean' } } as const

const dispatch = async (args: string[]): Promise<void> => {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  if (values.help) return console.log(USAGE)
  const [address, second] = positionals
  const wallet = AddressInput.safeParse(address)
  if (second !== undefined || !wallet.success)
    throw new Error(`${address ?? 'an address'}: ${wallet.error?.issues[0]?.message ?? 'one at once'}\n${USAGE}`)
  const isDefault = values.usdc === undefined && values.gas === undefined
  const usdc = isDefault ? DEFAULT_USDC : values.usdc
  const info = getRunning(values.dir ?? STATE_DIRECTORY)
  const chain = readChainFile(info.chainFile)
  await assertLocalChain(info, createRpc(info.rpcUrl))
  const { symbol, decimals } = chain.asset
  const view = createChainView(chain, info.rpcUrl)
  const paid: string[] = []
  if (usdc !== undefined) {
    const amountRaw = parseUnitsExact(usdc, decimals)
    if (amountRaw === 0n) throw new Error('--usdc must be greater than zero')
    await view.mint(wallet.data as Hex, amountRaw)
    paid.push(`${usdc} ${symbol}`)
  }
  if (isDefault || values.gas === true) paid.push(`${await view.sendGas(wallet.data as Hex)} ${chain.nativeSymbol} for gas`)
  console.log(`${wallet.data} got ${paid.join(' and ')}.`)
  if (usdc !== undefined) console.log('To bond a claim, deposit it: POST /account/deposit/transactions returns the transactions.')
}

// `npm run faucet -- 0x…` pays test money.
process.exitCode = await runProgram(() => dispatch(process.argv.slice(2)))
