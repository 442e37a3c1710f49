import type { Answer } from '../../src/types.ts'
import { assertCall, type BuiltTransaction, word } from '../chain/calls.ts'
import { nativeSigner, reportNativeCalls } from '../chain/native-calls.ts'
import { followEarlier } from '../chain/pending.ts'
import { type PreparedTransaction, sendAll } from '../chain/send.ts'
import { openWallet, type Wallet } from '../chain/wallet.ts'
import type { Context } from '../context.ts'
import { refused } from '../failures.ts'
import { formatAmount, parseUnits } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs } from '../output/text.ts'
import { openSignedIn, type SignedIn } from '../service/open.ts'

const RECALL = 'deallocateIdleFunds(address,bytes32,uint256)'
const WITHDRAW = 'withdraw(address,uint256)'
const RECALL_PATH = '/account/recall/transactions'

type Position = Extract<Answer<'getAccountPosition'>, { available: true }>
type Asset = Position['account']['asset']

const readPosition = async ({ client }: SignedIn, { signal }: Context): Promise<Position> => {
  const position = await client.getAccountPosition({}, { signal })
  if (!position.available) throw refused(`The service has no chain: ${position.reason}.`)
  return position
}

/** Checks that a built answer has the one wanted call to the account contract, and nothing else. */
const prepare = (
  templates: readonly BuiltTransaction[],
  { signature, words, call, account }: { signature: string; words: readonly string[]; call: string; account: string },
  { address, chainId }: Pick<Wallet, 'address' | 'chainId'>,
): PreparedTransaction[] => {
  const [only, ...others] = templates
  if (only === undefined || others.length > 0) throw refused('The service built more or less than one transaction. Nothing was sent.')
  assertCall(only, { signature, words, wallet: address, chainId })
  if (only.to !== account) throw refused('The service built a call of another contract than that of the account. Nothing was sent.')
  return [{ ...only, call }]
}

/** Sends what `build` prepares, or follows what an interrupted run of the same command sent. */
const sendOnce = async (wallet: Wallet, purpose: string, build: () => Promise<PreparedTransaction[]>): Promise<object[]> => {
  const earlier = await followEarlier(wallet, purpose)
  if (earlier !== undefined) return [{ step: earlier.step, hash: earlier.hash }]
  return sendAll(wallet, purpose, await build())
}

const shown = (raw: bigint, { decimals, symbol }: Asset): string => formatAmount({ raw, decimals }, symbol)

/** Balances after the transactions, for the report. */
const report = async (
  signedIn: SignedIn,
  context: Context,
  wallet: Wallet,
  transactions: object[],
  lines: [string, string][],
): Promise<Report> => {
  const { account, places } = await readPosition(signedIn, context)
  if (transactions.length > 0) wallet.file.remove()
  const { symbol } = account.asset
  return {
    document: { wallet: wallet.address, transactions, available: account.available, places },
    lines: formatPairs([...lines, ['Available in the account', formatAmount(account.available, symbol)]]),
  }
}

/** `recall`: ends the consent to lending, and takes lent balance back into the account. */
export const recall = async (context: Context): Promise<Report> => {
  const { signal, output } = context
  const signedIn = await openSignedIn(context)
  const { client } = signedIn
  const { account, places, ownershipProof } = await readPosition(signedIn, context)
  const { asset } = account
  const [text] = context.arguments
  const wanted = text === undefined ? undefined : parseUnits(text, asset)
  const lent = places.filter(({ place, nextActions }) => place === 'strategy' && nextActions.some(({ path }) => path === RECALL_PATH))
  const ended = await client.revokeIdleAllocation({}, { signal })
  if ('revoked' in ended && ended.revoked) output.note('The consent to idle-balance allocation is ended: nothing new is lent.')
  const build = async (strategyId: string | undefined, signer: Pick<Wallet, 'address' | 'chainId'>): Promise<PreparedTransaction[]> => {
    const { templates, recall: built } = await client.buildRecallTransactions({ amount: wanted, strategyId }, { signal })
    if (wanted !== undefined && built.amount.raw !== wanted) throw refused('The service built another amount. Nothing was sent.')
    const words = [word(signer.address), word(built.strategyId), word(built.amount.raw)]
    const call = `take ${shown(built.amount.raw, asset)} back from ${built.label}, into the account of this wallet`
    return prepare(templates, { signature: RECALL, words, call, account: ownershipProof.address }, signer)
  }
  if (signedIn.native !== undefined) {
    const signer = await nativeSigner(signedIn, signal)
    const calls: PreparedTransaction[] = []
    for (const id of wanted === undefined ? lent.map((row) => row.id ?? undefined) : [undefined]) calls.push(...(await build(id, signer)))
    return reportNativeCalls(signedIn.native, signer.address, calls)
  }
  const wallet = await openWallet(context, signedIn)
  const transactions: object[] = []
  const take = async (purpose: string, strategyId: string | undefined): Promise<void> => {
    transactions.push(...(await sendOnce(wallet, purpose, () => build(strategyId, wallet))))
  }
  if (wanted !== undefined) await take(`recall ${shown(wanted, asset)}`, undefined)
  else for (const { id } of lent) await take(`recall from ${id}`, id ?? undefined)
  return report(signedIn, context, wallet, transactions, [['Recalled by', `${transactions.length} transactions`]])
}

/** `withdraw`: pays an amount of the account to the wallet. */
export const withdraw = async (context: Context): Promise<Report> => {
  const signedIn = await openSignedIn(context)
  const { account, ownershipProof } = await readPosition(signedIn, context)
  const { asset } = account
  const amountRaw = parseUnits(context.arguments[0] ?? '', asset)
  const amount = shown(amountRaw, asset)
  const build = async (signer: Pick<Wallet, 'address' | 'chainId'>): Promise<PreparedTransaction[]> => {
    const { templates } = await signedIn.client.buildAccountWithdrawTransactions({ amount: amountRaw }, { signal: context.signal })
    const call = `pay ${amount} of the account to this wallet`
    return prepare(
      templates,
      { signature: WITHDRAW, words: [word(asset.address), word(amountRaw)], call, account: ownershipProof.address },
      signer,
    )
  }
  if (signedIn.native !== undefined) {
    const signer = await nativeSigner(signedIn, context.signal)
    return reportNativeCalls(signedIn.native, signer.address, await build(signer))
  }
  const wallet = await openWallet(context, signedIn)
  const transactions = await sendOnce(wallet, `withdraw ${amount}`, () => build(wallet))
  return report(signedIn, context, wallet, transactions, [['Withdrawn', amount]])
}
