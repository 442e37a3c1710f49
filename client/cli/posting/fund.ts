import { isProblem } from '../../src/problems.ts'
import type { Answer } from '../../src/types.ts'
import { assertCall, type BuiltTransaction, word } from '../chain/calls.ts'
import { nativeSigner, reportNativeCalls } from '../chain/native-calls.ts'
import { followEarlier } from '../chain/pending.ts'
import { type PreparedTransaction, sendAll } from '../chain/send.ts'
import { assertDecimals, openWallet, type Wallet } from '../chain/wallet.ts'
import type { Context } from '../context.ts'
import { EXIT, refused } from '../failures.ts'
import { formatAmount } from '../output/amounts.ts'
import type { Report } from '../output/output.ts'
import { formatPairs } from '../output/text.ts'
import { openSignedIn, type SignedIn } from '../service/open.ts'
import { describeCost, describeNext, getDraft } from './draft.ts'
import { type Draft, type FundingTerms, fundingTerms } from './draft-checks.ts'
import { type PostingPlace, parseId, readPlace } from './place.ts'

type Built = Answer<'buildPostJobTransactions'>
type Signer = Pick<Wallet, 'address' | 'chainId'>

const APPROVE = 'approve(address,uint256)'
const DEPOSIT = 'deposit(address,uint256)'
const CREATE = 'createSinglePayoutJob(bytes32,address,uint256,uint256,uint256,uint256,bytes32,bytes32,bytes32)'
const CANCEL = 'cancelOpenJob(bytes32)'

/** Refuses a call of another contract than the service names to everyone. */
const assertContract = ({ to }: BuiltTransaction, contract: string, name: string): void => {
  if (to.toLowerCase() !== contract) throw refused(`The service built a call of another contract than ${name}. Nothing was sent.`)
}

/** Refuses contracts, token and chain of a draft that are not those which the service names to everyone. */
const assertPlace = (
  { escrowAddress, fundingRequirement, calldata }: Draft,
  { escrow, token, chainId }: PostingPlace,
  signer: Signer,
): void => {
  const { asset, assetAddress, decimals } = fundingRequirement
  const isSame =
    escrowAddress.toLowerCase() === escrow &&
    calldata.to.toLowerCase() === escrow &&
    asset === token.symbol &&
    assetAddress === token.address &&
    decimals === token.decimals &&
    chainId === signer.chainId
  if (!isSame) throw refused('The draft names another contract, token or chain than the service does to everyone. Nothing was sent.')
}

/** Checks that the transactions approve and deposit at most what the draft costs, and create its job, and nothing else. */
const prepare = (
  built: Built,
  draft: Draft,
  { words, totalRaw }: FundingTerms,
  place: PostingPlace,
  signer: Signer,
): PreparedTransaction[] => {
  const { templates, posterReserved, deposit } = built
  const { symbol, decimals, address: token } = place.token
  const amountRaw = deposit.required ? deposit.amount.raw : 0n
  const isMore = posterReserved.raw > totalRaw || amountRaw > totalRaw || posterReserved.decimals !== decimals
  if (isMore) throw refused('The service built a funding that costs more than the draft. Nothing was sent.')
  const create = templates.at(-1)
  const before = templates.slice(0, -1)
  if (create === undefined || before.length > 2 || deposit.required !== before.length > 0)
    throw refused('The service built other transactions than a funding has. Nothing was sent.')
  const by = { wallet: signer.address, chainId: signer.chainId }
  const amount = formatAmount({ raw: amountRaw, decimals }, symbol)
  const prepared = before.map((template, index): PreparedTransaction => {
    if (index === before.length - 1) {
      assertCall(template, { ...by, signature: DEPOSIT, words: [word(token), word(amountRaw)] })
      assertContract(template, place.account, 'that of the account')
      return { ...template, call: `deposit ${amount} into the account of this wallet` }
    }
    assertCall(template, { ...by, signature: APPROVE, words: [word(place.account), word(amountRaw)] })
    assertContract(template, token.toLowerCase(), `the token ${symbol}`)
    return { ...template, call: `let ${place.account} take ${amount}` }
  })
  assertCall(create, { ...by, signature: CREATE, words })
  assertContract(create, place.escrow, 'the escrow')
  const total = formatAmount({ raw: totalRaw, decimals }, symbol)
  return [...prepared, { ...create, call: `put ${total} of the account into the escrow, for the job ${draft.jobId}` }]
}

const describeFunded = (draft: Draft, transactions: readonly object[]): Report => {
  const { fundingRequirement: cost } = draft
  return {
    document: { draft, transactions },
    lines: [
      ...formatPairs([
        ['Job', draft.jobId],
        ['Paid', formatAmount({ raw: cost.posterReservedRaw, decimals: cost.decimals }, cost.asset)],
        ['Status', draft.status],
      ]),
      '',
      `  agent-work post watch ${draft.jobId}`,
    ],
  }
}

/** Statuses of a funding that lists no job. */
const NOT_LISTED: readonly string[] = ['mismatch', 'expired', 'cancelled']

/** A draft whose funding the service knows: no second one is sent. */
const describeFundedBefore = (draft: Draft): Report => {
  const { lines, ...report } = describeFunded(draft, [])
  return { ...report, lines: [...lines, ...describeNext(draft)], exit: NOT_LISTED.includes(draft.status) ? EXIT.refused : EXIT.done }
}

/** The draft after its funding; that from before where the service does not answer: the funding is made. */
const readAfter = async ({ client }: SignedIn, before: Draft, { signal, output }: Context): Promise<Draft> => {
  try {
    return await client.getJobDraft({ id: before.draftId }, { signal })
  } catch {
    output.note('The service does not tell the state of the draft now.')
    return before
  }
}

/** Transactions of a funding; undefined for a job that the escrow has. */
const findBuilt = async ({ client }: SignedIn, id: string, signal: AbortSignal): Promise<Built | undefined> => {
  try {
    return await client.buildPostJobTransactions({ id }, { signal })
  } catch (error) {
    if (isProblem(error, 'external_draft_already_funded')) return undefined
    throw error
  }
}

/** `post fund`: checks, shows, signs and sends the transactions that fund a draft. */
export const fund = async (context: Context): Promise<Report> => {
  const { signal, output, options } = context
  const signedIn = await openSignedIn(context)
  const draft = await getDraft(context, signedIn.client)
  const terms = fundingTerms(draft, signedIn.wallet)
  if (draft.fundingStatus !== 'unfunded') return describeFundedBefore(draft)
  const place = await readPlace(signedIn.client, signal)
  const write = options.yes === true ? output.note : output.show
  write(...describeCost(draft))
  if (signedIn.native !== undefined) {
    const signer = await nativeSigner(signedIn, signal)
    assertPlace(draft, place, signer)
    const built = await findBuilt(signedIn, draft.draftId, signal)
    return built === undefined
      ? describeFunded(draft, [])
      : reportNativeCalls(signedIn.native, signer.address, prepare(built, draft, terms, place, signer))
  }
  const wallet = await openWallet(context, signedIn)
  assertPlace(draft, place, wallet)
  await assertDecimals(wallet, place.token)
  const purpose = `post fund ${draft.draftId}`
  const earlier = await followEarlier(wallet, purpose)
  const transactions: object[] = earlier === undefined ? [] : [{ step: earlier.step, hash: earlier.hash }]
  if (earlier?.isLast !== true) {
    const built = await findBuilt(signedIn, draft.draftId, signal)
    if (built !== undefined) transactions.push(...(await sendAll(wallet, purpose, prepare(built, draft, terms, place, wallet))))
  }
  const after = await readAfter(signedIn, draft, context)
  wallet.file.remove()
  return describeFunded(after, transactions)
}

type Cancelling = Answer<'buildCancelTransactions'>

/** Checks that the one transaction cancels the job in the escrow, and nothing else. */
const prepareCancel = ({ templates, refund }: Cancelling, jobId: string, place: PostingPlace, signer: Signer): PreparedTransaction[] => {
  const [only, ...others] = templates
  if (only === undefined || others.length > 0) throw refused('The service built more or less than one transaction. Nothing was sent.')
  assertCall(only, { signature: CANCEL, words: [word(jobId)], wallet: signer.address, chainId: signer.chainId })
  assertContract(only, place.escrow, 'the escrow')
  return [{ ...only, call: `cancel the job and take ${formatAmount(refund.total, refund.total.asset)} back into the account` }]
}

/** `post cancel`: takes the money of an open job back into the account. */
export const cancel = async (context: Context): Promise<Report> => {
  const { signal } = context
  const [, id = ''] = context.arguments
  const jobId = parseId(id, 'JOB')
  const signedIn = await openSignedIn(context)
  const place = await readPlace(signedIn.client, signal)
  const build = () => signedIn.client.buildCancelTransactions({ jobId }, { signal })
  if (signedIn.native !== undefined) {
    const signer = await nativeSigner(signedIn, signal)
    return reportNativeCalls(signedIn.native, signer.address, prepareCancel(await build(), jobId, place, signer))
  }
  const wallet = await openWallet(context, signedIn)
  const purpose = `post cancel ${jobId}`
  const earlier = await followEarlier(wallet, purpose)
  const built = earlier === undefined ? await build() : undefined
  const transactions: object[] =
    built === undefined
      ? [{ step: earlier?.step, hash: earlier?.hash }]
      : await sendAll(wallet, purpose, prepareCancel(built, jobId, place, wallet))
  wallet.file.remove()
  return {
    document: { wallet: wallet.address, jobId, refund: built?.refund ?? null, transactions },
    lines: [
      ...formatPairs([
        ['Cancelled', jobId],
        ['Back in the account', built === undefined ? null : formatAmount(built.refund.total, built.refund.total.asset)],
      ]),
      '',
      '  agent-work account',
    ],
  }
}
