import { parseArgs } from 'node:util'
import { formatEther, type Hex } from 'viem'
import { parseUnitsExact } from '../../domain/common/money.ts'
import { nativeAccountOf, readNativeAccount } from '../../domain/identity/native/account.ts'
import { readChainFile } from '../../schemas/chain/chain-file.ts'
import { createNativeSide, describeStanding, type LocalAccount, type NativeSide } from '../chain/native-side.ts'
import { createRpc } from '../chain/rpc.ts'
import { getRunning } from '../info.ts'
import { runProgram } from '../program.ts'
import { STATE_DIRECTORY } from '../stack.ts'
import { assertLocalChain } from '../time/move.ts'

const USAGE = `usage: npm run native -- fund|map|unmap|reap|status ACCOUNT [--amount AMOUNT] [--dir DIR]

Does on the chain of the running local stack what a native account does on its side of the chain. ACCOUNT is an
SS58 address, or an account id: 0x and 64 hex digits.

  fund    pays the account, by default 1 unit
  map     maps the address of the account to it, and holds the deposit
  unmap   ends the mapping, and releases the deposit
  reap    ends the account as one below the existential deposit, with its mapping
  status  shows what is free, what is held, and the mapping`

const DEFAULT_AMOUNT = '1'

const OPTIONS = { amount: { type: 'string' }, dir: { type: 'string' }, help: { type: 'boolean' } } as const

type Act = (side: NativeSide, account: LocalAccount, amountWei: bigint) => Promise<void>
const ACTS: Readonly<Record<string, Act>> = {
  fund: (side, account, amountWei) => side.fund(account, amountWei),
  map: (side, account) => side.map(account),
  unmap: (side, account) => side.unmap(account),
  reap: (side, account) => side.reap(account),
  status: async () => undefined,
}

const ACCOUNT_ID = /^0x[0-9a-f]{64}$/i

const getAccount = (text = ''): LocalAccount => {
  if (ACCOUNT_ID.test(text)) return nativeAccountOf(text.toLowerCase() as Hex)
  const account = readNativeAccount(text)
  if (typeof account === 'string') throw new Error(`"${text}" is neither an SS58 address (${account}) nor an account id\n${USAGE}`)
  return account
}

const dispatch = async (args: string[]): Promise<void> => {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  if (values.help) return console.log(USAGE)
  const [name = '', text, rest] = positionals
  const act = Object.hasOwn(ACTS, name) ? ACTS[name] : undefined
  if (act === undefined || rest !== undefined) throw new Error(USAGE)
  const account = getAccount(text)
  const info = getRunning(values.dir ?? STATE_DIRECTORY)
  const chain = readChainFile(info.chainFile)
  await assertLocalChain(info, createRpc(info.rpcUrl))
  if (chain.native === undefined) throw new Error('this chain began without native accounts: start the stack with --fresh')
  const side = createNativeSide(info.rpcUrl)
  const amountWei = parseUnitsExact(values.amount ?? DEFAULT_AMOUNT, chain.nativeDecimals)
  await act(side, account, amountWei)
  if (name === 'fund') console.log(`${text} got ${formatEther(amountWei)} ${chain.nativeSymbol}.`)
  console.log(describeStanding(await side.standingOf(account), chain.nativeSymbol))
}

// `npm run native -- map 15oF…` maps a native account.
process.exitCode = await runProgram(() => dispatch(process.argv.slice(2)))
