// Runs a plan on a real chain. Each step is: read the chain, compare, send. The journal holds what was signed, so the same command goes on
// after a cut at any point.
import { type Address, BaseError, getContractAddress, type Hex, keccak256, type PublicClient, type TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { receiptOf } from '../receipts.ts'
import { feesWithin } from './fees.ts'
import type { Journal, Signed } from './journal.ts'
import type { Plan, Step } from './plan.ts'
import { isShown, transactionOf } from './resolve.ts'
import { Stopped } from './stopped.ts'

export interface RunOptions {
  readonly client: PublicClient
  readonly plan: Plan
  /** The one key that signs every step. */
  readonly key: Hex
  readonly journal: Journal
  /** Most that a unit of gas may cost. */
  readonly cap: bigint
  readonly confirmations: number
  /** Signs again what is not mined, at the same nonce with higher fees, and what was reverted. */
  readonly retry: boolean
  readonly waitMs: number
  readonly pollMs: number
  readonly say: (line: string) => void
}

interface Run extends RunOptions {
  readonly account: ReturnType<typeof privateKeyToAccount>
  readonly chainId: number
  readonly parts: Map<string, Address>
  readonly blocks: Map<string, number>
}

/** The short reason of an error of the node. */
const reasonOf = (error: unknown): string => (error instanceof BaseError ? error.shortMessage : String(error)).split('\n')[0] ?? ''

const receiptIfThere = (client: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> =>
  receiptOf(client, hash, 0).catch((error: Error) => {
    if (error.name === 'TransactionReceiptNotFoundError') return undefined
    throw new Stopped(`the node did not answer (${reasonOf(error)}): run the same command again`)
  })

/** Receipt of the one of a step's signatures that was mined. */
async function minedOf({ client, journal }: Run, step: Step): Promise<TransactionReceipt | undefined> {
  const receipts = await Promise.all(journal.signaturesOf(step.name).map(({ hash }) => receiptIfThere(client, hash)))
  return receipts.find((receipt) => receipt?.status === 'success') ?? receipts.findLast((receipt) => receipt !== undefined)
}

/** Why the chain refused a mined transaction. */
async function refusalOf({ client, account }: Run, { to, data }: { to?: Address; data: Hex }, block: bigint): Promise<string> {
  const call = client.call({ account: account.address, ...(to ? { to } : {}), data, blockNumber: block })
  return call.then(() => 'no reason is known; it may have run out of gas', reasonOf)
}

/** Sends signed bytes. A node that has them already, or a chain that has mined them, is no error. */
async function send({ client, account }: Run, { step, raw, hash, nonce }: Signed): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
  } catch (error) {
    if (await client.getTransaction({ hash }).catch(() => null)) return
    const next = await client.getTransactionCount({ address: account.address })
    if (next > nonce)
      throw new Stopped(
        `${step}: another transaction of ${account.address} took nonce ${nonce}; begin with a new journal and another deployer`,
      )
    throw new Stopped(`${step}: the node refused the transaction (${reasonOf(error)}); put that right and run the same command again`)
  }
}

async function transactionAt(run: Run, step: Step, nonce: number): Promise<{ to?: Address; data: Hex }> {
  const next = getContractAddress({ from: run.account.address, nonce: BigInt(nonce + 1) })
  return transactionOf(step, run.parts, next)
}

/** Signs a step and writes the signature down. `nonce` is that of an older signature that this one replaces. */
async function sign(run: Run, step: Step, older?: Signed): Promise<Signed> {
  const { client, account, chainId, journal, cap } = run
  const { address } = account
  const nonce = older?.nonce ?? (await client.getTransactionCount({ address }))
  if (older === undefined && (await client.getTransactionCount({ address, blockTag: 'pending' })) > nonce)
    throw new Stopped(`${step.name}: a transaction of ${address} that this journal does not know waits to be mined; wait for it`)
  const transaction = await transactionAt(run, step, nonce)
  const fees = await feesWithin(client, cap, older?.raw)
  const estimated = await client.estimateGas({ account: address, ...transaction, ...fees }).catch((error: unknown) => {
    throw new Stopped(`${step.name} would be refused: ${reasonOf(error)}`)
  })
  // The state may differ a little when it is mined.
  const gas = estimated + estimated / 4n
  const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, gas, ...transaction, ...fees })
  const signed: Signed = {
    step: step.name,
    state: 'signed',
    dataHash: keccak256(transaction.data),
    nonce,
    raw,
    hash: keccak256(raw),
    ...(step.create ? { address: getContractAddress({ from: address, nonce: BigInt(nonce) }) } : {}),
  }
  journal.add(signed)
  return signed
}

/** Sends and waits. */
async function carryOut(run: Run, step: Step, signed: Signed): Promise<TransactionReceipt> {
  await send(run, signed)
  try {
    return await receiptOf(run.client, signed.hash, run.waitMs, run.pollMs)
  } catch (error) {
    const found = await minedOf(run, step)
    if (found) return found
    throw new Stopped(
      `${step.name}: ${signed.hash} is not mined yet (${reasonOf(error)}); run the same command again, with --retry to offer a higher fee`,
    )
  }
}

/** Accepts what was mined, or stops with the reason. */
async function finish(run: Run, step: Step, receipt: TransactionReceipt): Promise<void> {
  const { journal, say } = run
  const { transactionHash: hash, blockNumber } = receipt
  const signed = journal.signaturesOf(step.name).find((entry) => entry.hash === hash)
  if (receipt.status !== 'success') {
    const transaction = await transactionAt(run, step, signed?.nonce ?? 0)
    const reason = await refusalOf(run, transaction, blockNumber)
    throw new Stopped(`${step.name}: ${hash} was reverted in block ${blockNumber}: ${reason}. Put that right, then run with --retry`)
  }
  const address = signed?.address
  if (journal.endOf(step.name)?.hash !== hash || journal.endOf(step.name)?.block !== Number(blockNumber)) {
    journal.add({ step: step.name, state: 'mined', hash, block: Number(blockNumber), ...(address ? { address } : {}) })
    say(`${step.name}: done in block ${blockNumber}${address ? `, at ${address}` : ''}`)
  }
  if (address) run.parts.set(step.name, address)
  run.blocks.set(step.name, Number(blockNumber))
}

async function runStep(run: Run, step: Step): Promise<void> {
  const { client, journal, parts, retry, say } = run
  const older = journal.signaturesOf(step.name).at(-1)
  const mined = await minedOf(run, step)
  if (mined?.status === 'success') return finish(run, step, mined)
  const isOpen = older !== undefined && mined === undefined
  if (!isOpen && !step.create && (await isShown(client, step, parts))) {
    if (journal.endOf(step.name) === undefined) journal.add({ step: step.name, state: 'found' })
    return say(`${step.name}: is so already`)
  }
  if (mined !== undefined && !retry) return finish(run, step, mined)
  if (!isOpen) return finish(run, step, await carryOut(run, step, await sign(run, step)))
  return finish(run, step, await carryOut(run, step, retry ? await sign(run, step, older) : older))
}

/** Waits until enough blocks lie on top of every step, and looks at each one again: blocks may have been replaced meanwhile. */
async function confirm(run: Run): Promise<void> {
  const { client, plan, confirmations, blocks, pollMs, say } = run
  const target = BigInt(Math.max(0, ...blocks.values()) + confirmations)
  if (confirmations > 0) say(`waiting for block ${target}`)
  while ((await client.getBlockNumber({ cacheTime: 0 })) < target) await new Promise((resolve) => setTimeout(resolve, pollMs))
  for (const step of plan.steps) {
    if (!blocks.has(step.name)) continue
    const receipt = await minedOf(run, step)
    if (receipt?.status !== 'success' || Number(receipt.blockNumber) !== blocks.get(step.name))
      throw new Stopped(`${step.name} is no longer where it was: the chain replaced blocks. Run the same command again`)
  }
}

/** Carries out a plan; the answer has the address of every part and the block of every step that was mined. */
export async function runPlan(options: RunOptions): Promise<{ parts: Map<string, Address>; blocks: Map<string, number> }> {
  const chainId = await options.client.getChainId()
  const parts = new Map(Object.entries(options.plan.given))
  const run: Run = { ...options, account: privateKeyToAccount(options.key), chainId, parts, blocks: new Map() }
  for (const step of options.plan.steps) await runStep(run, step)
  await confirm(run)
  return { parts, blocks: run.blocks }
}
