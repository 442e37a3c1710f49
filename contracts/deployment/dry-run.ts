// What a plan would cost, without a key and without a change.
import { type Address, formatGwei, formatUnits, getContractAddress, type Hex, type PublicClient } from 'viem'
import { priceNow } from './fees.ts'
import type { Plan, Step } from './plan.ts'
import { transactionOf } from './resolve.ts'

interface Call {
  readonly step: Step
  readonly to?: Address
  readonly data: Hex
}
export interface Estimate {
  readonly step: string
  readonly gas: bigint
  /** Measured by the chain, or a bound. */
  readonly isMeasured: boolean
}

/** Transactions of a plan that the deployer sends from its next nonce on. */
async function callsOf(plan: Plan, deployer: Address, first: number): Promise<Call[]> {
  const parts = new Map(Object.entries(plan.given))
  const calls: Call[] = []
  for (const [index, step] of plan.steps.entries()) {
    const at = (nonce: number) => getContractAddress({ from: deployer, nonce: BigInt(nonce) })
    calls.push({ step, ...(await transactionOf(step, parts, at(first + index + 1))) })
    if (step.create) parts.set(step.name, at(first + index))
  }
  return calls
}

/** Gas of a call, and of a creation beside its code. */
const CALL_GAS = 300_000n
const CREATION_GAS = 500_000n
/** Gas for a byte of init code: to send it, to keep it, to run it. */
const CODE_BYTE_GAS = 220n

const boundOf = ({ step, data }: Call): bigint =>
  step.create ? CREATION_GAS + (BigInt(data.length / 2 - 1) * CODE_BYTE_GAS * 11n) / 10n : CALL_GAS

/** Gas of one step. The chain measures a creation that stands alone; what needs a part that is not there yet has a bound. */
async function estimate(client: PublicClient, call: Call, deployer: Address): Promise<Estimate> {
  const { step, data } = call
  const measured = step.create ? await client.estimateGas({ account: deployer, data }).catch(() => null) : null
  return { step: step.name, gas: measured ?? boundOf(call), isMeasured: measured !== null }
}

/** Gas of every step of a plan. */
export async function estimatePlan(client: PublicClient, plan: Plan, deployer: Address): Promise<Estimate[]> {
  const calls = await callsOf(plan, deployer, await client.getTransactionCount({ address: deployer }))
  return Promise.all(calls.map((call) => estimate(client, call, deployer)))
}

/** Money as people write it. */
const money = (wei: bigint, { nativeSymbol, nativeDecimals }: { nativeSymbol: string; nativeDecimals: number }): string =>
  `${formatUnits(wei, nativeDecimals)} ${nativeSymbol}`

/** A dry run for a person: each step, the whole, and the most that a run with this cap spends. */
export async function dryRunLines(
  client: PublicClient,
  plan: Plan,
  deployer: Address,
  native: { nativeSymbol: string; nativeDecimals: number; cap: bigint },
): Promise<{ lines: string[]; isAffordable: boolean }> {
  const [steps, { price }, balance] = await Promise.all([
    estimatePlan(client, plan, deployer),
    priceNow(client),
    client.getBalance({ address: deployer }),
  ])
  const gas = steps.reduce((sum, step) => sum + step.gas, 0n)
  // A transaction is signed with a quarter more gas than its estimate.
  const most = ((gas * 5n) / 4n) * native.cap
  const lines = [
    ...steps.map(
      ({ step, gas, isMeasured }, index) =>
        `${String(index + 1).padStart(3)}  ${step}: ${isMeasured ? '' : 'at most '}${gas} gas, ${money(gas * price, native)}`,
    ),
    `${steps.length} transactions, ${gas} gas`,
    `at ${formatGwei(price)} gwei now: ${money(gas * price, native)}; at most ${money(most, native)} with a cap of ${formatGwei(native.cap)} gwei`,
    `${deployer} has ${money(balance, native)}${balance < most ? ': not enough for the most; send it the difference' : ''}`,
    'nothing was sent',
  ]
  return { lines, isAffordable: balance >= most }
}
