import { sql } from 'kysely'
import type { Logger } from 'pino'
import { formatLog, type Hex, type Log, numberToHex, type PublicClient, pad, type RpcLog, toEventSelector } from 'viem'
import { LARGEST_PAGE, nextPage, settledHeight } from '../../../domain/chain/pages.ts'
import { DAY_MS } from '../../../domain/common/instants.ts'
import { maxRaw, minRaw } from '../../../domain/common/money.ts'
import { createScanClient } from '../../chain/clients.ts'
import { assertChain, readReceipt } from '../../chain/node/answers.ts'
import { openChainNodes } from '../../chain/node/nodes.ts'
import { REORGANISED_BLOCKS } from '../../paid-verification/payment/capture.ts'
import { readPaymentTerms } from '../../paid-verification/payment/chain.ts'
import { holdsPayment } from '../../paid-verification/payment/log.ts'
import type { RunRecord } from '../../paid-verification/records.ts'
import { type Audit, type AuditedPayments, type Check, readPages, SETTLING_MS } from '../context.ts'

/** Older ends are not looked at again. */
const LOOK_BACK_MS = 30 * DAY_MS
/** Runs of a request for logs: a node takes some hundred values of a topic. */
const RUNS = 200
const USED = toEventSelector('AuthorizationUsed(address,bytes32)')
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

type PaymentSettings = Parameters<typeof readPaymentTerms>[0] & Parameters<typeof openChainNodes>[1]

/** The payment chain of the settings; null where none is configured. Throws a `SettingsError` for a bad chain file. */
export const readAuditedPayments = (settings: PaymentSettings, logger?: Pick<Logger, 'warn'>): AuditedPayments | null => {
  const payment = readPaymentTerms(settings)
  if (payment === null) return null
  const { chainId, caip2, confirmations } = payment.file
  return { chainId, network: caip2, confirmations, client: createScanClient(payment.file, openChainNodes(payment.file, settings, logger)) }
}

const listRuns =
  ({ rows, now }: Audit, network: string) =>
  (last: RunRecord | undefined): Promise<RunRecord[]> =>
    rows
      .selectFrom('verification_run')
      .selectAll()
      .where('network', '=', network)
      .where('endedAt', '>', now() - LOOK_BACK_MS)
      .where('endedAt', '<', now() - SETTLING_MS)
      .$if(last !== undefined, (those) =>
        those.where(sql<boolean>`(admitted_block, run_key) > (${last?.admittedBlock ?? 0}, ${last?.runKey ?? ''})`),
      )
      .orderBy('admittedBlock')
      .orderBy('runKey')
      .limit(RUNS)
      .execute()

/** The first block between `low` and `high` that is later than a time in seconds; `high` if none is. */
const findBlockAfter = async (client: PublicClient, seconds: bigint, low: bigint, high: bigint): Promise<bigint> => {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = (from + to) / 2n
    const { timestamp } = await client.getBlock({ blockNumber: middle })
    if (timestamp > seconds) to = middle
    else from = middle + 1n
  }
  return to
}

/**
 * Uses of the nonces of runs, and transfers of their payers to their payees. Both events have the payer first; the nonce of one stands where the
 * payee of the other does, so one request finds both.
 */
const readLogs = async (client: PublicClient, runs: readonly RunRecord[], from: bigint, to: bigint): Promise<Log[]> => {
  const distinct = (values: readonly string[]) => [...new Set(values)]
  const wordOf = (address: string): Hex => pad(address as Hex)
  const filter = {
    address: distinct(runs.map(({ asset }) => asset)) as Hex[],
    topics: [
      [USED, TRANSFER],
      distinct(runs.map(({ payer }) => wordOf(payer))) as Hex[],
      distinct(runs.flatMap(({ nonce, payTo }) => [nonce, wordOf(payTo)])) as Hex[],
    ],
  }
  const logs: Log[] = []
  for (let span = nextPage(from - 1n, to, LARGEST_PAGE); span !== null; span = nextPage(span.to, to, LARGEST_PAGE)) {
    const blocks = { fromBlock: numberToHex(span.from), toBlock: numberToHex(span.to) }
    const found: RpcLog[] = await client.request({ method: 'eth_getLogs', params: [{ ...filter, ...blocks }] })
    logs.push(...found.map((log) => formatLog(log)))
  }
  return logs
}

const isUseOf =
  ({ asset, payer, nonce }: RunRecord) =>
  ({ address, topics }: Log): boolean =>
    address.toLowerCase() === asset && topics[0] === USED && topics[1] === pad(payer as Hex) && topics[2] === nonce.toLowerCase()

/** The transaction that holds the payment of a run; null without one. */
const findPayment = async (
  client: PublicClient,
  run: RunRecord,
  logs: readonly Log[],
): Promise<{ txHash: string; block: bigint } | null> => {
  const use = logs.find(isUseOf(run))
  if (use === undefined || use.transactionHash === null) return null
  const owed = { ...run, amountRaw: String(run.amountRaw) }
  const next = logs.filter(
    ({ transactionHash, logIndex }) => transactionHash === use.transactionHash && logIndex === Number(use.logIndex) + 1,
  )
  // Events of others may lie between the two, or replace the second: then the whole receipt says it.
  const isPaid = holdsPayment([use, ...next], owed) || holdsPayment((await readReceipt(client, use.transactionHash)).logs, owed)
  return isPaid ? { txHash: use.transactionHash, block: use.blockNumber ?? 0n } : null
}

/** Compares the ends of runs in the last 30 days with the payments that the payment chain holds at confirmation depth. */
export const checkCapturedRuns: Check = async (audit, add) => {
  const { payments } = audit
  if (payments == null) return
  const { client, network, confirmations } = payments
  await assertChain(client, payments.chainId)
  const settled = settledHeight(await client.getBlockNumber({ cacheTime: 0 }), confirmations)
  if (settled < 0n) return
  for await (const runs of readPages(listRuns(audit, network))) {
    const admitted = maxRaw(BigInt(runs[0]?.admittedBlock ?? 0) - REORGANISED_BLOCKS, 0n)
    const from = minRaw(admitted, settled)
    // No authorisation of these runs can be used later.
    const lastEnd = runs.reduce((end, { validBefore }) => maxRaw(end, BigInt(validBefore)), 0n)
    const to = await findBlockAfter(client, lastEnd, from, settled)
    const logs = await readLogs(client, runs, from, to)
    for (const run of runs) {
      const payment = await findPayment(client, run, logs)
      const subject = `payment of run ${run.runKey}`
      const found = payment === null ? 'no payment' : `paid by transaction ${payment.txHash} in block ${payment.block}`
      if (run.state === 'captured' && payment?.txHash !== run.txHash)
        add({ subject, expected: `paid by transaction ${run.txHash} in block ${run.blockNumber}`, found })
      if (run.state !== 'captured' && payment !== null)
        add({ subject, expected: `no payment: the run is ${run.state}`, found: `${found}: the operator owes the price back` })
    }
  }
}
