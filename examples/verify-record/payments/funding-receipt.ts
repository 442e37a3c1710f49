// What a funding receipt says, and whether its id, its job and its sums bear that out.
import { rawOf, wholeUnits } from '../encoding/amounts.ts'
import { assert, assertRules, canonical, instantOf, type Members, type Rules, sha256Of, textOf, toHex, utf8 } from '../encoding/json.ts'
import { keccak256 } from '../encoding/keccak.ts'
import { type Sentence, sentence } from '../sentence.ts'
import * as is from '../shape.ts'
import { signature } from '../verdict.ts'

/** The sentence of every funding receipt. */
const STATEMENT =
  'States which amounts a wallet put into the escrow for which job and terms, in which transaction, and how they come back. Does not state that the job was done, that the service will list it, or who controls the wallet.'
const PARTS = ['reward', 'opsReserve', 'contingencyReserve', 'posterFee'] as const
const amount = is.closed({ raw: is.raw, decimals: is.integer(0, 30), display: is.display })
const parts = Object.fromEntries(PARTS.map((name) => [name, amount]))
/** Seconds for which the escrow keeps a job open before it can be cancelled. */
const OPEN_FLOOR_SECONDS = 3_600

/** Shape of `service.funding-receipt.v1`. */
const fundingShape = is.closed({
  schemaVersion: is.oneOf('service.funding-receipt.v1'),
  kind: is.oneOf('funding'),
  receiptId: is.bytes32,
  jobId: is.bytes32,
  specHash: is.bytes32,
  poster: is.party,
  chainId: is.integer(1),
  escrow: is.party,
  asset: is.closed({ address: is.party, symbol: is.text(/./), decimals: is.integer(0, 30) }),
  amounts: is.closed({ ...parts, totalReserved: amount }),
  funding: is.closed({ transactionHash: is.bytes32, blockNumber: is.raw, blockHash: is.bytes32, fundedAt: is.instant }),
  cancellation: is.closed({
    method: is.oneOf('cancelOpenJob'),
    minimumOpenSeconds: is.oneOf(OPEN_FLOOR_SECONDS),
    earliestAt: is.instant,
    refundTo: is.party,
    refund: is.closed({ ...parts, total: amount }),
  }),
  judgement: is.closed({
    description: is.text(/./),
    stages: is.list(
      is.closed({ judge: is.oneOf('verifier', 'people'), deadlineSeconds: is.integer(1), byDefault: is.oneOf('people_decide', 'split') }),
      1,
    ),
    defaultWorkerShareBps: is.basisPoints,
  }),
  attestation: is.oneOf(STATEMENT),
  canonicalUrl: is.address,
  signature,
})

const UNHASHED = ['receiptId', 'canonicalUrl', 'signature']

/** Base units of an amount of a list. */
const partOf = (amounts: unknown, name: string): bigint => rawOf((amounts as Record<string, Members>)[name] as Members, 'raw')

const sumOf = (amounts: Members): bigint => PARTS.reduce((sum, name) => sum + partOf(amounts, name), 0n)

/** Whether each amount has the decimals of the asset, and reads in whole units as it does in base units. */
const areOfAsset = (amounts: unknown, { decimals }: Members): boolean =>
  Object.values(amounts as Record<string, Members>).every(
    (one) => one.decimals === decimals && one.display === wholeUnits(rawOf(one, 'raw'), Number(decimals)),
  )

/** Whether each stage leads to the next one, and the last one alone to the default. */
const areInTurn = (stages: readonly Members[]): boolean =>
  stages.every(({ deadlineSeconds, byDefault }, place) => {
    const next = stages[place + 1]
    return next === undefined
      ? byDefault === 'split'
      : byDefault === 'people_decide' && Number(deadlineSeconds) < Number(next.deadlineSeconds)
  })

interface Facts {
  receipt: Members
  amounts: Members
  funding: Members
  cancellation: Members
}

const RULES: Rules<Facts> = {
  'its job is not that of its terms and its poster': ({ receipt: { specHash, poster, jobId } }) =>
    toHex(keccak256(utf8(canonical({ contentHash: specHash, domain: 'service.external-job.v1', poster })))) === jobId,
  'its amounts are not those of its asset, or not the same in whole units': ({ receipt: { asset }, amounts, cancellation: { refund } }) =>
    [amounts, refund].every((list) => areOfAsset(list, asset as Members)),
  'its total is not the sum of its parts': ({ amounts }) => sumOf(amounts) === partOf(amounts, 'totalReserved'),
  'its reward is nothing': ({ amounts }) => partOf(amounts, 'reward') > 0n,
  'its refund is not what was funded': ({ amounts, cancellation: { refund } }) =>
    PARTS.every((name) => partOf(refund, name) === partOf(amounts, name)) && partOf(refund, 'total') === partOf(amounts, 'totalReserved'),
  'its money comes back to another wallet than its poster': ({ receipt: { poster }, cancellation: { refundTo } }) => refundTo === poster,
  'it can be cancelled at another time than its terms say': ({ funding, cancellation }) =>
    instantOf(textOf(cancellation, 'earliestAt')) === instantOf(textOf(funding, 'fundedAt')) + OPEN_FLOOR_SECONDS * 1_000,
  'it was signed before its block: it is backdated': ({ receipt, funding }) =>
    instantOf(textOf(receipt.signature as Members, 'signedAt')) >= instantOf(textOf(funding, 'fundedAt')),
  'its judges are not in turn': ({ receipt: { judgement } }) => areInTurn((judgement as Members).stages as Members[]),
}

/** Checks shape, id, job, sums, refund, dates and judges of a funding receipt, without its signature. */
export const checkFunding = async (receipt: Members): Promise<void> => {
  fundingShape(receipt, '')
  const hashed = Object.fromEntries(Object.entries(receipt).filter(([name]) => !UNHASHED.includes(name)))
  assert((await sha256Of(hashed)) === receipt.receiptId, 'its id is not the hash of its content')
  assert(textOf(receipt, 'canonicalUrl').endsWith(`/receipts/${receipt.receiptId}`), 'its address names another receipt')
  const { amounts, funding, cancellation } = receipt as Record<string, Members>
  assertRules(RULES, { receipt, amounts, funding, cancellation } as Facts)
}

const amountText = ({ asset, amounts }: Members, name: string): string =>
  `${((amounts as Record<string, Members>)[name] as Members).display} ${(asset as Members).symbol}`

/** A checked funding receipt in one sentence. */
export const describeFunding = (receipt: Members): Sentence => {
  const { funding } = receipt as Record<string, Members>
  const [total, reward] = [amountText(receipt, 'totalReserved'), amountText(receipt, 'reward')]
  return sentence`Wallet ${{ id: String(receipt.poster) }} put ${total} into the escrow for the job ${{ id: String(receipt.jobId) }}, ${reward} of it as the reward, on ${{ at: String(funding?.fundedAt) }}.`
}

/** Sentences that a checked funding receipt states. */
export const readFunding = (receipt: Members): string[] => {
  const { funding, cancellation, asset, judgement } = receipt as Record<string, Members>
  const shown = (name: string): string => amountText(receipt, name)
  return [
    `Wallet ${receipt.poster} funded the job ${receipt.jobId}; its terms have the hash ${receipt.specHash}.`,
    `Reward ${shown('reward')}, reserves ${shown('opsReserve')} and ${shown('contingencyReserve')}, fee ${shown('posterFee')}: ${shown('totalReserved')} of the token ${asset?.address}.`,
    `While the job is open, from ${cancellation?.earliestAt} on, ${cancellation?.method} gives all of it back to ${cancellation?.refundTo}.`,
    String(judgement?.description),
    `Transaction ${funding?.transactionHash} created it in the escrow ${receipt.escrow}, as the service says, in the block ${funding?.blockNumber} with the hash ${funding?.blockHash}.`,
  ]
}

export const FUNDING_CHECKED = [
  'The signature fits the record, and its key was valid on that day.',
  'Every member has its form, none was added, and the id is the hash of the content.',
  'The job follows from the hash of its terms and from its poster.',
  'The sum was computed again, and the refund is all of it, to the poster.',
  'Dates and judges are in their order.',
]

export const FUNDING_DOES_NOT_PROVE = [
  'that the wallet belongs to a certain person or program',
  'what the terms are: they are bound by their hash only',
  'that the money is still in the escrow: read the job there',
]
