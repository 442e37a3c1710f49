import type { Answer, Input } from '../../../client/src/types.ts'
import { minRaw } from '../../../domain/common/money.ts'
import { money } from '../place.ts'
import { createWorker, readUntil } from '../worker.ts'
import { build, inAsset, type Saver, sendAll } from './saver.ts'
import { vestedFromEvents } from './vesting.ts'

const LENT_RAW = 5_000_000n
const PLEDGED_RAW = 5_000_000n
const LOAN_RAW = 3_000_000n

type Credit = Extract<Answer<'getCredit'>, { available: true }>
type CreditTransactions = Extract<Answer<'buildCreditTransactions'>, { available: true }>

/** Vested amount that the demo computes, at a block. */
export const vestedAt = async ({ savings, wallet }: Saver, block: bigint): Promise<bigint> => {
  const [events, at, { assetsRaw }] = await Promise.all([
    savings.events(wallet, block),
    savings.timeOf(block),
    savings.poolPosition(wallet, block),
  ])
  return minRaw(vestedFromEvents(events, at).vestedRaw, assetsRaw)
}

/** Asks for unsigned transactions of the credit pool. */
const buildCredit = (saver: Saver, name: string, wanted: Input<'buildCreditTransactions'>): Promise<CreditTransactions> =>
  build(saver, name, () => saver.worker.client.buildCreditTransactions(wanted))

/** Reads the credit pool once the service has recorded a block. */
const readCredit = ({ worker }: Saver, block: bigint): Promise<Credit> =>
  readUntil(`block ${block} in GET /credit`, async () => {
    const credit = await worker.client.getCredit()
    return credit.available && credit.wallet.vestingAvailable && BigInt(credit.block.number) >= block ? credit : undefined
  })

/** Compares `GET /credit` with the contracts; the limit follows from the vested amount that the demo computes. */
const compareCredit = async (saver: Saver, title: string, block: bigint): Promise<Credit> => {
  const answer = await readCredit(saver, block)
  const at = BigInt(answer.block.number)
  const [position, vestedRaw] = await Promise.all([saver.savings.creditPosition(saver.wallet, at), vestedAt(saver, at)])
  const limitRaw = (minRaw(position.pledgedValueRaw, vestedRaw) * position.ltvBps) / 10_000n
  const { wallet, supply } = answer
  saver.comparison.show(title, [
    inAsset(saver, 'pledged', wallet.pledgedAssetValue, position.pledgedValueRaw),
    inAsset(saver, 'vested', wallet.vestedAssets, vestedRaw),
    inAsset(saver, 'limit of all loans', wallet.grossWalletLimit, limitRaw),
    inAsset(saver, 'owed', wallet.outstanding, position.debtRaw),
    inAsset(saver, 'lent by the pool', supply.principalOutstanding, position.principalRaw),
    inAsset(saver, 'left in the pool', supply.buffer, position.bufferRaw),
  ])
  return answer
}

/** Another wallet lends, so that the credit pool has something to give. */
const lend = async (saver: Saver): Promise<Saver> => {
  const worker = createWorker(saver.base)
  const lender = { ...saver, worker, wallet: worker.account.address }
  await saver.chain.fund(lender.wallet, LENT_RAW)
  const built = await buildCredit(lender, `another wallet lends ${money(saver, LENT_RAW)}`, { direction: 'deposit', amount: LENT_RAW })
  await sendAll(lender, built)
  return lender
}

/** Pledges shares, borrows with the attestation of the service and repays all of it. Returns the wallet that lent. */
export const borrowAndRepay = async (saver: Saver): Promise<Saver> => {
  saver.report.line('Loans of a wallet reach at most 80 % of the value that it pledged or of what has')
  saver.report.line('vested, whichever is less.\n')
  const lender = await lend(saver)
  const loan = { direction: 'borrow', pledgeShares: PLEDGED_RAW, amount: LOAN_RAW } as const
  const offered = await buildCredit(saver, `borrow ${money(saver, LOAN_RAW)} against ${money(saver, PLEDGED_RAW)}`, loan)
  await sendAll(saver, { templates: offered.templates.filter(({ step }) => step === 'pledge'), expected: [] })
  const attested = await buildCredit(saver, 'the same again, once the pledge is mined', loan)
  if (attested.direction !== 'borrow') throw new Error('the answer is not about a loan')
  const { eligibilityAttestation, block } = attested
  saver.report.line(`    Signed by the service until ${attested.attestationExpiresAt}; the contract checks it.`)
  saver.comparison.show('eligibility attestation', [
    inAsset(saver, 'vested', eligibilityAttestation.vestedAssets, await vestedAt(saver, BigInt(block.number))),
  ])
  const begun = await sendAll(saver, attested)
  const { wallet } = await compareCredit(saver, 'with the loan', begun)
  const { raw } = wallet.outstanding
  const repaid = await buildCredit(saver, `repay ${money(saver, raw)}`, { direction: 'repay', amount: raw })
  await compareCredit(saver, 'after the repayment', await sendAll(saver, repaid))
  return lender
}
