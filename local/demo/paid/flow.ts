import type { Address } from 'viem'
import type { Answer } from '../../../client/src/types.ts'
import { encodePaymentHeader } from '../../../domain/paid-verification/payment-headers.ts'
import { money, type StackPlace } from '../place.ts'
import { createWorker, readUntil } from '../worker.ts'
import { type Evidence, publishEvidence } from './artefacts.ts'
import { signPayment } from './payment.ts'

type Run = Answer<'getVerificationRun'>

/** One purchase: what is checked, and what has to come of it. */
interface Purchase {
  name: string
  evidence: Evidence
  verdict: NonNullable<Run['verdict']>
  isBilled: boolean
}

const QUOTE = 'carries two lanes of traffic over the river'
const PURCHASES: readonly Purchase[] = [
  { name: 'An output that quotes its source', evidence: { lanes: 2, quote: QUOTE }, verdict: 'approved', isBilled: true },
  {
    name: 'An output with an invented quote: rejected, and billed as well',
    evidence: { lanes: 3, quote: 'carries three lanes of traffic' },
    verdict: 'rejected',
    isBilled: true,
  },
  {
    name: 'A source that is gone: no verdict, and no bill',
    evidence: { lanes: 2, quote: QUOTE, isGone: true },
    verdict: 'inconclusive',
    isBilled: false,
  },
]

/** How a run was answered: a new one, or the one that its payment has bought before. */
interface Started {
  status: number
  run: Run
}

/** What a wallet and the payee hold, base units. */
interface Balances {
  wallet: bigint
  payee: bigint
}

/** What came of a purchase. */
export interface Bought {
  verdict: Run['verdict']
  /** The run, and what the same payment was answered with after its end. */
  runId: string
  repeatedRunId: string
  before: Balances
  after: Balances
  /** What has to be billed, base units. */
  billedRaw: bigint
}

/** What is not as a purchase has to end; empty when the chain proves it. */
export const billDifferences = ({ verdict, runId, repeatedRunId, before, after, billedRaw }: Bought, wanted: Run['verdict']): string[] => {
  const facts: [string, unknown, unknown][] = [
    ['the verdict', verdict, wanted],
    ['the run of the repeat', repeatedRunId, runId],
    ['the change of the wallet', after.wallet - before.wallet, -billedRaw],
    ['the change of the payee', after.payee - before.payee, billedRaw],
  ]
  return facts.filter(([, found, right]) => found !== right).map(([what, found, right]) => `${what} is ${found}, not ${right}`)
}

const describeBill = ({ billing, verdict }: Run): string =>
  billing.status === 'captured' ? `${verdict}, paid by ${billing.transactionHash}` : `${verdict}, ${billing.status} (${billing.reason})`

/** Buys verdicts from a new wallet by signed authorisations; each balance on chain has to change by the price, or not at all. */
export const paidFlow = async (place: StackPlace): Promise<{ runUrls: string[]; differences: string[] }> => {
  const { base, chain, report, info } = place
  const wallet = createWorker(base, 0)
  const { account, client } = wallet
  const runUrls: string[] = []
  const differences: string[] = []
  const tokens = async (address: Address): Promise<bigint> => (await chain.standingOf(address)).tokensRaw

  const start = async (body: object, payment: object): Promise<Started> => {
    const headers = { 'content-type': 'application/json', 'payment-signature': encodePaymentHeader(payment) }
    const answer = await fetch(`${base}/verify/runs`, { method: 'POST', headers, body: JSON.stringify(body) })
    const run = await answer.json()
    if (!answer.ok) throw new Error(`the run was refused: ${JSON.stringify(run)}`)
    return { status: answer.status, run: run as Run }
  }

  const endOf = ({ runId }: Run) =>
    readUntil('end of the run', async () => {
      const run = await client.getVerificationRun({ runId })
      return run.status === 'complete' ? run : undefined
    })

  const buy = async ({ name, evidence, verdict, isBilled }: Purchase): Promise<void> => {
    report.heading(name)
    const request = await report.step(
      'puts output, schema and source at an address',
      () => publishEvidence(info, evidence),
      ({ inputs }) => inputs.output.locator.url.slice(0, 60),
    )
    const { accepts, price } = await report.step(
      'asks what a run costs; nothing is created',
      () => client.quoteVerificationRun(request),
      (quote) => `${quote.price.amount} ${quote.price.asset} on ${quote.price.network}`,
    )
    const [accepted] = accepts
    if (accepted === undefined) throw new Error('the quote names no way to pay')
    const payTo = accepted.payTo as Address
    const balances = async (): Promise<Balances> => ({ wallet: await tokens(account.address), payee: await tokens(payTo) })
    const before = await balances()
    const payment = await signPayment(chain, account, accepted)
    const { run } = await report.step(
      'signs the payment, off chain, and sends both',
      () => start(request, payment),
      (started) => `${started.status}, ${started.run.status}`,
    )
    runUrls.push(run.runUrl)
    report.line(`    The address of the run is the right to read it: ${run.runUrl}`)
    const ended = await report.step('waits until the run is complete', () => endOf(run), describeBill)
    for (const { id, passed, detail } of ended.execution?.checks ?? [])
      report.line(`    ${passed === null ? 'not decided' : passed ? 'passed' : 'failed'.padEnd(6)}  ${id}: ${detail}`.slice(0, 150))
    const { run: again } = await report.step(
      'sends the same request and payment again',
      () => start(request, payment),
      (repeated) => (repeated.run.runId === run.runId ? 'the same run, and no second bill' : 'ANOTHER RUN'),
    )
    const after = await balances()
    const billedRaw = isBilled ? price.amountRaw : 0n
    report.line()
    report.table([
      ['on chain', 'before', 'after', 'to change by'],
      ['wallet', money(place, before.wallet), money(place, after.wallet), money(place, -billedRaw)],
      ['payee', money(place, before.payee), money(place, after.payee), money(place, billedRaw)],
    ])
    if (!isBilled) {
      const until = new Date(Number(payment.payload.authorization.validBefore) * 1000).toISOString()
      report.line(`    The authorisation ends by itself at ${until}; cancelAuthorization of the token ends it at once.`)
    }
    const bought = { verdict: ended.verdict, runId: run.runId, repeatedRunId: again.runId, before, after, billedRaw }
    differences.push(...billDifferences(bought, verdict).map((difference) => `${name}: ${difference}`))
  }

  report.heading('A wallet that buys verdicts: no account, no sign-in')
  const { profiles } = await report.step(
    'reads what is verified here',
    () => client.listVerificationProfiles(),
    (found) => found.profiles.map(({ ref }) => ref).join(', '),
  )
  const [price] = profiles.flatMap((profile) => profile.price ?? [])
  if (price === undefined) throw new Error('no profile is sold: the stack has no payment chain')
  const budgetRaw = price.amountRaw * BigInt(PURCHASES.length)
  await report.step(
    'gets test money for it, and needs no gas',
    () => chain.mint(account.address, budgetRaw),
    () => `${account.address}, ${money(place, budgetRaw)}`,
  )
  for (const purchase of PURCHASES) await buy(purchase)
  return { runUrls, differences }
}
