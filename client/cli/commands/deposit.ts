import type { Answer } from '../../src/types.ts'
import { assertCall, word } from '../chain/calls.ts'
import { nativeSigner, reportNativeCalls } from '../chain/native-calls.ts'
import { followEarlier } from '../chain/pending.ts'
import { type PreparedTransaction, sendAll } from '../chain/send.ts'
import { assertDecimals, openWallet, type Wallet } from '../chain/wallet.ts'
import type { Context } from '../context.ts'
import { refused } from '../failures.ts'
import { formatAmount, parseUnits } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs } from '../output/text.ts'
import { openSignedIn, type SignedIn } from '../service/open.ts'

type Built = Answer<'buildAccountDepositTransactions'>

const APPROVE = 'approve(address,uint256)'
const DEPOSIT = 'deposit(address,uint256)'

type Asset = Pick<Built['asset'], 'symbol' | 'address' | 'decimals'>

/** Checks that the transactions approve and deposit exactly the amount of the asset, and nothing else. */
const prepare = (
  { templates, asset: builtAsset }: Built,
  { amountRaw, asset }: { amountRaw: bigint; asset: Asset },
  { address, chainId }: Pick<Wallet, 'address' | 'chainId'>,
): PreparedTransaction[] => {
  const isSame = (['symbol', 'address', 'decimals'] as const).every((member) => builtAsset[member] === asset[member])
  if (!isSame) throw refused(`The service built a deposit of another asset than the ${asset.symbol} of the account. Nothing was sent.`)
  const last = templates.at(-1)
  if (last === undefined || templates.length > 2) throw refused('The service built no deposit. Nothing was sent.')
  const amount = formatAmount({ raw: amountRaw, decimals: asset.decimals }, asset.symbol)
  const by = { wallet: address, chainId }
  return templates.map((template) => {
    if (template === last) {
      assertCall(template, { ...by, signature: DEPOSIT, words: [word(asset.address), word(amountRaw)] })
      return { ...template, call: `deposit ${amount} into the account of this wallet` }
    }
    assertCall(template, { ...by, signature: APPROVE, words: [word(last.to), word(amountRaw)] })
    if (template.to !== asset.address)
      throw refused(`The service built an approval of another token than ${asset.symbol}. Nothing was sent.`)
    return { ...template, call: `let ${last.to} take ${amount}` }
  })
}

/** Balances after a deposit; undefined when the service does not answer: the deposit is made. */
const findBalances = async ({ client }: SignedIn, { signal, output }: Context): Promise<Answer<'getAccount'>['liquid'] | undefined> => {
  try {
    return (await client.getAccount({}, { signal })).liquid
  } catch {
    output.note('The service does not tell the balance now: agent-work account')
    return undefined
  }
}

/** `deposit`: builds, checks, shows, signs and sends the transactions of a deposit. */
export const deposit = async (context: Context): Promise<Report> => {
  const signedIn = await openSignedIn(context)
  const position = await signedIn.client.getAccountPosition({}, { signal: context.signal })
  if (!position.available) throw refused(`The service has no chain: ${position.reason}.`)
  const { asset } = position.account
  const amountRaw = parseUnits(context.arguments[0] ?? '', asset)
  const amount = formatAmount({ raw: amountRaw, decimals: asset.decimals }, asset.symbol)
  const build = () => signedIn.client.buildAccountDepositTransactions({ amount: amountRaw }, { signal: context.signal })
  if (signedIn.native !== undefined) {
    const signer = await nativeSigner(signedIn, context.signal)
    return reportNativeCalls(signedIn.native, signer.address, prepare(await build(), { amountRaw, asset }, signer))
  }
  const wallet = await openWallet(context, signedIn)
  await assertDecimals(wallet, asset)
  const purpose = `deposit ${amount}`
  const earlier = await followEarlier(wallet, purpose)
  const transactions: object[] = earlier === undefined ? [] : [{ step: earlier.step, hash: earlier.hash }]
  if (earlier?.isLast !== true) {
    transactions.push(...(await sendAll(wallet, purpose, prepare(await build(), { amountRaw, asset }, wallet))))
  }
  const liquid = await findBalances(signedIn, context)
  const balance = liquid?.[asset.symbol]
  wallet.file.remove()
  return {
    document: {
      wallet: wallet.address,
      amount: { asset: asset.symbol, raw: amountRaw, decimals: asset.decimals },
      transactions,
      liquid: liquid ?? null,
    },
    lines: formatPairs([
      ['Deposited', amount],
      ['Balance', balance === undefined ? null : formatAmount(balance, asset.symbol)],
    ]),
  }
}
